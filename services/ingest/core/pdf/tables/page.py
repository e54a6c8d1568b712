"""Which tables does a page hold, and which words are left to be read as text?"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from services.ingest.core.pdf.columns import Line, lines_of, reading_order
from services.ingest.core.pdf.rules import Rules
from services.ingest.core.pdf.tables.aligned import aligned_tables
from services.ingest.core.pdf.tables.cells import Table, row_line
from services.ingest.core.pdf.tables.framed import framed_tables
from services.ingest.core.pdf.tables.ruled import ruled_panels, ruled_tables
from services.ingest.core.pdf.words import PageWords, Word


@dataclass(frozen=True, slots=True)
class _StandIn:
    """One word as large as a table, or frames side by side, in its place while columns are found."""

    word: Word
    holds: Table | list[list[Word]]


def regions_of(page: PageWords) -> Iterator[list[Line] | Table]:
    """Tables, and lists of lines of text between them, in reading order."""
    found, rest = _ruled(page)
    stand_ins = {id(each.word): each for each in found}
    for lines in reading_order([*rest, *(each.word for each in found)]):
        for part in _around(lines, stand_ins):
            if isinstance(part, Table):
                yield part
            else:
                yield from _aligned(part, page.rules)


def _aligned(lines: list[Line], rules: Rules) -> Iterator[list[Line] | Table]:
    done = 0
    for stretch in aligned_tables(lines, rules):
        if stretch.first > done:
            yield lines[done : stretch.first]
        yield stretch.table
        done = stretch.last
    if done < len(lines):
        yield lines[done:]


def _ruled(page: PageWords) -> tuple[list[_StandIn], list[Word]]:
    """Stand-ins for the tables that rules set off, and the words in none of them."""
    found: list[_StandIn] = []
    read: Callable[[Sequence[Word], Rules], Iterator[Table | list[list[Word]]]]
    rest: Sequence[Word] = page.words
    if not page.rules.across:
        return found, list(rest)
    for read in (ruled_tables, ruled_panels, framed_tables):
        for holds in read(rest, page.rules):
            words = _words(holds)
            mine = set(map(id, words))
            rest = [word for word in rest if id(word) not in mine]
            found.append(_StandIn(_stand_in(words), holds))
    return found, list(rest)


def _words(holds: Table | list[list[Word]]) -> list[Word]:
    if isinstance(holds, Table):
        return [word for row in holds.rows for word in row_line(row)]
    return [word for panel in holds for word in panel]


def _stand_in(words: Sequence[Word]) -> Word:
    edges = (
        min(word.x0 for word in words),
        min(word.top for word in words),
        max(word.x1 for word in words),
        max(word.bottom for word in words),
    )
    text = "x" * sum(len(word.text) + 1 for word in words)
    return Word(text, *edges, words[0].size, False, edges)


def _around(lines: list[Line], stand_ins: dict[int, _StandIn]) -> Iterator[list[Line] | Table]:
    """The lines of a region with its tables between them; what stands beside one is read before and after."""
    tables = sorted(
        (stand_ins[id(word)] for line in lines for word in line if id(word) in stand_ins),
        key=lambda each: each.word.top,
    )
    if not tables:
        yield lines
        return
    words = [word for line in lines for word in line if id(word) not in stand_ins]
    for each in tables:
        before = [word for word in words if word.middle < each.word.top or _is_left_beside(word, each.word)]
        taken = set(map(id, before))
        words = [word for word in words if id(word) not in taken]
        if before:
            yield lines_of(before)
        if isinstance(each.holds, Table):
            yield each.holds
        else:
            yield from map(lines_of, each.holds)
    if words:
        yield lines_of(words)


def _is_left_beside(word: Word, table: Word) -> bool:
    return word.middle < table.bottom and word.x1 <= table.x0
