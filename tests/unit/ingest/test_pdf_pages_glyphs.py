"""Do glyphs that are drawn in odd ways still make the words that a reader sees?"""

import unicodedata

import pytest

from services.ingest.core.formats.pdf import parse
from services.ingest.core.pdf.fonts import UNMAPPED
from services.ingest.core.text import one_line
from tests.unit.ingest.drawing import Sheet, pdf, read


def test_cell_padded_with_blanks_over_the_next_tears_no_word() -> None:
    sheet = Sheet()
    for row in range(8):
        y = 100 + 14 * row
        sheet.write(50, y, f"0{row}/02/2015" + " " * 19)
        sheet.write(116.3 + row / 7, y, "07/01/2016")
    words = read(sheet).text.split()
    assert words.count("07/01/2016") == 8
    assert {f"0{row}/02/2015" for row in range(8)} <= set(words)


def test_blank_that_the_next_letter_overlaps_still_parts_words() -> None:
    sheet = Sheet()
    sheet.operators.append("BT /F1 10 Tf 0.7 Tc 1 0 0 1 50 700 Tm [(Me) (\\040) 260 (Jones)] TJ ET")
    assert read(sheet).text == "Me Jones"


def _with_symbols(name: str) -> bytes:
    """A page on which a font without an encoding of its own draws a letter and code 48, which it names."""
    header = (
        f"%!PS-AdobeFont-1.0: CMSY10\n/Encoding 256 array\ndup 48 /{name} put\nreadonly def\ncurrentfile\n"
    )
    sheet = Sheet()
    sheet.write(50, 100, "member m")
    sheet.operators.append("BT /F3 7 Tf 1 0 0 1 95.6 704 Tm (0) Tj ET")
    sheet.write(110, 100, "covers it")
    descriptor = "/Type /FontDescriptor /FontName /CMSY10 /Flags 4 /FontBBox [0 0 1000 1000] /Ascent 750 "
    descriptor += "/Descent -250 /ItalicAngle 0 /StemV 50 /CapHeight 700"
    font = f"<< /Length {len(header)} /Length1 {len(header)} >>\nstream\n{header}\nendstream"
    extra = (
        f"<< /Type /Font /Subtype /Type1 /BaseFont /CMSY10 /FirstChar 48 /LastChar 48 /Widths [275] "
        f"/FontDescriptor << {descriptor} /FontFile 7 0 R >> >>"
    )
    return pdf(sheet, fonts=f"/F3 {extra}", objects_after=[font])


@pytest.mark.parametrize(
    ("name", "shown"), [("prime", "m\u2032 covers"), ("noglyphatall", f"m {UNMAPPED} covers")]
)
def test_mathematical_glyph_is_known_by_the_name_in_its_font(name: str, shown: str) -> None:
    assert shown in one_line(parse("a.pdf", _with_symbols(name)).text)


def test_words_around_marks_and_exponents_are_found_by_plain_digits() -> None:
    sheet = Sheet()
    sheet.write(50, 100, "It drew 10")
    sheet.write(94, 96, "6", size=6)
    sheet.write(104, 100, "litres of the tide")
    sheet.write(172, 96, "7", size=6)
    sheet.write(184, 100, "at noon")
    words = unicodedata.normalize("NFKC", read(sheet).text).split()
    assert words == ["It", "drew", "106", "litres", "of", "the", "tide", "7", "at", "noon"]
