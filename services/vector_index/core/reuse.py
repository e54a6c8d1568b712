"""Which vectors are there already? Those of the same words, wherever the index holds them."""

import hashlib
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from services.vector_index.core.embedding import Embedding
from services.vector_index.core.payload import VectorPayload


def digests_of(texts: Sequence[str]) -> NDArray[np.uint64]:
    """uint64[n, 2]: half a sha256 of each text as it is embedded; never 0, which stands for unknown."""
    halves = [hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:16] for text in texts]
    return np.frombuffer(b"".join(halves), dtype="<u8").reshape(-1, 2).astype(np.uint64, copy=False)


def held(payloads: Iterable[VectorPayload], digests: NDArray[np.uint64]) -> dict[int, Embedding]:
    """By row of `digests`, the embeddings that one of the payloads has; the payloads are one model's."""
    wanted: dict[tuple[int, int], list[int]] = {}
    for row, (high, low) in enumerate(digests.tolist()):
        wanted.setdefault((high, low), []).append(row)
    found: dict[int, Embedding] = {}
    for payload in payloads:
        for at in np.flatnonzero(np.isin(payload.digests[:, 0], digests[:, 0])).tolist():
            rows = wanted.pop((int(payload.digests[at, 0]), int(payload.digests[at, 1])), ())
            present, read = int(payload.tokens_present[at]), int(payload.tokens_read[at])
            for row in rows:
                found[row] = Embedding(payload.vectors[at].copy(), present, read)
    return found
