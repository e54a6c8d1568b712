"""How is running text broken into lines of a measure, hyphens included, and drawn?"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

_VOWELS = frozenset("aeiouyæøåöäü")
_LEAST_BEFORE, _LEAST_AFTER = 2, 3
_HYPHEN = "-"


@dataclass(frozen=True, slots=True)
class Style:
    """How text is set; sizes in points. `spaced` draws the spaces, else each word is placed by itself."""

    font: str = "Times-Roman"
    size: float = 9.5
    leading: float = 11.5
    justified: bool = True
    hyphenated: bool = False
    spaced: bool = True


@dataclass(frozen=True, slots=True)
class Line:
    """One line's words as they are drawn; the last line of a text is not spread."""

    words: tuple[str, ...]
    last: bool

    @property
    def cut(self) -> bool:
        """Whether its last word goes on in the next line."""
        return self.words[-1].endswith(_HYPHEN)


def broken(text: str, width: float, style: Style) -> list[Line]:
    """The lines of a text, each at most `width` points wide unless a single word is wider."""
    lines: list[Line] = []
    pending: list[str] = []
    room = width
    words = text.split()[::-1]
    while words:
        word = words.pop()
        own = _width([word], style)
        if not pending or own <= room:
            pending.append(word)
            room -= own + _width([" "], style)
            continue
        head, tail = _hyphenated(word, room, style) if style.hyphenated else ("", word)
        lines.append(Line((*pending, head) if head else tuple(pending), last=False))
        pending, room = [], width
        words.append(tail)
    return [*lines, Line(tuple(pending), last=True)] if pending else lines


def draw_line(canvas: Canvas, line: Line, at: tuple[float, float], width: float, style: Style) -> None:
    """Draws a line with its baseline at a point, spread to the measure where it is justified."""
    x, y = at
    spare = width - _width(line.words, style)
    gaps = len(line.words) - 1
    stretch = spare / gaps if style.justified and not line.last and gaps and spare > 0 else 0.0
    if style.spaced:
        text = canvas.beginText(x, y)
        text.setFont(style.font, style.size)
        text.setWordSpace(stretch)
        text.textOut(" ".join(line.words))
        canvas.drawText(text)
        return
    canvas.setFont(style.font, style.size)
    for word in line.words:
        canvas.drawString(x, y, word)
        x += _width([word, ""], style) + stretch


def _hyphenated(word: str, room: float, style: Style) -> tuple[str, str]:
    """The longest part that fits with a hyphen, and the rest; an empty part where none does.

    Compounds are cut at their own hyphens, other words before a consonant, a vowel on either side.
    """
    for place in range(len(word) - _LEAST_AFTER, _LEAST_BEFORE - 1, -1):
        head, tail = word[:place], word[place:]
        if head.endswith(_HYPHEN) and word.replace(_HYPHEN, "").isalpha():
            shown = head
        elif word.isalpha() and word[1:].islower() and _may_part(head, tail):
            shown = head + _HYPHEN
        else:
            continue
        if _width([shown], style) <= room:
            return shown, tail
    return "", word


def _may_part(head: str, tail: str) -> bool:
    return tail[0] not in _VOWELS and bool(_VOWELS & set(head.lower())) and bool(_VOWELS & set(tail))


def _width(words: Sequence[str], style: Style) -> float:
    """The width of words with a space between each two; these fonts are set without kerning."""
    gaps = max(0, len(words) - 1) * _one_width(" ", style.font, style.size)
    return gaps + math.fsum(_one_width(word, style.font, style.size) for word in words)


@lru_cache(maxsize=100_000)
def _one_width(word: str, font: str, size: float) -> float:
    return float(stringWidth(word, font, size))
