"""Recognition refuses to start without its networks, and what it reads is another parse."""

from pathlib import Path

import pytest

from eval.parsing.scans import CLEAN, character_error_rate, character_errors, scanned
from services.ingest.core.chunking import ChunkingConfig
from services.ingest.core.pdf.words import Word
from services.ingest.identity import config_digest
from services.ingest.recognition import OcrOptions, ScanReader, ocr_options
from shared.errors import InvalidDocument, Unavailable
from shared.models import WeightsFile
from tests.unit.ingest.drawing import Sheet, pdf, prose
from tests.unit.ingest.ocr_reading import FakeModels, parsed


def scan(*pages: list[str]) -> bytes:
    sheets = []
    for lines in pages:
        sheet = Sheet()
        sheet.column(60, 80, lines)
        sheets.append(sheet)
    return scanned(pdf(*sheets), CLEAN)


def test_ocr_options_without_the_networks_say_how_to_get_them(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="is missing: run `make models`"):
        ocr_options(tmp_path, 200)


def test_config_digest_tells_recognition_its_networks_and_its_resolution_apart() -> None:
    weights = WeightsFile(Path("model.onnx"), "a" * 64)
    other = WeightsFile(Path("model.onnx"), "b" * 64)
    options = [
        OcrOptions(weights, weights, 200),
        OcrOptions(weights, other, 200),
        OcrOptions(weights, other, 300),
    ]
    digests = {config_digest(ChunkingConfig(), "t", each.digest) for each in options}
    assert len(digests | {config_digest(ChunkingConfig(), "t")}) == 4


def test_scans_without_recognition_are_refused_with_what_to_do() -> None:
    with pytest.raises(InvalidDocument, match=r"2 of its 2 pages are scanned images\. .*SIGHTLINE_OCR=on"):
        parsed(scan(prose(3), prose(3)), None)


def test_only_pages_without_text_are_read_and_both_are_told() -> None:
    data = scan(prose(3), prose(3), prose(3))
    reader = ScanReader(data, FakeModels("ab ba"), dpi=100)
    asked: list[int] = []

    def scans(number: int) -> tuple[Word, ...]:
        asked.append(number)
        return () if number == 2 else reader(number)

    document = parsed(data, scans)
    assert asked == [1, 2, 3]
    assert [page.scanned for page in document.pages] == [True, True, True]
    assert set(document.text.split()) == {"ab", "ba"}
    assert document.warnings == ("3 pages were read by text recognition: 1, 2, 3.",)
    asked.clear()
    sheet = Sheet()
    sheet.column(60, 80, prose(3))
    assert parsed(pdf(sheet), scans).warnings == ()
    assert asked == []


def test_character_errors_count_edits_with_white_space_as_one() -> None:
    assert character_errors("a  b\nc", "a b c") == 0
    assert character_errors("kitten", "sitting") == 3
    assert character_errors("", "abc") == 3
    assert character_error_rate("quay", "quey") == 0.25
    with pytest.raises(ValueError, match="blank"):
        character_error_rate(" ", "a")
