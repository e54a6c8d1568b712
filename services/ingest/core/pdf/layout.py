"""Which typed blocks do the lines of a page form?"""

from collections.abc import Iterator, Sequence

from services.ingest.core.document import CAPTION, HEADING, LIST_ITEM, PARAGRAPH, TABLE
from services.ingest.core.pdf.columns import Line
from services.ingest.core.pdf.footnotes import note_marks, part_notes
from services.ingest.core.pdf.headings import SIZE_STEP, is_heading
from services.ingest.core.pdf.line_type import BodyType, Typed, bottom_of, line_size, top_of, weights_differ
from services.ingest.core.pdf.openings import is_caption, is_item, opens_caption, with_depths
from services.ingest.core.pdf.tables.cells import Table, row_line
from services.ingest.core.pdf.tables.page import regions_of
from services.ingest.core.pdf.words import PageWords, typical_height

_PARAGRAPH_GAP_HEIGHTS = 0.65
_INDENT_HEIGHTS = 0.8
_HANGING_HEIGHTS = 0.5


def typed_blocks(page: PageWords, body: BodyType) -> Iterator[Typed]:
    """The blocks of a page in reading order, its footnotes after the rest."""
    marks = note_marks(page)
    blocks: list[Typed] = []
    notes: list[Typed] = []
    for part in regions_of(page):
        if isinstance(part, Table):
            lines = tuple(row_line(row) for row in part.rows)
            blocks.append(
                Typed(TABLE, lines, rows=part.rows, header_lines=part.header_lines, columns=part.columns)
            )
            continue
        text, below = part_notes(part, page, body, marks)
        notes += below
        if text:
            blocks += _prose(text, body)
    yield from with_depths(blocks)
    yield from notes


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
    """A gap, another type, a bullet, a caption, or an indent after a line that was not."""
    left, height = measure
    above = paragraph[-1]
    if top_of(line) - bottom_of(above) > _PARAGRAPH_GAP_HEIGHTS * height:
        return True
    size_above, size = line_size(above), line_size(line)
    if max(size, size_above) > SIZE_STEP * min(size, size_above) or weights_differ(above, line):
        return True
    if is_item(line) or opens_caption(line):
        return True
    if is_item(paragraph[0]):
        return _ends_item(paragraph, line, height)
    indented = line[0].x0 - left > _INDENT_HEIGHTS * height
    return indented and above[0].x0 - left <= _INDENT_HEIGHTS * height / 2


def _ends_item(paragraph: Sequence[Line], line: Line, height: float) -> bool:
    """Whether a line stands out of an item whose lines hang under its words."""
    words = paragraph[0][1].x0 - _HANGING_HEIGHTS * height
    hanging = len(paragraph) > 1 and all(other[0].x0 >= words for other in paragraph[1:])
    return hanging and line[0].x0 < words


def _typed(lines: Sequence[Line], body: BodyType) -> Typed:
    if is_caption(lines):
        return Typed(CAPTION, tuple(lines))
    rank = is_heading(lines, body)
    if rank:
        return Typed(HEADING, tuple(lines), rank)
    return Typed(LIST_ITEM if is_item(lines[0]) else PARAGRAPH, tuple(lines))
