"""Where does a quote stand in a text? Words decide: spacing and punctuation are no part of it."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

# A word goes on over marks that stand on its letters and over places where it may be parted.
_WORD = re.compile(r"[^\W_](?:[^\W_]|[\u0300-\u036f\u00ad])*")
_SOFT_HYPHEN = "\u00ad"


@dataclass(frozen=True, slots=True)
class Stretch:
    """A half-open stretch of a text, in code points."""

    start: int
    end: int

    def overlap(self, other: "Stretch") -> int:
        """Code points that both hold."""
        return max(0, min(self.end, other.end) - max(self.start, other.start))

    def holds_half_of(self, other: "Stretch") -> bool:
        """Whether at least half of the other lies in this one; what is empty is held by nothing."""
        return 0 < other.end - other.start <= 2 * self.overlap(other)


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a text as they are compared, and where each stands."""

    words: tuple[str, ...]
    places: tuple[Stretch, ...]


def words_of(text: str) -> Words:
    """Runs of letters and digits, compared without case, ligatures, soft hyphens and ways to write accents.

    A word that compatibility folding takes apart (a fraction, a ligature with a space) stays one.
    """
    found = [(m.group(), Stretch(m.start(), m.end())) for m in _WORD.finditer(text)]
    return Words(tuple(_folded(word) for word, _ in found), tuple(place for _, place in found))


def occurrences(quote: str, text: Words) -> tuple[Stretch, ...]:
    """Every place where the quote's words stand in a row, from its first word to its last.

    ValueError for a quote without a word.
    """
    sought = words_of(quote).words
    if not sought:
        raise ValueError(f"the quote {quote!r} holds no word")
    first, size = sought[0], len(sought)
    starts = (i for i, word in enumerate(text.words) if word == first)
    return tuple(
        Stretch(text.places[i].start, text.places[i + size - 1].end)
        for i in starts
        if text.words[i : i + size] == sought
    )


def row_occurrences(cells: Sequence[str], text: str) -> tuple[Stretch, ...]:
    """Every line that holds the words of all cells, each cell in a row and the cells in order.

    So a row of a table is found where its parser writes the columns' names between the cells.
    """
    sought = [words for cell in cells if (words := words_of(cell).words)]
    found = []
    start = 0
    for line in text.splitlines(keepends=True):
        held = _cells_in(sought, words_of(line)) if sought else None
        if held is not None:
            found.append(Stretch(start + held.start, start + held.end))
        start += len(line)
    return tuple(found)


def _cells_in(cells: Sequence[tuple[str, ...]], line: Words) -> Stretch | None:
    ends: list[int] = []
    at = 0
    for cell in cells:
        size = len(cell)
        places = (i for i in range(at, len(line.words) - size + 1) if line.words[i : i + size] == cell)
        place = next(places, None)
        if place is None:
            return None
        ends += (place, place + size - 1)
        at = place + size
    return Stretch(line.places[ends[0]].start, line.places[ends[-1]].end)


def line_of(text: str, place: Stretch) -> int:
    """The line, counted from 1, on which a stretch begins."""
    return text.count("\n", 0, place.start) + 1


def covers(chunk: Stretch, places: Sequence[Stretch]) -> bool:
    """Whether a chunk holds at least half of any of the places."""
    return any(chunk.holds_half_of(place) for place in places)


def _folded(word: str) -> str:
    return unicodedata.normalize("NFKC", word.replace(_SOFT_HYPHEN, "")).casefold()
