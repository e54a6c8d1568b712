"""How is a row of cells written as one line of text?"""

from collections.abc import Sequence

from services.ingest.core.formats.delimited.header import why_no_header
from services.ingest.core.text import one_line

CELL_SEPARATOR = " | "


def table_lines(rows: Sequence[Sequence[str]], *, named: bool) -> list[str]:
    """A line for each row with something in it; only under named columns do empty cells keep their place."""
    lines = []
    for row in rows:
        cells = [one_line(cell) for cell in row]
        if any(cells):
            lines.append(CELL_SEPARATOR.join(cell for cell in cells if named or cell).strip())
    return lines


def names_columns(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first row is several filled cells that name columns rather than hold values."""
    return len(rows) > 2 and len(rows[0]) > 1 and all(rows[0]) and why_no_header(rows[0], rows[1:]) is None


def named_row_line(names: Sequence[str], cells: Sequence[str]) -> str:
    """`region: north; units: 120`: a row that can be read alone; empty cells are left out."""
    named = zip(names, cells, strict=False)
    parts = [f"{name}: {value}" for name, cell in named if (value := " ".join(cell.split()))]
    unnamed = enumerate(cells[len(names) :], start=len(names) + 1)
    parts.extend(f"column {number}: {value}" for number, cell in unnamed if (value := one_line(cell)))
    return "; ".join(parts)
