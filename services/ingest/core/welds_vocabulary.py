"""Which words does a corpus know, and which stand side by side in it? What welded words are parted by."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

# Longer ones are more likely welds themselves.
MAX_WORD_CHARACTERS = 16
# A rare word is kept out: it may be a weld, a slip or a name.
MIN_WORD_COUNT = 2
MAX_WORDS, MAX_PAIRS = 50_000, 200_000
# While it learns, rare entries are dropped whenever there are this many times as many as are kept.
_SLACK = 8

_RUN = re.compile(r"\S+")
_EDGES = ".,;:!?()[]{}\"'“”‘’«»…*_|<>-–—`#"
_PIECE = re.compile(r"[^\W\d_]+")
_JOINED = re.compile(r"[^\W\d_]+(?:[-‐‑–—'’][^\W\d_]+)*")
# Words of one or two letters are known only if they stand alone, so that no ending passes for a word.
_SHORT_WORDS = "a i of in to is it at by on or an as be we he if no so up us do go my me"
_SHORT = frozenset(_SHORT_WORDS.split())


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """How often each word (in lower case) and each pair of neighbours ("left right") occurs.

    `total` counts words.
    """

    words: Mapping[str, int]
    pairs: Mapping[str, int]
    total: int


EMPTY = Vocabulary({}, {}, 0)


Token: TypeAlias = tuple[int, int, bool, bool]  # start, end; whether it follows a word, and closes its run


def tokens(text: str, start: int, end: int) -> Iterator[Token]:
    """What may be words of prose in a span: no numbers, codes, paths, addresses or code in ticks."""
    goes_on = False  # whether the run before was of words too
    for run in _RUN.finditer(text, start, end):
        raw = run.group()
        first, last = run.span()
        if raw.isalpha():  # most are
            yield first, last, goes_on, True
            goes_on = True
            continue
        core = raw.strip(_EDGES)
        if "`" in raw or not _JOINED.fullmatch(core):
            goes_on = False
            continue
        inner = first + len(raw) - len(raw.lstrip(_EDGES))
        for piece in _PIECE.finditer(text, inner, inner + len(core)):
            yield piece.start(), piece.end(), goes_on and piece.start() == first, piece.end() == last
        goes_on = True


class Learner:
    """Counts texts one by one, in bounded memory; the same texts in the same order give the same words."""

    def __init__(self, *, max_words: int = MAX_WORDS, max_pairs: int = MAX_PAIRS) -> None:
        self._max_words, self._max_pairs = max_words, max_pairs
        self._words: Counter[str] = Counter()
        self._pairs: Counter[str] = Counter()

    def add(self, text: str, start: int = 0, end: int | None = None) -> None:
        """Counts a span of a text."""
        before = ""
        for left, right, opens, closes in tokens(text, start, len(text) if end is None else end):
            word = text[left:right].lower()
            self._words[word] += 1
            if before and opens:
                self._pairs[f"{before} {word}"] += 1
            before = word if closes else ""
        for counts, most in ((self._words, self._max_words), (self._pairs, self._max_pairs)):
            if len(counts) > most * _SLACK:
                _drop_rare(counts, most * _SLACK // 2)

    def own(self) -> Vocabulary:
        """All that was counted: a document's own words."""
        return Vocabulary(self._words, self._pairs, self._words.total())

    def learnt(self) -> Vocabulary:
        """What a corpus is known by: no long words, no rare ones, as many as are kept at most."""
        words = {w: n for w, n in self._words.items() if n >= MIN_WORD_COUNT and is_word(w)}
        words = dict(sorted(words.items(), key=lambda item: (-item[1], item[0]))[: self._max_words])
        pairs = {p: n for p, n in self._pairs.items() if all(word in words for word in p.split(" "))}
        pairs = dict(sorted(pairs.items(), key=lambda item: (-item[1], item[0]))[: self._max_pairs])
        return Vocabulary(words, pairs, sum(words.values()))


def is_word(word: str) -> bool:
    """Whether it may be a part of a weld."""
    return len(word) <= MAX_WORD_CHARACTERS and (len(word) > 2 or word in _SHORT)


def to_bytes(vocabulary: Vocabulary) -> bytes:
    """As four lines of UTF-8: words and their counts, pairs and theirs, in code point order.

    The same words give the same bytes, and a whole column is read at once: every parse begins with it.
    """
    lines: list[str] = []
    for counts in (vocabulary.words, vocabulary.pairs):
        ordered = sorted(counts.items())
        lines.append("\t".join(name for name, _ in ordered))
        lines.append("\t".join(str(count) for _, count in ordered))
    return "\n".join(lines).encode()


def from_bytes(data: bytes) -> Vocabulary:
    """What `to_bytes` was given; nothing for no bytes."""
    if not data:
        return EMPTY
    words, word_counts, pairs, pair_counts = (
        line.split("\t") if line else [] for line in data.decode().split("\n")
    )
    known = dict(zip(words, map(int, word_counts), strict=True))
    return Vocabulary(known, dict(zip(pairs, map(int, pair_counts), strict=True)), sum(known.values()))


def _drop_rare(counts: Counter[str], most: int) -> None:
    """Drops the rarest, ever less rare ones, until at most so many are left."""
    least = MIN_WORD_COUNT
    while len(counts) > most:
        for key in [key for key, count in counts.items() if count < least]:
            del counts[key]
        least *= 2
