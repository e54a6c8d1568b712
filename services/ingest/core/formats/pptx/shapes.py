"""Which shapes stand on a slide, where, and in which order are they read?"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pptx.enum.shapes import PP_PLACEHOLDER
from pptx.shapes.shapetree import SlideShapeFactory

from services.ingest.core.document import Box
from services.ingest.core.formats.office_xml import local_name

EMU_PER_POINT = 12_700
_SHAPES = frozenset({"sp", "grpSp", "graphicFrame", "pic", "cxnSp"})
_ROW_SHARE = 0.03  # of the slide's height, within which shapes stand in one row
_MAX_DEPTH = 20  # of groups in groups
TITLES = frozenset({PP_PLACEHOLDER.TITLE, PP_PLACEHOLDER.CENTER_TITLE, PP_PLACEHOLDER.VERTICAL_TITLE})
FURNITURE_KINDS = frozenset(
    {PP_PLACEHOLDER.DATE, PP_PLACEHOLDER.FOOTER, PP_PLACEHOLDER.HEADER, PP_PLACEHOLDER.SLIDE_NUMBER}
)


@dataclass(frozen=True, slots=True)
class Frame:
    """From a group's own measures to the slide's: shown = offset + scale * own."""

    scale_x: float = 1.0
    scale_y: float = 1.0
    offset_x: float = 0.0
    offset_y: float = 0.0


@dataclass(frozen=True, slots=True)
class Placed:
    """A shape and its rectangle on the slide in EMU; None where nothing says where it stands."""

    shape: Any
    placeholder: Any  # a member of PP_PLACEHOLDER, None for other shapes
    rectangle: tuple[float, float, float, float] | None  # x0, top, x1, bottom

    def boxes(self, page_number: int) -> tuple[Box, ...]:
        if self.rectangle is None:
            return ()
        x0, top, x1, bottom = (edge / EMU_PER_POINT for edge in self.rectangle)
        return (Box(page_number, x0, top, x1, bottom),)


def shapes_of(slide: Any, *, height: float) -> list[Placed]:
    """The slide's shapes, groups opened: the title first, then from the top, and in a row from the left."""
    placed = _in_order(_placed(slide.shapes._spTree, slide.shapes, Frame(), 0, height), height)
    flat = [shape for group in placed for shape in group]
    return sorted(flat, key=lambda shape: shape.placeholder not in TITLES)


def _placed(
    tree: Any, parent: Any, frame: Frame, depth: int, height: float
) -> Iterator[tuple[tuple[float, float] | None, list[Placed]]]:
    """((top, left), shapes) of each shape in the tree; a group's shapes stay together."""
    for element in _elements(tree):
        if local_name(element) == "grpSp":
            inner = _inner_frame(element, frame)
            if depth < _MAX_DEPTH:
                found = [
                    shape
                    for group in _in_order(_placed(element, parent, inner, depth + 1, height), height)
                    for shape in group
                ]
                corners = [shape.rectangle[:2] for shape in found if shape.rectangle]
                corner = (min(y for _, y in corners), min(x for x, _ in corners)) if corners else None
                yield corner, found
            continue
        shape = SlideShapeFactory(element, parent)
        kind = shape.placeholder_format.type if shape.is_placeholder else None
        rectangle = _rectangle(shape, frame)
        yield (rectangle[1], rectangle[0]) if rectangle else None, [Placed(shape, kind, rectangle)]


def _elements(tree: Any) -> Iterator[Any]:
    """The shapes in a tree; of alternatives the first that holds shapes."""
    for element in tree:
        name = local_name(element)
        if name in _SHAPES:
            yield element
        elif name == "AlternateContent":
            for choice in element:
                shapes = [child for child in choice if local_name(child) in _SHAPES]
                if shapes:
                    yield from shapes
                    break


def _in_order(
    groups: Iterator[tuple[tuple[float, float] | None, list[Placed]]], height: float
) -> list[list[Placed]]:
    """By row from the top, in a row from the left; what stands nowhere follows the shape before it."""
    known: list[tuple[float, float, list[Placed]]] = []
    last = (0.0, 0.0)
    for corner, shapes in groups:
        last = corner or last
        known.append((*last, shapes))
    known.sort(key=lambda item: item[0])
    rows: list[tuple[int, float, list[Placed]]] = []
    row, first_top = 0, 0.0
    for index, (top, left, shapes) in enumerate(known):
        if not index or top - first_top > _ROW_SHARE * height:
            row, first_top = index, top
        rows.append((row, left, shapes))
    rows.sort(key=lambda item: item[:2])
    return [shapes for _, _, shapes in rows]


def _rectangle(shape: Any, frame: Frame) -> tuple[float, float, float, float] | None:
    left, top, width, height = shape.left, shape.top, shape.width, shape.height
    if None in (left, top, width, height):
        return None
    x0, y0 = frame.offset_x + frame.scale_x * left, frame.offset_y + frame.scale_y * top
    return x0, y0, x0 + frame.scale_x * width, y0 + frame.scale_y * height


def _inner_frame(group: Any, outer: Frame) -> Frame:
    """The measures inside a group; those outside it where the group states none."""
    found = {
        local_name(element): element
        for properties in group
        if local_name(properties) == "grpSpPr"
        for transform in properties
        if local_name(transform) == "xfrm"
        for element in transform
    }
    if not {"off", "ext", "chOff", "chExt"} <= found.keys():
        return outer
    x, y = _pair(found["off"], "x", "y")
    width, height = _pair(found["ext"], "cx", "cy")
    inner_x, inner_y = _pair(found["chOff"], "x", "y")
    inner_width, inner_height = _pair(found["chExt"], "cx", "cy")
    scale_x = width / inner_width if inner_width else 1.0
    scale_y = height / inner_height if inner_height else 1.0
    return Frame(
        outer.scale_x * scale_x,
        outer.scale_y * scale_y,
        outer.offset_x + outer.scale_x * (x - scale_x * inner_x),
        outer.offset_y + outer.scale_y * (y - scale_y * inner_y),
    )


def _pair(element: Any, first: str, second: str) -> tuple[float, float]:
    return float(element.get(first) or 0), float(element.get(second) or 0)
