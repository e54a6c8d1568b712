"""Does the first row of a table name its columns, or is it data?"""

import re
from collections import Counter
from collections.abc import Callable, Sequence

_NUMBER = re.compile(r"[-+(]?\s*[$€£¥]?\s*[-+]?(?:\d[\d\s,.'’]*|\.\d+)(?:[eE][-+]?\d+)?\s*[%€$£]?\)?")
_DATE = re.compile(
    r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:[T ]\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[-+]\d{2}:?\d{2})?)?"
    r"|\d{1,2}:\d{2}(?::\d{2})?"
    r"|(?:\d{1,2}\s+)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+(?:\d{1,2},?\s+)?\d{4}",
    re.IGNORECASE,
)
_ADDRESS = re.compile(
    r"[^\s@]+@[^\s@]+\.[^\s@]+|[a-z][a-z0-9+.-]*://\S+|\d{1,3}(?:\.\d{1,3}){3}", re.IGNORECASE
)
_TRUTH = re.compile(r"true|false|yes|no|null|none|n/?a", re.IGNORECASE)
_YEAR = re.compile(r"(?:1[6-9]|20|21)\d\d")
_DIGITS = re.compile(r"\d+")
_LETTERS = re.compile(r"[^\W\d_]+")

TYPED_SHARE = 0.8  # of a column's filled cells, to call the column typed
ROWS_CONSULTED = 2_000
RECURRENCES = 2  # of a first-row cell further down its own column, to call it a value


def kind_of(cell: str) -> str:
    """`empty`, `number`, `date`, `address`, `truth` or `text`."""
    value = cell.strip()
    if not value:
        return "empty"
    if _DATE.fullmatch(value):
        return "date"
    if _ADDRESS.fullmatch(value):
        return "address"
    if _NUMBER.fullmatch(value):
        return "number"
    return "truth" if _TRUTH.fullmatch(value) else "text"


def why_no_header(first: Sequence[str], rest: Sequence[Sequence[str]]) -> str | None:
    """None when the first row can name the columns, else what speaks against it, to end a sentence with.

    A name is not a value: not a number or date (but for years above a column of other things, as in a pivot
    table), not of the kind or shape that its column has, not one that recurs down its column.
    """
    if not any(cell.strip() for cell in first):
        return "its first row is empty"
    body = [
        row for row in rest[:ROWS_CONSULTED] if list(row) != list(first)
    ]  # a header repeated further down is still one
    for index, cell in enumerate(first):
        column = [row[index].strip() for row in body if index < len(row) and row[index].strip()]
        reason = _why_value(cell.strip(), column)
        if reason:
            return reason
    return None


def _why_value(cell: str, column: Sequence[str]) -> str | None:
    kind = kind_of(cell)
    if kind == "empty":
        return None
    if kind != "text" and not _year_above_others(cell, column):
        return f"“{_short(cell)}” in its first row is a value, not a name"
    if (
        any(c.isdigit() for c in cell)
        and _share(column, lambda value: _shape(value) == _shape(cell)) >= TYPED_SHARE
    ):
        return f"“{_short(cell)}” in its first row is a code like those below it"
    if Counter(column)[cell] >= RECURRENCES:
        return f"“{_short(cell)}” in its first row comes again as a value below"
    return None


def _year_above_others(cell: str, column: Sequence[str]) -> bool:
    return bool(_YEAR.fullmatch(cell)) and _share(column, lambda value: bool(_YEAR.fullmatch(value))) < 0.5


def _share(column: Sequence[str], test: Callable[[str], bool]) -> float:
    return sum(map(test, column)) / len(column) if column else 0.0


def _shape(value: str) -> str:
    """`SKU-0417` and `SKU-0018` -> `a-9`."""
    return _LETTERS.sub("a", _DIGITS.sub("9", value))


def _short(cell: str) -> str:
    return cell if len(cell) <= 40 else cell[:39] + "…"
