"""Which cells does a sheet show, as its readers see them?"""

import contextlib
import zipfile
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from openpyxl.utils.cell import coordinate_to_tuple, range_boundaries

from services.ingest.core.formats.office_xml import local_name, streamed
from services.ingest.core.formats.xlsx.number_codes import is_date_code
from services.ingest.core.formats.xlsx.number_format import number_shown, text_shown
from services.ingest.core.formats.xlsx.workbook import Style, Workbook, string_of
from services.ingest.core.text import one_line
from shared.errors import TooLarge

TEXT, NUMBER, DATE = "text", "number", "date"
_TRUTH = {"1": "TRUE", "true": "TRUE", "0": "FALSE", "false": "FALSE"}
_GENERAL = Style("General")
_MAX_ROW, _MAX_COLUMN = 1_048_576, 16_384


class Cell(NamedTuple):
    """A filled cell as it is shown, on one line."""

    text: str
    kind: str = TEXT
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Merged:
    """A merged range, all edges inclusive, counted from 1."""

    left: int
    top: int
    right: int
    bottom: int


@dataclass(slots=True)
class Grid:
    """The filled cells of a sheet: row -> column -> cell, both counted from 1, both rising."""

    rows: dict[int, dict[int, Cell]] = field(default_factory=dict)
    merged: list[Merged] = field(default_factory=list)
    hidden_rows: int = 0
    hidden_columns: int = 0
    formulas_without_value: int = 0
    cells: int = 0


def read_grid(package: zipfile.ZipFile, part: str, workbook: Workbook, *, max_cells: int) -> Grid:
    """The sheet's grid, read as a stream. Raises TooLarge beyond the cells that are allowed."""
    grid = Grid()
    row = column = 0  # of the cell before
    for element in streamed(package, part, ("row", "c", "mergeCell", "col")):
        name = local_name(element)
        if name == "c":
            row, column = _place(element, row, column + 1)
            cell = _cell(element, workbook, grid)
            if cell is not None:
                grid.rows.setdefault(row, {})[column] = cell
                grid.cells += 1
                if grid.cells > max_cells:
                    raise TooLarge("The workbook has too many filled cells: split it into several files.")
            element.clear()
        elif name == "row":
            row = _count(element.get("r"), row if len(element) else row + 1, _MAX_ROW)
            grid.hidden_rows += row in grid.rows and element.get("hidden") in ("1", "true")
            column = 0
            element.clear()
            while element.getprevious() is not None:
                del element.getparent()[0]
        elif name == "mergeCell":
            merged = _merged(element.get("ref") or "")
            if merged is not None:
                grid.merged.append(merged)
        elif element.get("hidden") in ("1", "true"):
            left = _count(element.get("min"), 1, _MAX_COLUMN)
            grid.hidden_columns += max(0, _count(element.get("max"), left, _MAX_COLUMN) - left + 1)
    _put_in_order(grid)
    return grid


def _cell(element: Any, workbook: Workbook, grid: Grid) -> Cell | None:
    kind = element.get("t") or "n"
    value: str | None = None
    formula = False
    words = ""
    for child in element:
        name = local_name(child)
        if name == "v":
            value = child.text
        elif name == "f":
            formula = True
        elif name == "is":
            words = string_of(child)
    number = element.get("s") or ""
    style = (
        workbook.styles[int(number)]
        if number.isdecimal() and int(number) < len(workbook.styles)
        else _GENERAL
    )
    if value is None and kind != "inlineStr":
        grid.formulas_without_value += formula and kind != "str"
        return None
    if kind == "n":
        return _number(value or "", style, from_1904=workbook.from_1904)
    if kind == "s":
        index = int(value) if value and value.strip().isdecimal() else -1
        words = workbook.strings[index] if 0 <= index < len(workbook.strings) else ""
    elif kind == "b":
        words = _TRUTH.get((value or "").strip().lower(), value or "")
    elif kind != "inlineStr":  # a formula's words, an error, an ISO date
        words = value or ""
    shown = one_line(words if style.code == "General" else text_shown(words, style.code))
    return Cell(shown, DATE if kind == "d" else TEXT, style.bold) if shown else None


def _number(value: str, style: Style, *, from_1904: bool) -> Cell | None:
    try:
        number = float(value)
    except ValueError:
        shown = one_line(value)
        return Cell(shown, TEXT, style.bold) if shown else None
    if style.code == "General" and number.is_integer() and abs(number) < 1e11:
        return Cell(str(int(number)), NUMBER, style.bold)
    shown = one_line(number_shown(number, style.code, from_1904=from_1904))
    kind = DATE if is_date_code(style.code) else NUMBER
    return Cell(shown, kind, style.bold) if shown else None


def _place(element: Any, row: int, column: int) -> tuple[int, int]:
    """Where a cell says that it stands, else behind the one before it, in the row that it is part of."""
    reference = element.get("r")
    if reference:
        with contextlib.suppress(ValueError, TypeError, KeyError):
            row, column = coordinate_to_tuple(reference)
    elif column == 1:
        parent = element.getparent()
        row = _count(None if parent is None else parent.get("r"), row + 1, _MAX_ROW)
    return min(max(row, 1), _MAX_ROW), min(max(column, 1), _MAX_COLUMN)


def _merged(reference: str) -> Merged | None:
    try:
        left, top, right, bottom = range_boundaries(reference)
    except (ValueError, TypeError):
        return None
    if None in (left, top, right, bottom):
        return None
    return Merged(int(left or 1), int(top or 1), int(right or 1), int(bottom or 1))


def _count(value: str | None, default: int, largest: int) -> int:
    return min(max(int(value), 1), largest) if value and value.isdecimal() else min(default, largest)


def _put_in_order(grid: Grid) -> None:
    """Rows and cells that a program wrote out of order are put where they say they stand."""
    if list(grid.rows) != sorted(grid.rows):
        grid.rows = dict(sorted(grid.rows.items()))
    for number, cells in grid.rows.items():
        if list(cells) != sorted(cells):
            grid.rows[number] = dict(sorted(cells.items()))
