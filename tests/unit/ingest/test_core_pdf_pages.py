"""Are pages labelled, furniture told apart, and unreadable documents refused with advice?"""

import io

import pytest
from PIL import Image

from services.ingest.core.document import FURNITURE
from services.ingest.core.formats.limits import Limits
from services.ingest.core.formats.pdf import parse
from shared.errors import InvalidDocument, TooLarge
from tests.unit.ingest.drawing import Sheet, kinds, pdf, prose, read


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
    assert parsed.warnings == (
        "1 of 2 pages holds no text (scanned) and cannot be searched: 2; "
        "turn text recognition on (SIGHTLINE_OCR=on).",
    )


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
    with pytest.raises(TooLarge, match="more than 2 pages"):
        parse("a.pdf", pdf(*[numbered("") for _ in range(3)]), limits=Limits(max_pages=2))


def test_two_runs_give_the_same_document() -> None:
    sheets = [numbered(str(number)) for number in range(1, 4)]
    first, second = read(*sheets), read(*sheets)
    assert (first.text, first.blocks, first.pages) == (second.text, second.blocks, second.pages)
