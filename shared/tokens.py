"""How many tokens is a text, and where do they stand, for the model whose tokenizer file this is?"""

from pathlib import Path

from tokenizers import Tokenizer


class TokenCounter:
    """Counts without special tokens, padding or truncation, whatever the file itself asks for."""

    def __init__(self, path: Path) -> None:
        self._tokenizer = Tokenizer.from_file(str(path))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()

    def count(self, text: str) -> int:
        return len(self._tokenizer.encode(text, add_special_tokens=False).ids)

    def offsets(self, text: str) -> list[tuple[int, int]]:
        """The span of each token in code points of `text`, half-open, in order."""
        return list(self._tokenizer.encode(text, add_special_tokens=False).offsets)
