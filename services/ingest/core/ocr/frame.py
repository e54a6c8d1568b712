"""How does a crooked page become straight? A frame in which its lines run level."""

import math
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Pixels: TypeAlias = NDArray[np.uint8]
Edges: TypeAlias = tuple[float, float, float, float]  # x0, top, x1, bottom


@dataclass(frozen=True, slots=True)
class Frame:
    """The page turned about its middle by `angle`, in radians, by which its lines fall to the right."""

    angle: float
    middle_x: float
    middle_y: float

    def on_page(self, box: Edges) -> Edges:
        """The upright rectangle of the page around a rectangle of the frame."""
        x0, top, x1, bottom = box
        corners = [self._point(x, y) for x in (x0, x1) for y in (top, bottom)]
        across, down = [x for x, _ in corners], [y for _, y in corners]
        return min(across), min(down), max(across), max(down)

    def _point(self, x: float, y: float) -> tuple[float, float]:
        across, down = x - self.middle_x, y - self.middle_y
        cosine, sine = math.cos(self.angle), math.sin(self.angle)
        return self.middle_x + across * cosine - down * sine, self.middle_y + across * sine + down * cosine

    def cut(self, page: Pixels, box: Edges, size: tuple[int, int]) -> NDArray[np.float32]:
        """A rectangle of the frame as a picture of `size` (height, width), interpolated between pixels."""
        x0, top, x1, bottom = box
        height, width = size
        across = (x0 + (np.arange(width) + 0.5) * ((x1 - x0) / width) - self.middle_x)[np.newaxis, :]
        down = (top + (np.arange(height) + 0.5) * ((bottom - top) / height) - self.middle_y)[:, np.newaxis]
        cosine, sine = math.cos(self.angle), math.sin(self.angle)
        x = self.middle_x + across * cosine - down * sine - 0.5
        y = self.middle_y + across * sine + down * cosine - 0.5
        return _interpolated(page, x, y)


def shrunk(page: Pixels, size: tuple[int, int]) -> NDArray[np.float32]:
    """The page at a smaller (height, width), each pixel the mean of the area that it stands for."""
    rows = _area_means(page.astype(np.float32), size[0])
    return _area_means(rows.T, size[1]).T


def _area_means(values: NDArray[np.float32], count: int) -> NDArray[np.float32]:
    """The rows averaged to `count` rows: differences of the running sum at fractional borders."""
    rows = values.shape[0]
    total = np.zeros((rows + 1, values.shape[1]))
    np.cumsum(values, axis=0, out=total[1:])
    borders = np.arange(count + 1) * (rows / count)
    whole = np.minimum(borders.astype(np.int64), rows - 1)
    share = (borders - whole)[:, np.newaxis]
    at_borders = total[whole] * (1 - share) + total[whole + 1] * share
    means: NDArray[np.float64] = np.diff(at_borders, axis=0) * (count / rows)
    return means.astype(np.float32)


def _interpolated(page: Pixels, x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float32]:
    """The page's values at points between pixels; outside of it, those of its border."""
    height, width = page.shape
    x, y = np.clip(x, 0, width - 1), np.clip(y, 0, height - 1)
    left, above = np.minimum(x.astype(np.int64), width - 2), np.minimum(y.astype(np.int64), height - 2)
    right_share, below_share = x - left, y - above
    upper = page[above, left] * (1 - right_share) + page[above, left + 1] * right_share
    lower = page[above + 1, left] * (1 - right_share) + page[above + 1, left + 1] * right_share
    between: NDArray[np.float64] = upper * (1 - below_share) + lower * below_share
    return between.astype(np.float32)
