"""Which consecutive lines form a table by the alignment of their words alone?"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from services.ingest.core.pdf.columns import Line, cells_of
from services.ingest.core.pdf.rules import Rules
from services.ingest.core.pdf.tables.cells import Extent, Row, Table, numeric_columns, row_line, text_of
from services.ingest.core.pdf.tables.columns import columns_of, cut
from services.ingest.core.pdf.tables.header import header_lines
from services.ingest.core.pdf.tables.names import names_above
from services.ingest.core.pdf.tables.rows import is_wrapped, rows_of
from services.ingest.core.pdf.words import typical_height

_CELL_GAP_HEIGHTS = 0.9
_MOST_LINES_BETWEEN = 5  # wrapped lines between two that fill several columns
_FARTHEST_HEIGHTS = 3.2  # from line to line of one table
_MOST_NAME_LINES = 2
_SETTLED_LINES = 3  # after so many, what comes farther apart, or in another type, is no row
_WIDER_STEP, _WIDER_STEPS = 1.4, 2.2  # in two columns, and in more
_SAME_SIZE = 0.06
_TIGHT_SIZES = 1.4  # lines of one cell are no farther apart, in sizes of their type
_BESIDE_SIZES = 0.8  # lines nearer than this stand beside each other, in cells set in their row's middle
_LEADERS = re.compile(r"(?:\.\s?){4,}|…{2,}|(?:\. ){3,}")
_SECTION = re.compile(r"(?:[A-Z]|\d{1,3})(?:\.\d{1,3})*\.?|[IVXLC]+\.?")
_LABEL = re.compile(r"[•◦▪‣●○■□–*·-]|[\[(]?(?:\d{1,3}|[A-Za-z]|[ivx]{1,5})[.)\]]?:?")
_LONG_LINE = 45  # characters; a column of mostly such lines is running text
_ALIGNED_PT = 2.0
_MOSTLY = 0.7
_FULL_SHARE = 0.6  # of a framed table's rows fill several columns
_LEAST_ROWS = 3
_TEXT_ROWS = 4  # without numbers and names of columns


@dataclass(frozen=True, slots=True)
class Stretch:
    """Lines `first` to `last` (exclusive) of those given, and the table that they form."""

    first: int
    last: int
    table: Table


def aligned_tables(lines: Sequence[Line], rules: Rules) -> Iterator[Stretch]:
    """The tables among the lines of a region, from the top."""
    height = typical_height(word for line in lines for word in line)
    cells = [cells_of(line, _CELL_GAP_HEIGHTS * height) for line in lines]
    index = done = 0
    while index < len(lines):
        if len(cells[index]) < 2:
            index += 1
            continue
        last, columns = _run_end(cells, index, height)
        first = _run_start(cells, index, done, columns) if last - index > 1 else index
        table = table_in(lines[first:last], rules) if last - index > 1 else None
        if table is not None:
            names = names_above(lines, done, first, table.columns, height)
            named = table_in(lines[names:last], rules) if names < first else None
            if named is not None and named.header_lines:
                first, table = names, named
            yield Stretch(first, last, table)
            done = last
        index = last if table is not None else index + 1


def table_in(lines: Sequence[Line], rules: Rules, *, framed: bool = False) -> Table | None:
    """The table that the lines form, if they form one; `framed` when rules above and below set it off."""
    height = typical_height(word for line in lines for word in line)
    columns = columns_of(lines, height)
    if len(columns) < 2:
        return None
    cut_lines = [cut(line, columns, height) for line in lines]
    rows = rows_of(cut_lines, rules.across)
    count = header_lines(rows, rules)
    if not _is_table(rows, count, framed=framed):
        return None
    return Table(tuple(rows), count, tuple(columns))


def _run_end(cells: Sequence[Sequence[Line]], first: int, height: float) -> tuple[int, list[Extent]]:
    """Where the run of lines ends that share their columns with the first, and those columns."""
    last_row, widest, steps = first, 0.0, 0
    columns = [_extent(cell) for cell in cells[first]]
    index = first + 1
    while index < len(cells) and index - last_row <= _MOST_LINES_BETWEEN + 1:
        here = [_extent(cell) for cell in cells[index]]
        distance = cells[index][0][0].middle - cells[index - 1][0][0].middle
        if distance > _FARTHEST_HEIGHTS * height:
            break
        if steps >= _SETTLED_LINES - 1 and (
            distance > (_WIDER_STEPS if len(columns) > 2 else _WIDER_STEP) * widest
            or abs(_size(cells[index]) - _size(cells[index - 1])) > _SAME_SIZE * _size(cells[index])
        ):
            break
        widest = max(widest, distance)
        beside = distance < _BESIDE_SIZES * _size(cells[index])
        steps += not beside
        if len(here) > 1:
            shared = _one_to_one(columns, here)
            if shared < 2:
                break
            columns = _together(columns, here)
            last_row = index
        elif beside and not _crosses(columns, here[0]):
            columns = _together(columns, here)
        elif _crosses(columns, here[0]) and index - last_row > 1:
            break
        index += 1
    end = last_row + 1
    while end < min(index, len(cells)) and _hangs_on(cells[end], columns, cells[end - 1], below=True):
        end += 1
    return end, columns


def _run_start(cells: Sequence[Sequence[Line]], first: int, done: int, columns: Sequence[Extent]) -> int:
    """Where the run begins, when the first line of a wrapped name stands alone above the others."""
    start = first
    while start > done and first - start < _MOST_NAME_LINES and len(cells[start - 1]) == 1:
        if not _hangs_on(cells[start - 1], columns, cells[start]):
            break
        start -= 1
    return start


def _hangs_on(
    line: Sequence[Line], columns: Sequence[Extent], beside: Sequence[Line], *, below: bool = False
) -> bool:
    """Whether a line next to another is wrapped text of one column: of the first, if it had no room above."""
    extent, distance = _extent(line[0]), abs(line[0][0].middle - beside[0][0].middle)
    if len(line) > 1 or distance > _TIGHT_SIZES * _size(line):
        return False
    inside = [index for index, column in enumerate(columns) if _overlap(column, extent) > 0]
    if len(inside) != 1 or _crosses(columns, extent):
        return False
    if distance < _BESIDE_SIZES * _size(line):
        return True
    column = columns[inside[0]]
    above = next((cell for cell in beside if _overlap(column, _extent(cell)) > 0), None)
    return inside[0] > 0 or (
        below and above is not None and is_wrapped(above, line[0], column[1] - column[0])
    )


def _is_table(rows: Sequence[Row], header: int, *, framed: bool) -> bool:
    body = [row for row in rows[header:] if len(row) > 1]
    full = [row for row in rows if sum(map(bool, row)) > 1]
    width = max(map(len, rows))
    if len(full) < 2 or sum(len(row) == 1 for row in rows) > len(rows) / 2:
        return False
    if any(_LEADERS.search(" ".join(word.text for word in row_line(row))) for row in rows):
        return False
    if _runs_on(rows) or _is_labelled_text(full):
        return False
    if framed:
        spanning = sum(len(row) == 1 for row in rows)
        return spanning <= len(rows) / 4 and len(full) >= _FULL_SHARE * (len(rows) - spanning)
    numeric = [column for column in numeric_columns(body) if column]
    if len(full) < _LEAST_ROWS:
        return False
    if width <= 3 and not header and _is_contents(full):
        return False
    if width == 2:
        return bool(header or numeric) and not _is_contents(full)
    return bool(header or numeric) or (len(full) >= _TEXT_ROWS and _shares_edges(full))


def _runs_on(rows: Sequence[Row]) -> bool:
    """Whether these are columns of running text: most lines long, or going on with a small letter."""
    texts = [" ".join(word.text for word in line) for row in rows for cell in row for line in cell]
    long = sum(len(text) > _LONG_LINE for text in texts)
    lower = sum(text[0].islower() for text in texts)
    return long > len(texts) / 2 or (lower > 0.5 * len(texts) and len(rows) > 4)


def _is_labelled_text(rows: Sequence[Row]) -> bool:
    """Whether the first of two columns holds but bullets or numbers, the second what they number."""
    if max(map(len, rows)) > 2:
        return False
    labels = [text_of(row[0]) for row in rows if row[0]]
    return sum(bool(_LABEL.fullmatch(label)) for label in labels) > len(labels) / 2


def _is_contents(rows: Sequence[Row]) -> bool:
    """Whether the last column counts up as page numbers do, after titles and perhaps their numbers."""
    if max(map(len, rows)) > 2 and not all(_SECTION.fullmatch(text_of(row[0])) for row in rows if row[0]):
        return False
    numbers = [text_of(row[-1]) for row in rows if row[-1]]
    whole = [int(number) for number in numbers if number.isascii() and number.isdigit()]
    return len(whole) >= _MOSTLY * len(numbers) and all(low <= high for low, high in pairwise(whole))


def _shares_edges(rows: Sequence[Row]) -> bool:
    """Whether in each column most cells begin, or end, at one place: names set in the middle do not."""
    for column in range(max(map(len, rows))):
        cells = [row[column][0] for row in rows if column < len(row) and row[column]]
        if len(cells) < 2:
            continue
        aligned = max(
            sum(abs(edge - other) <= _ALIGNED_PT for other in edges)
            for edges in ([cell[0].x0 for cell in cells], [cell[-1].x1 for cell in cells])
            for edge in edges
        )
        if aligned < _MOSTLY * len(cells):
            return False
    return True


def _extent(cell: Line) -> Extent:
    return cell[0].x0, cell[-1].x1


def _size(line: Sequence[Line]) -> float:
    return median(word.size for cell in line for word in cell)


def _overlap(left: Extent, right: Extent) -> float:
    return min(left[1], right[1]) - max(left[0], right[0])


def _crosses(columns: Sequence[Extent], extent: Extent) -> bool:
    return sum(_overlap(column, extent) > 1 for column in columns) > 1


def _one_to_one(columns: Sequence[Extent], cells: Sequence[Extent]) -> int:
    """How many cells lie over one column that lies over no other cell."""
    pairs = [
        (left, right)
        for left, column in enumerate(columns)
        for right, cell in enumerate(cells)
        if _overlap(column, cell) > 0
    ]
    lefts, rights = [left for left, _ in pairs], [right for _, right in pairs]
    return sum(lefts.count(left) == 1 and rights.count(right) == 1 for left, right in pairs)


def _together(columns: Sequence[Extent], cells: Sequence[Extent]) -> list[Extent]:
    """The columns with the cells that lie over none of them; those that lie over one widen it."""
    merged = list(columns)
    for cell in cells:
        over = [index for index, column in enumerate(merged) if _overlap(column, cell) > 0]
        if not over:
            merged.append(cell)
        elif len(over) == 1:
            column = merged[over[0]]
            merged[over[0]] = min(column[0], cell[0]), max(column[1], cell[1])
    return sorted(merged)
