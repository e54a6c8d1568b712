"""Where in a sheet does one table end and the next begin?"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from services.ingest.core.formats.xlsx.cells import NUMBER, TEXT, Cell, Grid, Merged

Rows = dict[int, dict[int, Cell]]

_MAX_DEPTH = 4  # of cuts, blank rows and blank columns in turn
_MAX_HEADER_BAND_ROWS = 3
_MAX_SIDE_BY_SIDE = 50  # tables; more blank columns than that part nothing
_SAME_ROWS_SHARE = 0.8  # of two halves' rows, to call them halves of one table
_MAX_SPREAD_CHARACTERS = 200  # a longer merged cell is a note beside the table, not a value of its rows
_ROWS_CONSULTED = 500


def number_like(cell: Cell) -> bool:
    """A number, or the dash that stands for none."""
    return cell.kind == NUMBER or (cell.kind == TEXT and not any(c.isalpha() for c in cell.text))


def spread_down(grid: Grid, *, max_cells: int) -> None:
    """Says a cell merged over several rows in each of them, so that every row can be read alone."""
    budget = max_cells - grid.cells
    numbers = list(grid.rows)
    for merged in grid.merged:
        cell = grid.rows.get(merged.top, {}).get(merged.left)
        if cell is None or merged.bottom == merged.top or len(cell.text) > _MAX_SPREAD_CHARACTERS:
            continue
        for number in numbers[bisect_right(numbers, merged.top) : bisect_right(numbers, merged.bottom)]:
            if budget <= 0:
                return
            if merged.left not in grid.rows[number]:
                grid.rows[number] = dict(sorted({**grid.rows[number], merged.left: cell}.items()))
                budget -= 1


def regions(rows: Rows, merged: dict[int, list[Merged]], depth: int = 0) -> Iterator[Rows]:
    """The blocks of filled cells, from the top and then from the left."""
    bands = _bands(rows)
    for band in bands:
        heading = _title_rows(band, merged)
        if heading:
            yield {number: band.pop(number) for number in heading}
        if not band:
            continue
        parts = _side_by_side(band, merged)
        if (len(parts) == 1 and (len(bands) == 1 or depth)) or depth >= _MAX_DEPTH:
            yield band
        else:
            for part in parts:
                yield from regions(part, merged, depth + 1)


def _bands(rows: Rows) -> list[Rows]:
    """Rows between blank rows; a header set apart from its table by a blank row stays with it."""
    bands: list[Rows] = []
    last = -1
    for number, cells in rows.items():
        if (bands and number == last + 1) or (
            bands and number == last + 2 and _is_header_of(bands[-1], cells)
        ):
            bands[-1][number] = cells
        else:
            bands.append({number: cells})
        last = number
    return bands


def _is_header_of(band: Rows, cells: dict[int, Cell]) -> bool:
    """A few rows of words, the last of them above the numbers of the row that follows."""
    if len(band) > _MAX_HEADER_BAND_ROWS + 1:
        return False
    last = list(band.values())[-1]
    under = [column for column, cell in cells.items() if number_like(cell)]
    named = [column for column in under if column in last]
    return bool(under) and 2 * len(named) >= len(under) and not any(map(number_like, last.values()))


def _title_rows(band: Rows, merged: dict[int, list[Merged]]) -> list[int]:
    """The first rows that hold one cell of words at the left of something wider."""
    columns = {column for cells in band.values() for column in cells}
    if len(columns) < 2:
        return []
    left = min(columns)
    found = []
    for number, cells in band.items():
        (column, cell), *more = cells.items()
        wide = any(range_.left == column and range_.right > column for range_ in merged.get(number, ()))
        if more or cell.kind != TEXT or not (column == left or wide):
            break
        found.append(number)
    return found


def _side_by_side(band: Rows, merged: dict[int, list[Merged]]) -> list[Rows]:
    """The band cut at its blank columns, where both sides are tables of their own."""
    used = {column for cells in band.values() for column in cells}
    for number in band:
        for range_ in merged.get(number, ()):
            if range_.left in band[number]:
                used.update(range(range_.left, range_.right + 1))
    columns = sorted(used)
    starts = [column for index, column in enumerate(columns) if not index or columns[index - 1] + 1 < column]
    if not 1 < len(starts) <= _MAX_SIDE_BY_SIDE:
        return [band]
    parts: list[Rows] = [{} for _ in starts]
    for number, cells in band.items():
        for column, cell in cells.items():
            parts[bisect_right(starts, column) - 1].setdefault(number, {})[column] = cell
    whole = [parts[0]]
    for part in parts[1:]:
        if part and _carries_on(whole[-1], part):
            for number, cells in part.items():
                whole[-1][number] = {**whole[-1].get(number, {}), **cells}
            whole[-1] = dict(sorted(whole[-1].items()))
        elif part:
            whole.append(part)
    return [part for part in whole if part]


def _carries_on(left: Rows, right: Rows) -> bool:
    """Whether a blank column is a mere gap: the same rows, and no names at the right's left edge."""
    shared = len(left.keys() & right.keys())
    if shared < _SAME_ROWS_SHARE * max(len(left), len(right)):
        return False
    if _width(left) == 1 or _width(right) == 1:
        return True
    edge = min(min(cells) for cells in right.values())
    return mostly_numbers([cells[edge] for cells in list(right.values())[1:] if edge in cells])


def mostly_numbers(cells: Sequence[Cell]) -> bool:
    consulted = cells[:_ROWS_CONSULTED]
    return 2 * sum(map(number_like, consulted)) > len(consulted)


def _width(rows: Rows) -> int:
    return len({column for cells in rows.values() for column in cells})
