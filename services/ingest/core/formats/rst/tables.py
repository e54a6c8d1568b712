"""Which rows does a table of reStructuredText have, cells under their columns whatever they span?"""

from collections.abc import Callable

from docutils import nodes


def table_of(table: nodes.Element, words: Callable[[nodes.Element], str]) -> tuple[list[list[str]], int]:
    """The rows, and how many of the first name the columns; a cell that spans others is said once."""
    rows: list[list[str]] = []
    header_lines = 0
    spanning: dict[int, int] = {}  # by column, how many more rows a cell from above reaches down
    for row in _rows(table):
        placed = _placed(row, spanning, words)
        if any(placed):
            rows.append(placed)
            header_lines += isinstance(row.parent, nodes.thead)
    return rows, header_lines if header_lines < len(rows) else 0


def _rows(table: nodes.Element) -> list[nodes.row]:
    """Its own rows: those of tables in its cells are words of the cells."""
    groups = [group for group in table.children if isinstance(group, nodes.tgroup)]
    parts = [
        part for group in groups for part in group.children if isinstance(part, (nodes.thead, nodes.tbody))
    ]
    return [row for part in parts for row in part.children if isinstance(row, nodes.row)]


def _placed(row: nodes.row, spanning: dict[int, int], words: Callable[[nodes.Element], str]) -> list[str]:
    covered = set(spanning)
    for column in covered:
        spanning[column] -= 1
        if not spanning[column]:
            del spanning[column]
    placed: list[str] = []
    for entry in row.children:
        if not isinstance(entry, nodes.entry):
            continue
        while len(placed) in covered:
            placed.append("")
        width, more_rows = 1 + int(entry.get("morecols", 0)), int(entry.get("morerows", 0))
        if more_rows:
            spanning.update(dict.fromkeys(range(len(placed), len(placed) + width), more_rows))
        placed.append(words(entry))
        placed.extend([""] * (width - 1))
    return placed
