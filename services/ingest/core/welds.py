"""Where does a text lack the space between two words? Asked of the words that its corpus knows."""

import math
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import pairwise

from services.ingest.core.document import CODE, FURNITURE, Block
from services.ingest.core.welds_vocabulary import (
    EMPTY,
    MAX_WORD_CHARACTERS,
    MIN_WORD_COUNT,
    Learner,
    Vocabulary,
    is_word,
    tokens,
)

MIN_CHARACTERS, MAX_CHARACTERS = 5, 60
# Two words of which one is short stand side by side by chance, as "in" does before what it is no prefix of:
# they must have done so more than once.
SHORT_CHARACTERS = 3
MIN_SHORT_PAIRS = 2
# A word that is written as one is parted only if it is this many times as often written as two.
PARTED_RATIO = 50
_HUMP = re.compile(r"(?<=[^\W\d_A-Z])(?=[A-Z])")


class Words:
    """The corpus's words and the document's own; what both know counts once.

    `known` holds the words that may be parts of a weld, `most_pairs` is the largest pair count.
    """

    def __init__(self, corpus: Vocabulary, own: Vocabulary) -> None:
        self._corpus = corpus
        self._own = own
        self.total = max(corpus.total, own.total, 1)
        self.most_pairs = max((max(v.pairs.values(), default=0) for v in (corpus, own)), default=0)
        self.known = dict(corpus.words)
        for word, count in own.words.items():
            if count >= MIN_WORD_COUNT and is_word(word):
                self.known[word] = max(count, self.known.get(word, 0))

    def count(self, word: str) -> int:
        return max(self._corpus.words.get(word, 0), self._own.words.get(word, 0))

    def pair_count(self, left: str, right: str) -> int:
        pair = f"{left} {right}"
        return max(self._corpus.pairs.get(pair, 0), self._own.pairs.get(pair, 0))


def missing_spaces(text: str, blocks: Iterable[Block], corpus: Vocabulary = EMPTY) -> tuple[int, ...]:
    """Offsets into the text, rising, before which a space is missing; none in code and furniture."""
    prose = [block for block in blocks if block.kind not in (CODE, FURNITURE)]
    learner = Learner()
    for block in prose:
        learner.add(text, block.start, block.end)
    words = Words(corpus, learner.own())
    known: dict[str, tuple[int, ...]] = {}
    found: list[int] = []
    for block in prose:
        for start, end, _, _ in tokens(text, block.start, block.end):
            if MIN_CHARACTERS <= end - start <= MAX_CHARACTERS:
                word = text[start:end]
                if word not in known:
                    known[word] = parted(word, words)
                found.extend(start + offset for offset in known[word])
    return tuple(found)


def with_spaces(text: str, start: int, end: int, spaces: Sequence[int]) -> str:
    """`text[start:end]` with a space before each offset inside it; empty if there is none."""
    inside = spaces[bisect_right(spaces, start) : bisect_left(spaces, end)]
    if not inside:
        return ""
    edges = [start, *inside, end]
    return " ".join(text[a:b] for a, b in pairwise(edges))


def parted(word: str, words: Words) -> tuple[int, ...]:
    """Where a welded word falls apart into known ones; empty for a word that stays whole.

    All or nothing: every part is a word of the vocabulary and every two of them are known as neighbours.
    Of such partings the likeliest is taken, if it is likelier than an unknown word of that length.
    """
    lower = word.lower()
    humps = {found.start() for found in _HUMP.finditer(word)}
    if len(lower) != len(word) or (humps and words.count(lower) >= MIN_WORD_COUNT):
        return ()  # a name in camel case that recurs is a name
    seen = words.known.get(lower, 0)  # a longer one than a word may be is a weld, however often it occurs
    if seen * PARTED_RATIO > words.most_pairs:
        return ()
    likelihood, cuts = _likeliest(lower, humps, words)
    if not cuts or likelihood <= _unknown(len(lower), words.total):
        return ()
    if seen:
        edges = [0, *cuts, len(lower)]
        parts = [lower[a:b] for a, b in pairwise(edges)]
        if min(words.pair_count(a, b) for a, b in pairwise(parts)) < seen * PARTED_RATIO:
            return ()
    return cuts


def _likeliest(word: str, humps: set[int], words: Words) -> tuple[float, tuple[int, ...]]:
    """Viterbi over the ends of parts; of equals the one with fewer parts, then the earlier cuts."""
    length = len(word)
    # By end: for each last part, the likelihood and the cuts of the best way there.
    ways: list[dict[str, tuple[float, tuple[int, ...]]]] = [{} for _ in range(length + 1)]
    for end in range(1, length + 1):
        for start in range(max(0, end - MAX_WORD_CHARACTERS), end):
            if (start == 0 and end == length) or (start and not ways[start]):
                continue
            part = word[start:end]
            count = words.known.get(part, 0)
            if not count or any(start < hump < end for hump in humps):
                continue
            single = math.log(count / words.total)
            best: tuple[float, tuple[int, ...]] | None = (single, ()) if start == 0 else None
            for before, (likelihood, cuts) in ways[start].items():
                pairs = words.pair_count(before, part)
                short = min(len(before), len(part)) <= SHORT_CHARACTERS
                if pairs < (MIN_SHORT_PAIRS if short else 1):
                    continue
                gained = likelihood + max(single, math.log(min(1.0, pairs / words.known[before])))
                if best is None or (-gained, len(cuts)) < (-best[0], len(best[1]) - 1):
                    best = (gained, (*cuts, start))
            if best is not None:
                ways[end][part] = best
    final = sorted(ways[length].values(), key=lambda way: (-way[0], len(way[1]), way[1]))
    return final[0] if final else (-math.inf, ())


def _unknown(length: int, total: int) -> float:
    """How likely a word of that length is that nobody has seen: a tenth for each letter."""
    return math.log(10 / total) - length * math.log(10)
