"""Which characters do the codes of a PDF font stand for, how wide are they, and is the font bold?"""

import re
from dataclasses import dataclass, field
from typing import Any

from pdfminer.pdffont import PDFFont, PDFSimpleFont, PDFType1Font, PDFUnicodeNotDefined
from pdfminer.pdfinterp import PDFResourceManager
from pdfminer.pdftypes import resolve1
from pdfminer.psparser import PSLiteral

from services.ingest.core.pdf.glyph_names import MATHEMATICAL, names_inside

UNMAPPED = "\ufffd"  # a glyph that no table of its font gives a character for

_BOLD = re.compile(r"bold|black|heavy|demi|semib|medi(?!um)|cmbx", re.IGNORECASE)
_BOLD_FLAG = 1 << 18
# Names that say their code, as bitmap fonts have them: /a233 at 233.
_COUNTED_NAME = re.compile(r"[A-Za-z]{1,2}(\d{1,3})")
# Mappings that PDF writers get wrong, while the glyph's name says what it is.
_LIGATURES = {"ff": "ff", "fi": "fi", "fl": "fl", "ffi": "ffi", "ffl": "ffl", "f_f": "ff", "f_i": "fi",
              "f_l": "fl", "f_f_i": "ffi", "f_f_l": "ffl", "ft": "ft", "t_t": "tt", "f_t": "ft"}  # fmt: skip
_THIRD_GLYPH = "g3"  # the space in every TrueType font that follows Microsoft's order of glyphs
_HIDDEN = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f]")


@dataclass(slots=True)
class FontCodes:
    """What is asked of a font for every glyph, found once for each code."""

    font: PDFFont
    bold: bool
    differences: dict[int, str]
    known: dict[int, tuple[str, float]] = field(default_factory=dict)
    inside: dict[int, str] | None = None

    def of(self, code: int) -> tuple[str, float]:
        """The text of a code, U+FFFD where there is none, and its width as a share of the type size.

        The text is empty where the font says that the glyph is a part of what another one stands for.
        """
        found = self.known.get(code)
        if found is None:
            found = self.known[code] = (self._text(code), self.font.char_width(code))
        return found

    def _text(self, code: int) -> str:
        name = self.differences.get(code, "")
        if name in _LIGATURES:
            return _LIGATURES[name]
        mapped = getattr(self.font, "unicode_map", None) is not None
        try:
            text = self.font.to_unichr(code)
        except PDFUnicodeNotDefined:
            text, mapped = MATHEMATICAL.get(self._name_inside(code, name), UNMAPPED), False
        counted = _COUNTED_NAME.fullmatch(name)
        if not mapped and name == _THIRD_GLYPH:
            return " "
        if not mapped and counted and int(counted.group(1)) == code:
            return bytes([code]).decode("cp1252", "replace")
        return _HIDDEN.sub("", text) or ("" if mapped and not text else UNMAPPED)

    def _name_inside(self, code: int, name: str) -> str:
        """The glyph's name by the encoding, or else by the font's own file, which is looked into once."""
        if name:
            return name
        if self.inside is None:
            self.inside = names_inside(self.font)
        return self.inside.get(code, "")


class Fonts(PDFResourceManager):
    """The fonts of one document, each looked into once; one that is broken costs only its own text."""

    def __init__(self) -> None:
        super().__init__()
        self._codes: dict[int, FontCodes] = {}  # they hold the fonts, so that an id stays one font's
        self._encodings: dict[int, tuple[PDFFont, Any]] = {}

    def get_font(self, objid: object, spec: Any) -> PDFFont:
        try:
            font = super().get_font(objid, spec)
        except Exception:  # pdfminer lets whatever a broken font provokes through
            font = PDFType1Font(self, {})
        encoding = spec.get("Encoding") if isinstance(spec, dict) else None
        self._encodings.setdefault(id(font), (font, resolve1(encoding)))
        return font

    def codes_of(self, font: PDFFont) -> FontCodes:
        found = self._codes.get(id(font))
        if found is None:
            _, encoding = self._encodings.get(id(font), (font, None))
            found = self._codes[id(font)] = FontCodes(font, _is_bold(font), _differences(font, encoding))
        return found


def _is_bold(font: PDFFont) -> bool:
    flags = font.flags if isinstance(font.flags, int) else 0
    return bool(_BOLD.search(str(font.fontname))) or bool(flags & _BOLD_FLAG)


def _differences(font: PDFFont, encoding: Any) -> dict[int, str]:
    """The glyph names that a simple font gives to its codes."""
    names: dict[int, str] = {}
    if not isinstance(font, PDFSimpleFont) or not isinstance(encoding, dict):
        return names
    listed = resolve1(encoding.get("Differences"))
    code = 0
    for item in listed if isinstance(listed, list) else ():
        item = resolve1(item)
        if isinstance(item, int):
            code = item
        elif isinstance(item, PSLiteral):
            names[code] = str(item.name)
            code += 1
    return names
