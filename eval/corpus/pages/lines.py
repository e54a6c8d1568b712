"""How is running text broken into lines of a measure, hyphens included, and drawn?"""

from collections.abc import Sequence
from dataclasses import dataclass

from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

_VOWELS = frozenset("aeiouyæøåöäü")
_LEAST_BEFORE, _LEAST_AFTER = 3, 3
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
    words = text.split()[::-1]
    while words:
        word = words.pop()
        room = width - _width([*pending, ""], style)
        if not pending or _width([*pending, word], style) <= width:
            pending.append(word)
            continue
        head, tail = _hyphenated(word, room, style) if style.hyphenated else ("", word)
        lines.append(Line((*pending, head) if head else tuple(pending), last=False))
        pending = []
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

    Compounds are cut at their own hyphens, other words between a vowel and a consonant.
    """
    for place in range(len(word) - _LEAST_AFTER, _LEAST_BEFORE - 1, -1):
        head, tail = word[:place], word[place:]
        if head.endswith(_HYPHEN) and word.replace(_HYPHEN, "").isalpha():
            shown = head
        elif word.isalpha() and word[1:].islower() and head[-1] in _VOWELS and tail[0] not in _VOWELS:
            shown = head + _HYPHEN
        else:
            continue
        if _width([shown], style) <= room:
            return shown, tail
    return "", word


def _width(words: Sequence[str], style: Style) -> float:
    return float(stringWidth(" ".join(words), style.font, style.size))
