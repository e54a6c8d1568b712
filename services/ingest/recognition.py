"""Which words stand on the scanned pages of a PDF? Drawn, and then read off the picture."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pypdfium2

from services.ingest.core.ocr.page import ReadingModels, read_picture
from services.ingest.core.pdf.words import Word
from shared.errors import InvalidDocument
from shared.models import WeightsFile, verified_weights

DETECTOR, RECOGNISER = "ocr-detector", "ocr-recogniser"
_POINTS_PER_INCH = 72
_MAX_PIXELS = 24_000_000  # a larger page is drawn smaller: A4 has 4 million at 200 dpi


@dataclass(frozen=True, slots=True)
class OcrOptions:
    """With which networks scanned pages are read, and at how many dots per inch they are drawn."""

    detector: WeightsFile
    recogniser: WeightsFile
    dpi: int

    @property
    def digest(self) -> str:
        """What the words of a scanned page depend on beside the page."""
        return f"{self.detector.sha256}:{self.recogniser.sha256}:{self.dpi}"


def ocr_options(models_dir: Path, dpi: int) -> OcrOptions:
    """The weights below `models_dir`. Unavailable, saying to run `make models`, if they are not as locked."""
    detector, recogniser = (verified_weights(models_dir, role) for role in (DETECTOR, RECOGNISER))
    return OcrOptions(
        WeightsFile(detector.path.absolute(), detector.sha256),
        WeightsFile(recogniser.path.absolute(), recogniser.sha256),
        dpi,
    )


class ScanReader:
    """Reads the pages of one PDF by their numbers from 1."""

    def __init__(self, data: bytes, models: ReadingModels, *, dpi: int) -> None:
        self._data = data
        self._models = models
        self._dpi = dpi

    def __call__(self, number: int) -> tuple[Word, ...]:
        """The words of a page, in no order. Raises InvalidDocument if it cannot be drawn."""
        try:
            with pypdfium2.PdfDocument(self._data) as pdf:
                page = pdf[number - 1]
                width, height = page.get_size()
                scale = self._dpi / _POINTS_PER_INCH
                scale *= min(1.0, (_MAX_PIXELS / (width * height * scale * scale)) ** 0.5)
                pixels = np.array(page.render(scale=scale, grayscale=True).to_numpy())
        except pypdfium2.PdfiumError as error:
            raise InvalidDocument(f"Page {number} cannot be drawn, and so not read.") from error
        grey = pixels.reshape(pixels.shape[0], pixels.shape[1])
        return tuple(read_picture(grey, self._models, points_per_pixel=width / grey.shape[1]))


def scan_reader(data: bytes, options: OcrOptions) -> ScanReader:
    """The reader of a PDF's scanned pages; its networks are loaded once a process."""
    from services.ingest.ocr import onnx_reader  # only for who has recognition on: a runtime of its own

    models = onnx_reader(options.detector.path, options.recogniser.path)
    return ScanReader(data, models, dpi=options.dpi)
