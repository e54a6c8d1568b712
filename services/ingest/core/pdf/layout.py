"""Which typed blocks do the lines of a page form?"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from services.ingest.core.document import HEADING, LIST_ITEM, PARAGRAPH, TABLE
from services.ingest.core.pdf.columns import Line, cell_gap, cells_of, reading_order
from services.ingest.core.pdf.words import PageWords, typical_height

_BULLET = re.compile(r"[•◦▪‣●○■□–*·-]|\(?(?:\d{1,2}|[a-z])[.)]")
_TABLE_CELLS = 3
_TABLE_LINES = 3
_PARAGRAPH_GAP_HEIGHTS = 0.65
_INDENT_HEIGHTS = 0.8
_SIZE_STEP = 1.12  # type larger than the body's by this is a heading's
_MAX_HEADING_LINES = 3
_MAX_HEADING_CHARACTERS = 160
_MAX_LEVELS = 5
_ALL_BOLD = 0.8


@dataclass(frozen=True, slots=True)
class Typed:
    """A block before it has a span. `size` ranks headings: the larger, the higher."""

    kind: str
    lines: tuple[Line, ...]
    size: float = 0.0


@dataclass(frozen=True, slots=True)
class BodyType:
    """What the running text of a document is set in."""

    size: float
    bold: bool


def body_type(pages: Sequence[PageWords]) -> BodyType:
    """The size and weight that most characters have."""
    sizes: Counter[float] = Counter()
    weights: Counter[bool] = Counter()
    for page in pages:
        for word in page.words:
            sizes[_half_points(word.size)] += len(word.text)
            weights[word.bold] += len(word.text)
    size = max(sizes, key=lambda size: (sizes[size], size), default=10.0)
    return BodyType(size, weights[True] > weights[False])


def typed_blocks(page: PageWords, body: BodyType) -> Iterator[Typed]:
    """The blocks of a page in reading order."""
    gap = cell_gap(page.words)
    for lines in reading_order(page.words):
        flags = _table_flags(lines, gap)
        for in_table, members in groupby(zip(flags, lines, strict=True), key=lambda pair: pair[0]):
            stretch = [line for _, line in members]
            if in_table:
                yield Typed(TABLE, tuple(stretch))
            else:
                yield from _prose(stretch, body)


def heading_levels(sizes: Sequence[float]) -> dict[float, int]:
    """Ranks the sizes of all headings of a document: the largest is level 1."""
    ranked = sorted(set(sizes), reverse=True)
    return {size: min(rank, _MAX_LEVELS) for rank, size in enumerate(ranked, start=1)}


def _table_flags(lines: Sequence[Line], gap: float) -> list[bool]:
    """Which lines are rows: three or more of three or more cells; one odd line between stays in."""
    wide = [len(cells_of(line, gap)) >= _TABLE_CELLS for line in lines]
    for index in range(1, len(wide) - 1):
        if wide[index - 1] and wide[index + 1] and len(cells_of(lines[index], gap)) > 1:
            wide[index] = True
    flags: list[bool] = []
    for is_wide, members in groupby(wide):
        count = len(list(members))
        flags += [is_wide and count >= _TABLE_LINES] * count
    return flags


def _prose(lines: Sequence[Line], body: BodyType) -> Iterator[Typed]:
    paragraph: list[Line] = []
    left = min(line[0].x0 for line in lines)
    height = typical_height([word for line in lines for word in line])
    for line in lines:
        if paragraph and _begins_paragraph(paragraph, line, (left, height)):
            yield _typed(paragraph, body)
            paragraph = []
        paragraph.append(line)
    if paragraph:
        yield _typed(paragraph, body)


def _begins_paragraph(paragraph: Sequence[Line], line: Line, measure: tuple[float, float]) -> bool:
    """A gap, another type, a bullet, or an indent after a line that was not."""
    left, height = measure
    above = paragraph[-1]
    if _top(line) - _bottom(above) > _PARAGRAPH_GAP_HEIGHTS * height:
        return True
    size_above, size = _line_size(above), _line_size(line)
    if max(size, size_above) > _SIZE_STEP * min(size, size_above) or _weights_differ(above, line):
        return True
    if _is_item(line):
        return True
    indented = line[0].x0 - left > _INDENT_HEIGHTS * height
    return (
        indented
        and above[0].x0 - left <= _INDENT_HEIGHTS * height / 2
        and not _BULLET.match(paragraph[0][0].text)
    )


def _typed(lines: Sequence[Line], body: BodyType) -> Typed:
    text = " ".join(word.text for line in lines for word in line)
    size = max(_line_size(line) for line in lines)
    if len(lines) <= _MAX_HEADING_LINES and len(text) <= _MAX_HEADING_CHARACTERS and _names_something(text):
        if size >= _SIZE_STEP * body.size:
            return Typed(HEADING, tuple(lines), size)
        stands_out = all(map(_is_bold, lines)) and not body.bold and size >= 0.9 * body.size
        if stands_out and not text.endswith((".", ",", ";")):
            return Typed(HEADING, tuple(lines), _half_points(body.size))
    if _is_item(lines[0]):
        return Typed(LIST_ITEM, tuple(lines))
    return Typed(PARAGRAPH, tuple(lines))


def _is_item(line: Line) -> bool:
    """A bullet or a number, and then words."""
    return len(line) > 1 and bool(_BULLET.fullmatch(line[0].text)) and not _BULLET.fullmatch(line[1].text)


def _names_something(text: str) -> bool:
    letters = sum(character.isalpha() for character in text)
    return letters >= 2 and letters >= len(text) / 3


def _line_size(line: Line) -> float:
    """The size that most of the line's characters have, to half a point."""
    sizes: Counter[float] = Counter()
    for word in line:
        sizes[_half_points(word.size)] += len(word.text)
    return max(sizes, key=lambda size: (sizes[size], size))


def _is_bold(line: Line) -> bool:
    return _bold_share(line) > _ALL_BOLD


def _weights_differ(above: Line, line: Line) -> bool:
    """One wholly bold, the other hardly: a bold word in a line parts nothing."""
    shares = sorted((_bold_share(above), _bold_share(line)))
    return shares[0] < 1 - _ALL_BOLD and shares[1] > _ALL_BOLD


def _bold_share(line: Line) -> float:
    return sum(len(word.text) for word in line if word.bold) / sum(len(word.text) for word in line)


def _top(line: Line) -> float:
    return min(word.top for word in line)


def _bottom(line: Line) -> float:
    return max(word.bottom for word in line)


def _half_points(size: float) -> float:
    return round(size * 2) / 2
