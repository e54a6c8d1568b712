"""Which lines come again in the margins of page after page, or hold the page's number?"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from services.ingest.core.pdf.columns import Line, lines_of
from services.ingest.core.pdf.margins import Margins, printed_numbers
from services.ingest.core.pdf.sides import words_aside
from services.ingest.core.pdf.words import PageWords

_DIGITS = re.compile(r"\d+|\b[ivxlc]+\b")
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
    keys = [{_key(line) for line in [*top, *bottom]} for top, bottom in margins]
    seen = Counter(key for page_keys in keys for key in page_keys)
    needed = max(_MIN_PAGES, _MIN_SHARE * len(pages))
    aside = words_aside(pages)
    parted = []
    for index, (page, label, (top, bottom)) in enumerate(zip(pages, printed, margins, strict=True)):
        running = {key for key in keys[index] if seen[key] >= needed or _runs_on(keys, index, key)}
        above = [line for line in top if _key(line) in running or _holds(line, label, len(pages))]
        below = [
            line
            for line in bottom
            if line not in above and (_key(line) in running or _holds(line, label, len(pages)))
        ]
        taken = {id(word) for line in [*above, *below] for word in line}
        beside = [word for word in page.words if id(word) in aside[index] and id(word) not in taken]
        taken |= {id(word) for word in beside}
        rest = tuple(word for word in page.words if id(word) not in taken)
        if rest:
            parted.append(Parted(above, replace(page, words=rest), below, lines_of(beside)))
        else:
            parted.append(Parted([], page, [], []))
    return parted


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


def _holds(line: Line, label: str, pages: int) -> bool:
    """Whether the line is there for the page's printed number: alone, or before or after a running title."""
    if not label or not any(number.text == label for number in printed_numbers([line])):
        return False
    return len(line) <= (_MAX_MARGIN_WORDS if pages > 1 else 4)


def _key(line: Line) -> str:
    """The line with its numbers taken out, since page numbers and dates change."""
    return _DIGITS.sub("#", " ".join(word.text for word in line).lower())
