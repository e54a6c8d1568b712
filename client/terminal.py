"""How do documents' words and a growing progress reach a terminal safely?"""

import unicodedata
from collections.abc import Sequence
from typing import TextIO

KEPT = "\n\t"
UP, CLEAR = "\x1b[{}F", "\x1b[0J"


def plain(text: str) -> str:
    """The text without control characters, which a document could use to write over the screen."""
    return "".join(c for c in text if c in KEPT or unicodedata.category(c) not in ("Cc", "Cs"))


def one_line(text: str, width: int) -> str:
    """The text on one line of at most `width` characters, cut with an ellipsis."""
    flat = " ".join(plain(text).split())
    return flat if len(flat) <= width else flat[: width - 1] + "…"


class Board:
    """One line an item: drawn over itself on a terminal, printed once a change elsewhere."""

    def __init__(self, out: TextIO, names: Sequence[str]) -> None:
        self._out = out
        self._names = [one_line(name, 40) for name in names]
        self._states = [""] * len(names)
        self._live = out.isatty() and len(names) <= 20
        self._drawn = False

    def set(self, number: int, state: str) -> None:
        """Shows that item `number` is now in this state."""
        if self._states[number] == state:
            return
        self._states[number] = state
        if self._live:
            self._draw()
        else:
            print(self._line(number), file=self._out, flush=True)

    def _draw(self) -> None:
        start = UP.format(len(self._names)) + CLEAR if self._drawn else ""
        lines = "\n".join(self._line(number) for number in range(len(self._names)))
        print(f"{start}{lines}", file=self._out, flush=True)
        self._drawn = True

    def _line(self, number: int) -> str:
        return f"{self._names[number]:<40} {self._states[number]}".rstrip()
