"""How many tokens is a text, and where do they stand, for the model whose tokenizer file this is?"""

import json
import re
from collections.abc import Sequence
from pathlib import Path

from tokenizers import Tokenizer

Spans = tuple[tuple[int, int], ...]

# Control characters are white space to Python but nothing at all to BERT: a word goes on behind them.
_WORD = re.compile(r"[\S\x0b\x0c\x1c-\x1f\x85]+")
_WORDS_A_BATCH = 4_096
_WORDS_REMEMBERED = 250_000
# Tokenizers of these kinds part a text at white space before anything else, so that a word's tokens do not
# depend on its neighbours and each different word needs to be encoded only once.
_SPLIT_AT_SPACE = frozenset(("BertPreTokenizer", "Whitespace", "WhitespaceSplit"))
_KEEP_SPACE = frozenset(("BertNormalizer", "Lowercase", "NFC", "NFD", "NFKC", "NFKD", "StripAccents"))


class TokenCounter:
    """Counts without special tokens, padding or truncation, whatever the file itself asks for.

    Remembers words, so one counter is for one thread at a time.
    """

    def __init__(self, path: Path) -> None:
        source = path.read_text(encoding="utf-8")
        self._tokenizer = Tokenizer.from_str(source)
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        self._by_word = _words_stand_alone(json.loads(source))
        self._known: dict[str, Spans] = {}

    def count(self, text: str) -> int:
        if not self._by_word:
            return len(self._tokenizer.encode(text, add_special_tokens=False).ids)
        words = _WORD.findall(text)
        self._learn(words)
        known = self._known
        return sum(len(known[word]) for word in words)

    def offsets(self, text: str) -> list[tuple[int, int]]:
        """The span of each token in code points of `text`, half-open, in order."""
        if not self._by_word:
            return list(self._tokenizer.encode(text, add_special_tokens=False).offsets)
        found = list(_WORD.finditer(text))
        self._learn([word.group() for word in found])
        spans: list[tuple[int, int]] = []
        for word in found:
            start = word.start()
            spans.extend((start + first, start + last) for first, last in self._known[word.group()])
        return spans

    def _learn(self, words: Sequence[str]) -> None:
        """Encodes the words not yet known; forgets the old ones when there are too many."""
        unknown = list(dict.fromkeys(word for word in words if word not in self._known))
        if len(self._known) + len(unknown) > _WORDS_REMEMBERED:
            self._known.clear()
            unknown = list(dict.fromkeys(words))
        for first in range(0, len(unknown), _WORDS_A_BATCH):
            batch = unknown[first : first + _WORDS_A_BATCH]
            encodings = self._tokenizer.encode_batch(batch, add_special_tokens=False)
            for word, encoding in zip(batch, encodings, strict=True):
                self._known[word] = tuple(encoding.offsets)


def _words_stand_alone(file: dict[str, object]) -> bool:
    return _kind(file.get("pre_tokenizer")) in _SPLIT_AT_SPACE and (
        file.get("normalizer") is None or _kind(file["normalizer"]) in _KEEP_SPACE
    )


def _kind(part: object) -> str:
    return str(part.get("type", "")) if isinstance(part, dict) else ""
