"""What are the lines of a plain text, and which of them stand together between blank ones?"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_GAP = re.compile(r"\n[^\S\n]*\n\s*")


@dataclass(frozen=True, slots=True)
class Line:
    """A line without white space at its end, and its span in the text."""

    text: str
    start: int
    end: int

    @property
    def indent(self) -> int:
        return len(self.text) - len(self.text.lstrip())


def stanzas(text: str) -> Iterator[list[Line]]:
    """Runs of lines that are not blank; the first keeps its indent."""
    position = 0
    for gap in [*_GAP.finditer(text), None]:
        lines = list(_lines(text, position, gap.start() if gap else len(text)))
        if lines:
            yield lines
        # White space after the gap's last newline indents the next line.
        position = text.rfind("\n", gap.start(), gap.end()) + 1 if gap else len(text)


def _lines(text: str, start: int, end: int) -> Iterator[Line]:
    while start < end:
        newline = text.find("\n", start, end)
        stop = newline if newline >= 0 else end
        words = text[start:stop].rstrip()
        if words:
            yield Line(words, start, start + len(words))
        start = stop + 1
