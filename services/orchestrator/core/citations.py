"""Which passage does a [n] mean, and how are such markers read out of a stream that may break anywhere?"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from services.orchestrator.core.assembly import Passage
from services.orchestrator.core.trace import source_to_json
from shared.candidate import Candidate, Source, TextSpan

_MARKER = re.compile(r"(?P<before>[ \t]*)[\[【]\s*(?P<numbers>\d+(?:\s*[,;]\s*\d+)*)\s*[\]】]")
# What may still become a marker, or the space before one that is dropped.
_UNDECIDED = re.compile(r"[ \t]*(?:[\[【][\d\s,;]{0,40})?\Z")
_OWN_MARKER = re.compile(r"\[(\s*\d+(?:\s*[,;–-]\s*\d+)*\s*)\]")


@dataclass(frozen=True, slots=True)
class Citation:
    """Where a claim comes from: `quote` is exactly the canonical text at `span`."""

    n: int
    chunk_id: str
    span: TextSpan
    source: Source
    quote: str
    inferred: bool = False
    matched_figures: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.quote or len(self.quote) != self.span.end - self.span.start:
            raise ValueError(f"citation {self.n}: the quote is not as long as its span")


def citation_of(n: int, candidate: Candidate, start: int, end: int) -> Citation:
    """The citation of a stretch of a candidate, in code points of its own text. ValueError outside of it."""
    if not 0 <= start < end <= len(candidate.text):
        raise ValueError(f"citation {n}: {start}..{end} is not within the passage")
    begin = candidate.span.start
    return Citation(
        n,
        candidate.chunk_id,
        TextSpan(candidate.span.document_id, begin + start, begin + end),
        candidate.source,
        candidate.text[start:end],
    )


def citations_of(numbers: Iterable[int], passages: Sequence[Passage]) -> tuple[Citation, ...]:
    """One citation for each number that is that of a passage, in order of number, over the whole passage."""
    by_number = {p.n: p.candidate for p in passages}
    return tuple(
        citation_of(n, by_number[n], 0, len(by_number[n].text))
        for n in sorted(set(numbers))
        if n in by_number
    )


def citation_to_json(citation: Citation) -> dict[str, Any]:
    """As the answer object has it."""
    source = source_to_json(citation.source)
    return {
        "n": citation.n,
        "chunk_id": citation.chunk_id,
        "document_id": citation.span.document_id,
        "title": source["title"],
        "file_name": source["file_name"],
        "section": source["section"],
        "page_label": source["page_label"],
        "page_number": source["page_number"],
        "start": citation.span.start,
        "end": citation.span.end,
        "quote": citation.quote,
        "inferred": citation.inferred,
        "matched_figures": list(citation.matched_figures),
    }


def without_markers(text: str) -> str:
    """The text with bracketed numbers of its own, such as a paper's references, in round brackets.

    They would otherwise pass for citations of ours.
    """
    return _OWN_MARKER.sub(r"(\1)", text)


class CitationStream:
    """Passes text on as soon as it is certain, with every marker whole, in range and on its own: [1][3].

    Numbers that no passage has are dropped, with the space before them if nothing of the marker is left.
    """

    def __init__(self, highest: int) -> None:
        self._highest = highest
        self._held = ""
        self._cited: list[int] = []
        self._dropped: list[int] = []

    @property
    def cited(self) -> tuple[int, ...]:
        """Numbers cited so far, in order of first mention."""
        return tuple(dict.fromkeys(self._cited))

    @property
    def dropped(self) -> tuple[int, ...]:
        """Numbers that were dropped, in order of first mention."""
        return tuple(dict.fromkeys(self._dropped))

    def feed(self, text: str) -> str:
        """What may be shown now that `text` has come."""
        settled = _MARKER.sub(self._settle, self._held + text)
        undecided = _UNDECIDED.search(settled)
        cut = undecided.start() if undecided else len(settled)
        self._held = settled[cut:]
        return settled[:cut]

    def finish(self) -> str:
        """What is left at the end: half a marker is no marker, and space at the end is none."""
        rest, self._held = self._held, ""
        return _UNDECIDED.sub("", rest)

    def _settle(self, match: re.Match[str]) -> str:
        numbers = [int(digits) for digits in re.findall(r"\d+", match["numbers"])]
        valid = [n for n in numbers if 1 <= n <= self._highest]
        self._cited += valid
        self._dropped += [n for n in numbers if n not in valid]
        return match["before"] + "".join(f"[{n}]" for n in valid) if valid else ""
