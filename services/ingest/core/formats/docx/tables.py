"""How is a table of a Word document written, a line for each row?"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from services.ingest.core.formats.docx.words import (
    CELL_TAG,
    CONTENT_TAG,
    CONTROL_TAG,
    ROW_TAG,
    TABLE_TAG,
    VALUE,
    boxes_in,
    flow,
    is_on,
    number_in,
    word_name,
)
from services.ingest.core.formats.table_text import names_columns, table_lines
from services.ingest.core.text import one_line

_CELL_PROPERTIES, _ROW_PROPERTIES = word_name("tcPr"), word_name("trPr")
_MERGED, _SPAN, _MERGED_ACROSS = word_name("vMerge"), word_name("gridSpan"), word_name("hMerge")
_HEADER_MARK, _DELETED = word_name("tblHeader"), word_name("del")
_MAX_COLUMNS = 64  # Word itself has no more
OWN, BESIDE, ABOVE = "own", "beside", "above"

ParagraphWords = Callable[[Any], str]


class _Cell(NamedTuple):
    """A place in the grid: what it says, and whether that belongs to it, or to the cell beside or above."""

    text: str
    of: str = OWN


def table_text(table: Any, words: ParagraphWords) -> tuple[list[str], int]:
    """One line a row, and how many of the first name the columns; `words` reads a paragraph.

    Under named columns every cell keeps its place, and one merged downwards is said in each of its rows.
    """
    rows: list[list[_Cell]] = []
    marked = 0
    for row in _rows(table):
        cells = _cells(row, rows[-1] if rows else [], words)
        if not any(cell.text for cell in cells if cell.of != ABOVE):
            continue
        if marked == len(rows) and _is_header(row):
            marked += 1
        rows.append(cells)
    full = [[cell.text for cell in cells] for cells in rows]
    if not marked and names_columns(full):
        marked = 1
    marked = marked if marked < len(rows) else 0
    if marked:
        return table_lines(full, named=True), marked
    own = [[cell.text for cell in cells if cell.of == OWN] for cells in rows]
    return table_lines(own, named=False), 0


def _rows(table: Any) -> Iterator[Any]:
    for element in table:
        if element.tag == ROW_TAG:
            properties = element.find(_ROW_PROPERTIES)
            if properties is None or properties.find(_DELETED) is None:
                yield element
        elif element.tag == CONTROL_TAG:
            for content in element.iterchildren(CONTENT_TAG):
                yield from _rows(content)


def _is_header(row: Any) -> bool:
    properties = row.find(_ROW_PROPERTIES)
    return properties is not None and is_on(properties.find(_HEADER_MARK))


def _cells(row: Any, above: list[_Cell], words: ParagraphWords) -> list[_Cell]:
    """The row laid on the grid of the table's columns."""
    cells = [_Cell("", BESIDE)] * _edge(row, "gridBefore")
    for element in _cell_elements(row):
        properties = element.find(_CELL_PROPERTIES)
        merged = across = span = None
        if properties is not None:
            merged, across = properties.find(_MERGED), properties.find(_MERGED_ACROSS)
            span = number_in(properties.find(_SPAN))
        if len(cells) >= _MAX_COLUMNS:
            cells.append(_Cell(_cell_words(element, words)))
            continue
        if merged is not None and merged.get(VALUE) != "restart":
            cells.append(_Cell(above[len(cells)].text if len(cells) < len(above) else "", ABOVE))
        elif across is not None and across.get(VALUE) != "restart":
            cells.append(_Cell("", BESIDE))
        else:
            cells.append(_Cell(_cell_words(element, words)))
        cells += [_Cell("", BESIDE)] * (min(span or 1, _MAX_COLUMNS) - 1)
    return cells


def _edge(row: Any, tag: str) -> int:
    properties = row.find(_ROW_PROPERTIES)
    return min(
        (number_in(properties.find(word_name(tag))) or 0) if properties is not None else 0, _MAX_COLUMNS
    )


def _cell_elements(row: Any) -> Iterator[Any]:
    for element in row:
        if element.tag == CELL_TAG:
            yield element
        elif element.tag == CONTROL_TAG:
            for content in element.iterchildren(CONTENT_TAG):
                yield from _cell_elements(content)


def _cell_words(cell: Any, words: ParagraphWords) -> str:
    """A cell on one line; a table inside it as its rows, set apart by semicolons."""
    parts: list[str] = []
    for element in flow(cell):
        if element.tag == TABLE_TAG:
            parts.append("; ".join(table_text(element, words)[0]))
            continue
        parts.append(one_line(words(element)))
        parts += [_cell_words(box, words) for box in boxes_in(element)]
    return " ".join(filter(None, parts))
