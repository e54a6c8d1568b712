"""Are PDF pages read in order, with labels, rectangles and clear refusals?"""

import io
from collections.abc import Sequence
from itertools import pairwise

import pytest
from PIL import Image

from services.ingest.core.document import FURNITURE, HEADING, LIST_ITEM, TABLE, ParsedDocument
from services.ingest.core.formats.limits import Limits
from services.ingest.core.formats.pdf import parse
from shared.errors import InvalidDocument, TooLarge

SENTENCE = (
    "the harbour master opens the lock at noon and shuts it again at six whenever the tide allows "
    "ships to pass between the outer mole and the basin behind the old customs house"
)
PROSE = SENTENCE.split()


class Sheet:
    """A page as a content stream; y counts from the top of a page of 600 by 800 points."""

    def __init__(self, *, extra: str = "") -> None:
        self.extra = extra
        self.operators: list[str] = []

    def write(
        self, x: float, y: float, text: str, *, size: float = 10, bold: bool = False, turn: str = "1 0 0 1"
    ) -> None:
        escaped = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
        font = "F2" if bold else "F1"
        self.operators.append(f"BT /{font} {size} Tf {turn} {x} {800 - y} Tm ({escaped}) Tj ET")

    def column(self, x: float, y: float, lines: Sequence[str]) -> None:
        for number, line in enumerate(lines):
            self.write(x, y + 12 * number, line)


def pdf(*sheets: Sheet, catalog: str = "", trailer: str = "", info: str = "") -> bytes:
    """A PDF of these pages in Helvetica."""
    count = len(sheets)
    pages = [5 + 2 * number for number in range(count)]
    objects = [
        f"<< /Type /Catalog /Pages 2 0 R {catalog} >>",
        f"<< /Type /Pages /Count {count} /Kids [{' '.join(f'{number} 0 R' for number in pages)}] >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>",
    ]
    for number, sheet in zip(pages, sheets, strict=True):
        stream = "\n".join(sheet.operators)
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents {number + 1} 0 R "
            f"/Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> {sheet.extra} >>"
        )
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
    objects.append(f"<< {info} >>")
    body, offsets = "%PDF-1.7\n", []
    for number, content in enumerate(objects, start=1):
        offsets.append(len(body))
        body += f"{number} 0 obj\n{content}\nendobj\n"
    table = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    size = len(objects) + 1
    end = f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer\n<< /Size {size} /Root 1 0 R "
    return (body + end + f"/Info {len(objects)} 0 R {trailer} >>\nstartxref\n{len(body)}\n%%EOF\n").encode(
        "latin-1"
    )


def prose(lines: int, *, words: int = 7, mark: str = "") -> list[str]:
    """Lines of running text, numbered by a marked word so that their order can be asserted."""
    return [
        f"{mark}{chr(97 + line // 26)}{chr(97 + line % 26)} "
        + " ".join(PROSE[(line + at) % len(PROSE)] for at in range(words))
        for line in range(lines)
    ]


def read(*sheets: Sheet, catalog: str = "") -> ParsedDocument:
    return parse("a.pdf", pdf(*sheets, catalog=catalog))


def kinds(parsed: ParsedDocument) -> list[tuple[str, str]]:
    return [(block.kind, parsed.text[block.start : block.end]) for block in parsed.blocks]


def assert_order(text: str, marks: Sequence[str]) -> None:
    positions = [text.index(mark) for mark in marks]
    assert all(left < right for left, right in pairwise(positions)), list(zip(marks, positions, strict=True))


@pytest.mark.parametrize("columns", [2, 3])
def test_columns_are_read_one_after_the_other(columns: int) -> None:
    sheet = Sheet()
    sheet.write(120, 60, "A title that stands across all of the columns below", size=16)
    width = 540 / columns
    marks = []
    for column in range(columns):
        lines = prose(30, words=7 if columns == 2 else 4, mark=f"q{column}")
        sheet.column(30 + column * width, 100 + 5 * column, lines)
        marks += [line.split()[0] for line in lines]
    parsed = read(sheet)
    assert_order(parsed.text, ["title", *marks])
    assert kinds(parsed)[0][0] == HEADING


def test_text_across_the_columns_parts_them() -> None:
    sheet = Sheet()
    top, middle, bottom = prose(10, mark="ql"), prose(10, mark="qr"), prose(10, mark="zl")
    sheet.column(30, 100, top)
    sheet.column(310, 100, middle)
    sheet.write(30, 240, "Acrossword " + " ".join(PROSE[:22]))
    sheet.column(30, 270, bottom)
    sheet.column(310, 270, prose(10, mark="zr"))
    assert_order(
        read(sheet).text, ["qlaa", "qlaj", "qraa", "qraj", "Acrossword", "zlaa", "zlaj", "zraa", "zraj"]
    )


def test_mark_that_hangs_out_of_its_column_tears_no_line() -> None:
    sheet = Sheet()
    sheet.column(30, 100, prose(20, mark="ql"))
    lines = prose(20, mark="qr")
    sheet.column(310, 100, [*lines[:9], "", *lines[10:]])
    sheet.write(306, 100 + 12 * 9, '"' + lines[9])
    assert_order(read(sheet).text, ["qlai", "qlaj", "qlat", "qraa", "qrai", "qraj", "qrak"])


def test_table_is_read_row_by_row_on_one_line_each() -> None:
    sheet = Sheet()
    rows = [
        ("Alabama", "18,870", "23,022", "859"),
        ("Alaska", "209", "3,062", "191"),
        ("Guam", "0", "100", "12"),
    ]
    for number, row in enumerate([("State", "Permit", "Handgun", "Other"), *rows]):
        for column, cell in enumerate(row):
            sheet.write(50 + 120 * column, 100 + 14 * number, cell)
    assert kinds(read(sheet)) == [
        (TABLE, "State Permit Handgun Other\nAlabama 18,870 23,022 859\nAlaska 209 3,062 191\nGuam 0 100 12")
    ]


def test_stamp_up_the_side_breaks_no_line() -> None:
    sheet = Sheet()
    sheet.column(60, 100, prose(20, words=12, mark="q"))
    sheet.write(30, 400, "arXiv:2004.04906v3 30 Sep 2020", turn="0 1 -1 0")
    parsed = read(sheet)
    assert kinds(parsed)[-1] == (FURNITURE, "arXiv:2004.04906v3 30 Sep 2020")
    assert "arXiv" not in parsed.text[: parsed.blocks[-1].start]


@pytest.mark.parametrize("turn", ["0 1 -1 0", "0 -1 1 0"])
def test_page_that_runs_sideways_is_read_in_order(turn: str) -> None:
    sheet = Sheet()
    upwards = turn.startswith("0 1")
    for number, line in enumerate(prose(5, mark="q")):
        sheet.write(
            100 + 12 * number if upwards else 500 - 12 * number, 700 if upwards else 100, line, turn=turn
        )
    parsed = read(sheet)
    assert_order(parsed.text, ["qaa", "qab", "qac", "qad", "qae"])
    assert parsed.words is not None
    x0, top, x1, bottom = parsed.words.box[1]
    assert bottom - top > x1 - x0  # the rectangle stands on the page as it is seen


def test_glyphs_drawn_twice_are_read_once() -> None:
    sheet = Sheet()
    sheet.write(50, 100, "BOLD words")
    sheet.write(50.4, 100, "BOLD words")
    assert read(sheet).text == "BOLD words"


def test_every_word_has_its_rectangle() -> None:
    sheet = Sheet()
    sheet.column(50, 100, ["The lock opens", "at noon."])
    parsed = read(sheet)
    assert parsed.words is not None
    assert [
        parsed.text[s:e] for s, e in zip(parsed.words.start, parsed.words.end, strict=True)
    ] == parsed.text.split()
    start = parsed.text.index("opens")
    first, second = parsed.words.boxes_of(start, len(parsed.text))
    assert (first.page_number, second.page_number) == (1, 1)
    assert 90 < first.top < first.bottom < 103
    assert 102 < second.top < second.bottom < 115
    assert first.x0 > second.x0 == pytest.approx(50, abs=1)


def test_word_hyphenated_at_a_lines_end_is_made_whole_and_keeps_both_rectangles() -> None:
    sheet = Sheet()
    sheet.column(50, 100, ["The harbour is impor-", "tant, and the well-", "known locks are well-known too."])
    parsed = read(sheet)
    assert parsed.text == "The harbour is important, and the well-known locks are well-known too."
    start = parsed.text.index("important")
    assert parsed.words is not None
    assert len(parsed.words.boxes_of(start, start + 9)) == 2


def test_headings_and_items_are_told_by_their_type() -> None:
    sheet = Sheet()
    sheet.write(50, 60, "Harbour handbook", size=20)
    sheet.write(50, 100, "Locks", size=14)
    sheet.column(50, 120, prose(3, words=12))
    sheet.write(50, 180, "Bold words of their own", bold=True)
    sheet.column(50, 200, prose(3, words=12))
    sheet.write(50, 250, "- first item here")
    sheet.write(50, 262, "- second item here")
    parsed = read(sheet)
    assert [block.kind for block in parsed.blocks if block.kind != "paragraph"] == [
        HEADING, HEADING, HEADING, LIST_ITEM, LIST_ITEM,
    ]  # fmt: skip
    assert parsed.blocks[-1].section == ("Harbour handbook", "Locks", "Bold words of their own")
    assert parsed.title == "Harbour handbook"


def numbered(printed: str, *, header: str = "") -> Sheet:
    sheet = Sheet()
    if header:
        sheet.write(50, 40, header)
    sheet.column(50, 100, prose(10, words=12))
    sheet.write(300, 770, printed)
    return sheet


@pytest.mark.parametrize(
    ("printed", "labels"),
    [
        (["47698", "47699", "47700"], ["47698", "47699", "47700"]),
        (["K-83", "K-84", "K-85"], ["K-83", "K-84", "K-85"]),
        (["iv", "v", "vi"], ["iv", "v", "vi"]),
        (["- 7 -", "- 8 -", "- 9 -"], ["7", "8", "9"]),
        (["12", "400", "7"], ["1", "2", "3"]),
        (["", "", ""], ["1", "2", "3"]),
    ],
)
def test_label_is_the_number_that_counts_along_with_the_pages(printed: list[str], labels: list[str]) -> None:
    assert [page.label for page in read(*map(numbered, printed)).pages] == labels


def test_labels_of_the_document_come_before_printed_ones() -> None:
    labels = "/PageLabels << /Nums [0 << /S /r >> 2 << /S /D /P (A-) /St 8 >>] >>"
    parsed = read(*[numbered(str(number)) for number in range(5, 8)], catalog=labels)
    assert [page.label for page in parsed.pages] == ["i", "ii", "A-8"]


@pytest.mark.parametrize(
    "labels", ["/PageLabels 99 0 R", "/PageLabels << /Nums 7 >>", "/PageLabels << /Nums [0 /x] >>"]
)
def test_broken_page_labels_cost_nothing(labels: str) -> None:
    parsed = read(numbered("5"), numbered("6"), catalog=labels)
    assert [page.label for page in parsed.pages] == ["5", "6"]


def test_running_headers_and_page_numbers_are_furniture() -> None:
    parsed = read(*[numbered(str(number), header="Harbour handbook 2020") for number in range(1, 5)])
    furniture = [text for kind, text in kinds(parsed) if kind == FURNITURE]
    assert furniture == [text for number in range(1, 5) for text in ("Harbour handbook 2020", str(number))]


def test_crop_box_is_the_origin_of_rectangles() -> None:
    sheet = Sheet(extra="/CropBox [40 50 560 760]")
    sheet.write(50, 100, "Words")
    parsed = read(sheet)
    assert (parsed.pages[0].width, parsed.pages[0].height) == (520, 710)
    assert parsed.words is not None
    assert parsed.words.box[0][0] == pytest.approx(10, abs=1)
    assert 50 < parsed.words.box[0][1] < 62


def scan() -> bytes:
    stream = io.BytesIO()
    Image.new("RGB", (60, 80), "white").save(
        stream, "PDF", save_all=True, append_images=[Image.new("RGB", (60, 80))]
    )
    return stream.getvalue()


def test_scanned_document_is_refused_with_the_number_of_its_pages() -> None:
    with pytest.raises(InvalidDocument, match=r"2 of its 2 pages are scanned.*OCR"):
        parse("a.pdf", scan())


def test_scanned_pages_among_others_are_warned_of() -> None:
    image = "q 500 0 0 700 50 50 cm BI /W 1 /H 1 /BPC 8 /CS /G ID \x00 EI Q"
    scanned, text = Sheet(), Sheet()
    scanned.operators.append(image)
    text.write(50, 100, "Words")
    parsed = read(text, scanned)
    assert [page.scanned for page in parsed.pages] == [False, True]
    assert parsed.warnings == ("1 of 2 pages are scanned images without text and cannot be searched.",)


def test_blank_document_is_refused() -> None:
    with pytest.raises(InvalidDocument, match="no text"):
        read(Sheet(), Sheet())


def test_encrypted_document_is_refused_with_advice() -> None:
    key = "00" * 32
    encrypt = f"/Encrypt << /Filter /Standard /V 1 /R 2 /O <{key}> /U <{key}> /P -4 >> /ID [<00> <00>]"
    sheet = Sheet()
    sheet.write(50, 100, "Secret")
    with pytest.raises(InvalidDocument, match="remove its password"):
        parse("a.pdf", pdf(sheet, trailer=encrypt))


@pytest.mark.parametrize("data", [b"%PDF-1.7\nxxxx", b"%PDF-1.7\n" + b"x" * 2000, b"%PDF-1.4\n%%EOF"])
def test_damaged_document_is_refused_with_advice(data: bytes) -> None:
    with pytest.raises(InvalidDocument, match="damaged"):
        parse("a.pdf", data)


def test_one_broken_page_costs_only_itself() -> None:
    good, broken = Sheet(), Sheet(extra="/Rotate (sideways)")
    good.write(50, 100, "Words")
    broken.write(50, 100, "Lost")
    parsed = read(good, broken, good)
    assert parsed.text == "Words\n\nWords"
    assert [page.number for page in parsed.pages] == [1, 2, 3]
    assert parsed.warnings == ("Pages that could not be read: 2.",)


def test_document_of_too_many_pages_is_refused() -> None:
    with pytest.raises(TooLarge, match="3 pages; at most 2"):
        parse("a.pdf", pdf(*[numbered("") for _ in range(3)]), limits=Limits(max_pages=2))


def test_two_runs_give_the_same_document() -> None:
    sheets = [numbered(str(number)) for number in range(1, 4)]
    first, second = read(*sheets), read(*sheets)
    assert (first.text, first.blocks, first.pages) == (second.text, second.blocks, second.pages)
