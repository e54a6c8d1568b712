"""Which words does a line's picture hold, and where is each of them?"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from services.ingest.core.ocr.ctc import SPACE, Spelled
from services.ingest.core.ocr.ink import ink_of, type_of, widest_blank

HEIGHT = 48  # of the picture that the recogniser sees, in pixels
_MIN_WIDTH = 48
_DESCENT = 0.21  # ems that a word's box reaches below the baseline
_MISSED_SPACE = 0.6  # ems of blank between two characters that are two words, whatever was read


@dataclass(frozen=True, slots=True)
class Spotted:
    """A word in its line's picture: edges, baseline and size of type, in pixels of the picture."""

    text: str
    x0: float
    top: float
    x1: float
    bottom: float
    base: float
    size: float


def picture_size(width: float, height: float) -> tuple[int, int]:
    """Height and width of the picture of a line that is this large on the page."""
    return HEIGHT, max(_MIN_WIDTH, round(HEIGHT * width / height))


def recogniser_input(picture: NDArray[np.float32]) -> NDArray[np.float32]:
    """The picture as the recogniser takes it: float32[1, 3, height, width] from -1 to 1."""
    scaled = (picture / 127.5 - 1).astype(np.float32)
    return np.broadcast_to(scaled, (1, 3, *scaled.shape)).copy()


def spotted_words(picture: NDArray[np.float32], spelled: Spelled) -> list[Spotted]:
    """The words of a line, parted where a space was read or where the ink leaves a wide gap."""
    ink = ink_of(picture)
    type_ = type_of(ink, spelled.text)
    columns: NDArray[np.bool_] = np.asarray(ink.any(axis=0))
    width = picture.shape[1]
    middles = [middle * width for middle in spelled.middles]
    words = []
    left = 0.0
    for members, (gap_start, next_left) in _parted(spelled.characters, middles, columns, type_.size):
        text = "".join(spelled.characters[index] for index in members)
        x0, x1 = _tight(columns, left, gap_start)
        bottom = type_.baseline + _DESCENT * type_.size
        words.append(Spotted(text, x0, bottom - type_.size, x1, bottom, type_.baseline, type_.size))
        left = next_left
    return words


def _parted(
    characters: Sequence[str], middles: Sequence[float], columns: NDArray[np.bool_], size: float
) -> list[tuple[list[int], tuple[float, float]]]:
    """The indices of each word's characters, with the gap that follows it as a stretch of columns."""
    visible = [index for index, character in enumerate(characters) if character.strip(SPACE)]
    parted: list[tuple[list[int], tuple[float, float]]] = []
    members = visible[:1]
    for index, following in pairwise(visible):
        start, end = widest_blank(columns, middles[index], middles[following])
        if following > index + 1 or end - start > _MISSED_SPACE * size:
            parted.append((members, (float(start), float(end))))
            members = []
        members.append(following)
    edge = float(len(columns))
    return [*parted, (members, (edge, edge))] if members else []


def _tight(columns: NDArray[np.bool_], start: float, end: float) -> tuple[float, float]:
    """The stretch narrowed to its first and last column of ink."""
    inked = np.flatnonzero(columns[int(start) : int(end)])
    if not len(inked):
        return start, max(end, start + 1)
    return start + float(inked[0]), start + float(inked[-1]) + 1
