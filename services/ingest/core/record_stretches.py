"""Of which records does a document consist? Sessions, entries, incidents: what its own pattern repeats."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from services.ingest.core.document import FURNITURE, HEADING, LIST_ITEM, PARAGRAPH, Block
from services.ingest.core.record_marks import Mark, mark_of
from services.ingest.core.sentences import line_spans
from services.ingest.core.text import one_line

MIN_RECORDS = 3
LINE_LEVEL = 7  # below every heading
_SEPARATOR = re.compile(r"\s*(?:$|[:–—|(\[]|-\s|[.,]\s*$)")
_TITLE_CHARACTERS = 90


@dataclass(frozen=True, slots=True)
class Stretch:
    """Blocks that stand together: one record, or what lies between records."""

    blocks: list[Block]
    is_record: bool


@dataclass(frozen=True, slots=True)
class _Opener:
    block: int
    start: int
    level: int
    mark: Mark


def stretches(text: str, blocks: Sequence[Block]) -> Iterator[Stretch]:
    """All blocks in order; those in which a line opens a record are cut there. No record: one stretch.

    A record reaches to the next one, or to a heading that is not below its own.
    """
    openers = _openers(text, blocks)
    lines: dict[int, list[_Opener]] = {}
    for opener in openers:
        lines.setdefault(opener.block, []).append(opener)
    level = openers[0].level if openers else 0
    held: list[Block] = []
    in_record, title = False, ""
    for index, block in enumerate(blocks):
        opened = lines.get(index, [])
        ends_here = block.kind == HEADING and block.level <= level
        if ends_here and in_record:
            yield Stretch(held, in_record)
            held, in_record, title = [], False, ""
        if not opened:
            held.append(_titled(block, title))
            continue
        edges = [*(opener.start for opener in opened), block.end]
        if edges[0] > block.start:
            held.append(_titled(replace(block, end=_trimmed(text, block.start, edges[0])), title))
        for opener, end in zip(opened, edges[1:], strict=True):
            before, lead = (held, []) if in_record else _parted(held)
            if before:
                yield Stretch(before, in_record)
            in_record, title = True, _title(text, opener, end) if level == LINE_LEVEL else ""
            part = replace(block, start=opener.start, end=_trimmed(text, opener.start, end))
            held = [*lead, _titled(part, title)]
    if held:
        yield Stretch(held, in_record)


def _parted(blocks: list[Block]) -> tuple[list[Block], list[Block]]:
    """The blocks, and the headings at their end that have nothing of their own: those of a record to come."""
    end = len(blocks)
    while end and blocks[end - 1].kind == HEADING:
        end -= 1
    return blocks[:end], blocks[end:]


def _openers(text: str, blocks: Sequence[Block]) -> list[_Opener]:
    """Where records begin: at the outermost level at which a pattern repeats often enough."""
    headings = _repeated(list(_heading_openers(text, blocks)))
    if headings:
        outermost = min(opener.level for opener in headings)
        return [opener for opener in headings if opener.level == outermost]
    by_pattern: dict[str, list[_Opener]] = {}
    for opener in _line_openers(text, blocks):
        by_pattern.setdefault(opener.mark.pattern, []).append(opener)
    chosen = [opener for group in by_pattern.values() for opener in _in_order(group)]
    return sorted(_repeated(chosen), key=lambda opener: opener.start)


def _repeated(openers: list[_Opener]) -> list[_Opener]:
    keys: dict[tuple[int, str], set[str]] = {}
    for opener in openers:
        keys.setdefault((opener.level, opener.mark.pattern), set()).add(opener.mark.key)
    return [o for o in openers if len(keys[o.level, o.mark.pattern]) >= MIN_RECORDS]


def _heading_openers(text: str, blocks: Sequence[Block]) -> Iterator[_Opener]:
    for index, block in enumerate(blocks):
        if block.kind == HEADING and (mark := mark_of(one_line(text[block.start : block.end]))):
            yield _Opener(index, block.start, block.level, mark)


def _line_openers(text: str, blocks: Sequence[Block]) -> Iterator[_Opener]:
    """Lines that open a block like a title; and lines inside one in which nearly every line has a mark."""
    for index, block in enumerate(blocks):
        if block.kind not in (PARAGRAPH, LIST_ITEM):
            continue
        spans = line_spans(text, block.start, block.end)
        marks = [mark_of(text[start:end]) for start, end in spans]
        patterns = {mark.pattern for mark in marks if mark}
        if len(spans) >= MIN_RECORDS and all(marks) and len(patterns) == 1:
            for (start, _), mark in zip(spans, marks, strict=True):
                assert mark is not None
                yield _Opener(index, start, LINE_LEVEL, mark)
        elif spans and marks[0] and _opens(text[spans[0][0] : spans[0][1]], marks[0]):
            yield _Opener(index, block.start, LINE_LEVEL, marks[0])


def _opens(line: str, mark: Mark) -> bool:
    """Whether the line is a title, not a sentence that mentions another record."""
    if mark.pattern.endswith("-#"):
        return True  # a code; those out of order are mentions
    return bool(_SEPARATOR.match(line, mark.end)) or (mark.pattern == "date" and mark.key[:4].isdigit())


def _in_order(group: list[_Opener]) -> list[_Opener]:
    """The longest series whose numbers rise, or fall: a mention of another record stands out of it."""
    values = [opener.mark.value for opener in group]
    if any(value is None for value in values):
        return group
    known = [value for value in values if value is not None]
    rising = _longest_rising(known)
    falling = _longest_rising([tuple(-number for number in value) for value in known])
    return [group[index] for index in (rising if len(rising) >= len(falling) else falling)]


def _longest_rising(values: Sequence[tuple[int, ...]]) -> list[int]:
    """Indices of a longest strictly rising subsequence."""
    tails: list[tuple[int, ...]] = []
    last: list[int] = []
    before: list[int] = []
    for index, value in enumerate(values):
        place = bisect_left(tails, value)
        before.append(last[place - 1] if place else -1)
        if place == len(tails):
            tails.append(value)
            last.append(index)
        else:
            tails[place], last[place] = value, index
    chain: list[int] = []
    index = last[-1] if last else -1
    while index >= 0:
        chain.append(index)
        index = before[index]
    return chain[::-1]


def _title(text: str, opener: _Opener, end: int) -> str:
    line = one_line(text[opener.start : end].split("\n", 1)[0])
    return line if len(line) <= _TITLE_CHARACTERS else one_line(line[: opener.mark.end])


def _titled(block: Block, title: str) -> Block:
    return replace(block, section=(*block.section, title)) if title and block.kind != FURNITURE else block


def _trimmed(text: str, start: int, end: int) -> int:
    while end > start + 1 and text[end - 1].isspace():
        end -= 1
    return end
