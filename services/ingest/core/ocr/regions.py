"""Which connected regions does a probability map hold? Run lengths, joined from row to row."""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Map: TypeAlias = NDArray[np.float32]
Counts: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Runs:
    """The horizontal stretches of a map that lie above a threshold, in reading order of their pixels.

    Stretch i covers columns start[i] to end[i] (exclusive) of row[i] and belongs to region[i]; regions count
    from 0 in the order of their first pixel. weight[i] is the sum of the map's values in it.
    """

    row: Counts
    start: Counts
    end: Counts
    region: Counts
    weight: NDArray[np.float64]

    @property
    def count(self) -> int:
        return int(self.region.max()) + 1 if len(self.region) else 0


def runs_above(probability: Map, threshold: float) -> Runs:
    """The regions of a map; pixels that share an edge or a corner belong together."""
    height, width = probability.shape
    padded = np.zeros((height, width + 2), dtype=np.int8)
    padded[:, 1:-1] = probability > threshold
    steps = np.diff(padded, axis=1)
    row, start = np.nonzero(steps == 1)
    _, end = np.nonzero(steps == -1)
    total = np.zeros(height * width + 1)
    np.cumsum(probability, dtype=np.float64, out=total[1:])
    weight = total[row * width + end] - total[row * width + start]
    return Runs(row, start, end, _regions(row, start, end), weight)


def _regions(row: Counts, start: Counts, end: Counts) -> Counts:
    """The region of each run: union of runs that touch one in the row above."""
    parent = list(range(len(row)))

    def root(run: int) -> int:
        while parent[run] != run:
            parent[run] = parent[parent[run]]
            run = parent[run]
        return run

    rows, starts, ends = row.tolist(), start.tolist(), end.tolist()
    above = 0
    for run in range(len(rows)):
        while rows[above] < rows[run] - 1 or (rows[above] == rows[run] - 1 and ends[above] < starts[run]):
            above += 1
        near = above
        while near < run and rows[near] == rows[run] - 1 and starts[near] <= ends[run]:
            left, right = root(near), root(run)
            parent[max(left, right)] = min(left, right)
            near += 1
    roots = np.array([root(run) for run in range(len(rows))], dtype=np.int64)
    _, regions = np.unique(roots, return_inverse=True)
    return regions.astype(np.int64)
