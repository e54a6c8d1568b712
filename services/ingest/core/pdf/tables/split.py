"""Which rows does a tall ruled row hold, where rules part columns but not every row?"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from services.ingest.core.pdf.columns import Line, lines_of
from services.ingest.core.pdf.tables.cells import Cell, Extent, Row, is_number, row_line, text_of
from services.ingest.core.pdf.tables.columns import cut
from services.ingest.core.pdf.tables.rows import CutLine, is_wrapped, parted_by_space, rows_of
from services.ingest.core.pdf.words import typical_height

_MOST_ROWS = 5  # in a table of more ruled rows, only those are parted that have as many values everywhere
_LEAST_LINES = 3
_NOT_WRAPPED = 0.6  # of the cells' lines, so that they are cells of their own
_NOT_WRAPPED_AS_MANY = 0.3  # the same, where each cell has as many lines
_SEVERAL = 0.3  # of an open row's lines stand in several columns
_PADDING_PT = 6.0
_ALIGNED_PT = 2.0


def split_tall_rows(rows: Sequence[Row], extents: Sequence[Extent]) -> list[Row]:
    """The rows, a tall one parted into those that its cells' lines form side by side."""
    if len(rows) <= _MOST_ROWS:
        return [part for row in rows for part in _parts(row, extents)]
    stacked = any(_is_stacked(row, extents, least=_LEAST_LINES) for row in rows)
    return [
        part
        for row in rows
        for part in (rows_of(_by_cell(row)) if stacked and _is_stacked(row, extents, least=2) else [row])
    ]


def _parts(row: Row, extents: Sequence[Extent]) -> list[Row]:
    if len(row) > 1:
        return rows_of(_by_cell(row)) if _is_tall(row, extents) else [row]
    if len(row[0]) < _LEAST_LINES:
        return [row]
    height = typical_height(row_line(row))
    lines = [cut(line, extents, height) for line in row[0]]
    several = sum(not line.spans and len(line.filled) > 1 for line in lines)
    spanning = sum(line.spans for line in lines)
    return rows_of(lines) if several >= _SEVERAL * len(lines) and several > 3 * spanning else [row]


def _is_stacked(row: Row, extents: Sequence[Extent], *, least: int) -> bool:
    """Whether every filled cell has several values: as many numbers a column, or as many texts."""
    filled = [column for column, cell in enumerate(row) if cell]
    numbers = [len(row[column]) for column in filled if _holds_numbers(row[column])]
    counts = numbers or [len(row[column]) for column in filled]
    if len(row) == 1 or len(filled) < 2 or len(set(counts)) > 1 or counts[0] < least:
        return False
    if any(len(row[column]) < counts[0] for column in filled):
        return False
    if _share_on_baselines([row[column] for column in filled]) <= _NOT_WRAPPED:
        return False
    return len(numbers) > 1 or _share_not_wrapped(row, filled, extents) >= _NOT_WRAPPED


def _by_cell(row: Row) -> list[CutLine]:
    places = {id(word): column for column, cell in enumerate(row) for line in cell for word in line}
    lines = []
    for line in lines_of(row_line(row)):
        cells: list[Line] = [[] for _ in row]
        for word in line:
            cells[places[id(word)]].append(word)
        lines.append(CutLine(tuple(cells)))
    return lines


def _is_tall(row: Row, extents: Sequence[Extent]) -> bool:
    """Whether several columns have lines on the same baselines, most of them no wrapped text."""
    many = [column for column, cell in enumerate(row) if len(cell) > 1]
    if len(many) < 2 or len(many) < len([cell for cell in row if cell]) / 2:
        return False
    if _share_on_baselines([row[column] for column in many]) <= _NOT_WRAPPED:
        return False
    if any(_holds_numbers(row[column]) for column in many):
        return True  # numbers are not wrapped
    if max(len(row[column]) for column in many) < _LEAST_LINES:
        return False
    if parted_by_space(_by_cell(row)) is not None:
        return True
    as_many = len({len(cell) for cell in row if cell}) == 1
    return _share_not_wrapped(row, many, extents) >= (_NOT_WRAPPED_AS_MANY if as_many else _NOT_WRAPPED)


def _holds_numbers(cell: Cell) -> bool:
    return all(is_number(text_of((line,))) for line in cell)


def _share_not_wrapped(row: Row, columns: Sequence[int], extents: Sequence[Extent]) -> float:
    """The share of lines that had room on the line above them."""
    pairs = [
        is_wrapped(above, below, extents[column][1] - extents[column][0] - _PADDING_PT)
        for column in columns
        for above, below in pairwise(row[column])
    ]
    return pairs.count(False) / len(pairs) if pairs else 0.0


def _share_on_baselines(cells: Sequence[Sequence[Line]]) -> float:
    """The share of lines of the shorter columns that stand beside a line of the longest."""
    longest = max(cells, key=len)
    places = sorted(_middles(longest))
    others = [place for cell in cells if cell is not longest for place in _middles(cell)]
    near = sum(min(abs(place - other) for other in places) <= _ALIGNED_PT for place in others)
    return near / len(others) if others else 0.0


def _middles(cell: Sequence[Line]) -> Iterator[float]:
    for line in cell:
        yield line[0].middle
