"""Which words stand beside the text: the numbers of its lines, or a navigation that every page repeats?"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import pairwise

from services.ingest.core.pdf.words import PageWords, Word, typical_height

_SIDE_SHARE = 0.22  # of the page's width, on either side
_MIN_PAGES = 3
_REPEATED = 0.6  # of the pages
_STRIP_REPEATED = 0.8  # of the words of a strip down the side
_GAP_HEIGHTS = 1.5  # what is free between the strip and the text
_MIN_LINE_NUMBERS = 10
_EVEN = 0.15  # how much steps between numbered lines may differ
_HEIGHT_SHARE = 0.6


def words_aside(pages: Sequence[PageWords]) -> list[frozenset[int]]:
    """For each page the ids of the words that belong to no line of its text."""
    navigation = _repeated_places(pages)
    return [_line_numbers(page) | _navigation(page, navigation) for page in pages]


def _line_numbers(page: PageWords) -> frozenset[int]:
    """The numbers from 1 down the left of a transcript, evenly spaced, left of everything else."""
    if len(page.words) < _MIN_LINE_NUMBERS or page.rules.upright:
        return frozenset()
    numbers = [word for word in page.words if word.text.isdecimal() and word.x1 < 0.35 * _width(page)]
    columns: dict[int, list[Word]] = defaultdict(list)
    for word in numbers:
        columns[round(word.x1 / 4)].append(word)
    for edge in columns:
        column = sorted([*columns[edge], *columns.get(edge + 1, ())], key=lambda word: word.top)
        if len(column) < _MIN_LINE_NUMBERS or [int(word.text) for word in column] != list(
            range(1, len(column) + 1)
        ):
            continue
        steps = [right.top - left.top for left, right in pairwise(column)]
        even = max(steps) - min(steps) <= _EVEN * max(steps) + 1
        own = {id(word) for word in column}
        reach = max(word.x1 for word in column)
        others = [word for word in page.words if id(word) not in own]
        if not even or not others or min(word.x0 for word in others) < reach:
            continue
        tall = column[-1].bottom - column[0].top >= _HEIGHT_SHARE * page.reading_height
        first = min(word.x0 for word in others)
        if tall and first - reach > 0.3 * typical_height(column):
            return frozenset(own)
    return frozenset()


def _repeated_places(pages: Sequence[PageWords]) -> frozenset[tuple[str, int, int]]:
    """What stands in the very same place at the side of most pages."""
    if len(pages) < _MIN_PAGES:
        return frozenset()
    seen = Counter(
        place for page in pages for place in {_place(word) for word in page.words if _is_aside(word, page)}
    )
    needed = max(_MIN_PAGES, _REPEATED * len(pages))
    return frozenset(place for place, count in seen.items() if count >= needed)


def _navigation(page: PageWords, repeated: frozenset[tuple[str, int, int]]) -> frozenset[int]:
    """The repeated words of a side where hardly anything else stands, so that no table's column is torn."""
    found: set[int] = set()
    for on_left in (True, False):
        side = [w for w in page.words if _is_aside(w, page) and (w.x0 < _width(page) / 2) == on_left]
        again = [word for word in side if _place(word) in repeated]
        if not again:
            continue
        left, right = min(word.x0 for word in again), max(word.x1 for word in again)
        strip = [word for word in page.words if word.x0 < right and word.x1 > left]
        own = {id(word) for word in strip}
        gap = _GAP_HEIGHTS * typical_height(again)
        apart = all(
            word.x0 >= right + gap or word.x1 <= left - gap for word in page.words if id(word) not in own
        )
        if apart and len(again) >= _STRIP_REPEATED * len(strip):
            found |= {id(word) for word in again}
    return frozenset(found)


def _is_aside(word: Word, page: PageWords) -> bool:
    width = _width(page)
    return word.x1 < _SIDE_SHARE * width or word.x0 > (1 - _SIDE_SHARE) * width


def _place(word: Word) -> tuple[str, int, int]:
    return word.text, round(word.x0 / 2), round(word.top / 2)


def _width(page: PageWords) -> float:
    """The page's extent along its lines."""
    return page.width if page.reading_height == page.height else page.height
