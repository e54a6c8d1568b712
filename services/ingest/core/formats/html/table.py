"""Which lines does an HTML table become, its cells under their columns whatever they span?"""

from lxml.html import HtmlElement

from services.ingest.core.formats.delimited.header import kind_of, why_no_header
from services.ingest.core.formats.html.tags import is_left_out, own_rows, words_of
from services.ingest.core.formats.table_text import table_lines
from services.ingest.core.text import one_line

_MAX_COLUMNS = 1_000
_MAX_ROWS_SPANNED = 65_534  # as browsers take it
_MAX_DIGITS_OF_A_NAME = 4  # a year
_OPENING = frozenset(("$", "€", "£", "¥", "(", "US$"))
_CLOSING = frozenset((")", "%", ")%"))


def html_table_lines(table: HtmlElement) -> tuple[list[str], int]:
    """One line a row, and how many of the first name the columns.

    A cell over several columns or rows is said once, and leaves the other places empty.
    """
    rows: list[list[str]] = []
    header_lines = 0
    spanning: dict[int, int] = {}  # by column, how many more rows a cell from above reaches down
    for row in own_rows(table):
        cells = [cell for cell in row.iterchildren("td", "th") if not is_left_out(cell)]
        placed = _placed(cells, spanning)
        if not any(placed):
            continue
        parent = row.getparent()
        in_head = parent is not None and parent.tag == "thead"
        if header_lines == len(rows) and (in_head or (cells and all(cell.tag == "th" for cell in cells))):
            header_lines += 1
        rows.append(placed)
    rows = _without_empty_columns(rows)
    if not header_lines and _first_names_columns(rows):
        header_lines = 1
    header_lines = header_lines if header_lines < len(rows) else 0
    return table_lines(rows, named=header_lines > 0), header_lines


def _placed(cells: list[HtmlElement], spanning: dict[int, int]) -> list[str]:
    """The row's words by column; takes one row off what spans from above and adds what spans from here."""
    covered = set(spanning)
    for column in covered:
        spanning[column] -= 1
        if not spanning[column]:
            del spanning[column]
    row: list[str] = []
    for cell in cells:
        while len(row) in covered:
            row.append("")
        width = min(_span(cell, "colspan"), _MAX_COLUMNS - len(row))
        if width < 1:  # beyond what a table can be wide: said in the last column
            row[-1] = one_line(f"{row[-1]} {words_of(cell)}")
            continue
        height = min(_span(cell, "rowspan") or _MAX_ROWS_SPANNED, _MAX_ROWS_SPANNED)
        if height > 1:
            spanning.update(dict.fromkeys(range(len(row), len(row) + width), height - 1))
        row.append(one_line(words_of(cell)))
        row.extend([""] * (width - 1))
    return _joined_signs(row)


def _span(cell: HtmlElement, name: str) -> int:
    """The attribute as a browser reads it: digits, else 1; 0 rows mean all that follow."""
    value = (cell.get(name) or "").strip()
    if not (value.isascii() and value.isdigit()):
        return 1
    number = int(value[:6])
    return number if number or name == "rowspan" else 1


def _joined_signs(row: list[str]) -> list[str]:
    """Signs in cells of their own, as accountants' pages place them: `$`, `1,234`, `)` -> `$1,234)`."""
    for index in range(len(row) - 1):
        if row[index] in _OPENING and row[index + 1][:1].isdigit():
            row[index], row[index + 1] = "", row[index] + row[index + 1]
        elif row[index + 1] in _CLOSING and kind_of(row[index].lstrip("(")) == "number":
            row[index], row[index + 1] = row[index] + row[index + 1], ""
    return row


def _without_empty_columns(rows: list[list[str]]) -> list[list[str]]:
    width = max(map(len, rows), default=0)
    filled = [any(index < len(row) and row[index] for row in rows) for index in range(width)]
    if all(filled):
        return rows
    return [[cell for cell, keep in zip(row, filled, strict=False) if keep] for row in rows]


def _first_names_columns(rows: list[list[str]]) -> bool:
    """Several filled cells that name columns rather than hold values, above rows of several cells.

    Above a single row they must be words over figures.
    """
    if len(rows) < 2 or len(rows[0]) < 2 or not all(rows[0]) or len(rows[0]) < max(map(len, rows)):
        return False
    first, body = rows[0], rows[1:]
    if any(sum(map(str.isdigit, cell)) > _MAX_DIGITS_OF_A_NAME for cell in first):
        return False
    if sum(sum(map(bool, row)) > 1 for row in body) * 2 < len(body):
        return False
    if len(body) == 1:
        figures = sum(any(map(str.isdigit, cell)) for cell in body[0] if cell)
        if any(character.isdigit() for cell in first for character in cell) or figures < 2:
            return False
    return why_no_header(first, body) is None
