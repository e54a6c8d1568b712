"""Which characters does a recogniser's output spell, and where in the line does each stand?"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

BLANK = 0
SPACE = " "


@dataclass(frozen=True, slots=True)
class Spelled:
    """Characters with the middle of each as a share of the picture's width, and the mean confidence."""

    characters: tuple[str, ...]
    middles: tuple[float, ...]
    confidence: float

    @property
    def text(self) -> str:
        return "".join(self.characters)


def spelled(scores: NDArray[np.float32], alphabet: Sequence[str]) -> Spelled:
    """The best path: the likeliest class of each step, repeats as one, blanks left out.

    `scores` is float32[steps, classes]; class 0 is the blank, class i the character alphabet[i - 1].
    """
    best = scores.argmax(axis=1)
    first = np.flatnonzero(np.diff(best, prepend=-1))
    last = np.append(first[1:], len(best)) - 1
    certain = scores[np.arange(len(best)), best]
    kept = [
        (alphabet[best[start] - 1], (start + end + 1) / 2 / len(best), float(certain[start : end + 1].max()))
        for start, end in zip(first.tolist(), last.tolist(), strict=True)
        if best[start] != BLANK
    ]
    if not kept:
        return Spelled((), (), 0.0)
    characters, middles, confidences = zip(*kept, strict=True)
    return Spelled(characters, middles, sum(confidences) / len(confidences))
