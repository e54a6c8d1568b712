"""Which lines at the foot of a column are notes to the text above?"""

import unicodedata
from collections.abc import Sequence

from services.ingest.core.document import FOOTNOTE
from services.ingest.core.pdf.columns import Line
from services.ingest.core.pdf.line_type import BodyType, Typed, bottom_of, line_size, top_of
from services.ingest.core.pdf.words import PageWords

_SMALL = 0.93  # of the body's size: notes are set in less
_SIGNS = frozenset("*∗†‡§¶#⁑")
_LOWER_PART = 0.4  # of the page's height: a note's first line stands below it
_RULE_REACH_HEIGHTS = 2.5
_MAX_RULE_SHARE = 0.6  # of the page's width: a longer rule is a frame's or a table's


def note_marks(page: PageWords) -> frozenset[str]:
    """What is raised in the text to refer to a note."""
    return frozenset(_plain(word.text) for word in page.words if word.mark)


def part_notes(
    lines: Sequence[Line], page: PageWords, body: BodyType, marks: frozenset[str]
) -> tuple[Sequence[Line], list[Typed]]:
    """The lines of a column without its notes, and these, each from its mark on."""
    small = len(lines)
    while small and line_size(lines[small - 1]) <= _SMALL * body.size:
        small -= 1
    for first in range(small, len(lines)):
        if _begins_notes(lines, first, page, marks):
            return lines[:first], _notes(lines[first:], marks)
    return lines, []


def _begins_notes(lines: Sequence[Line], first: int, page: PageWords, marks: frozenset[str]) -> bool:
    line = lines[first]
    if top_of(line) < _LOWER_PART * page.reading_height:
        return False
    if _opens_note(line, marks):
        return True
    above = bottom_of(lines[first - 1]) if first else 0.0
    height = bottom_of(line) - top_of(line)
    return bool(marks) and any(
        above - 1 <= y <= top_of(line) + 1
        and top_of(line) - y <= _RULE_REACH_HEIGHTS * height
        and x0 < line[-1].x1
        and x1 > line[0].x0
        and x1 - x0 <= _MAX_RULE_SHARE * page.width
        for y, x0, x1 in page.rules.across
    )


def _notes(lines: Sequence[Line], marks: frozenset[str]) -> list[Typed]:
    groups: list[list[Line]] = []
    raised = lines[0][0].mark
    for line in lines:
        if groups and not (_opens_note(line, marks) and line[0].mark >= raised):
            groups[-1].append(line)
        else:
            groups.append([line])
    return [Typed(FOOTNOTE, tuple(group)) for group in groups]


def _opens_note(line: Line, marks: frozenset[str]) -> bool:
    """A mark, raised itself or known from the text, and then words."""
    if len(line) < 2:
        return False
    first = _plain(line[0].text).rstrip(".)")
    if line[0].mark:
        return first in marks or first.isdecimal() or first in _SIGNS
    return first in marks and (first.isdecimal() or first in _SIGNS)


def _plain(mark: str) -> str:
    return unicodedata.normalize("NFKC", mark).strip(",;")
