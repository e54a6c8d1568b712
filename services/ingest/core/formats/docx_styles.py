"""What does a paragraph's style say: a heading, a list item, code?"""

import re
from typing import Any

_WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_HEADING = re.compile(r"(?:heading|überschrift|titre|título|titolo|kop|rubrik)\s*([1-9])", re.IGNORECASE)
_LIST = re.compile(r"list\s*(?:bullet|number)\s*([2-5])?", re.IGNORECASE)
_CODE = re.compile(r"code|html preformatted|plain text|macro text", re.IGNORECASE)
_MAX_LEVEL = 6


def word_name(tag: str) -> str:
    """The qualified name of a WordprocessingML element or attribute."""
    return _WORD + tag


class Styles:
    """Looks styles up once: their names, and what they inherit."""

    def __init__(self, document: Any) -> None:
        self._names: dict[str, str] = {}
        self._outlines: dict[str, int] = {}
        self._numbered: dict[str, int] = {}
        elements = {
            style.get(word_name("styleId")): style
            for style in document.styles.element.iter(word_name("style"))
        }
        for style_id, element in elements.items():
            named = element.find(word_name("name"))
            self._names[style_id] = "" if named is None else named.get(word_name("val")) or ""
            self._inherit(style_id, elements)

    def heading_level(self, paragraph: Any) -> int:
        """1 to 6, or 0: by the style's name, else by the outline level of style or paragraph."""
        style_id = self._style_of(paragraph)
        name = self._names.get(style_id, "")
        found = _HEADING.fullmatch(name)
        if found:
            return min(int(found.group(1)), _MAX_LEVEL)
        if name.lower() == "title":
            return 1
        own = _number(paragraph.find(f"{word_name('pPr')}/{word_name('outlineLvl')}"))
        outline = own if own is not None else self._outlines.get(style_id)
        return outline + 1 if outline is not None and outline < _MAX_LEVEL else 0

    def list_depth(self, paragraph: Any) -> int:
        """1 for a list item, more for one nested deeper, 0 for no list item."""
        style_id = self._style_of(paragraph)
        own = paragraph.find(f"{word_name('pPr')}/{word_name('numPr')}")
        if own is not None:
            if _number(own.find(word_name("numId"))) == 0:  # numbering taken off by hand
                return 0
            return (_number(own.find(word_name("ilvl"))) or 0) + 1
        found = _LIST.match(self._names.get(style_id, ""))
        if found:
            return int(found.group(1) or 1)
        return self._numbered.get(style_id, 0)

    def is_code(self, paragraph: Any) -> bool:
        return bool(_CODE.search(self._names.get(self._style_of(paragraph), "")))

    def _style_of(self, paragraph: Any) -> str:
        style = paragraph.find(f"{word_name('pPr')}/{word_name('pStyle')}")
        return "" if style is None else style.get(word_name("val")) or ""

    def _inherit(self, style_id: str, elements: dict[str, Any]) -> None:
        """Follows basedOn until an outline level and a numbering are found; a circle ends where it began."""
        seen: set[str] = set()
        current: str | None = style_id
        while current in elements and current not in seen:
            seen.add(current)
            element = elements[current]
            outline = _number(element.find(f"{word_name('pPr')}/{word_name('outlineLvl')}"))
            if outline is not None:
                self._outlines.setdefault(style_id, outline)
            numbering = element.find(f"{word_name('pPr')}/{word_name('numPr')}")
            if numbering is not None:
                self._numbered.setdefault(style_id, (_number(numbering.find(word_name("ilvl"))) or 0) + 1)
            base = element.find(word_name("basedOn"))
            current = None if base is None else base.get(word_name("val"))


def _number(element: Any) -> int | None:
    value = "" if element is None else element.get(word_name("val")) or ""
    return int(value) if value.isdecimal() else None
