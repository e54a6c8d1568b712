"""Which glyphs does a PDF page draw, each once, and which way do they run?"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from pdfminer.layout import LTChar, LTContainer, LTCurve, LTImage

from services.ingest.core.pdf.rules import Rectangle, Rules, Stroke, rules_of, strokes_of

Glyph = dict[str, Any]  # with the keys that pdfplumber's WordExtractor reads

UPRIGHT, DOWNWARDS, UPWARDS = 0, 90, 270  # how far the reading direction is turned clockwise
_DOUBLED_WITHIN_PT = 1.0  # a glyph drawn again this close is bold by overprinting
_STACKED_SHARE = 0.6  # of the steps from glyph to glyph, to call the writing vertical


class PageGlyphs:
    """The glyphs of a pdfplumber page by direction, each in a frame in which it reads from left to right."""

    def __init__(self, page: Any) -> None:
        self.left, self.top, right, bottom = _shown_box(page)
        self.width, self.height = right - self.left, bottom - self.top
        self.has_images = False
        self._strokes: list[Stroke] = []
        upright: list[Glyph] = []
        turned: dict[int, list[Glyph]] = {}
        for item in self._items(page.layout):
            if isinstance(item, LTImage):
                self.has_images = True
            elif isinstance(item, LTCurve):
                self._strokes += strokes_of(item, lambda drawn: self._shown(drawn, page))
            elif isinstance(item, LTChar):
                box = self._shown(item, page)
                if item.upright:
                    upright.append(_glyph(item, box))
                else:
                    turn = DOWNWARDS if item.matrix[1] < 0 else UPWARDS
                    turned.setdefault(turn, []).append(_glyph(item, self.read_from(box, turn)))
        if _is_vertical(upright):
            down = [{**glyph, **_edges(self.read_from(_box(glyph), DOWNWARDS))} for glyph in upright]
            turned[DOWNWARDS], upright = [*turned.get(DOWNWARDS, []), *down], []
        groups = {UPRIGHT: upright, **turned}
        self.by_turn = {
            turn: _without_covered_blanks(_drawn_once(group)) for turn, group in groups.items() if group
        }

    def read_from(self, box: Rectangle, turn: int) -> Rectangle:
        """A rectangle of the shown page in the frame of its reading direction."""
        x0, top, x1, bottom = box
        if turn == DOWNWARDS:
            return top, self.width - x1, bottom, self.width - x0
        if turn == UPWARDS:
            return self.height - bottom, x0, self.height - top, x1
        return box

    def shown_at(self, box: Rectangle, turn: int) -> Rectangle:
        """The inverse of `read_from`."""
        x0, top, x1, bottom = box
        if turn == DOWNWARDS:
            return self.width - bottom, x0, self.width - top, x1
        if turn == UPWARDS:
            return top, self.height - x1, bottom, self.height - x0
        return box

    def rules(self, turn: int) -> Rules:
        """The lines that are drawn, in the frame of a reading direction."""
        strokes = [Stroke(self.read_from(stroke.box, turn), stroke.filled) for stroke in self._strokes]
        return rules_of(strokes, self.read_from((0, 0, self.width, self.height), turn))

    def _items(self, parent: Any) -> Iterator[Any]:
        for item in parent:
            if isinstance(item, LTContainer):
                yield from self._items(item)
            else:
                yield item

    def _shown(self, item: Any, page: Any) -> Rectangle:
        x0, y1 = page.mediabox[0] - self.left, page.mediabox[1] - self.top + page.height
        return item.x0 + x0, y1 - item.y1, item.x1 + x0, y1 - item.y0


def _glyph(item: LTChar, box: Rectangle) -> Glyph:
    return {"text": item.get_text(), "fontname": str(item.fontname), "upright": True, **_edges(box)}


def _edges(box: Rectangle) -> dict[str, float]:
    x0, top, x1, bottom = map(float, box)
    return {"x0": x0, "top": top, "x1": x1, "bottom": bottom, "doctop": top, "size": bottom - top}


def _box(glyph: Glyph) -> Rectangle:
    return glyph["x0"], glyph["top"], glyph["x1"], glyph["bottom"]


def _shown_box(page: Any) -> Rectangle:
    """The crop box, which is what a viewer shows, inside the media box."""
    outer: Rectangle = tuple(map(float, page.mediabox))  # type: ignore[assignment]
    crop = page.cropbox if page.rotation % 360 == 0 else outer
    x0, top, x1, bottom = map(float, crop)
    box = max(x0, outer[0]), max(top, outer[1]), min(x1, outer[2]), min(bottom, outer[3])
    return box if box[2] - box[0] > 1 and box[3] - box[1] > 1 else outer


def _is_vertical(glyphs: Sequence[Glyph]) -> bool:
    """Whether glyph follows glyph from above to below, as in vertical Japanese."""
    steps = [
        (left, right) for left, right in pairwise(glyphs) if left["text"].strip() and right["text"].strip()
    ]
    stacked = sum(
        abs(right["x0"] - left["x0"]) < left["size"] / 5
        and abs(right["top"] - left["bottom"]) < left["size"] / 3
        for left, right in steps
    )
    return len(steps) > 1 and stacked > _STACKED_SHARE * len(steps)


def _drawn_once(glyphs: Sequence[Glyph]) -> list[Glyph]:
    """The glyphs without those drawn a second time in nearly the same place."""
    kept: list[Glyph] = []
    seen: dict[tuple[str, int, int], list[Glyph]] = defaultdict(list)
    for glyph in glyphs:
        text, column, row = glyph["text"], int(glyph["x0"]), int(glyph["top"])
        near = (
            other
            for x in (column - 1, column, column + 1)
            for y in (row - 1, row, row + 1)
            for other in seen.get((text, x, y), ())
        )
        if any(_is_doubled(glyph, other) for other in near):
            continue
        seen[(text, column, row)].append(glyph)
        kept.append(glyph)
    return kept


def _without_covered_blanks(glyphs: Sequence[Glyph]) -> list[Glyph]:
    """The glyphs without the spaces under visible ones, as where a padded cell runs into the next."""
    rows: dict[int, list[tuple[float, float]]] = defaultdict(list)
    for glyph in glyphs:
        if glyph["text"].strip():
            rows[round(glyph["top"])].append((glyph["x0"], glyph["x1"]))
    for extents in rows.values():
        extents.sort()

    def is_covered(blank: Glyph) -> bool:
        middle = (blank["x0"] + blank["x1"]) / 2
        for row in range(round(blank["top"]) - 1, round(blank["top"]) + 2):
            extents = rows.get(row, [])
            index = bisect_right(extents, (middle, middle)) - 1
            if index >= 0 and extents[index][1] > middle:
                return True
        return False

    return [glyph for glyph in glyphs if glyph["text"].strip() or not is_covered(glyph)]


def _is_doubled(glyph: Glyph, other: Glyph) -> bool:
    return all(abs(glyph[edge] - other[edge]) <= _DOUBLED_WITHIN_PT for edge in ("x0", "top", "size"))
