"""Which words does a corpus know, and which stand side by side in it? What welded words are parted by."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

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
    """How often each word (in lower case) and each pair of neighbours occurs; `total` counts words."""

    words: Mapping[str, int]
    pairs: Mapping[tuple[str, str], int]
    total: int


EMPTY = Vocabulary({}, {}, 0)


@dataclass(frozen=True, slots=True)
class Token:
    """A run of letters in a text: `text[start:end]`; `opens` and `closes`: nothing stands at that side."""

    start: int
    end: int
    opens: bool
    closes: bool


def tokens(text: str, start: int, end: int) -> Iterator[Token]:
    """What may be words of prose in a span: no numbers, codes, paths, addresses or code in ticks."""
    for run in _RUN.finditer(text, start, end):
        raw = run.group()
        core = raw.strip(_EDGES)
        if "`" in raw or not _JOINED.fullmatch(core):
            continue
        first = run.start() + len(raw) - len(raw.lstrip(_EDGES))
        last = first + len(core)
        for piece in _PIECE.finditer(text, first, last):
            yield Token(
                piece.start(),
                piece.end(),
                opens=piece.start() == run.start(),
                closes=piece.end() == run.end(),
            )


class Learner:
    """Counts texts one by one, in bounded memory; the same texts in the same order give the same words."""

    def __init__(self) -> None:
        self._words: Counter[str] = Counter()
        self._pairs: Counter[tuple[str, str]] = Counter()

    def add(self, text: str, start: int = 0, end: int | None = None) -> None:
        """Counts a span of a text."""
        before = ""
        last_end = -1
        for token in tokens(text, start, len(text) if end is None else end):
            word = text[token.start : token.end].lower()
            self._words[word] += 1
            if before and token.opens and text[last_end : token.start].isspace():
                self._pairs[before, word] += 1
            before, last_end = (word, token.end) if token.closes else ("", -1)
        for counts, most in ((self._words, MAX_WORDS), (self._pairs, MAX_PAIRS)):
            if len(counts) > most * _SLACK:
                _drop_rare(counts)

    def own(self) -> Vocabulary:
        """All that was counted: a document's own words."""
        return Vocabulary(self._words, self._pairs, self._words.total())

    def learnt(self) -> Vocabulary:
        """What a corpus is known by: no long words, no rare ones, as many as are kept at most."""
        words = {w: n for w, n in self._words.items() if n >= MIN_WORD_COUNT and is_word(w)}
        words = dict(sorted(words.items(), key=lambda item: (-item[1], item[0]))[:MAX_WORDS])
        pairs = {p: n for p, n in self._pairs.items() if p[0] in words and p[1] in words}
        pairs = dict(sorted(pairs.items(), key=lambda item: (-item[1], item[0]))[:MAX_PAIRS])
        return Vocabulary(words, pairs, sum(words.values()))


def is_word(word: str) -> bool:
    """Whether it may be a part of a weld."""
    return len(word) <= MAX_WORD_CHARACTERS and (len(word) > 2 or word in _SHORT)


def to_bytes(vocabulary: Vocabulary) -> bytes:
    """As UTF-8 lines in code point order: a word or a pair, and its count. The same words, the same bytes."""
    words = [f"{word}\t{count}" for word, count in sorted(vocabulary.words.items())]
    pairs = [f"{left} {right}\t{count}" for (left, right), count in sorted(vocabulary.pairs.items())]
    return "\n".join((*words, *pairs)).encode()


def from_bytes(data: bytes) -> Vocabulary:
    """What `to_bytes` was given."""
    words: dict[str, int] = {}
    pairs: dict[tuple[str, str], int] = {}
    for line in data.decode().split("\n") if data else ():
        name, _, count = line.partition("\t")
        left, space, right = name.partition(" ")
        if space:
            pairs[left, right] = int(count)
        else:
            words[name] = int(count)
    return Vocabulary(words, pairs, sum(words.values()))


def _drop_rare(counts: "Counter[str] | Counter[tuple[str, str]]") -> None:
    for key in [key for key, count in counts.items() if count < MIN_WORD_COUNT]:
        del counts[key]
