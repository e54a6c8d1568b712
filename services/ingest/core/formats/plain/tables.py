"""Which lines of a plain text are the rows of a table, and which of its first name the columns?"""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from statistics import fmean

from services.ingest.core.formats.delimited.header import why_no_header
from services.ingest.core.formats.plain.lines import Line

_RULE = re.compile(r"(?=.*[-=]{3})[-=+|:_\s]+")
_HEAVY = re.compile(r"={3}")
_GAP = re.compile(r"(?<=\S) {2,}(?=\S)")
_LIST_MARK = re.compile(r"(?:[-*+•–—o]|\(?(?:\d{1,3}|[A-Za-z]|[ivxIVX]+)[.)])$")
_MIN_LINES = 3
_USUAL_SHARE = 0.8  # of the rows that have as many cells as most
_FILLED_SHARE = 0.6  # of the lines with two cells or more
_PROSE_CHARACTERS = 30  # two columns of longer cells are two columns of prose
_MAX_CONSULTED = 2_000  # of the lines of a run, to tell whether they are a table and have a header


def kind_of_line(line: Line) -> str:
    """`rule`, or what sets its cells apart: `tab`, `pipe`, `gap`; empty where nothing does."""
    words = line.text.strip()
    if _RULE.fullmatch(words):
        return "rule"
    if "\t" in words:
        return "tab"
    if words.count("|") > 1 or " | " in words:
        return "pipe"
    return "gap" if _GAP.search(words) else ""


def table_run(lines: Sequence[Line], first: int) -> int:
    """Where the run of lines ends that could be rows of one table; `first` itself where none begins."""
    kind = ""
    end = first
    while end < len(lines):
        found = kind_of_line(lines[end])
        if found != "rule":
            if not found or (kind and found != kind):
                break
            kind = found
        end += 1
    return end if kind else first


def table_header_lines(lines: Sequence[Line]) -> int | None:
    """None for a run of lines that is no table, else how many of its first lines name the columns."""
    kind = next(filter(lambda kind: kind != "rule", map(kind_of_line, lines)), "")
    rows = _cells(lines, kind)
    if rows is None:
        return None
    return _header_lines(lines, rows)


def _cells(lines: Sequence[Line], kind: str) -> list[list[str]] | None:
    """The cells of each line that is no rule, or None where they do not make a table."""
    content = [line for line in lines if kind_of_line(line) != "rule"][:_MAX_CONSULTED]
    if kind == "gap":
        return _aligned(content, ruled=any(kind_of_line(line) == "rule" for line in lines[:_MAX_CONSULTED]))
    mark = "\t" if kind == "tab" else "|"
    rows = [
        [cell.strip() for cell in line.text.strip("| " if kind == "pipe" else " ").split(mark)]
        for line in content
    ]
    if kind == "tab" and not any(row[0] for row in rows):  # an indent
        rows = [row[1:] for row in rows]
    usual, count = Counter(map(len, rows)).most_common(1)[0]
    if usual < 2 or max(map(len, rows)) > usual or count < _USUAL_SHARE * len(rows):
        return None
    ruled = any(kind_of_line(line) == "rule" for line in lines[:_MAX_CONSULTED])
    if len(rows) < (2 if ruled or usual > 2 else _MIN_LINES):
        return None
    return None if _is_list(rows) else rows


def _is_list(rows: Sequence[Sequence[str]]) -> bool:
    return all(_LIST_MARK.match(row[0]) or not row[0] for row in rows)


def _aligned(lines: Sequence[Line], *, ruled: bool) -> list[list[str]] | None:
    """Rows whose cells stand under each other: at least two blanks run down through all of them."""
    if len(lines) < (2 if ruled else _MIN_LINES):
        return None
    blank = set(range(max(len(line.text) for line in lines)))
    for line in lines:
        blank -= {column for column, character in enumerate(line.text) if character != " "}
        if not blank:
            return None
    edges = _rivers(sorted(blank), min(line.indent for line in lines))
    if not edges:
        return None
    bounds = [0, *edges]
    rows = [
        [line.text[start:stop].strip() for start, stop in zip(bounds, [*edges, None], strict=True)]
        for line in lines
    ]
    if sum(sum(map(bool, row)) > 1 for row in rows) < _FILLED_SHARE * len(rows):
        return None
    return None if _is_list(rows) or (not ruled and _is_prose(rows)) else rows


def _rivers(blank: Sequence[int], indent: int) -> list[int]:
    """Where cells begin: after each run of two blank columns or more to the right of the indent."""
    edges = []
    inner = [column for column in blank if column >= indent]
    for _, group in groupby(enumerate(inner), key=lambda pair: pair[1] - pair[0]):
        run = [column for _, column in group]
        if len(run) > 1:
            edges.append(run[-1] + 1)
    return edges


def _is_prose(rows: Sequence[Sequence[str]]) -> bool:
    """Two columns of a page, rather than two of a table."""
    if len(rows[0]) != 2:
        return False
    return all(fmean(len(row[index]) for row in rows) > _PROSE_CHARACTERS for index in (0, 1))


def _header_lines(lines: Sequence[Line], rows: Sequence[Sequence[str]]) -> int:
    """Through the rule under the names: the heavy one, else the first below a row if no other parts rows."""
    rules = [i for i, line in enumerate(lines[:_MAX_CONSULTED]) if kind_of_line(line) == "rule"]
    inner = [index for before, index in enumerate(rules) if before < index < len(lines) - 1]
    heavy = [index for index in inner if _HEAVY.search(lines[index].text)]
    if heavy and len(heavy) < len(inner):
        return heavy[0] + 1
    if inner and (len(inner) < 3 or len(inner) < len(rows) - 1):
        return inner[0] + 1
    names = len(rows) > 2 and all(rows[0]) and why_no_header(rows[0], rows[1:_MAX_CONSULTED]) is None
    if not names:
        return 0
    return (inner[0] if inner else next(i for i, _ in enumerate(lines) if i not in rules)) + 1
