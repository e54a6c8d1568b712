"""What does the vector index keep of a chunk? Its vector, of which words it is, how much was read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from services.vector_index.core.embedding import Embedding
from shared.index_segments import Arrays, Rows


@dataclass(frozen=True, slots=True, eq=False)
class VectorPayload:
    """float32[n, dimensions], L2-normalised; int32[n] tokens that were there and tokens that were read.

    `digests` is uint64[n, 2], of what was embedded; zeros where an older file does not tell.
    """

    vectors: NDArray[np.float32]
    tokens_present: NDArray[np.int32]
    tokens_read: NDArray[np.int32]
    digests: NDArray[np.uint64]


class VectorFormat:
    """The layout of one embedder's vectors; `identity` keeps those of another from mixing with them."""

    def __init__(self, identity: str, dimensions: int) -> None:
        self._name = f"vectors:2:{dimensions}:{identity}"
        self._dimensions = dimensions

    @property
    def name(self) -> str:
        return self._name

    def payload(self, embeddings: Sequence[Embedding], digests: NDArray[np.uint64]) -> VectorPayload:
        """One payload, row i of embedding and digest i. ValueError for a vector of another width."""
        for embedding in embeddings:
            if embedding.vector.shape != (self._dimensions,):
                raise ValueError(
                    f"a vector of shape {embedding.vector.shape} does not fit {self._dimensions} dimensions"
                )
        return VectorPayload(
            np.stack([e.vector for e in embeddings]),
            np.array([e.tokens_present for e in embeddings], dtype=np.int32),
            np.array([e.tokens_read for e in embeddings], dtype=np.int32),
            digests,
        )

    def merged(self, parts: Sequence[tuple[VectorPayload, Rows]]) -> VectorPayload:
        return VectorPayload(
            np.concatenate([payload.vectors[rows] for payload, rows in parts]),
            np.concatenate([payload.tokens_present[rows] for payload, rows in parts]),
            np.concatenate([payload.tokens_read[rows] for payload, rows in parts]),
            np.concatenate([payload.digests[rows] for payload, rows in parts]),
        )

    def to_arrays(self, payload: VectorPayload) -> Arrays:
        arrays: Mapping[str, NDArray[np.generic]] = {
            "vectors": payload.vectors,
            "tokens_present": payload.tokens_present,
            "tokens_read": payload.tokens_read,
            "digests": payload.digests,
        }
        return arrays

    def from_arrays(self, arrays: Arrays) -> VectorPayload:
        digests = arrays.get("digests", np.zeros((len(arrays["tokens_read"]), 2), dtype=np.uint64))
        return VectorPayload(
            arrays["vectors"].astype(np.float32, copy=False).reshape(-1, self._dimensions),
            arrays["tokens_present"].astype(np.int32, copy=False),
            arrays["tokens_read"].astype(np.int32, copy=False),
            digests.astype(np.uint64, copy=False).reshape(-1, 2),
        )
