"""Which glyphs does a page draw, and where? Drawn by pdfminer onto a device that only takes notes."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from pdfminer.converter import PDFPageAggregator
from pdfminer.layout import LTContainer, LTCurve

from services.ingest.core.pdf.fonts import Fonts
from services.ingest.core.pdf.rules import Rectangle

Matrix = tuple[float, float, float, float, float, float]

UPRIGHT, DOWNWARDS, OVERTURNED, UPWARDS = 0, 90, 180, 270  # the reading direction, turned clockwise
OBLIQUE = 45  # any other, as a watermark across the page has it
_STRAIGHT = 0.2  # how much of its run a line may rise and still be called straight


@dataclass(slots=True)
class Glyph:
    """What is drawn for one code: its edges in points, the line it stands on, and the size of its type."""

    text: str
    x0: float
    top: float
    x1: float
    bottom: float
    base: float
    size: float
    bold: bool
    turn: int


class GlyphNotes(PDFPageAggregator):
    """Takes down each glyph with y counted upwards; lines and rectangles go into the layout as ever."""

    def __init__(self, fonts: Fonts, number: int) -> None:
        super().__init__(fonts, pageno=number)
        self._fonts = fonts
        self.glyphs: list[Glyph] = []
        self.images: list[Rectangle] = []

    def drawn(self) -> Iterator[LTCurve]:
        """The lines, rectangles and curves of the page, in drawing order."""
        return _curves(self.result or self.cur_item)

    def render_image(self, name: str, stream: Any) -> None:
        self.images.append(self.cur_item.bbox)
        super().render_image(name, stream)

    def render_string_horizontal(  # as pdfminer calls it
        self,
        seq: Iterable[Any],
        matrix: Matrix,
        pos: tuple[float, float],
        font: Any,
        fontsize: float,
        scaling: float,
        charspace: float,
        wordspace: float,
        rise: float,
        dxscale: float,
        ncs: Any,
        graphicstate: Any,
    ) -> tuple[float, float]:
        """As pdfminer's own, without an object of forty fields for every glyph. Returns the new position."""
        a, b, c, d, e, f = matrix
        codes = self._fonts.codes_of(font)
        known, bold, note = codes.known, codes.bold, self.glyphs.append
        low = font.get_descent() * fontsize + rise
        high = low + fontsize
        turn = _turn(a, b, c, d, scaling)
        straight = b == 0
        advance_share = fontsize * scaling
        x, y = pos
        spaced = False
        for part in seq:
            if isinstance(part, int | float):
                x -= part * dxscale
                spaced = True
                continue
            if not isinstance(part, bytes):
                continue
            for code in font.decode(part):
                if spaced:
                    x += charspace
                text, width = known.get(code) or codes.of(code)
                advance = width * advance_share
                if not text:
                    x += advance
                    spaced = True
                    continue
                left, base = x * a + y * c + e, x * b + y * d + f
                if straight:
                    x0, x1, y0, y1 = left, left + advance * a, base + low * d, base + high * d
                    if x1 < x0:
                        x0, x1 = x1, x0
                    if y1 < y0:
                        y0, y1 = y1, y0
                    size = y1 - y0
                else:
                    x0, y0, x1, y1 = _around(matrix, (left, base), (0.0, low, advance, high))
                    size = abs(fontsize) * (c * c + d * d) ** 0.5
                    if turn in (DOWNWARDS, UPWARDS):
                        base = left
                note(Glyph(text, x0, y1, x1, y0, base, size, bold, turn))
                x += advance
                if code == 32 and wordspace:
                    x += wordspace
                spaced = True
        return x, y

    def render_char(  # as pdfminer calls it
        self, matrix: Matrix, font: Any, fontsize: float, scaling: float, rise: float, cid: int, *state: Any
    ) -> float:
        """A glyph of vertical writing, which hangs from its origin. Returns how far the next one is."""
        codes = self._fonts.codes_of(font)
        text, width = codes.of(cid)
        a, b, c, d, e, f = matrix
        advance = width * fontsize * scaling
        across, up = font.char_disp(cid)
        middle = fontsize * 0.5 if across is None else across * fontsize * 0.001
        high = (1000 - up) * fontsize * 0.001
        corners = (-middle, high + rise + advance, -middle + fontsize, high + rise)
        x0, y0, x1, y1 = _around(matrix, (e, f), corners)
        turn = _turn(a, b, c, d, scaling)
        self.glyphs.append(Glyph(text, x0, y1, x1, y0, y0, x1 - x0, codes.bold, turn))
        return advance


def _curves(parent: Any) -> Iterator[LTCurve]:
    for item in parent:
        if isinstance(item, LTCurve):
            yield item
        elif isinstance(item, LTContainer):
            yield from _curves(item)


def _turn(a: float, b: float, c: float, d: float, scaling: float) -> int:
    along, up = abs(a), abs(b)
    if up <= _STRAIGHT * along:
        mirrored = a * scaling < 0
        return OVERTURNED if mirrored and d < 0 else UPRIGHT
    if along <= _STRAIGHT * up:
        return DOWNWARDS if b < 0 else UPWARDS
    return OBLIQUE


def _around(matrix: Matrix, origin: tuple[float, float], box: Rectangle) -> Rectangle:
    """The upright rectangle around a turned one."""
    a, b, c, d = matrix[:4]
    xs = [a * x + c * y + origin[0] for x in (box[0], box[2]) for y in (box[1], box[3])]
    ys = [b * x + d * y + origin[1] for x in (box[0], box[2]) for y in (box[1], box[3])]
    return min(xs), min(ys), max(xs), max(ys)
