"""How are tokens counted in a test? By words, or by pieces of them as a model's tokenizer does."""

import re


class Words:
    """A tokenizer for which every word is a token."""

    def count(self, text: str) -> int:
        return len(text.split())

    def offsets(self, text: str) -> list[tuple[int, int]]:
        return [word.span() for word in re.finditer(r"\S+", text)]


class PieceTokenizer:
    """Pieces of up to four letters, every other visible character by itself; joiners count for nothing."""

    _PIECE = re.compile(r"\w{1,4}|[^\w\s\u200b\u200d]")

    def count(self, text: str) -> int:
        return len(self._PIECE.findall(text))

    def offsets(self, text: str) -> list[tuple[int, int]]:
        return [found.span() for found in self._PIECE.finditer(text)]
