"""How is a row of cells written as one line of text?"""

from collections.abc import Sequence

from services.ingest.core.text import one_line

CELL_SEPARATOR = " | "


def row_line(cells: Sequence[str]) -> str:
    """Cells side by side, empty ones kept so that columns line up; "" when all are empty."""
    words = [one_line(cell) for cell in cells]
    return CELL_SEPARATOR.join(words).strip() if any(words) else ""


def named_row_line(names: Sequence[str], cells: Sequence[str]) -> str:
    """`region: north; units: 120`: a row that can be read alone; empty cells are left out."""
    parts = []
    for index, cell in enumerate(cells):
        value = one_line(cell)
        name = names[index] if index < len(names) else f"column {index + 1}"
        if value:
            parts.append(f"{name}: {value}")
    return "; ".join(parts)
