"""Has this text been embedded before? Vectors by content and model, whoever asked."""

import struct
from collections.abc import Sequence

import numpy as np

from services.vector_index.core.embedding import Embedder, Embedding, TextKind
from shared.cache import Cache, content_key
from shared.stage import ModelInfo

COUNTS = struct.Struct("<II")
# Kept so many at a time: a caller whose time runs out finds what was done when it comes again.
GROUP = 16


class CachedEmbedder:
    """Asks the embedder only for texts that the cache does not have, and for each of them once."""

    def __init__(self, embedder: Embedder, cache: Cache) -> None:
        self._embedder = embedder
        self._cache = cache

    @property
    def model(self) -> ModelInfo:
        return self._embedder.model

    @property
    def identity(self) -> str:
        return self._embedder.identity

    async def embed(self, texts: Sequence[str], *, kind: TextKind) -> list[Embedding]:
        keys = [content_key(self.identity, kind.value, text) for text in texts]
        values = await self._cache.get_many(keys)
        found = {key: e for key, value in values.items() if (e := self._decoded(value)) is not None}
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in found}
        for group in _groups(list(missing)):
            fresh = await self._embedder.embed([missing[key] for key in group], kind=kind)
            computed = dict(zip(group, fresh, strict=True))
            await self._cache.put_many({key: _encoded(e) for key, e in computed.items()})
            found |= computed
        return [found[key] for key in keys]

    async def close(self) -> None:
        await self._embedder.close()

    def _decoded(self, value: bytes) -> Embedding | None:
        """None for a value of another size, which somebody else must have written."""
        if len(value) != COUNTS.size + 4 * self.model.dimensions:
            return None
        present, read = COUNTS.unpack_from(value)
        vector = np.frombuffer(value, dtype="<f4", offset=COUNTS.size).astype(np.float32, copy=False)
        return Embedding(vector, present, read)


def _groups(keys: Sequence[str]) -> list[Sequence[str]]:
    return [keys[start : start + GROUP] for start in range(0, len(keys), GROUP)]


def _encoded(embedding: Embedding) -> bytes:
    counts = COUNTS.pack(embedding.tokens_present, embedding.tokens_read)
    return counts + embedding.vector.astype("<f4", copy=False).tobytes()
