"""Which straight lines are drawn on a page, as rules, as frames, or as the edges of filled areas?"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from pdfminer.layout import LTCurve, LTLine, LTRect

Rectangle = tuple[float, float, float, float]  # x0, top, x1, bottom
Segment = tuple[float, float, float]  # where it lies across its direction, where it begins, where it ends

_THIN_PT = 2.6  # a rectangle no thicker is a rule
_SHORTEST_PT = 4.0
_SAME_LINE_PT = 1.5
_JOINED_PT = 2.0  # pieces of a rule no farther apart are one
_MAX_CORNERS = 12
_MAX_DRAWN = 20_000  # a page with more is a drawing
_MAX_FILLS = 3_000  # each is held against all larger ones; more are a picture
_PAGE_SHARE = 0.85


@dataclass(frozen=True, slots=True)
class Rules:
    """The straight lines of a page in its reading frame, in points.

    `across` lie as the text does (y, x0, x1), `upright` across it (x, top, bottom); `fills` are areas with
    a colour of their own, whose edges are among the lines.
    """

    across: tuple[Segment, ...] = ()
    upright: tuple[Segment, ...] = ()
    fills: tuple[Rectangle, ...] = ()


NO_RULES = Rules()


@dataclass(frozen=True, slots=True)
class Stroke:
    """A straight line or a filled area, on the page as it is shown."""

    box: Rectangle
    filled: bool


def strokes_of(item: LTCurve, shown: Callable[[Any], Rectangle]) -> Iterator[Stroke]:
    """The lines and the filled area of something drawn; `shown` gives a rectangle's place on the page.

    Curves, slanting lines, and white on what is most likely white are none.
    """
    filled = bool(item.fill) and not _is_white(item.non_stroking_color)
    drawn = bool(item.stroke) and not _is_white(item.stroking_color)
    if not filled and not drawn:
        return
    x0, top, x1, bottom = box = shown(item)
    if min(x1 - x0, bottom - top) <= _THIN_PT:
        yield Stroke(box, filled=False)
    elif isinstance(item, LTRect):
        if filled:
            yield Stroke(box, filled=True)
        if drawn:
            yield from _frame(box)
    elif drawn and not isinstance(item, LTLine) and len(item.pts) <= _MAX_CORNERS:
        yield from _straight_pieces(item, box)


def rules_of(strokes: Sequence[Stroke], page: Rectangle) -> Rules:
    """The strokes of a page, which must be in its reading frame, with pieces of one line joined."""
    if not strokes or len(strokes) > _MAX_DRAWN:
        return NO_RULES
    fills = _fills([stroke.box for stroke in strokes if stroke.filled], page)
    lines = [stroke.box for stroke in strokes if not stroke.filled]
    lines += [edge.box for fill in fills for edge in _frame(fill)]
    across = (((top + bottom) / 2, x0, x1) for x0, top, x1, bottom in lines if x1 - x0 >= bottom - top)
    upright = (((x0 + x1) / 2, top, bottom) for x0, top, x1, bottom in lines if x1 - x0 < bottom - top)
    return Rules(tuple(_joined(across)), tuple(_joined(upright)), tuple(fills))


def _frame(box: Rectangle) -> Iterator[Stroke]:
    x0, top, x1, bottom = box
    for edge in ((x0, top, x1, top), (x0, bottom, x1, bottom), (x0, top, x0, bottom), (x1, top, x1, bottom)):
        yield Stroke(edge, filled=False)


def _straight_pieces(item: LTCurve, box: Rectangle) -> Iterator[Stroke]:
    """Those sides of a polygon that run along the page's axes; none when it has a curve."""
    if any(step[0] not in "mlh" for step in getattr(item, "original_path", None) or [("c",)]):
        return
    for (x, y), (next_x, next_y) in pairwise(item.pts):
        left, right, low, high = min(x, next_x), max(x, next_x), min(y, next_y), max(y, next_y)
        if min(right - left, high - low) <= _THIN_PT:
            from_x, from_y = box[0] - item.x0, box[1] + item.y1
            yield Stroke((left + from_x, from_y - high, right + from_x, from_y - low), filled=False)


def _fills(boxes: Sequence[Rectangle], page: Rectangle) -> list[Rectangle]:
    """The areas behind text, without the page's own background and without areas within areas."""
    size = (page[2] - page[0]) * (page[3] - page[1])
    candidates = {
        box for box in boxes if _area(box) < _PAGE_SHARE * size and min(_sides(box)) >= _SHORTEST_PT
    }
    if len(candidates) > _MAX_FILLS:
        return []
    kept: list[Rectangle] = []
    for box in sorted(candidates, key=lambda box: (-_area(box), box)):
        near = (other for other in kept if other[0] - 1 <= box[0] and box[2] <= other[2] + 1)
        if not any(
            other[1] - 1 <= box[1] and box[3] <= other[3] + 1 and _sides(other)[1] < 1.5 * _sides(box)[1]
            for other in near
        ):
            kept.append(box)
    return sorted(kept, key=lambda box: (box[1], box[0]))


def _joined(segments: Iterable[Segment]) -> Iterator[Segment]:
    """One segment for all that lie on one line and touch."""
    lines: list[list[Segment]] = []
    for segment in sorted(segments):
        if lines and segment[0] - lines[-1][0][0] <= _SAME_LINE_PT:
            lines[-1].append(segment)
        else:
            lines.append([segment])
    for line in lines:
        start = end = None
        place = line[len(line) // 2][0]
        for _, begins, ends in sorted(line, key=lambda segment: segment[1:]):
            if start is None or end is None or begins > end + _JOINED_PT:
                if start is not None and end is not None and end - start >= _SHORTEST_PT:
                    yield place, start, end
                start, end = begins, ends
            end = max(end, ends)
        if start is not None and end is not None and end - start >= _SHORTEST_PT:
            yield place, start, end


def _is_white(colour: Any) -> bool:
    """Whether a colour as pdfminer gives it is white: a number is grey, three are RGB, four CMYK."""
    parts = list(colour) if isinstance(colour, list | tuple) else [colour]
    if not parts or not all(isinstance(part, int | float) for part in parts):
        return False
    if len(parts) == 4:
        return all(part <= 0.02 for part in parts)
    return all(part >= 0.98 for part in parts)


def _area(box: Rectangle) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


def _sides(box: Rectangle) -> tuple[float, float]:
    return box[2] - box[0], box[3] - box[1]
