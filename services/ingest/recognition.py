"""Which words stand on the scanned pages of a PDF? Drawn, and then read off the picture."""

from dataclasses import dataclass

import numpy as np
import pypdfium2

from services.ingest.core.ocr.page import ReadingModels, read_picture
from services.ingest.core.pdf.words import Word
from services.ingest.ocr import OcrWeights, onnx_reader
from shared.errors import InvalidDocument

_POINTS_PER_INCH = 72
_MAX_PIXELS = 24_000_000  # a larger page is drawn smaller: A4 has 4 million at 200 dpi


@dataclass(frozen=True, slots=True)
class OcrOptions:
    """With which networks scanned pages are read, and at how many dots per inch they are drawn."""

    weights: OcrWeights
    dpi: int

    @property
    def digest(self) -> str:
        """What the words of a scanned page depend on beside the page."""
        return f"{self.weights.digest}:{self.dpi}"


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
    return ScanReader(data, onnx_reader(options.weights), dpi=options.dpi)
