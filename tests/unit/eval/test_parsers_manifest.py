"""Is every key of a manifest checked, and can every check fail?"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from eval.parsing.manifest import manifest_results, read_result, refused_result
from eval.parsing.view import ParsedBlock, ParsedPage, ParsedView, Refused

VIEW = ParsedView(
    "Tide  tables\nfrom high to low\n\n47698 The ﬁnal page",
    (ParsedBlock("heading", 0, 29, 1, 1), ParsedBlock("paragraph", 31, 51, 0, 2)),
    (ParsedPage(1, "i"), ParsedPage(2, "ii")),
    "Tides ☸",
    ("1 attachment was left unread: image.png",),
)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ({"contains": ["Tide tables", "high to low"]}, {"contains": ["tide tables"]}),
        ({"pages": 2}, {"pages": 3}),
        ({"page_has": {"2": "47698"}}, {"page_has": {"1": "47698"}}),
        ({"labels": {"1": "i", "2": "ii"}}, {"labels": {"3": "iii"}}),
        ({"order": ["Tide", "high", "47698"]}, {"order": ["low", "high"]}),
        ({"order": ["high", "low"]}, {"order": ["high", "absent"]}),
        (
            {"question": {"text": "?", "answer": "high to low", "page": 1}},
            {"question": {"answer": "low", "page": 2}},
        ),
        ({"slides": 2}, {"slides": 4}),
        ({"sheets": 1}, {"sheets": 5}),
        ({"attachments": ["image.png"]}, {"attachments": ["note.txt"]}),
        ({"subject": "Tides ☸"}, {"subject": "Tides"}),
        ({"nfkc": "finalpage"}, {"nfkc": "finale"}),
    ],
)
def test_key_of_a_manifest_passes_what_is_there_and_fails_what_is_not(
    right: Mapping[str, Any], wrong: Mapping[str, Any]
) -> None:
    assert read_result({"file": "a.pdf", **right}, VIEW).failed == ()
    assert read_result({"file": "a.pdf", **right}, VIEW).passed != ()
    assert len(read_result({"file": "a.pdf", **wrong}, VIEW).failed) == 1


def test_attachment_that_became_a_document_is_there() -> None:
    view = ParsedView("A mail.", attachments=("note.txt",))
    assert read_result({"file": "a.eml", "attachments": ["note.txt"]}, view).failed == ()
    assert read_result({"file": "a.eml", "attachments": ["other.txt"]}, view).failed != ()


def test_encoding_fails_where_characters_were_lost() -> None:
    entry = {"file": "a.html", "encoding": "cp1252"}
    assert read_result(entry, VIEW).failed == ()
    assert read_result(entry, ParsedView("sch\ufffdn")).failed == ("encoding: cp1252",)


def test_file_to_be_refused_passes_only_when_refused_with_a_reason() -> None:
    entry = {"file": "a.pdf", "reject": True, "contains": ["never read"]}
    assert refused_result(entry, "It has a password.").failed == ()
    assert refused_result(entry, "").failed == ("reject: with a reason",)
    assert read_result(entry, VIEW).failed == ("reject: with a reason",)


def test_scanned_file_may_be_read_if_its_pages_say_so() -> None:
    entry = {"file": "a.pdf", "reject": True, "scanned": True}
    assert read_result(entry, ParsedView("read", pages=(ParsedPage(1, "1", scanned=True),))).failed == ()
    assert read_result(entry, ParsedView("read", pages=(ParsedPage(1, "1"),))).failed != ()


def test_refused_file_fails_everything_that_was_wanted_of_it() -> None:
    result = refused_result(
        {"file": "a.pptx", "contains": ["A", "B"], "slides": 4, "why": "slides"}, "Not read."
    )
    assert result.failed == ("contains: A", "contains: B", "slides: 4")
    assert result.refused == "Not read."
    assert refused_result({"file": "a.epub", "contains": []}, "Not read.").failed == (
        "reject: not this file",
    )


def test_manifest_results_gives_every_file_in_order(tmp_path: Path) -> None:
    entries = [
        {"file": "b.txt", "contains": ["tide"], "licence": "MIT"},
        {"file": "a.txt", "reject": True},
    ]
    (tmp_path / "manifest.json").write_text(json.dumps(entries), "utf-8")
    (tmp_path / "b.txt").write_text("The tide.", "utf-8")
    (tmp_path / "a.txt").write_text("", "utf-8")

    def parse(path: Path) -> ParsedView:
        text = path.read_text("utf-8")
        if not text:
            raise Refused("The file is empty.")
        return ParsedView(text)

    results = manifest_results(tmp_path, parse)
    assert [(result.file, result.failed) for result in results] == [("b.txt", ()), ("a.txt", ())]


def test_manifest_with_a_key_that_nothing_checks_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text(json.dumps([{"file": "a.txt", "colour": "red"}]), "utf-8")
    with pytest.raises(ValueError, match=r"a\.txt: the manifest's key 'colour'"):
        manifest_results(tmp_path, lambda _: VIEW)
