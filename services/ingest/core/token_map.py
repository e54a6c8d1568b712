"""How many tokens does any span of a text hold? Tokenized once, then answered by two binary searches."""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

PIECE_CHARACTERS = 16_384
# A "word" longer than this may be one token to a WordPiece model (its unknown token) and still be a megabyte:
# it counts as one token for every so many characters, and may be cut there.
LONGEST_TOKEN = 48
_LOOK_BACK = 2_048


class Tokenizer(Protocol):
    """Counts as the embedder does, special tokens left out; `shared.tokens.TokenCounter` is the real one."""

    def count(self, text: str) -> int: ...

    def offsets(self, text: str) -> list[tuple[int, int]]: ...


class TokenMap:
    """Where the tokens of a text begin, int64[n], rising."""

    def __init__(self, text: str, tokenizer: Tokenizer) -> None:
        self.text = text
        self._starts = _with_long_ones_cut(_token_starts(text, tokenizer), len(text))

    def count(self, start: int, end: int) -> int:
        """Tokens that begin in the span: exact where both ends are white space, as in WordPiece."""
        first, last = np.searchsorted(self._starts, (start, end))
        return int(last - first)

    def end_after(self, start: int, tokens: int) -> int:
        """The furthest end for which start:end holds at most so many tokens."""
        index = int(np.searchsorted(self._starts, start)) + tokens
        return int(self._starts[index]) if index < len(self._starts) else len(self.text)

    def start_before(self, end: int, tokens: int) -> int:
        """The start for which start:end holds so many tokens, 0 if there are fewer before."""
        index = int(np.searchsorted(self._starts, end)) - tokens
        return int(self._starts[index]) if index >= 0 else 0

    def word_end(self, start: int, end: int) -> int:
        """`end` moved back to the last gap between words after `start`; `end` itself inside one huge word."""
        if end >= len(self.text) or self.text[end].isspace() or self.text[end - 1].isspace():
            return end
        floor = max(start + 1, end - _LOOK_BACK)
        position = end
        while position > floor and not self.text[position - 1].isspace():
            position -= 1
        return position if position > floor else end


def _token_starts(text: str, tokenizer: Tokenizer) -> NDArray[np.int64]:
    """Tokenizes piece by piece, cut at white space: memory grows with a piece, not with the text."""
    parts: list[NDArray[np.int64]] = []
    start = 0
    while start < len(text):
        end = min(start + PIECE_CHARACTERS, len(text))
        if end < len(text):
            end = _white_space_before(text, start, end)
        spans = tokenizer.offsets(text[start:end])
        parts.append(np.fromiter((span[0] for span in spans), dtype=np.int64, count=len(spans)) + start)
        start = end
    return np.sort(np.concatenate(parts)) if parts else np.zeros(0, dtype=np.int64)


def _white_space_before(text: str, start: int, end: int) -> int:
    position = end
    while position > start and not text[position - 1].isspace():
        position -= 1
    return position if position > start else end


def _with_long_ones_cut(starts: NDArray[np.int64], length: int) -> NDArray[np.int64]:
    edges = np.concatenate(([0], starts, [length])).astype(np.int64)
    gaps = np.diff(edges)
    long = np.flatnonzero(gaps > LONGEST_TOKEN)
    if not len(long):
        return starts
    extra = [np.arange(edges[i] + LONGEST_TOKEN, edges[i + 1], LONGEST_TOKEN, dtype=np.int64) for i in long]
    return np.sort(np.concatenate([starts, *extra]))
