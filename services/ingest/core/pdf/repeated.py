"""Does a line in a margin say what another one says, as a header does that repeats a title?"""

import re
from collections.abc import Sequence
from itertools import pairwise
from statistics import median_low

from services.ingest.core.pdf.columns import Line
from services.ingest.core.pdf.line_type import bottom_of, line_size, top_of
from services.ingest.core.pdf.margins import Margins
from services.ingest.core.pdf.words import PageWords, typical_height

_DIGITS = re.compile(r"\d+|\b[ivxlc]+\b")
_LARGER = 1.2  # times the type of the running line that repeats it: a title
_SAME_PLACE_PT = 2.0
_GAP_HEIGHTS = 0.8  # what is free between a running line and the text
_ALIKE_SHARE = 0.6  # of the words in their places: of two such pages one is a copy of the other


def key_of(line: Line) -> str:
    """The line with its numbers taken out, since page numbers and dates change."""
    return _DIGITS.sub("#", " ".join(word.text for word in line).lower())


def titles_of(margins: Sequence[Margins]) -> list[list[Line]]:
    """By page the lines that say what others say in the margins, in clearly larger type than most of them."""
    sizes: dict[str, list[float]] = {}
    for top, bottom in margins:
        for line in (*top, *bottom):
            sizes.setdefault(key_of(line), []).append(line_size(line))
    usual = {key: median_low(some) for key, some in sizes.items() if any(map(str.isalpha, key))}
    return [
        [line for line in (*top, *bottom) if line_size(line) >= _LARGER * usual.get(key_of(line), 1e9)]
        for top, bottom in margins
    ]


def on_neighbours(pages: Sequence[PageWords], margins: Sequence[Margins]) -> list[frozenset[str]]:
    """By page the outermost lines that stand, apart from the text, in the same place on the next or last one.

    For documents of too few pages to count on: two pages that are copies of each other have none.
    """
    outer = [
        {
            key_of(line): line
            for line in (*top[:1], *bottom[-1:])
            if any(map(str.isalpha, key_of(line))) and _stands_apart(line, page)
        }
        for page, (top, bottom) in zip(pages, margins, strict=True)
    ]
    found = [set[str]() for _ in pages]
    for left, right in pairwise(range(len(pages))):
        if _are_alike(pages[left], pages[right]):
            continue
        for key in outer[left].keys() & outer[right].keys():
            if abs(outer[left][key][0].base - outer[right][key][0].base) <= _SAME_PLACE_PT:
                found[left].add(key)
                found[right].add(key)
    return [frozenset(keys) for keys in found]


def _stands_apart(line: Line, page: PageWords) -> bool:
    top, bottom = top_of(line), bottom_of(line)
    gap = _GAP_HEIGHTS * typical_height(line)
    own = {id(word) for word in line}
    return all(
        word.bottom <= top - gap or word.top >= bottom + gap for word in page.words if id(word) not in own
    )


def _are_alike(left: PageWords, right: PageWords) -> bool:
    one, other = ({(w.text, round(w.x0), round(w.top)) for w in page.words} for page in (left, right))
    return len(one & other) > _ALIKE_SHARE * max(len(one), len(other))
