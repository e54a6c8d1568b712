"""Which words stand on the picture of a page?"""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from services.ingest.core.ocr.ctc import spelled
from services.ingest.core.ocr.detection import detected_lines, detector_input
from services.ingest.core.ocr.frame import Edges, Pixels
from services.ingest.core.ocr.line import picture_size, recogniser_input, spotted_words
from services.ingest.core.pdf.words import Word

_MIN_CONFIDENCE = 0.5  # of a line: what is less certain is a drawing or dirt


class ReadingModels(Protocol):
    """The two networks: one finds writing, the other spells a line of it."""

    @property
    def alphabet(self) -> Sequence[str]:
        """The recogniser's characters by class, the blank left out."""

    def probability(self, picture: NDArray[np.float32]) -> NDArray[np.float32]:
        """For float32[1, 3, height, width] how likely each pixel is writing: float32[height, width]."""

    def scores(self, picture: NDArray[np.float32]) -> NDArray[np.float32]:
        """For float32[1, 3, 48, width] the likelihood of each class at each step: float32[steps, classes]."""


def read_picture(page: Pixels, models: ReadingModels, *, points_per_pixel: float) -> list[Word]:
    """The words of a page in grey, in no order yet, their edges in points."""
    detected = detected_lines(models.probability(detector_input(page)), page.shape)
    words: list[Word] = []
    for box in detected.lines:
        x0, top, x1, bottom = box
        picture = detected.frame.cut(page, box, picture_size(x1 - x0, bottom - top))
        line = spelled(models.scores(recogniser_input(picture)), models.alphabet)
        if line.confidence < _MIN_CONFIDENCE:
            continue
        scale = (x1 - x0) / picture.shape[1]
        for spot in spotted_words(picture, line):
            edges = (
                x0 + spot.x0 * scale,
                top + spot.top * scale,
                x0 + spot.x1 * scale,
                top + spot.bottom * scale,
            )
            shown = _in_points(detected.frame.on_page(edges), points_per_pixel)
            size = round(spot.size * scale * points_per_pixel, 1)
            base = (top + spot.base * scale) * points_per_pixel
            words.append(Word(spot.text, *_in_points(edges, points_per_pixel), size, False, shown, base))
    return words


def _in_points(box: Edges, points_per_pixel: float) -> Edges:
    x0, top, x1, bottom = box
    return x0 * points_per_pixel, top * points_per_pixel, x1 * points_per_pixel, bottom * points_per_pixel
