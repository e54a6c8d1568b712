"""Are outlines, embedded files, filled fields, scans and unmapped fonts of a PDF seen?"""

import io
from collections.abc import Callable

import pypdfium2
import pytest
from reportlab.pdfgen.canvas import Canvas

from services.ingest.core.document import HEADING, ParsedDocument
from services.ingest.core.formats.limits import Limits
from services.ingest.core.formats.pdf import parse
from tests.unit.ingest.drawing import Sheet, pdf, prose, read


def drawn(draw: Callable[[Canvas], None]) -> ParsedDocument:
    stream = io.BytesIO()
    canvas = Canvas(stream, pagesize=(600, 800), invariant=1)
    draw(canvas)
    canvas.save()
    return parse("a.pdf", stream.getvalue())


def with_files(*files: tuple[str, bytes]) -> bytes:
    sheet = Sheet()
    sheet.column(50, 100, prose(3))
    with pypdfium2.PdfDocument(pdf(sheet)) as document:
        for name, data in files:
            document.new_attachment(name).set_data(data)
        stream = io.BytesIO()
        document.save(stream)
    return stream.getvalue()


def test_outline_says_which_lines_are_headings_and_how_deep() -> None:
    def draw(canvas: Canvas) -> None:
        for title, level in (("Of locks", 0), ("Of gates", 1), ("Of tides", 0)):
            canvas.setFont("Helvetica", 10)
            canvas.drawString(50, 700, title)
            for number, line in enumerate(prose(6, words=12)):
                canvas.drawString(50, 650 - 12 * number, line)
            canvas.bookmarkPage(title)
            canvas.addOutlineEntry(title, title, level)
            canvas.showPage()

    parsed = drawn(draw)
    headings = [(block.section[-1], block.level) for block in parsed.blocks if block.kind == HEADING]
    assert headings == [("Of locks", 1), ("Of gates", 2), ("Of tides", 1)]


def test_filled_fields_are_read_where_they_stand() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 10)
        canvas.drawString(50, 700, "Name of the ship:")
        canvas.acroForm.textfield(name="ship", value="Marie Celeste", x=150, y=696, width=200, height=16)
        canvas.drawString(50, 650, "Paid")
        canvas.acroForm.checkbox(name="paid", checked=True, x=150, y=646, size=16)
        canvas.drawString(50, 600, "Late")
        canvas.acroForm.checkbox(name="late", checked=False, x=150, y=596, size=16)

    parsed = drawn(draw)
    assert parsed.text.split("\n\n") == ["Name of the ship: Marie Celeste", "Paid ☒", "Late"]
    assert parsed.words is not None
    start = parsed.text.index("Celeste")
    (box,) = parsed.words.boxes_of(start, start + 7)
    assert 150 < box.x0 < box.x1 <= 350
    assert box.top == pytest.approx(88, abs=2)
    assert box.bottom == pytest.approx(104, abs=2)


def test_embedded_files_are_given_and_named() -> None:
    parsed = parse("a.pdf", with_files(("notes.txt", b"of the tides"), ("image.png", b"\x89PNG")))
    assert [(file.name, file.data) for file in parsed.attachments] == [
        ("image.png", b"\x89PNG"), ("notes.txt", b"of the tides"),
    ]  # fmt: skip
    assert parsed.warnings == ("Files attached to the PDF: image.png, notes.txt.",)


def test_embedded_files_beyond_the_limit_are_named_but_not_taken() -> None:
    limits = Limits(max_member_bytes=8)
    parsed = parse("a.pdf", with_files(("a.txt", b"short"), ("b.txt", b"much too long")), limits=limits)
    assert [file.name for file in parsed.attachments] == ["a.txt"]
    assert parsed.warnings[-1] == "Attached files that could not be taken out: b.txt."


def test_few_characters_on_an_image_of_the_whole_page_are_a_scan() -> None:
    stamped, text = Sheet(), Sheet()
    stamped.operators.append("q 600 0 0 800 0 0 cm BI /W 1 /H 1 /BPC 8 /CS /G ID \x00 EI Q")
    stamped.write(50, 780, "Copy 7")
    text.column(50, 100, prose(3))
    parsed = read(text, stamped)
    assert [page.scanned for page in parsed.pages] == [False, True]
    assert "1 of 2 pages holds no text (scanned) and cannot be searched: 2;" in parsed.warnings[0]


def test_text_under_a_scan_is_kept() -> None:
    sheet = Sheet()
    sheet.operators.append("q 600 0 0 800 0 0 cm BI /W 1 /H 1 /BPC 8 /CS /G ID \x00 EI Q 3 Tr")
    sheet.column(50, 100, prose(3))
    parsed = read(sheet)
    assert (parsed.pages[0].scanned, parsed.warnings) == (False, ())
    assert "harbour" in parsed.text


def test_unmapped_characters_are_counted() -> None:
    differences = "/Encoding << /Type /Encoding /Differences [1 /unheard /of] >>"
    sheet = Sheet()
    sheet.write(50, 100, "tides \x01\x02")
    data = pdf(sheet).replace(b"/Encoding /WinAnsiEncoding", differences.encode(), 1)
    parsed = parse("a.pdf", data)
    assert parsed.text == "tides \ufffd\ufffd"
    assert parsed.warnings == (
        "2 characters of the fonts have no mapping to text and cannot be searched, on page 1.",
    )


def test_glyph_names_that_say_their_code_are_read() -> None:
    differences = "/Encoding << /Type /Encoding /Differences [224 /a224 233 /a233 65 /ffi] >>"
    sheet = Sheet()
    sheet.write(50, 100, "oAce \u00e0 \u00e9")
    data = pdf(sheet).replace(b"/Encoding /WinAnsiEncoding", differences.encode(), 1)
    assert parse("a.pdf", data).text == "office à é"


def test_page_that_breaks_off_keeps_what_was_drawn() -> None:
    whole, torn = Sheet(), Sheet()
    whole.column(50, 100, prose(3))
    torn.write(50, 100, "Words before the end")
    torn.operators.append("/F9 10 Tf (lost) Tj 1 0 0 Tm BT (x) 7 8 9 TJ")
    parsed = read(whole, torn)
    assert "Words before the end" in parsed.text
