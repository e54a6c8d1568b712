"""Which words does a paragraph of a Word document show?"""

from collections.abc import Callable, Iterator
from typing import Any

_WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_MATH = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"


def word_name(tag: str) -> str:
    """The qualified name of a WordprocessingML element or attribute."""
    return _WORD + tag


PARAGRAPH_TAG, TABLE_TAG, ROW_TAG, CELL_TAG = (word_name(tag) for tag in ("p", "tbl", "tr", "tc"))
CONTROL_TAG, CONTENT_TAG, VALUE = (word_name(tag) for tag in ("sdt", "sdtContent", "val"))
_BOX = word_name("txbxContent")
_TEXTS = frozenset({word_name("t"), f"{_MATH}t"})
_SIGNS = {
    word_name("tab"): "\t", word_name("ptab"): "\t", word_name("br"): "\n", word_name("cr"): "\n",
    word_name("noBreakHyphen"): "\u2011",
}  # fmt: skip
_RUN, _RUN_PROPERTIES, _SYMBOL = (word_name(tag) for tag in ("r", "rPr", "sym"))
_HIDDEN, _PLACEHOLDER = word_name("vanish"), f"{word_name('sdtPr')}/{word_name('showingPlcHdr')}"
_NOTE_MARKS = {word_name("footnoteReference"): "footnote", word_name("endnoteReference"): "endnote"}
_LEFT_OUT = frozenset(
    {_FALLBACK, _BOX, *map(word_name, ("del", "moveFrom", "rt", "pPr", "rPr", "sdtPr", "instrText"))}
)
_WRAPPERS = frozenset(word_name(tag) for tag in ("ins", "customXml", "smartTag", "moveTo"))
_SOFT_HYPHEN = "\u00ad"
# What the letters A to Z and a to z stand for in the Symbol font.
_GREEK = dict(
    zip(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
        "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖαβχδεφγηιϕκλμνοπθρστυϖωξψζ",
        strict=True,
    )
)
_PICTURED = {
    "symbol": {0xA3: "≤", 0xB3: "≥", 0xB1: "±", 0xB0: "°", 0xB4: "×", 0xB7: "•", 0xB9: "≠", 0xAE: "→",
               0xA5: "∞", 0xBB: "≈", 0xD7: "⋅", 0xB8: "÷", 0xAC: "←", 0xDE: "⇒", 0xE5: "∑", 0xD6: "√",
               0xCE: "∈"},
    "wingdings": {0xFC: "✓", 0xFB: "✗", 0xFE: "☑", 0xFD: "☒", 0xA8: "☐", 0x6F: "☐", 0xA7: "▪", 0xE0: "→",
                  0xDF: "←", 0xD8: "➢", 0x6C: "●", 0x6E: "■", 0x4A: "☺"},
}  # fmt: skip


def words_of(paragraph: Any, mark_of: Callable[[str, Any], str] | None = None) -> str:
    """The paragraph's words: fields by their results, what is struck out, moved away or hidden left out.

    Its text boxes are paragraphs of their own. `mark_of` gives the mark that stands for a reference to a
    foot- or endnote; without it there is none.
    """
    parts: list[str] = []
    stack = list(reversed(paragraph))
    while stack:
        node = stack.pop()
        tag = node.tag
        if tag in _TEXTS:
            parts.append((node.text or "").replace(_SOFT_HYPHEN, ""))
        elif tag in _SIGNS:
            parts.append(_SIGNS[tag])
        elif tag == _SYMBOL:
            parts.append(_symbol(node))
        elif tag in _NOTE_MARKS:
            parts.append(mark_of(_NOTE_MARKS[tag], node) if mark_of else "")
        elif tag not in _LEFT_OUT and not (tag == _RUN and _is_hidden(node)) and not is_placeholder(node):
            stack.extend(reversed(node))
    return "".join(parts)


def flow(parent: Any) -> Iterator[Any]:
    """Paragraphs and tables in order, content controls and accepted insertions opened up."""
    for element in parent:
        if element.tag in (PARAGRAPH_TAG, TABLE_TAG):
            yield element
        elif element.tag == CONTROL_TAG and not is_placeholder(element):
            for content in element.iterchildren(CONTENT_TAG):
                yield from flow(content)
        elif element.tag in _WRAPPERS:
            yield from flow(element)


def boxes_in(paragraph: Any) -> Iterator[Any]:
    """The text boxes anchored in this very paragraph, drawn in either of the two ways."""
    for box in paragraph.iter(_BOX):
        for ancestor in box.iterancestors(PARAGRAPH_TAG, _FALLBACK):
            if ancestor is paragraph:
                yield box
            break


def is_placeholder(element: Any) -> bool:
    """A content control that still asks to be filled in."""
    return bool(element.tag == CONTROL_TAG and element.find(_PLACEHOLDER) is not None)


def is_on(element: Any) -> bool:
    """Whether a property element is there and not switched off."""
    return element is not None and element.get(VALUE) not in ("0", "false", "off")


def number_in(element: Any) -> int | None:
    """The number that a property element holds."""
    value = "" if element is None else element.get(VALUE) or ""
    return int(value) if value.isdecimal() and len(value) < 10 else None


def _is_hidden(run: Any) -> bool:
    properties = run.find(_RUN_PROPERTIES)
    return properties is not None and is_on(properties.find(_HIDDEN))


def _symbol(node: Any) -> str:
    try:
        code = int(node.get(word_name("char")) or "", 16)
    except ValueError:
        return ""
    font = (node.get(word_name("font")) or "").lower()
    own = code & 0xFF if 0xF000 <= code <= 0xF0FF else code
    pictured = _PICTURED.get(font, {}).get(own)
    if pictured:
        return pictured
    if font == "symbol" and own < 0x80:
        return _GREEK.get(chr(own), chr(own))
    return "" if 0xE000 <= code <= 0xF8FF or not 0x20 <= code <= 0x10FFFF else chr(code)
