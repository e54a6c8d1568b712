"""Which lines come again in the margins of page after page, or hold the page's number?"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from services.ingest.core.pdf.columns import Line, lines_of
from services.ingest.core.pdf.margins import Margins, printed_numbers
from services.ingest.core.pdf.repeated import key_of, on_neighbours, titles_of
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
    margins = [
        tuple([line for line in lines if not any(line is title for title in own)] for lines in each)  # type: ignore[misc]
        for each, own in zip(margins, titles, strict=True)
    ]
    keys = [{key_of(line) for line in [*top, *bottom]} for top, bottom in margins]
    seen = Counter(key for page_keys in keys for key in page_keys)
    needed = max(_MIN_PAGES, _MIN_SHARE * len(pages))
    again = on_neighbours(pages, margins) if len(pages) <= _MIN_PAGES else [frozenset[str]()] * len(pages)
    aside = words_aside(pages)
    parted = []
    for index, (page, label, (top, bottom)) in enumerate(zip(pages, printed, margins, strict=True)):
        running = {key for key in keys[index] if seen[key] >= needed or _runs_on(keys, index, key)}
        running |= again[index] | {key_of(title) for title in titles[index]}
        numbered = _numbered([*top, *bottom], label, len(pages))
        above = [line for line in top if key_of(line) in running or line in numbered]
        below = [
            line for line in bottom if line not in above and (key_of(line) in running or line in numbered)
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


def _numbered(lines: Sequence[Line], label: str, pages: int) -> list[Line]:
    """The lines there for the page's printed number: where it stands alone, else before or after a title."""
    found = {True: list[Line](), False: list[Line]()}
    for line in lines:
        numbers = [number for number in printed_numbers([line]) if label and number.text == label]
        if numbers and len(line) <= (_MAX_MARGIN_WORDS if pages > 1 else 4):
            found[any(number.alone or number.named for number in numbers)].append(line)
    return found[True] or found[False]
