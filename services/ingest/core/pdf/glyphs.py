"""Which glyphs does a PDF page show, each once, and which way do they run?"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from pdfminer.pdfinterp import PDFPageInterpreter
from pdfminer.utils import apply_matrix_rect

from services.ingest.core.pdf.device import DOWNWARDS, OVERTURNED, UPRIGHT, UPWARDS, Glyph, GlyphNotes, Matrix
from services.ingest.core.pdf.fonts import Fonts
from services.ingest.core.pdf.rules import Rectangle, Rules, Stroke, rules_of, strokes_of

_DOUBLED_WITHIN_PT = 1.0  # a glyph drawn again this close is bold by overprinting
_ROW = 1 << 16  # cells of two points are numbered row by row
_NONE: tuple[Glyph, ...] = ()
_STACKED_SHARE = 0.6  # of the steps from glyph to glyph, to call the writing vertical


class PageGlyphs:
    """The glyphs of a pdfplumber page by direction, each in a frame in which it reads from left to right.

    `broken` says that the page's drawing ended in an error; what was drawn before it is kept.
    """

    def __init__(self, page: Any, fonts: Fonts) -> None:
        self.left, self.top, right, bottom = _shown_box(page)
        self.width, self.height = right - self.left, bottom - self.top
        notes = GlyphNotes(fonts, page.page_number)
        self.broken = False
        try:
            PDFPageInterpreter(fonts, notes).process_page(page.page_obj)
        except Exception:  # pdfminer lets whatever a broken page provokes through
            if not notes.glyphs:
                raise
            self.broken = True
        self._to_x = page.mediabox[0] - self.left
        self._to_y = page.mediabox[1] - self.top + page.height
        self.image_share = self._share_of(notes.images)
        self.has_images = bool(notes.images)
        self._strokes = [stroke for item in notes.drawn() for stroke in strokes_of(item, self._shown)]
        self.by_turn = self._by_turn(notes.glyphs)

    def read_from(self, box: Rectangle, turn: int) -> Rectangle:
        """A rectangle of the shown page in the frame of its reading direction."""
        x0, top, x1, bottom = box
        if turn == DOWNWARDS:
            return top, self.width - x1, bottom, self.width - x0
        if turn == UPWARDS:
            return self.height - bottom, x0, self.height - top, x1
        if turn == OVERTURNED:
            return self.width - x1, self.height - bottom, self.width - x0, self.height - top
        return box

    def shown_at(self, box: Rectangle, turn: int) -> Rectangle:
        """The inverse of `read_from`."""
        x0, top, x1, bottom = box
        if turn == DOWNWARDS:
            return self.width - bottom, x0, self.width - top, x1
        if turn == UPWARDS:
            return top, self.height - x1, bottom, self.height - x0
        return self.read_from(box, turn)

    def rules(self, turn: int) -> Rules:
        """The lines that are drawn, in the frame of a reading direction."""
        strokes = [Stroke(self.read_from(stroke.box, turn), stroke.filled) for stroke in self._strokes]
        return rules_of(strokes, self.read_from((0, 0, self.width, self.height), turn))

    def place_of(self, page: Any, box: Rectangle) -> Rectangle:
        """A rectangle in the page's own units, as an annotation has it, on the page as it is shown."""
        x0, y0, x1, y1 = apply_matrix_rect(_upright(page.page_obj), box)
        return x0 + self._to_x, self._to_y - y1, x1 + self._to_x, self._to_y - y0

    def _shown(self, item: Any) -> Rectangle:
        return item.x0 + self._to_x, self._to_y - item.y1, item.x1 + self._to_x, self._to_y - item.y0

    def _by_turn(self, glyphs: Sequence[Glyph]) -> dict[int, list[Glyph]]:
        to_x, to_y = self._to_x, self._to_y
        groups: dict[int, list[Glyph]] = {}
        for glyph in glyphs:
            glyph.x0 += to_x
            glyph.x1 += to_x
            glyph.top, glyph.bottom = to_y - glyph.top, to_y - glyph.bottom
            if glyph.turn == DOWNWARDS:
                glyph.base = self.width - glyph.base - to_x
            elif glyph.turn == UPWARDS:
                glyph.base += to_x
            else:
                glyph.base = to_y - glyph.base
                if glyph.turn == OVERTURNED:
                    glyph.base = self.height - glyph.base
            groups.setdefault(glyph.turn, []).append(glyph)
        upright = groups.get(UPRIGHT, [])
        if _is_vertical(upright):
            for glyph in upright:
                glyph.base = self.width - (glyph.x0 + glyph.x1) / 2
            groups[DOWNWARDS] = [*groups.get(DOWNWARDS, []), *groups.pop(UPRIGHT)]
        for turn, group in groups.items():
            if turn != UPRIGHT:
                for glyph in group:
                    box = (glyph.x0, glyph.top, glyph.x1, glyph.bottom)
                    glyph.x0, glyph.top, glyph.x1, glyph.bottom = self.read_from(box, turn)
        return {turn: _drawn_once(group) for turn, group in groups.items()}

    def _share_of(self, images: Sequence[Rectangle]) -> float:
        """How much of the page its largest image covers, 0 to 1."""
        page = max(self.width * self.height, 1.0)
        return min(max((abs((x1 - x0) * (y1 - y0)) for x0, y0, x1, y1 in images), default=0.0) / page, 1.0)


def _upright(page: Any) -> Matrix:
    """What pdfminer does to the page's own units: it turns the page and puts its corner at the origin."""
    x0, y0, x1, y1 = page.mediabox
    turns: dict[int, Matrix] = {
        90: (0, -1, 1, 0, -y0, x1),
        180: (-1, 0, 0, -1, x1, y1),
        270: (0, 1, -1, 0, y1, -x0),
    }
    return turns.get(page.rotate, (1, 0, 0, 1, -x0, -y0))


def _shown_box(page: Any) -> Rectangle:
    """The crop box, which is what a viewer shows, inside the media box."""
    outer: Rectangle = tuple(map(float, page.mediabox))  # type: ignore[assignment]
    crop = page.cropbox if page.rotation % 360 == 0 else outer
    x0, top, x1, bottom = map(float, crop)
    box = max(x0, outer[0]), max(top, outer[1]), min(x1, outer[2]), min(bottom, outer[3])
    return box if box[2] - box[0] > 1 and box[3] - box[1] > 1 else outer


def _is_vertical(glyphs: Sequence[Glyph]) -> bool:
    """Whether glyph follows glyph from above to below, as in vertical Japanese."""
    steps = stacked = 0
    for left, right in pairwise(glyphs):
        if left.text.isspace() or right.text.isspace():
            continue
        steps += 1
        stacked += abs(right.x0 - left.x0) < left.size / 5 and abs(right.top - left.bottom) < left.size / 3
    return steps > 1 and stacked > _STACKED_SHARE * steps


def _drawn_once(glyphs: Sequence[Glyph]) -> list[Glyph]:
    """The glyphs without those drawn a second time in nearly the same place."""
    kept: list[Glyph] = []
    drawn: dict[str, dict[int, list[Glyph]]] = {}
    for glyph in glyphs:
        text = glyph.text
        # What has no width moves nothing on, so the next stands in its place; blanks are only looked at once.
        if glyph.x1 <= glyph.x0 or text == " ":
            kept.append(glyph)
            continue
        x, y = glyph.x0, glyph.top
        cells = drawn.get(text)
        if cells is None:
            cells = drawn[text] = {}
        else:
            left, right = int(x - _DOUBLED_WITHIN_PT) >> 1, int(x + _DOUBLED_WITHIN_PT) >> 1
            above, below = int(y - _DOUBLED_WITHIN_PT) >> 1, int(y + _DOUBLED_WITHIN_PT) >> 1
            near = (
                cells.get(left * _ROW + above, _NONE)
                or cells.get(right * _ROW + above, _NONE)
                or cells.get(left * _ROW + below, _NONE)
                or cells.get(right * _ROW + below, _NONE)
            )
            if near and _is_drawn_in(cells, glyph, (left, right), (above, below)):
                continue
        cells.setdefault((int(x) >> 1) * _ROW + (int(y) >> 1), []).append(glyph)
        kept.append(glyph)
    return kept


def _is_drawn_in(
    cells: dict[int, list[Glyph]], glyph: Glyph, columns: tuple[int, int], rows: tuple[int, int]
) -> bool:
    return any(
        _is_doubled(glyph, other)
        for column in set(columns)
        for row in set(rows)
        for other in cells.get(column * _ROW + row, _NONE)
    )


def _is_doubled(glyph: Glyph, other: Glyph) -> bool:
    return (
        abs(glyph.x0 - other.x0) <= _DOUBLED_WITHIN_PT
        and abs(glyph.top - other.top) <= _DOUBLED_WITHIN_PT
        and abs(glyph.size - other.size) <= _DOUBLED_WITHIN_PT
    )
