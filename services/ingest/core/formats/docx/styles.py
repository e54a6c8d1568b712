"""What does a paragraph's style say: a heading, a list item, a caption, code?"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from services.ingest.core.formats.docx.numbering import BULLET, Numbering
from services.ingest.core.formats.docx.words import VALUE, number_in, word_name

_HEADING = re.compile(r"(?:heading|überschrift|titre|título|titolo|kop|rubrik)\s*([1-9])", re.IGNORECASE)
_LIST = re.compile(r"list\s*(?:bullet|number)\s*([2-5])?", re.IGNORECASE)
_CODE = re.compile(r"code|html preformatted|plain text|macro text", re.IGNORECASE)
_CAPTION = re.compile(r"caption|beschriftung|légende|leyenda|didascalia", re.IGNORECASE)
_MAX_LEVEL = 6
_MAX_DEPTH = 9
_PROPERTIES, _STYLE, _OUTLINE = (word_name(tag) for tag in ("pPr", "pStyle", "outlineLvl"))
_NUMBERING, _LIST_ID, _LIST_LEVEL = (word_name(tag) for tag in ("numPr", "numId", "ilvl"))


@dataclass(frozen=True, slots=True)
class Style:
    """What a style says with all that it inherits; None and 0 where it says nothing."""

    heading: int = 0
    list_depth: int = 0  # by its name
    list_id: int | None = None
    list_level: int | None = None
    code: bool = False
    caption: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """What a paragraph is: a heading of a level, a list item of a depth, and the mark in front of it."""

    heading: int = 0
    depth: int = 0
    mark: str = ""
    code: bool = False
    caption: bool = False


_PLAIN_STYLE = Style()
_PLAIN = Reading()


class Styles:
    """Looks styles up once and counts list items: each paragraph is asked for once, in order."""

    def __init__(self, tree: Any, numbering: Numbering) -> None:
        self._numbering = numbering
        self._styles: dict[str, Style] = {}
        self._default = ""
        elements = (
            {} if tree is None else {s.get(word_name("styleId")): s for s in tree.iter(word_name("style"))}
        )
        for style_id, element in elements.items():
            self._styles[style_id] = _style(style_id, elements)
            is_default = element.get(word_name("default")) in ("1", "true")
            if is_default and element.get(word_name("type")) == "paragraph":
                self._default = style_id

    def reading_of(self, paragraph: Any) -> Reading:
        """What the paragraph is; a list item's number goes on with every call."""
        properties = paragraph.find(_PROPERTIES)
        named = None if properties is None else properties.find(_STYLE)
        style_id = self._default if named is None else named.get(VALUE) or ""
        style = self._styles.get(style_id, _PLAIN_STYLE)
        if properties is None and style is _PLAIN_STYLE:
            return _PLAIN
        mark, level = self._mark(properties, style_id, style)
        own = None if properties is None else number_in(properties.find(_OUTLINE))
        heading = style.heading if own is None else own + 1 if own < _MAX_LEVEL else 0
        if heading:
            return Reading(heading, 0, "" if mark in (None, BULLET) else mark or "")
        depth = 0 if level is None or mark == "" else min(level + 1, _MAX_DEPTH)
        if style.list_depth and level != -1:
            depth = max(depth, style.list_depth)
        return Reading(0, depth if level != -1 else 0, mark or BULLET, style.code, style.caption)

    def _mark(self, properties: Any, style_id: str, style: Style) -> tuple[str | None, int | None]:
        """The mark, and the level of the list: None outside a list, -1 where numbering was taken off."""
        own = None if properties is None else properties.find(_NUMBERING)
        list_id = None if own is None else number_in(own.find(_LIST_ID))
        level = None if own is None else number_in(own.find(_LIST_LEVEL))
        if own is not None and list_id is None:
            list_id = style.list_id
        if own is None:
            list_id, level = style.list_id, style.list_level
            if list_id is not None and level is None:
                level = self._numbering.level_of_style(list_id, style_id)
        if list_id == 0:
            return None, -1
        if list_id is None:
            return None, level
        return self._numbering.next_mark(list_id, level or 0), level or 0


def _style(style_id: str, elements: dict[str, Any]) -> Style:
    """The style with what it inherits: the nearest word on each matter counts."""
    heading: int | None = None
    list_depth = 0
    list_id = list_level = None
    code = caption = False
    for element in _line_of(style_id, elements):
        named = element.find(word_name("name"))
        name = "" if named is None else named.get(VALUE) or ""
        properties = element.find(_PROPERTIES)
        if heading is None:
            heading = _heading(name, properties)
        found = _LIST.match(name)
        if found and not list_depth:
            list_depth = int(found.group(1) or 1)
        numbered = None if properties is None else properties.find(_NUMBERING)
        if numbered is not None:
            list_id = number_in(numbered.find(_LIST_ID)) if list_id is None else list_id
            list_level = number_in(numbered.find(_LIST_LEVEL)) if list_level is None else list_level
        code = code or bool(_CODE.search(name))
        caption = caption or bool(_CAPTION.fullmatch(name))
    return Style(heading or 0, list_depth, list_id, list_level, code, caption)


def _line_of(style_id: str, elements: dict[str, Any]) -> Iterator[Any]:
    """The style and those that it is based on; a circle ends where it began."""
    seen: set[str] = set()
    current: str | None = style_id
    while current is not None and current in elements and current not in seen:
        seen.add(current)
        yield elements[current]
        base = elements[current].find(word_name("basedOn"))
        current = None if base is None else base.get(VALUE)


def _heading(name: str, properties: Any) -> int | None:
    found = _HEADING.fullmatch(name)
    if found:
        return min(int(found.group(1)), _MAX_LEVEL)
    if name.lower() == "title":
        return 1
    outline = None if properties is None else number_in(properties.find(_OUTLINE))
    if outline is None:
        return None
    return outline + 1 if outline < _MAX_LEVEL else 0
