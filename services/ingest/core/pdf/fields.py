"""What is filled into a page's form fields, and written into its text boxes?"""

from collections.abc import Iterator, Sequence
from typing import Any

from pdfminer.pdftypes import resolve1
from pdfminer.psparser import PSLiteral
from pdfminer.utils import decode_text

from services.ingest.core.pdf.rules import Rectangle
from services.ingest.core.text import clean, visible

MAX_ANNOTATIONS = 2_000
_MAX_CHARACTERS = 4_000
_MAX_PARENTS = 10
_HIDDEN = 0b10
_PASSWORD = 1 << 13
_CHECKED = "☒"


def annotations_of(page: Any) -> list[dict[str, Any]]:
    """The annotations of a pdfminer page that are dictionaries, at most so many as are looked into."""
    listed = resolve1(page.annots)
    some = listed[:MAX_ANNOTATIONS] if isinstance(listed, list) else []
    return [found for item in some if isinstance(found := resolve1(item), dict)]


def written_into(annotations: Sequence[dict[str, Any]]) -> Iterator[tuple[str, Rectangle]]:
    """What fields and text boxes hold, with their rectangles in the page's own units, y upwards."""
    for annotation in annotations:
        flags = resolve1(annotation.get("F"))
        if isinstance(flags, int) and flags & _HIDDEN:
            continue
        kind = _name(annotation.get("Subtype"))
        text = _value(annotation) if kind == "Widget" else ""
        if kind == "FreeText":
            text = _text(annotation.get("Contents"))
        box = _box(annotation.get("Rect"))
        if text and box is not None:
            yield text, box


def _value(field: dict[str, Any]) -> str:
    kind = _name(_inherited(field, "FT"))
    if kind == "Btn":
        state = _name(field.get("AS"))
        return _CHECKED if state not in ("", "Off") else ""
    flags = resolve1(_inherited(field, "Ff"))
    if kind not in ("Tx", "Ch") or (isinstance(flags, int) and flags & _PASSWORD):
        return ""
    value = resolve1(_inherited(field, "V"))
    parts = value if isinstance(value, list) else [value]
    return ", ".join(filter(None, map(_text, parts)))


def _inherited(field: dict[str, Any], key: str) -> Any:
    for _ in range(_MAX_PARENTS):
        if key in field:
            return field[key]
        parent = resolve1(field.get("Parent"))
        if not isinstance(parent, dict):
            return None
        field = parent
    return None


def _text(value: Any) -> str:
    found = resolve1(value)
    if isinstance(found, bytes):
        found = decode_text(found)
    text = clean(found[:_MAX_CHARACTERS]) if isinstance(found, str) else ""
    return text if visible(text) else ""


def _box(value: Any) -> Rectangle | None:
    edges = [resolve1(edge) for edge in found] if isinstance(found := resolve1(value), list) else []
    if len(edges) != 4 or not all(isinstance(edge, int | float) for edge in edges):
        return None
    x0, y0, x1, y1 = map(float, edges)
    box = min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)
    return box if box[2] > box[0] and box[3] > box[1] else None


def _name(value: Any) -> str:
    found = resolve1(value)
    return str(found.name) if isinstance(found, PSLiteral) else ""
