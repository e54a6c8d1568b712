"""Which of a table's first rows name its columns?"""

import math
import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import pairwise

from services.ingest.core.pdf.columns import Line
from services.ingest.core.pdf.rules import Rules, Segment
from services.ingest.core.pdf.tables.cells import (
    Row,
    bottom_of,
    is_number,
    numeric_columns,
    row_line,
    text_of,
    top_of,
)

_MOST_HEADER_ROWS = 4
_YEAR = re.compile(r"(?:19|20)\d\d(?:[/–-]\d{2,4})?\*?")
_MOSTLY = 0.8
_LONGEST_NAME = 60  # characters; longer cells say something rather than name a column


def header_lines(rows: Sequence[Row], rules: Rules, *, ruled: bool = False) -> int:
    """How many rows from the first are headers; 0 where nothing tells them from the others.

    A row that spans the table stands above the columns' names. In a `ruled` table the first row names them
    where nothing speaks for any other, and it looks as if.
    """
    titles = _leading([len(row) == 1 for row in rows])
    below = rows[titles:]
    count = _marked_lines(below, rules) or int(ruled and _first_row_names(below, least=2 if titles else 3))
    return titles + count + int(_names_under_groups(below, count)) if count else 0


def _names_under_groups(rows: Sequence[Row], count: int) -> bool:
    """Whether the row under the headers names columns of numbers that the headers leave without a name."""
    if len(rows) <= count + 1 or len(rows[count]) == 1:
        return False
    numeric = numeric_columns(rows[count + 1 :], share=_MOSTLY)
    bare = [column for column in numeric if not any(row[column] for row in rows[:count] if column < len(row))]
    names = [text_of(rows[count][column]) for column in numeric if column < len(rows[count])]
    named = all(not is_number(name) for name in names if name)
    return named and any(rows[count][column] for column in bare if column < len(rows[count]))


def _marked_lines(rows: Sequence[Row], rules: Rules) -> int:
    body = len(rows) - 1
    if body < 1:
        return 0
    limit = min(_MOST_HEADER_ROWS, body)
    for marked in (
        [_is_bold(row_line(row)) for row in rows],
        [_is_filled(row, rules) for row in rows],
    ):
        count = _leading(marked)
        if 0 < count <= limit and sum(marked[count:]) <= 0.3 * (len(rows) - count):
            return count
    ruled = _ruled_off(rows, rules.across)
    if 0 < ruled <= limit:
        return ruled
    return _text_over_numbers(rows, limit)


def _first_row_names(rows: Sequence[Row], *, least: int) -> bool:
    """Whether every cell of the first row, of at least so many, is filled with a few words."""
    if len(rows) < 3 or len(rows[0]) < least:
        return False
    texts = [text_of(cell) for cell in rows[0]]
    return all(text and len(text) <= _LONGEST_NAME and not is_number(text) for text in texts)


def _text_over_numbers(rows: Sequence[Row], limit: int) -> int:
    numeric = [column for column in numeric_columns(rows[1:], share=_MOSTLY) if column]
    if not numeric:
        return 0
    for count, row in enumerate(rows):
        if len(row) == 1:
            continue
        texts = [text_of(row[column]) for column in numeric if column < len(row)]
        years = [bool(_YEAR.fullmatch(text)) for text in texts if text]
        names = [text for text in texts if text and not is_number(text)]
        if all(years) and len(years) > 1 and count == 0 and not _all_years(rows[1:], numeric):
            continue
        if len(names) <= len(numeric) / 3 and any(is_number(text) for text in texts if text):
            return count if count <= limit else 0
        if not any(texts) and any(map(text_of, row[:1])):
            return count if count <= limit else 0
    return 0


def _all_years(rows: Sequence[Row], columns: Sequence[int]) -> bool:
    cells = [text_of(row[column]) for row in rows for column in columns if column < len(row) and row[column]]
    return bool(cells) and sum(bool(_YEAR.fullmatch(cell)) for cell in cells) > len(cells) / 2


def _ruled_off(rows: Sequence[Row], across: Sequence[Segment]) -> int:
    """Rows above a rule under the first of them, when no rule parts the rows below it, but at their end."""
    parted = []
    across = sorted(across)
    for index, (row, following) in enumerate(pairwise(rows), start=1):
        low, high = bottom_of([row_line(row)]) - 3, top_of([row_line(following)]) + 3
        x0 = min(word.x0 for word in row_line(following))
        x1 = max(word.x1 for word in row_line(following))
        width = sum(
            max(0.0, min(end, x1) - max(start, x0))
            for _, start, end in across[bisect_left(across, (low,)) : bisect_right(across, (high, math.inf))]
        )
        if width >= 0.9 * (x1 - x0):
            parted.append(index)
    if not parted or (len(parted) > 2 and len(parted) > (len(rows) - 1) / 2):
        return 0
    return parted[0]


def _leading(marked: Sequence[bool]) -> int:
    return next((index for index, mark in enumerate(marked) if not mark), len(marked))


def _is_bold(line: Line) -> bool:
    length = sum(len(word.text) for word in line)
    return sum(len(word.text) for word in line if word.bold) > _MOSTLY * length


def _is_filled(row: Row, rules: Rules) -> bool:
    words = row_line(row)
    inside = sum(
        any(
            x0 <= (word.x0 + word.x1) / 2 <= x1 and top <= word.middle <= bottom
            for x0, top, x1, bottom in rules.fills
        )
        for word in words
    )
    return inside > _MOSTLY * len(words)
