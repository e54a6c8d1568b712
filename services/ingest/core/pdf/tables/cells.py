"""What is a table of a page: rows of cells of lines of words, and which cells hold numbers?"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from services.ingest.core.pdf.columns import Line

Cell = tuple[Line, ...]  # its lines from the top, none for an empty cell
Row = tuple[Cell, ...]  # a cell for each column, or a single one that spans them all
Extent = tuple[float, float]

_NUMBER = re.compile(
    r"[(\[<>≤≥~≈±+−–-]*[$€£¥]?[<>≤≥±+−–-]*\d[\d.,'’:/\s\u00a0%‰°+−–±()×^-]*"
    r"(?:[$€£¥]|[A-Za-zµ°/²³]{1,4}\d?)?[)\]*†‡§]*"
)
_NO_VALUE = frozenset({"-", "–", "—", "−", "n/a", "N/A", "n.a.", "..", "...", "*"})


@dataclass(frozen=True, slots=True)
class Table:
    """Rows from the top, how many of the first name the columns, and where the columns stand."""

    rows: tuple[Row, ...]
    header_lines: int
    columns: tuple[Extent, ...]


def row_line(row: Row) -> Line:
    """The words of all cells of a row, cell after cell."""
    return [word for cell in row for line in cell for word in line]


def text_of(cell: Cell) -> str:
    return " ".join(word.text for line in cell for word in line)


def is_number(text: str) -> bool:
    """Whether a cell holds a number, an amount, a date in digits, or the mark of no value."""
    return text in _NO_VALUE or bool(_NUMBER.fullmatch(text))


def numeric_columns(rows: Sequence[Row], *, share: float = 0.6) -> list[int]:
    """The columns in which most filled cells are numbers; at least one with a digit."""
    found = []
    for column in range(max(map(len, rows), default=0)):
        texts = [text_of(row[column]) for row in rows if column < len(row) and len(row) > 1 and row[column]]
        if (
            texts
            and any(any(map(str.isdigit, text)) for text in texts)
            and sum(map(is_number, texts)) >= share * len(texts)
        ):
            found.append(column)
    return found


def top_of(words: Iterable[Line]) -> float:
    return min(word.top for line in words for word in line)


def bottom_of(words: Iterable[Line]) -> float:
    return max(word.bottom for line in words for word in line)
