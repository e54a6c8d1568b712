"""Which paragraphs of a shape are list items, how deep, and with which mark?"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from services.ingest.core.formats.list_marks import letters, roman
from services.ingest.core.formats.office_xml import local_name

_MARKS = ("buNone", "buChar", "buAutoNum", "buBlip")
_BODY_STYLE, _OTHER_STYLE = "bodyStyle", "otherStyle"
_WRITTEN = {"Period": "{}.", "ParenR": "{})", "ParenBoth": "({})", "Plain": "{}"}


class Paragraph(NamedTuple):
    """A paragraph's words, the depth of its list item (0 for none) and the mark in front of it."""

    text: str
    depth: int
    mark: str


def paragraphs_of(shape: Any) -> Iterator[Paragraph]:
    """The shape's paragraphs that hold something, list items with the marks that are shown."""
    counts: dict[int, tuple[str, int]] = {}  # level -> numbering and the last number in it
    for paragraph in shape.text_frame.paragraphs:
        text, level = paragraph.text, max(0, paragraph.level)
        if not text.strip():
            continue
        mark = _mark_element(paragraph._p, shape, level)
        counts = {other: counted for other, counted in counts.items() if other <= level}
        if mark is None or local_name(mark) == "buNone":
            counts.pop(level, None)
            yield Paragraph(text, 0, "")
        elif local_name(mark) == "buAutoNum":
            kind = mark.get("type") or "arabicPeriod"
            start = mark.get("startAt") or "1"
            last_kind, last = counts.get(level, ("", 0))
            number = last + 1 if last_kind == kind else int(start) if start.isdecimal() else 1
            counts[level] = (kind, number)
            yield Paragraph(text, level + 1, _numbered(kind, number))
        else:
            counts.pop(level, None)
            yield Paragraph(text, level + 1, "-")


def _mark_element(paragraph: Any, shape: Any, level: int) -> Any:
    """The nearest word on bullets: the paragraph's own, its shape's, the layout's, the master's; or None."""
    for child in paragraph:
        if local_name(child) == "pPr":
            own = _mark_in(child)
            if own is not None:
                return own
    for styles in _styles_of(shape):
        for element in styles:
            if local_name(element) == f"lvl{level + 1}pPr":
                found = _mark_in(element)
                if found is not None:
                    return found
    return None


def _mark_in(properties: Any) -> Any:
    return next((child for child in properties if local_name(child) in _MARKS), None)


def _styles_of(shape: Any) -> Iterator[Any]:
    """The list styles that apply to a shape, nearest first."""
    yield from shape._element.iter("{*}lstStyle")
    if not shape.is_placeholder:
        return
    current = shape
    for _ in range(3):  # slide, layout, master
        current = getattr(current, "_base_placeholder", None)
        if current is None:
            break
        yield from current._element.iter("{*}lstStyle")
    master = shape.part.slide.slide_layout.slide_master
    titles = str(shape.placeholder_format.type).split(" ")[0].endswith("TITLE")
    wanted = "titleStyle" if titles else _BODY_STYLE
    yield from master.element.iter(f"{{*}}{wanted}")


def _numbered(kind: str, number: int) -> str:
    """`alphaLcParenR`, 3 -> `c)`."""
    written = next((form for ending, form in _WRITTEN.items() if kind.endswith(ending)), "{}.")
    if kind.startswith("alpha"):
        digits = letters(number)
    elif kind.startswith("roman"):
        digits = roman(number)
    else:
        return written.format(number)
    return written.format(digits.upper() if "Uc" in kind else digits)
