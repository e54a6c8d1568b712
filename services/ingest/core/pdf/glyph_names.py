"""Which characters do the glyph names of mathematics stand for, and where does a font keep its names?"""

import re
from collections.abc import Mapping

from pdfminer.pdffont import PDFFont, PDFType1Font
from pdfminer.pdftypes import PDFStream, resolve1

_ENTRY = re.compile(rb"dup\s+(\d{1,3})\s*/(\S{1,60})\s+put")
_HEADER_BYTES = 65_536  # the names stand before the encrypted part

# As the fonts of TeX name them; Adobe's list, which pdfminer goes by, has none of these.
MATHEMATICAL: Mapping[str, str] = {
    "prime": "\u2032", "primereverse": "\u2035", "angbracketleft": "\u27e8", "angbracketright": "\u27e9",
    "triangleleft": "\u25c1", "triangleright": "\u25b7", "notexistential": "\u2204", "negationslash": "/",
    "uniontext": "\u22c3", "uniondisplay": "\u22c3", "intersectiontext": "\u22c2",
    "intersectiondisplay": "\u22c2", "summationtext": "\u2211", "summationdisplay": "\u2211",
    "producttext": "\u220f", "productdisplay": "\u220f", "integraltext": "\u222b",
    "integraldisplay": "\u222b", "logicalortext": "\u22c1", "logicalandtext": "\u22c0",
    "circleplustext": "\u2295", "circlemultiplytext": "\u2297", "floorleft": "\u230a",
    "floorright": "\u230b", "ceilingleft": "\u2308", "ceilingright": "\u2309", "radicalbig": "\u221a",
    "radicalbigg": "\u221a", "lessorequalslant": "\u2a7d", "greaterorequalslant": "\u2a7e",
    "mapsto": "\u21a6", "squareimage": "\u228f", "latticetop": "\u22a4", "turnstileleft": "\u22a2",
    "turnstileright": "\u22a3", "precedes": "\u227a", "follows": "\u227b", "bardbl": "\u2016",
    "epsilon1": "\u03f5", "lscript": "\u2113", "openbullet": "\u25e6", "similarequal": "\u2243",
    "approxequal": "\u2248", "negation": "\u00ac", "owner": "\u220b", "arrownortheast": "\u2197",
    "square": "\u25a1", "squaresolid": "\u25a0", "blacksquare": "\u25a0", "star": "\u22c6",
}  # fmt: skip


def names_inside(font: PDFFont) -> dict[int, str]:
    """The names that a Type 1 font's own file gives to its codes, none for any other font."""
    stream = resolve1(font.descriptor.get("FontFile")) if isinstance(font, PDFType1Font) else None
    if not isinstance(stream, PDFStream):
        return {}
    try:
        header = stream.get_data()[:_HEADER_BYTES]
    except Exception:  # pdfminer lets whatever a broken stream provokes through
        return {}
    return {int(code): name.decode("latin-1") for code, name in _ENTRY.findall(header)}
