"""Which lines come again in the margins of page after page, or hold the page's number?"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from services.ingest.core.pdf.columns import Line, lines_of
from services.ingest.core.pdf.line_type import body_type
from services.ingest.core.pdf.margins import Margins, printed_numbers
from services.ingest.core.pdf.repeated import key_of, on_neighbours, titles_of
from services.ingest.core.pdf.running import running_lines
from services.ingest.core.pdf.sides import words_aside
from services.ingest.core.pdf.words import PageWords

_MIN_PAGES = 3
_MIN_SHARE = 0.4  # left and right pages may differ
_CHAPTER_PAGES = 3  # a header that changes by chapter stands on so many pages running
_MAX_MARGIN_WORDS = 25


@dataclass(frozen=True, slots=True)
class Parted:
    """A page's running headers, what is left of the page, its running footers, and what stands beside it."""

    above: list[Line]
    page: PageWords
    below: list[Line]
    beside: list[Line]


def split_furniture(
    pages: Sequence[PageWords], margins: Sequence[Margins], printed: Sequence[str]
) -> list[Parted]:
    """Each page without its furniture. A page of nothing but furniture keeps it as its text."""
    titles = titles_of(margins)
    told = running_lines(margins, body_type(pages).size)
    own = {id(line) for lines in titles for line in lines}
    margins = _of_each(margins, lambda line: id(line) not in own)
    alike = _of_each(margins, lambda line: id(line) in told)
    keys = [{key_of(line) for line in [*top, *bottom]} for top, bottom in alike]
    seen = Counter(key for page_keys in keys for key in page_keys)
    needed = max(_MIN_PAGES, _MIN_SHARE * len(pages))
    again = on_neighbours(pages, alike) if len(pages) <= _MIN_PAGES else [frozenset[str]()] * len(pages)
    aside = words_aside(pages)
    parted = []
    for index, (page, label, (top, bottom)) in enumerate(zip(pages, printed, margins, strict=True)):
        running = {key for key in keys[index] if seen[key] >= needed or _runs_on(keys, index, key)}
        running |= again[index] | {key_of(title) for title in titles[index]}
        numbered = {id(line) for line in _numbered([*top, *bottom], label, len(pages), told)}
        there = {id(line) for line in [*top, *bottom] if id(line) in told and key_of(line) in running}
        above = [line for line in top if id(line) in numbered | there]
        below = [line for line in bottom if id(line) in numbered | there and line not in above]
        taken = {id(word) for line in [*above, *below] for word in line}
        beside = [word for word in page.words if id(word) in aside[index] and id(word) not in taken]
        taken |= {id(word) for word in beside}
        rest = tuple(word for word in page.words if id(word) not in taken)
        if rest:
            parted.append(Parted(above, replace(page, words=rest), below, lines_of(beside)))
        else:
            parted.append(Parted([], page, [], []))
    return parted


def _of_each(margins: Sequence[Margins], keeps: Callable[[Line], bool]) -> list[Margins]:
    return [(list(filter(keeps, top)), list(filter(keeps, bottom))) for top, bottom in margins]


def _runs_on(keys: Sequence[set[str]], index: int, key: str) -> bool:
    """Whether a line stands on this page and its neighbours, or on every other one around it."""
    if len(keys) <= _CHAPTER_PAGES or not any(map(str.isalpha, key)):
        return False
    for step in (1, 2):
        run = 1
        for direction in (-step, step):
            at = index + direction
            while 0 <= at < len(keys) and key in keys[at]:
                run += 1
                at += direction
        if run >= _CHAPTER_PAGES:
            return True
    return False


def _numbered(lines: Sequence[Line], label: str, pages: int, told: set[int]) -> list[Line]:
    """The lines there for the page's printed number: where it stands alone, else before or after a title that
    may be a running one."""
    found = {True: list[Line](), False: list[Line]()}
    for line in lines:
        numbers = [number for number in printed_numbers([line]) if label and number.text == label]
        if numbers and len(line) <= (_MAX_MARGIN_WORDS if pages > 1 else 4):
            alone = any(number.alone for number in numbers)
            if alone or id(line) in told:
                found[alone or any(number.named for number in numbers)].append(line)
    return found[True] or found[False]
