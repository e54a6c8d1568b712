"""Which passages are nearest? Exact cosine over every vector, with scores that depend on nothing else."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from services.vector_index.core.embedding import Vector
from services.vector_index.core.payload import VectorPayload
from shared.index_segments import SegmentView


@dataclass(frozen=True, slots=True)
class Hit:
    """A row of one of the views searched, and its cosine with the query in [-1, 1]."""

    view: int
    row: int
    score: float


def top_k(views: Sequence[SegmentView[VectorPayload]], query: Vector, limit: int) -> list[Hit]:
    """The `limit` nearest live rows, by falling score and then by chunk id.

    One float32 product a segment finds the rows that can be among them: a float32 sum of n products of unit
    vectors errs by at most n * 2^-24, so whoever is further below the limit-th score than twice that is out.
    The others are scored anew in float64, each by itself and in a fixed order, so that a score does not
    depend on the segment that the row lies in, on the number of threads, or on the BLAS.
    """
    if limit < 1 or not views:
        return []
    rough = [_rough_scores(view, query) for view in views]
    pooled = np.concatenate(rough)
    live = int(np.count_nonzero(np.isfinite(pooled)))
    kept = min(limit, live)
    if kept == 0:
        return []
    last = np.partition(pooled, len(pooled) - kept)[len(pooled) - kept]
    floor = last - np.float32(2 * len(query) * 2.0**-24)
    hits: list[tuple[float, str, Hit]] = []
    for position, (view, scores) in enumerate(zip(views, rough, strict=True)):
        rows = np.flatnonzero(scores >= floor)
        exact = exact_scores(view.segment.payload.vectors[rows], query)
        for row, score in zip(rows.tolist(), exact.tolist(), strict=True):
            hits.append((-score, view.segment.rows[row].chunk_id, Hit(position, row, score)))
    hits.sort(key=lambda entry: entry[:2])
    return [hit for _, _, hit in hits[:limit]]


def exact_scores(vectors: NDArray[np.float32], query: Vector) -> NDArray[np.float64]:
    """float64[n]: the cosine of each row with the query, summed over the row alone, kept within [-1, 1]."""
    products = vectors.astype(np.float64) * query.astype(np.float64)
    sums: NDArray[np.float64] = np.add.reduce(np.ascontiguousarray(products), axis=1)
    return np.clip(sums, -1.0, 1.0)


def _rough_scores(view: SegmentView[VectorPayload], query: Vector) -> NDArray[np.float32]:
    """float32[n_rows]; minus infinity where the generation does not see the row."""
    scores = (view.segment.payload.vectors @ query).astype(np.float32)
    scores[~view.live] = -np.inf
    return scores
