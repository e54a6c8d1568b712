"""Where exactly is the ink of a line? Word edges, baseline and type size from the pixels themselves."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ink = NDArray[np.bool_]  # of a line's picture: True where something is written

# How far the shapes of type reach from the baseline, in ems; up for the first three, then down.
_X_HEIGHT, _CAP_HEIGHT, _FULL_HEIGHT = 0.52, 0.71, 0.84
_DESCENT, _FULL_DESCENT, _COMMA_DESCENT = 0.21, 0.10, 0.13
_LOW = frozenset("acemnorsuvwxzäöü.,:;-–—_~·•")
_HANGING = frozenset("gjpqyQ()[]{}|/$§ç@")
_COMMAS = frozenset(",;")
_FIRST_FULL_WIDTH = "\u2e80"
_RULE_SHARE = 0.7  # of the width: a row with more ink is a drawn rule
_MIN_ROW_INK = 2


@dataclass(frozen=True, slots=True)
class Type:
    """Where a line's writing stands in its picture, in pixels: its baseline, and the size of its type."""

    baseline: float
    size: float


def ink_of(picture: NDArray[np.float32]) -> Ink:
    """The pixels of writing: the rarer side of the threshold that parts dark from light best (Otsu 1979)."""
    values = np.clip(picture, 0, 255).astype(np.uint8)
    counts = np.bincount(values.ravel(), minlength=256).astype(np.float64)
    below = np.cumsum(counts)
    weighted = np.cumsum(counts * np.arange(256))
    above = below[-1] - below
    with np.errstate(divide="ignore", invalid="ignore"):
        between = below * above * (weighted / below - (weighted[-1] - weighted) / above) ** 2
    dark: Ink = values <= int(np.nan_to_num(between).argmax())
    return dark if dark.mean() <= 0.5 else ~dark


def type_of(ink: Ink, text: str) -> Type:
    """Baseline and size from the rows that hold ink and from what the letters are known to reach."""
    rows = ink.sum(axis=1)
    written = (rows >= _MIN_ROW_INK) & (rows <= _RULE_SHARE * ink.shape[1])
    if not written.any():
        return Type(0.8 * len(ink), 0.8 * len(ink))
    top, bottom = _main_band(rows, written)
    rise, fall = _reach(text)
    size = (bottom - top) / (rise + fall)
    return Type(bottom - fall * size, size)


def _main_band(rows: NDArray[np.int64], written: NDArray[np.bool_]) -> tuple[int, int]:
    """The unbroken stretch of written rows that holds most ink: not what the lines beside it show."""
    edges = np.flatnonzero(np.diff(written, prepend=False, append=False))
    total = np.concatenate(([0], np.cumsum(rows)))
    bands = edges.reshape(-1, 2)
    top, bottom = bands[int((total[bands[:, 1]] - total[bands[:, 0]]).argmax())]
    return int(top), int(bottom)


def widest_blank(ink: NDArray[np.bool_], start: float, end: float) -> tuple[int, int]:
    """The longest stretch of columns without ink between two columns; empty at their middle if there is none.

    `ink` tells of each column whether it holds any.
    """
    first, last = max(0, round(start)), min(len(ink), round(end))
    columns = np.concatenate(([True], ink[first:last], [True]))
    edges = np.flatnonzero(columns)
    gaps = np.diff(edges)
    if not len(gaps) or gaps.max() <= 1:
        middle = (first + last) // 2
        return middle, middle
    widest = int(gaps.argmax())
    return first + int(edges[widest]), first + int(edges[widest + 1]) - 1


def _reach(text: str) -> tuple[float, float]:
    """How far a text rises above its baseline and hangs below it, in ems."""
    if any(character >= _FIRST_FULL_WIDTH for character in text):
        return _FULL_HEIGHT, _FULL_DESCENT
    letters = set(text) - {" "}
    rise = _X_HEIGHT if letters <= _LOW else _CAP_HEIGHT
    if letters & _HANGING:
        return rise, _DESCENT
    return rise, _COMMA_DESCENT if letters & _COMMAS else 0.0
