"""Scanned pages are read, keep their places, and are told apart from pages with text."""

import io
from pathlib import Path
from statistics import median

import pypdfium2
import pytest

from eval.corpus.build import write_documents
from eval.parsing.scans import CLEAN, WORN, Scan, character_error_rate, scanned
from services.ingest.core.document import HEADING, ParsedDocument
from shared.errors import InvalidDocument
from tests.unit.ingest.drawing import Sheet, pdf, prose
from tests.unit.ingest.ocr_reading import parsed, with_networks

pytestmark = pytest.mark.models
Box = tuple[float, float, float, float]

MOST_ERRORS = 0.02  # of a page's characters


def page(lines: int = 12) -> bytes:
    sheet = Sheet()
    sheet.write(60, 80, "Opening hours of the lock", size=18)
    sheet.column(60, 120, prose(lines))
    return pdf(sheet)


def golden_page(repository: Path, name: str, number: int) -> bytes:
    """One page of a golden PDF, as a PDF."""
    written = write_documents(repository / "eval" / "suites" / "golden" / "documents")
    (data,) = (each.data for each in written if each.name == name)
    with pypdfium2.PdfDocument(data) as source, pypdfium2.PdfDocument.new() as target:
        target.import_pages(source, [number - 1])
        kept = io.BytesIO()
        target.save(kept)
    return kept.getvalue()


@pytest.mark.parametrize("scan", [CLEAN, WORN], ids=["clean", "worn"])
@pytest.mark.parametrize(("name", "number"), [("archive-handbook.pdf", 2), ("quay-survey-2024.pdf", 1)])
def test_ocr_of_golden_pages_misreads_two_characters_in_a_hundred_at_most(
    repository: Path, name: str, number: int, scan: Scan
) -> None:
    original = golden_page(repository, name, number)
    read = read_off(scanned(original, scan), repository)
    assert character_error_rate(parsed(original, None).text, read.text) <= MOST_ERRORS


def test_ocr_words_stand_where_the_words_of_the_text_layer_stood(repository: Path) -> None:
    original = parsed(page(), None)
    read = read_off(scanned(page(), CLEAN), repository)
    shares = []
    for start, end, box in placed(original):
        found = [other for s, e, other in placed(read) if read.text[s:e] == original.text[start:end]]
        shares.append(max((overlap(box, other) for other in found), default=0.0))
    assert median(shares) > 0.85
    assert min(shares) > 0.5


def test_ocr_tells_headings_by_their_size_and_text_from_scans(repository: Path) -> None:
    read = read_off(scanned(page(), CLEAN), repository)
    (heading,) = (block for block in read.blocks if block.kind == HEADING)
    assert read.text[heading.start : heading.end] == "Opening hours of the lock"
    assert read.title == "Opening hours of the lock"
    assert [each.scanned for each in read.pages] == [True]
    assert read.warnings == ("1 page was read by text recognition: 1.",)


def test_ocr_of_a_tilted_page_keeps_its_lines_apart(repository: Path) -> None:
    read = read_off(scanned(page(30), Scan(tilt_degrees=2.0)), repository)
    assert character_error_rate(parsed(page(30), None).text, read.text) <= MOST_ERRORS


def test_ocr_gives_the_same_words_every_time(repository: Path) -> None:
    data = scanned(page(), WORN)
    first, second = with_networks(data, repository)(1), with_networks(data, repository)(1)
    assert first == second
    assert len(first) > 50


def test_ocr_of_a_picture_without_writing_says_that_nothing_was_found(repository: Path) -> None:
    with pytest.raises(InvalidDocument, match="Text recognition found nothing"):
        read_off(scanned(pdf(Sheet()), CLEAN), repository)


def read_off(data: bytes, repository: Path) -> ParsedDocument:
    return parsed(data, with_networks(data, repository))


def placed(document: ParsedDocument) -> list[tuple[int, int, Box]]:
    words = document.words
    assert words is not None
    return [
        (int(start), int(end), (float(box[0]), float(box[1]), float(box[2]), float(box[3])))
        for start, end, box in zip(words.start, words.end, words.box, strict=True)
    ]


def overlap(left: Box, right: Box) -> float:
    """Intersection over union."""
    width = min(left[2], right[2]) - max(left[0], right[0])
    height = min(left[3], right[3]) - max(left[1], right[1])
    if width <= 0 or height <= 0:
        return 0.0
    areas = sum((box[2] - box[0]) * (box[3] - box[1]) for box in (left, right))
    return width * height / (areas - width * height)
