"""Which typed blocks do the lines of a page form?"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from services.ingest.core.document import HEADING, LIST_ITEM, PARAGRAPH, TABLE
from services.ingest.core.pdf.columns import Line
from services.ingest.core.pdf.tables import regions_of
from services.ingest.core.pdf.tables_cells import Row, Table, row_line
from services.ingest.core.pdf.words import PageWords, typical_height

_BULLET = re.compile(r"[•◦▪‣●○■□–*·-]|\(?(?:\d{1,2}|[a-z])[.)]")
_PARAGRAPH_GAP_HEIGHTS = 0.65
_INDENT_HEIGHTS = 0.8
_SIZE_STEP = 1.12  # type larger than the body's by this is a heading's
_MAX_HEADING_LINES = 3
_MAX_HEADING_CHARACTERS = 160
_MAX_LEVELS = 5
_ALL_BOLD = 0.8


@dataclass(frozen=True, slots=True)
class Typed:
    """A block before it has a span. `size` ranks headings: the larger, the higher; `rows` are a table's."""

    kind: str
    lines: tuple[Line, ...]
    size: float = 0.0
    rows: tuple[Row, ...] = ()
    header_lines: int = 0


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
    for part in regions_of(page):
        if isinstance(part, Table):
            lines = tuple(row_line(row) for row in part.rows)
            yield Typed(TABLE, lines, rows=part.rows, header_lines=part.header_lines)
        else:
            yield from _prose(part, body)


def heading_levels(sizes: Sequence[float]) -> dict[float, int]:
    """Ranks the sizes of all headings of a document: the largest is level 1."""
    ranked = sorted(set(sizes), reverse=True)
    return {size: min(rank, _MAX_LEVELS) for rank, size in enumerate(ranked, start=1)}


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
