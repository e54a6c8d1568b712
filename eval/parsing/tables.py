"""Which rows and cells does a parser's text show where it says that a table is?"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from eval.parsing.view import TABLE, ParsedBlock, ParsedView
from eval.parsing.words import words_of

Row = tuple[str, ...]
Rows = tuple[Row, ...]
Relation = tuple[str, str, str]

_RULE = re.compile(r":?-+:?")
_LEAST_KNOWN = 2
_TYPED_GAP = re.compile(r"\t| {2,}")


@dataclass(frozen=True, slots=True)
class KnownTables:
    """What a document's true tables say, for reading lines that do not mark where a cell ends.

    Boundaries in doubt are so given in the parser's favour; which cells stand in a row, and in which order,
    is not.
    """

    names: Row
    rows: Mapping[Row, Row]
    cells: Mapping[Row, str]
    longest: int

    @classmethod
    def of(cls, tables: Iterable[Rows]) -> "KnownTables":
        """What the tables of one document say; their first rows are the columns' names."""
        tables = tuple(tables)
        rows = [tuple(cell for cell in row if words_of(cell)) for table in tables for row in table]
        cells = {tuple(words_of(cell)): cell for row in rows for cell in row}
        names = dict.fromkeys(cell for table in tables for cell in table[0] if cell.strip())
        return cls(
            tuple(names),
            {tuple(words_of(" ".join(row))): row for row in rows},
            cells,
            max((len(cell) for cell in cells), default=0),
        )


def recovered_tables(view: ParsedView, known: KnownTables) -> Iterator[tuple[ParsedBlock, Rows]]:
    """The tables of a view, each with its first block, in the order of the text.

    Table blocks with nothing but furniture between them are one table when they begin with the same row:
    a header that is printed again on the next page is not counted again.
    """
    first: ParsedBlock | None = None
    rows: Rows = ()
    for block in view.parts():
        found = _rows(view.text_of(block), known) if block.kind == TABLE else ()
        if first is not None and found and rows[0] == found[0]:
            rows += found[_repeated(rows, found) :]
            continue
        if first is not None:
            yield first, rows
        first, rows = (block, found) if found else (None, ())
    if first is not None:
        yield first, rows


def flat_tables(text: str, known: KnownTables) -> list[Rows]:
    """The tables in a text that does not say where they are: told from its lines, in the parser's favour.

    Lines in a row are one when each holds two known cells or more and little else; pages end none that
    begins again with the same row.
    """
    tables: list[Rows] = []
    open_table = False
    for line in text.splitlines():
        if not line.strip():
            continue
        cells = _unmarked(line.strip(), known)
        hits = sum(tuple(words_of(cell)) in known.cells for cell in cells)
        if hits < _LEAST_KNOWN or 2 * hits < len(cells):
            open_table = False
        elif open_table:
            tables[-1] += (cells,)
        elif tables and tables[-1][0] == cells:
            open_table = True
        else:
            tables.append((cells,))
            open_table = True
    return tables


def adjacency_relations(tables: Iterable[Rows]) -> Counter[Relation]:
    """How often which cell stands left of or above which, blank cells skipped (Göbel et al., ICDAR 2013).

    Cells are compared by their words; one without a word (a dash) is blank. A table of r full rows and
    c columns has r(c - 1) + c(r - 1) relations.
    """
    relations: Counter[Relation] = Counter()
    for rows in tables:
        width = max(map(len, rows), default=0)
        across = [[" ".join(words_of(cell)) for cell in row] + [""] * (width - len(row)) for row in rows]
        down = [list(column) for column in zip(*across, strict=True)]
        for direction, lines in (("right", across), ("below", down)):
            for line in lines:
                filled = [cell for cell in line if cell]
                relations.update((direction, near, far) for near, far in pairwise(filled))
    return relations


def _repeated(rows: Rows, found: Rows) -> int:
    """How many first rows two tables share: a header that is printed again."""
    count = 0
    for row, again in zip(rows, found, strict=False):
        if row != again:
            break
        count += 1
    return count


def _rows(text: str, known: KnownTables) -> Rows:
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    if any("|" in line for line in lines):
        return _piped(lines)
    if lines and all(_named_cells(line, known.names) for line in lines):
        return _of_records([_named_cells(line, known.names) for line in lines], known.names)
    return tuple(_unmarked(line, known) for line in lines)


def _piped(lines: Sequence[str]) -> Rows:
    """Cells between bars; bars around every line are the table's frame, a row of dashes its rule."""
    framed = all(line.startswith("|") and line.endswith("|") for line in lines)
    split = [(line[1:-1] if framed else line).split("|") for line in lines]
    rows = [tuple(cell.strip() for cell in cells) for cells in split]
    return tuple(row for row in rows if not all(_RULE.fullmatch(cell) for cell in row))


def _named_cells(line: str, names: Sequence[str]) -> dict[str, str]:
    """The cells of a row written as `name: value; name: value`; empty if it is not."""
    alternatives = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    marks = list(re.finditer(rf"(?:^|; )({alternatives}): ", line)) if names else []
    if not marks or marks[0].start() != 0:
        return {}
    ends = [*(mark.start() for mark in marks[1:]), len(line)]
    return {mark[1]: line[mark.end() : end].strip() for mark, end in zip(marks, ends, strict=True)}


def _of_records(records: Sequence[Mapping[str, str]], names: Sequence[str]) -> Rows:
    """A table of rows that each name their cells: the names once, as its header."""
    used = tuple(name for name in names if any(name in record for record in records))
    return (used, *(tuple(record.get(name, "") for name in used) for record in records))


def _unmarked(line: str, known: KnownTables) -> Row:
    """The cells of a line: cut at tabs or wide gaps, else as the known cells would cut it."""
    typed = tuple(cell.strip() for cell in _TYPED_GAP.split(line))
    if len(typed) > 1:
        return typed
    words = tuple(words_of(line))
    return known.rows.get(words) or tuple(_covered(words, known))


def _covered(words: Row, known: KnownTables) -> Iterator[str]:
    """Words cut into known cells, as many words as possible in as few cells; each other word is a cell."""
    best: list[tuple[int, int, int]] = [(0, 0, 0)]  # words in no cell, cells, where the last cell begins
    for end in range(1, len(words) + 1):
        unknown, cells, _ = best[end - 1]
        known_cells = (
            (best[start][0], best[start][1] + 1, start)
            for start in range(max(0, end - known.longest), end)
            if words[start:end] in known.cells
        )
        best.append(min([(unknown + 1, cells + 1, end - 1), *known_cells]))
    cuts = [len(words)]
    while cuts[-1]:
        cuts.append(best[cuts[-1]][2])
    cuts.reverse()
    for start, end in pairwise(cuts):
        yield known.cells.get(words[start:end], " ".join(words[start:end]))
