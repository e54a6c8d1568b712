"""Embedders and segments that the tests of the vector index share."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from services.vector_index.core.embedding import Embedding, TextKind, normalised
from services.vector_index.core.payload import VectorPayload
from shared.index_segments import ChunkRow, SegmentView, segment_of
from shared.stage import ModelInfo


class LetterEmbedder:
    """Counts letters a to d; reads at most ten letters of a text."""

    def __init__(self, identity: str = "letters") -> None:
        self.asked: list[tuple[str, TextKind]] = []
        self._identity = identity

    @property
    def model(self) -> ModelInfo:
        return ModelInfo(name="letters", digest=self._identity, dimensions=5)

    @property
    def identity(self) -> str:
        return self._identity

    async def embed(self, texts: Sequence[str], *, kind: TextKind) -> list[Embedding]:
        self.asked.extend((text, kind) for text in texts)
        return [
            Embedding(
                normalised(np.array([1, *(text[:10].count(c) for c in "abcd")], dtype=np.float32)),
                len(text),
                min(len(text), 10),
            )
            for text in texts
        ]

    async def close(self) -> None:
        return None


def unit_rows(seed: int, rows: int, dimensions: int) -> NDArray[np.float32]:
    drawn = np.random.default_rng(seed).normal(size=(rows, dimensions)).astype(np.float32)
    return np.stack([normalised(row) for row in drawn])


def views_of(
    vectors: NDArray[np.float32],
    ids: Sequence[str],
    sizes: Sequence[int],
    hidden: frozenset[str] = frozenset(),
) -> list[SegmentView[VectorPayload]]:
    """The rows cut into segments of the given sizes; `hidden` ids are not live."""
    views, start = [], 0
    for segment_id, size in enumerate(sizes):
        rows, names = vectors[start : start + size], ids[start : start + size]
        zeros = np.zeros(size, dtype=np.int32)
        segment = segment_of(
            segment_id,
            VectorPayload(rows, zeros, zeros, np.zeros((size, 2), dtype=np.uint64)),
            [ChunkRow(name, 1, 0, 1) for name in names],
        )
        live = np.array([name not in hidden for name in names], dtype=np.bool_)
        views.append(SegmentView(segment, {1: "doc_a"}, live, int(live.sum())))
        start += size
    return views
