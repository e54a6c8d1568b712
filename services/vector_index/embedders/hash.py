"""How does one test without weights? Words hashed into a vector: deterministic, and blind to meaning."""

import hashlib
import math
import re
from collections import Counter
from collections.abc import Sequence

import numpy as np

from services.vector_index.core.embedding import Embedding, TextKind, normalised
from shared.stage import ModelInfo

DIMENSIONS = 256
WORD = re.compile(r"\w+")
# An empty text has a direction too, so that it can be stored; no word points there alone.
EMPTY = np.ones(DIMENSIONS, dtype=np.float32)


class HashEmbedder:
    """Each word adds log(1 + its count), with a hashed sign, at a hashed place; questions too."""

    @property
    def model(self) -> ModelInfo:
        return ModelInfo(
            name="hashed words (no language model; for tests)",
            digest=hashlib.sha256(self.identity.encode()).hexdigest(),
            dimensions=DIMENSIONS,
        )

    @property
    def identity(self) -> str:
        return f"hashed-words:1:{DIMENSIONS}"

    async def embed(self, texts: Sequence[str], *, kind: TextKind) -> list[Embedding]:
        return [_embedding(text) for text in texts]

    async def close(self) -> None:
        return None


def _embedding(text: str) -> Embedding:
    words = WORD.findall(text.lower())
    vector = np.zeros(DIMENSIONS, dtype=np.float32)
    for word, count in sorted(Counter(words).items()):
        digest = hashlib.sha256(word.encode("utf-8", "surrogatepass")).digest()
        place = int.from_bytes(digest[:4], "big") % DIMENSIONS
        vector[place] += math.log1p(count) * (1 if digest[4] & 1 else -1)
    return Embedding(normalised(vector if vector.any() else EMPTY), len(words), len(words))
