"""Which first rows of a table in a sheet name its columns, and what are the names?"""

import re

from services.ingest.core.formats.delimited.header import why_no_header
from services.ingest.core.formats.xlsx.cells import DATE, NUMBER, TEXT, Cell, Merged
from services.ingest.core.formats.xlsx.regions import Rows, mostly_numbers

_MAX_HEADER_ROWS = 4
_BODY_ROWS_CONSULTED = 500
_MAX_CELLS_CONSULTED = 200_000
_STRAY_SHARE = 0.2  # of words in a column of numbers, such as n/a
_YEAR = re.compile(r"(?:1[6-9]|20|21)\d\d")
_BETWEEN = " – "


def header_of(rows: Rows, merged: dict[int, list[Merged]]) -> tuple[int, dict[int, str]]:
    """How many first rows are the header, and column -> name; 0 and none where the table has no header."""
    numbers = list(rows)
    columns = sorted({column for cells in rows.values() for column in cells})
    if len(numbers) < 2 or not _can_name(rows, numbers, 0):
        return 0, {}
    count = 1
    while count < min(_MAX_HEADER_ROWS, len(numbers) - 1) and _goes_on(rows, numbers, count, merged):
        count += 1
    consulted = min(_BODY_ROWS_CONSULTED, max(10, _MAX_CELLS_CONSULTED // len(columns)))
    body = [rows[number] for number in numbers[count : count + consulted]]
    names = _names(rows, numbers[:count], columns, merged)
    own = {column: cell.text for number in numbers[:count] for column, cell in rows[number].items()}
    words = [own.get(column, "") for column in columns]
    values = [[cells[c].text if c in cells else "" for c in columns] for cells in body]
    if 2 * sum(map(bool, words)) < len(words) or not _stands_out(rows, numbers, count, columns):
        return 0, {}
    first = [
        "" if _YEAR.fullmatch(word) or _is_date(rows, numbers[:count], column) else word
        for word, column in zip(words, columns, strict=True)
    ]
    if any(first) and why_no_header(first, values) is not None:
        return 0, {}
    return count, names


def _can_name(rows: Rows, numbers: list[int], index: int) -> bool:
    """Words, or years and dates above a column of something else."""
    for column, cell in rows[numbers[index]].items():
        if cell.kind == TEXT:
            continue
        if cell.kind == NUMBER and not _YEAR.fullmatch(cell.text):
            return False
        below = [rows[n][column] for n in numbers[index + 1 :][:_BODY_ROWS_CONSULTED] if column in rows[n]]
        alike = sum(
            other.kind == cell.kind and (cell.kind == DATE or bool(_YEAR.fullmatch(other.text)))
            for other in below
        )
        if 2 * alike >= len(below):
            return False
    return True


def _goes_on(rows: Rows, numbers: list[int], count: int, merged: dict[int, list[Merged]]) -> bool:
    """Whether the next row is header still: it names what the row above groups or leaves open."""
    above, row = rows[numbers[count - 1]], rows[numbers[count]]
    if not _can_name(rows, numbers, count):
        return False
    body = [rows[number] for number in numbers[count + 1 :][:_BODY_ROWS_CONSULTED]]
    over_numbers = any(
        mostly_numbers([cells[column] for cells in body if column in cells])
        for column, cell in row.items()
        if cell.kind == TEXT and any(column in cells for cells in body)
    )
    grouped = any(
        range_.right > range_.left and any(range_.left <= c <= range_.right for c in row)
        for range_ in merged.get(numbers[count - 1], ())
    )
    tall = any(
        range_.bottom >= numbers[count]
        for number in numbers[:count]
        for range_ in merged.get(number, ())
        if range_.bottom > range_.top
    )
    opened = any(column not in above for column in row)
    bold = all(cell.bold for cell in row.values()) and not all(
        c.bold for cells in body for c in cells.values()
    )
    return (tall and (grouped or over_numbers or bold)) or ((grouped or opened) and (over_numbers or bold))


def _stands_out(rows: Rows, numbers: list[int], count: int, columns: list[int]) -> bool:
    """False for a list of names and values in two columns, and for words above words in one."""
    body = [rows[number] for number in numbers[count : count + _BODY_ROWS_CONSULTED]]
    first = [cell for number in numbers[:count] for cell in rows[number].values()]
    if all(cell.bold for cell in first) and not all(cells[min(cells)].bold for cells in body):
        return True
    last = [cells[columns[-1]] for cells in body if columns[-1] in cells]
    numeric = sum(cell.kind != TEXT for cell in last)
    if len(columns) == 1:
        return numeric == len(last) > 0
    if len(columns) > 2:
        return True
    labels = [cells[columns[0]].text for cells in body if columns[0] in cells]
    with_colon = sum(label.endswith(":") for label in labels)
    mixed = numeric > 0 and len(last) - numeric > _STRAY_SHARE * len(last)
    return not mixed and 2 * with_colon < max(1, len(labels))


def _names(
    rows: Rows, numbers: list[int], columns: list[int], merged: dict[int, list[Merged]]
) -> dict[int, str]:
    """`Group – Sub`: what the header rows say above a column, from the top, each once."""
    parts: dict[int, list[str]] = {column: [] for column in columns}
    for place, number in enumerate(numbers):
        below = {column for later in numbers[place + 1 :] for column in rows[later]}
        for column, text in _across(rows[number], columns, below, merged.get(number, [])).items():
            if column in parts and text not in parts[column]:
                parts[column].append(text)
    return {column: _BETWEEN.join(texts) for column, texts in parts.items()}


def _across(
    row: dict[int, Cell], columns: list[int], below: set[int], merged: list[Merged]
) -> dict[int, str]:
    """The row's words over every column that they stand for."""
    said = {column: cell.text for column, cell in row.items()}
    wide = [range_ for range_ in merged if range_.right > range_.left and range_.left in row]
    for range_ in wide:
        for column in columns:
            if range_.left < column <= range_.right:
                said.setdefault(column, row[range_.left].text)
    grouped = [column for column in columns if column in below]
    if wide or not grouped:
        return said
    # Unmerged groups: words at the left end of their columns, or at the right end of them.
    if grouped[0] not in said and grouped[-1] in said:
        grouped.reverse()
    current = ""
    for column in grouped:
        current = said.setdefault(column, current) or current
    return {column: text for column, text in said.items() if text}


def _is_date(rows: Rows, numbers: list[int], column: int) -> bool:
    return any(column in rows[number] and rows[number][column].kind == DATE for number in numbers)
