"""Where are the lines of writing on a picture of a page? Rectangles out of a detector's probability map."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from services.ingest.core.ocr.frame import Edges, Frame, Pixels, shrunk
from services.ingest.core.ocr.regions import Counts, Map, Runs, runs_above

LONGEST_SIDE = 1280  # of the picture that the detector sees, in pixels
MULTIPLE = 32  # what the detector's sides are made of
# The colours' means and deviations that the detector was trained with, for blue, green and red.
_MEANS = np.array([0.485, 0.456, 0.406], dtype=np.float32)
_DEVIATIONS = np.array([0.229, 0.224, 0.225], dtype=np.float32)

_THRESHOLD = 0.3  # of a pixel that belongs to writing
_MIN_MEAN = 0.5  # of a region's pixels
_MIN_SIDE = 3.0  # of a region, in the detector's pixels: less is a speck
_UNCLIP = 1.6  # the detector draws regions smaller than the writing: by area over perimeter times this
_LEVEL_ASPECT = 5.0  # width by height of a region that tells how the page is turned
_MAX_TILT = math.radians(15)


@dataclass(frozen=True, slots=True)
class Detected:
    """The page's frame, and the lines in it from above to below, in the page's pixels."""

    frame: Frame
    lines: tuple[Edges, ...]


def detector_input(page: Pixels) -> NDArray[np.float32]:
    """The page as the detector takes it: float32[1, 3, height, width], no side longer than LONGEST_SIDE."""
    height, width = page.shape
    scale = min(1.0, LONGEST_SIDE / max(height, width))
    size = (_to_multiple(height * scale), _to_multiple(width * scale))
    grey = shrunk(page, size) / 255
    channels = (grey[np.newaxis] - _MEANS[:, np.newaxis, np.newaxis]) / _DEVIATIONS[:, np.newaxis, np.newaxis]
    return channels[np.newaxis].astype(np.float32)


def detected_lines(probability: Map, page_size: tuple[int, int]) -> Detected:
    """The lines that the detector's map (height, width) shows on a page of (height, width) pixels."""
    down, across = page_size[0] / probability.shape[0], page_size[1] / probability.shape[1]
    runs = runs_above(probability, _THRESHOLD)
    frame = Frame(_tilt(runs, across, down), page_size[1] / 2, page_size[0] / 2)
    boxes = []
    for box, mean in zip(_boxes(runs, frame, across, down), _means(runs), strict=True):
        x0, top, x1, bottom = box
        width, height = x1 - x0, bottom - top
        if mean < _MIN_MEAN or min(width / across, height / down) < _MIN_SIDE:
            continue
        margin = width * height * _UNCLIP / (2 * (width + height))
        boxes.append((x0 - margin, top - margin, x1 + margin, bottom + margin))
    return Detected(frame, tuple(sorted(boxes, key=lambda box: (box[1], box[0]))))


def _to_multiple(side: float) -> int:
    return max(MULTIPLE, round(side / MULTIPLE) * MULTIPLE)


def _means(runs: Runs) -> NDArray[np.float64]:
    pixels = np.bincount(runs.region, runs.end - runs.start, minlength=runs.count)
    weights: NDArray[np.float64] = np.bincount(runs.region, runs.weight, minlength=runs.count) / pixels
    return weights


def _boxes(runs: Runs, frame: Frame, across: float, down: float) -> list[Edges]:
    """The rectangle of each region in the frame."""
    edges = np.full((runs.count, 4), np.inf)
    cosine, sine = math.cos(frame.angle), math.sin(frame.angle)
    for columns in (runs.start, runs.end):
        for rows in (runs.row, runs.row + 1):
            x, y = columns * across - frame.middle_x, rows * down - frame.middle_y
            u, v = frame.middle_x + x * cosine + y * sine, frame.middle_y + y * cosine - x * sine
            for edge, values in enumerate((u, v, -u, -v)):
                np.minimum.at(edges[:, edge], runs.region, values)
    return [(x0, top, -x1, -bottom) for x0, top, x1, bottom in edges.tolist()]


def _tilt(runs: Runs, across: float, down: float) -> float:
    """The angle of the page's lines: the median slope of the long regions, weighted by their length."""
    slopes, lengths = _slopes(runs, across, down)
    if not len(slopes):
        return 0.0
    order = np.argsort(slopes, kind="stable")
    reached = np.cumsum(lengths[order])
    angle = math.atan(float(slopes[order][np.searchsorted(reached, reached[-1] / 2)]))
    return angle if abs(angle) <= _MAX_TILT else 0.0


def _slopes(runs: Runs, across: float, down: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Slope (covariance of x and y over variance of x, of all pixels) and length of the long regions."""
    count = (runs.end - runs.start).astype(np.float64)
    middle = (runs.start + runs.end) / 2 * across
    y = (runs.row + 0.5) * down
    n = _sums(runs.region, count)
    if not len(n):
        return np.zeros(0), np.zeros(0)
    mean_x, mean_y = _sums(runs.region, count * middle) / n, _sums(runs.region, count * y) / n
    x, y = middle - mean_x[runs.region], y - mean_y[runs.region]
    within = count * (count * count - 1) / 12 * across * across  # the spread of a run about its own middle
    variance_x = _sums(runs.region, count * x * x + within) / n
    variance_y = _sums(runs.region, count * y * y) / n
    covariance = _sums(runs.region, count * x * y) / n
    long = (variance_x > _LEVEL_ASPECT**2 * variance_y) & (variance_x > (10 * across) ** 2)
    return covariance[long] / variance_x[long], np.sqrt(variance_x[long])


def _sums(region: Counts, values: NDArray[np.float64]) -> NDArray[np.float64]:
    sums: NDArray[np.float64] = np.bincount(region, values).astype(np.float64)
    return sums
