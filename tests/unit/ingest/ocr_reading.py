"""How do tests read scanned pages? By small fakes of the networks, and by the networks themselves."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from services.ingest.core.document import ParsedDocument
from services.ingest.core.formats.limits import DEFAULT_LIMITS
from services.ingest.core.formats.pdf import document_of
from services.ingest.core.pdf.reader import PdfFile, ScanReader
from services.ingest.recognition import ScanReader as PictureReader
from services.ingest.recognition import ocr_options, scan_reader

ALPHABET = "ab "


class FakeModels:
    """Finds writing wherever it is dark, and spells the same line for each."""

    def __init__(self, line: str) -> None:
        self.alphabet: Sequence[str] = ALPHABET
        self._line = line

    def probability(self, picture: NDArray[np.float32]) -> NDArray[np.float32]:
        dark: NDArray[np.bool_] = picture[0, 0] < 0
        return dark.astype(np.float32)

    def scores(self, picture: NDArray[np.float32]) -> NDArray[np.float32]:
        return certain(self._line)


def certain(line: str) -> NDArray[np.float32]:
    """Scores that spell a line, a blank before and after every character."""
    scores = np.zeros((2 * len(line) + 1, len(ALPHABET) + 1), dtype=np.float32)
    scores[0::2, 0] = 1
    for place, character in enumerate(line):
        scores[2 * place + 1, ALPHABET.index(character) + 1] = 1
    return scores


def with_networks(data: bytes, repository: Path) -> PictureReader:
    return scan_reader(data, ocr_options(repository / "models", 200))


def parsed(data: bytes, scans: ScanReader | None) -> ParsedDocument:
    file = PdfFile(data, DEFAULT_LIMITS, scans)
    pages = [file.read(number + 1) for number in range(file.page_count)]
    return document_of(file.content(pages), "scan.pdf")
