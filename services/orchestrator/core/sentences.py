"""Which stretches of a passage can stand alone: sentences, rows, items, headings?"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum


class UnitKind(StrEnum):
    """What a stretch is; a heading names what follows and says nothing by itself."""

    SENTENCE = "sentence"
    ROW = "row"
    ITEM = "item"
    HEADING = "heading"


@dataclass(frozen=True, slots=True)
class Unit:
    """A stretch of a passage in its own code points, half-open, without white space at its ends."""

    start: int
    end: int
    kind: UnitKind


_ABBREVIATED = """
mr mrs ms dr prof st sr jr hon rev gen col lt sgt capt no nos art arts sec secs fig figs tab eq eqs ref refs
vol vols ch pp p al cf vs etc approx dept est inc ltd co corp e.g i.e a.m p.m u.s u.k u.n p.o ph.d
jan feb mar apr jun jul aug sept sep oct nov dec
bzw ca z.b d.h u.a nr abs bspw vgl usw m mme mlle av env ex
"""
_ABBREVIATIONS = frozenset(_ABBREVIATED.split())
_END = re.compile(r"[.!?…]+[\"'”’»)\]]*(?=\s|$)|[。！？]+[」』”’）]*")
_WIDE_END = re.compile(r"[。！？]")
_OPENS = re.compile(r"\s+[\"'“‘«(\[¿¡]*[^\W_a-zà-öø-ÿ]", re.UNICODE)
_NEXT_VISIBLE = re.compile(r"\s*(\S)")
_NUMBER = re.compile(r"[($€£]*[+-]?\d[\d.,:/%)-]*|[-–—]+|n/a", re.IGNORECASE)
_ITEM = re.compile(r"(?:[-*•‣▪◦–]|\(?\d{1,3}[.)]|\(?[a-z]\))\s+\S")
_MARKUP_HEADING = re.compile(r"#{1,6}\s")
_RULE = re.compile(r"[\s|:+=*_–—-]+")
_TERMINAL = re.compile(r"[.!?…。！？:;][\"'”’»)\]]*$")

MAX_HEADING_CHARACTERS = 90


def units(text: str) -> list[Unit]:
    """The units of a passage in order, never overlapping, all visible text but rules in one of them."""
    found: list[Unit] = []
    for block in _blocks(text):
        found += _units_of_block(text, block)
    return found


def _blocks(text: str) -> Iterator[list[tuple[int, int]]]:
    """Runs of lines (spans without white space at the ends) between blank lines."""
    block: list[tuple[int, int]] = []
    for match in re.finditer(r"[^\n\r\f\v\u2028\u2029]+", text):
        between = text[block[-1][1] : match.start()] if block else ""
        stripped = match.group().strip()
        blank = len(re.findall(r"\n|\r(?!\n)|\f|\v|\u2029", between)) > 1 or not stripped
        if blank and block:
            yield block
            block = []
        if stripped:
            start = match.start() + len(match.group()) - len(match.group().lstrip())
            block.append((start, start + len(stripped)))
    if block:
        yield block


def _units_of_block(text: str, lines: list[tuple[int, int]]) -> Iterator[Unit]:
    """Rows and headings stand alone; the other lines are run together and cut into sentences."""
    longest = max(end - start for start, end in lines)
    flow: tuple[int, int, bool] | None = None  # start, end, whether it is a list item
    for i, (start, end) in enumerate(lines):
        line = text[start:end]
        if _RULE.fullmatch(line):
            yield from _sentences(text, flow)
            flow = None
            continue
        alone = _kind_alone(line, len(lines) == 1)
        if alone is not None:
            yield from _sentences(text, flow)
            flow = None
            yield Unit(start, end, alone)
            continue
        item = _ITEM.match(line) is not None
        if flow is not None and (item or _breaks(text[lines[i - 1][0] : flow[1]], line, longest)):
            yield from _sentences(text, flow)
            flow = None
        flow = (start, end, item) if flow is None else (flow[0], end, flow[2])
    yield from _sentences(text, flow)


def _kind_alone(line: str, only_line: bool) -> UnitKind | None:
    """What a line is that never runs on into the next; None for running text."""
    if _MARKUP_HEADING.match(line):
        return UnitKind.HEADING
    if _is_row(line):
        return UnitKind.ROW
    short = len(line) <= MAX_HEADING_CHARACTERS and not _TERMINAL.search(line) and not _WIDE_END.search(line)
    if only_line and short and not _ITEM.match(line):
        return UnitKind.HEADING
    return None


def _is_row(line: str) -> bool:
    """A table's row: `name: value; …`, cells between bars, tabs or commas, or mostly numbers."""
    named = line.split("; ")
    if len(named) >= 2 and ": " in named[0] and sum(": " in cell for cell in named) * 2 > len(named):
        return True
    if line.count("|") >= 2 or line.count("\t") >= 1:
        return True
    words = line.split()
    numbers = sum(_NUMBER.fullmatch(word) is not None for word in words)
    if numbers >= 3 and numbers * 2 >= len(words):
        return True
    cells = re.split(r"[,;](?=\S)", line)
    return len(cells) >= 3 and all(len(cell.split()) <= 6 for cell in cells) and not _TERMINAL.search(line)


def _breaks(before: str, line: str, longest: int) -> bool:
    """Whether a new line ends what stands before it: after a short line, if it begins like something new."""
    begins_anew = line[0].isupper() or line[0] in "\"'“‘«"
    runs_on = _TERMINAL.search(before) or before[-1] in "-–,"
    return begins_anew and not runs_on and len(before) < 0.6 * longest


def _sentences(text: str, flow: tuple[int, int, bool] | None) -> Iterator[Unit]:
    if flow is None:
        return
    begin, end, item = flow
    kind = UnitKind.ITEM if item else UnitKind.SENTENCE
    start = begin
    for match in _END.finditer(text, begin, end):
        if match.end() >= end:
            break
        if start <= match.start() and _ends_sentence(text, start, match):
            yield Unit(start, match.end(), kind)
            visible = _NEXT_VISIBLE.match(text, match.end())
            start = visible.start(1) if visible else end
            kind = UnitKind.SENTENCE
    if start < end:
        yield Unit(start, end, kind)


def _ends_sentence(text: str, start: int, match: re.Match[str]) -> bool:
    """Whether punctuation ends a sentence: not after an abbreviation, an initial or a list number."""
    if match.group()[0] in "。！？":
        return True
    if _OPENS.match(text, match.end()) is None:
        return False
    if match.group()[0] != ".":
        return True
    word = re.split(r"[\s(\[\"'“‘«]", text[start : match.start()])[-1]
    if word.lower() in _ABBREVIATIONS:
        return False
    if len(word) == 1 and word.isalpha() and word.isupper():
        return False
    return not (word.isdigit() and len(word) <= 3 and match.start() - len(word) == start)
