"""Does a parser read a folder of odd files as its manifest says that they read?"""

import json
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eval.parsing.view import HEADING, ParsedView, Refused

MANIFEST = "manifest.json"
_REPLACEMENT = "\ufffd"
_SPACE = re.compile(r"\s+")
# What a manifest says of a file that no text of it can prove.
_REMARKS = frozenset({"file", "why", "source", "licence", "note", "core", "rotate", "outline_items"})
Outcomes = Iterator[tuple[str, bool]]
_REJECT, _SCANNED = "reject", "scanned"


@dataclass(frozen=True, slots=True)
class FileResult:
    """What held and what did not for one file, each said as "key: what was wanted"."""

    file: str
    passed: tuple[str, ...]
    failed: tuple[str, ...]
    refused: str = ""


def manifest_results(folder: Path, parse: Callable[[Path], ParsedView]) -> list[FileResult]:
    """The result of every file that the folder's manifest names, in its order.

    `parse` raises `Refused` for a file that it will not read. ValueError for a key of the manifest that
    nothing is known of.
    """
    entries = json.loads((folder / MANIFEST).read_text("utf-8"))
    return [_result(entry, folder, parse) for entry in entries]


def manifest_strings(folder: Path) -> dict[str, tuple[str, ...]]:
    """By file, the strings that the folder's manifest says its text holds."""
    entries = json.loads((folder / MANIFEST).read_text("utf-8"))
    return {entry["file"]: tuple(entry.get("contains", ())) for entry in entries}


def _result(entry: Mapping[str, Any], folder: Path, parse: Callable[[Path], ParsedView]) -> FileResult:
    check_keys(entry)
    try:
        view = parse(folder / entry["file"])
    except Refused as refusal:
        return refused_result(entry, str(refusal))
    return read_result(entry, view)


def check_keys(entry: Mapping[str, Any]) -> None:
    """Raises ValueError, naming file and key, for a key that is neither checked nor a remark."""
    for key in entry:
        if key not in _CHECKS and key not in _REMARKS and key not in (_REJECT, _SCANNED):
            raise ValueError(f"{entry['file']}: the manifest's key {key!r} is not known")


def refused_result(entry: Mapping[str, Any], reason: str) -> FileResult:
    """The result of a file that was refused: right, given a reason, where the manifest wants it so."""
    if entry.get(_REJECT):
        outcomes = [(f"{_REJECT}: with a reason", bool(reason))]
    else:
        outcomes = [(what, False) for what, _ in _outcomes(entry, ParsedView(""))]
        outcomes = outcomes or [(f"{_REJECT}: not this file", False)]
    return _told(entry, outcomes, reason)


def read_result(entry: Mapping[str, Any], view: ParsedView) -> FileResult:
    """The result of a file that was read. One to be refused as scanned may be read, if it says so."""
    if entry.get(_REJECT):
        by_eye = bool(entry.get(_SCANNED)) and any(page.scanned for page in view.pages)
        return _told(entry, [(f"{_REJECT}: with a reason", by_eye)])
    return _told(entry, list(_outcomes(entry, view)))


def _outcomes(entry: Mapping[str, Any], view: ParsedView) -> Outcomes:
    for key, wanted in entry.items():
        if key in _CHECKS:
            yield from ((f"{key}: {what}", held) for what, held in _CHECKS[key](view, wanted))


def _told(entry: Mapping[str, Any], outcomes: Sequence[tuple[str, bool]], refused: str = "") -> FileResult:
    return FileResult(
        entry["file"],
        tuple(what for what, held in outcomes if held),
        tuple(what for what, held in outcomes if not held),
        refused,
    )


def _contains(view: ParsedView, wanted: Sequence[str]) -> Outcomes:
    """Strings that the text holds, white space aside."""
    text = _bare(view.text)
    yield from ((string, _bare(string) in text) for string in wanted)


def _pages(view: ParsedView, wanted: int) -> Outcomes:
    yield f"{wanted}, found {len(view.pages)}", len(view.pages) == wanted


def _page_has(view: ParsedView, wanted: Mapping[str, str]) -> Outcomes:
    """A printed number among the words of a page, by the page's physical number."""
    for number, printed in wanted.items():
        yield f"{printed} on page {number}", printed in view.page_text(int(number)).split()


def _labels(view: ParsedView, wanted: Mapping[str, str]) -> Outcomes:
    found = {str(page.number): page.label for page in view.pages}
    for number, label in wanted.items():
        yield f"page {number} is {label}, found {found.get(number)}", found.get(number) == label


def _order(view: ParsedView, wanted: Sequence[str]) -> Outcomes:
    """Strings that stand in this order, each found."""
    text = _bare(view.text)
    places = [text.find(_bare(string)) for string in wanted]
    yield " < ".join(wanted), -1 not in places and places == sorted(places)


def _question(view: ParsedView, wanted: Mapping[str, Any]) -> Outcomes:
    """The words of an answer on the page where it stands."""
    page = _bare(view.page_text(wanted["page"]))
    yield f"{wanted['answer']} on page {wanted['page']}", _bare(wanted["answer"]) in page


def _slides(view: ParsedView, wanted: int) -> Outcomes:
    """As many pages, or as many headings of the first level."""
    yield f"{wanted}", wanted in (len(view.pages), _top_headings(view))


def _attachments(view: ParsedView, wanted: Sequence[str]) -> Outcomes:
    """Names of documents that came out of it, or that warnings or text tell of as left unread."""
    said = "\n".join((*view.attachments, *view.warnings, view.text))
    yield from ((name, name in said) for name in wanted)


def _subject(view: ParsedView, wanted: str) -> Outcomes:
    yield wanted, _bare(wanted) in (_bare(view.title), *map(_bare, view.text.splitlines()))


def _encoding(view: ParsedView, wanted: str) -> Outcomes:
    """No character was lost in decoding; that the right ones came out is for `contains` to say."""
    yield wanted, _REPLACEMENT not in view.text


def _nfkc(view: ParsedView, wanted: str) -> Outcomes:
    """A string that the text holds once both are compatibility-folded, white space aside."""
    yield (
        wanted,
        _bare(unicodedata.normalize("NFKC", wanted)) in _bare(unicodedata.normalize("NFKC", view.text)),
    )


_CHECKS: Mapping[str, Callable[[ParsedView, Any], Outcomes]] = {
    "contains": _contains,
    "pages": _pages,
    "page_has": _page_has,
    "labels": _labels,
    "order": _order,
    "question": _question,
    "slides": _slides,
    "sheets": _slides,
    "attachments": _attachments,
    "subject": _subject,
    "encoding": _encoding,
    "nfkc": _nfkc,
}


def _top_headings(view: ParsedView) -> int:
    return sum(block.kind == HEADING and block.level == 1 for block in view.blocks)


def _bare(text: str) -> str:
    """The text without white space, whose places are each reader's own choice."""
    return _SPACE.sub("", text)
