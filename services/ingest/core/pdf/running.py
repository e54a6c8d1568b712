"""Does a line that comes again count along with the pages, or does it say something else on each?"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from services.ingest.core.pdf.columns import Line
from services.ingest.core.pdf.line_type import line_size
from services.ingest.core.pdf.margins import Margins, roman_value
from services.ingest.core.pdf.repeated import key_of

_NUMBER = re.compile(r"\d+|\b[ivxlc]+\b", re.IGNORECASE)
_LARGER = 1.15  # than the text: a line that differs from page to page and is set so names what follows
_ALIKE = 3  # pages on which a number is the same, or counts along, to be no news on any of them
_MAX_DIGITS = 9


@dataclass(frozen=True, slots=True)
class _Place:
    """A line in a margin: its page, and the values of the numbers in it."""

    page: int
    line: Line
    numbers: tuple[int, ...]


def running_lines(margins: Sequence[Margins], body_size: float) -> set[int]:
    """The ids of the margins' lines that may be running ones, judged by their numbers and type alone.

    An invoice's number is its page's own though the words around it come again; so is `Chapter 7` in larger
    type than the text, even on page 7.
    """
    groups: defaultdict[str, list[_Place]] = defaultdict(list)
    for page, (top, bottom) in enumerate(margins):
        for line in (*top, *bottom):
            groups[key_of(line)].append(_Place(page, line, tuple(_numbers(line))))
    return {id(place.line) for places in groups.values() for place in _running(places, body_size)}


def _running(places: Sequence[_Place], body_size: float) -> Iterator[_Place]:
    """Of lines that are alike but for their numbers."""
    alike = min(_ALIKE, len(places))
    said = Counter(place.numbers for place in places)
    values = Counter((at, n) for place in places for at, n in enumerate(place.numbers))
    steps = Counter((at, n - place.page) for place in places for at, n in enumerate(place.numbers))
    for place in places:
        counts_along = all(
            values[at, n] >= alike or steps[at, n - place.page] >= alike for at, n in enumerate(place.numbers)
        )
        small = line_size(place.line) < _LARGER * body_size
        if said[place.numbers] >= alike or (small and counts_along):
            yield place


def _numbers(line: Line) -> Iterator[int]:
    for found in _NUMBER.findall(" ".join(word.text for word in line)):
        yield int(found[-_MAX_DIGITS:]) if found.isdigit() else roman_value(found)
