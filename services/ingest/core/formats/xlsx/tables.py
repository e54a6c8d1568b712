"""What do the cells of a sheet read like: notes, and tables with a line for every row?"""

import re
from collections.abc import Iterator

from openpyxl.utils.cell import get_column_letter

from services.ingest.core.document import PARAGRAPH, TABLE
from services.ingest.core.formats.table_text import CELL_SEPARATOR
from services.ingest.core.formats.xlsx.cells import TEXT, Cell, Grid, Merged
from services.ingest.core.formats.xlsx.header import header_of
from services.ingest.core.formats.xlsx.regions import Rows, regions, spread_down

_MAX_GAP_ROWS = 3  # between a table and one that carries on under its header
_LONG_NOTE_CHARACTERS = 60
_NOTE = re.compile(
    r"\(?\w{1,2}\)\s|[*†‡¹²³]|\[\w{1,3}\]|(?:notes?|source|sources|remark|quelle)\b", re.IGNORECASE
)


def pieces(grid: Grid, *, max_cells: int, max_characters: int) -> Iterator[tuple[str, str]]:
    """(block kind, text) of all that the sheet holds, from the top."""
    spread_down(grid, max_cells=max_cells)
    merged: dict[int, list[Merged]] = {}
    for range_ in grid.merged:
        merged.setdefault(range_.top, []).append(range_)
    names: dict[int, str] = {}
    last = 0
    for rows in regions(grid.rows, merged):
        top = next(iter(rows))
        if all(len(cells) == 1 for cells in rows.values()) and _is_prose(rows):
            yield PARAGRAPH, "\n".join(cell.text for cells in rows.values() for cell in cells.values())
            continue
        notes = _notes_below(rows, merged)
        body = {number: cells for number, cells in rows.items() if number not in notes}
        count, found = header_of(body, merged)
        columns = {column for cells in body.values() for column in cells}
        carried_on = (
            bool(names) and top - last <= _MAX_GAP_ROWS and columns <= names.keys() and len(columns) > 1
        )
        if count:
            names = found
        elif not carried_on:
            names = {}
        last = max(rows)
        yield TABLE, "\n".join(_lines(list(body.values())[count:], names, max_characters))
        for number in notes:
            yield PARAGRAPH, "\n".join(cell.text for cell in rows[number].values())


def _is_prose(rows: Rows) -> bool:
    """Single cells of words; a column of numbers is a table however narrow."""
    return 2 * sum(cell.kind == TEXT for cells in rows.values() for cell in cells.values()) > len(rows)


def _notes_below(rows: Rows, merged: dict[int, list[Merged]]) -> list[int]:
    """The last rows that hold a single cell of words which reads as a note."""
    notes: list[int] = []
    for number in reversed(rows):
        (column, cell), *more = rows[number].items()
        wide = any(range_.left == column and range_.right > column for range_ in merged.get(number, ()))
        noted = wide or len(cell.text) > _LONG_NOTE_CHARACTERS or _NOTE.match(cell.text)
        if more or cell.kind != TEXT or not noted:
            break
        notes.append(number)
    return notes[::-1] if len(notes) < len(rows) else []


def _lines(rows: list[dict[int, Cell]], names: dict[int, str], max_characters: int) -> Iterator[str]:
    """A line for each row; ends once there is more than a document may hold, which the caller refuses."""
    length = 0
    for cells in rows:
        line = _line(cells, names)
        length += len(line)
        yield line
        if length > max_characters:
            return


def _line(cells: dict[int, Cell], names: dict[int, str]) -> str:
    """`region: north; units: 120` under named columns, else the cells side by side."""
    if not names:
        return CELL_SEPARATOR.join(cell.text for cell in cells.values())
    parts = []
    for place, (column, cell) in enumerate(cells.items()):
        name = names.get(column) or ("" if place == 0 else f"column {get_column_letter(column)}")
        parts.append(f"{name}: {cell.text}" if name else cell.text)
    return "; ".join(parts)
