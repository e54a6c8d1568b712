"""What is an embedder? Anything that turns texts into unit vectors and says how much of them it read."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from shared.stage import ModelInfo

Vector = NDArray[np.float32]


class TextKind(StrEnum):
    """A model may read questions under another prefix than passages; the two are never mixed up."""

    DOCUMENT = "document"
    QUERY = "query"


@dataclass(frozen=True, slots=True, eq=False)
class Embedding:
    """float32[dimensions], L2-normalised, and the tokens that were there against those that were read.

    Both counts include prefix and special tokens; both are 0 where a remote model does not tell.
    """

    vector: Vector
    tokens_present: int
    tokens_read: int


class Embedder(Protocol):
    @property
    def model(self) -> ModelInfo:
        """What the stage says of itself in Describe."""
        ...

    @property
    def identity(self) -> str:
        """A text that changes whenever the vectors would: weights, tokenizer, prefixes, cut."""
        ...

    async def embed(self, texts: Sequence[str], *, kind: TextKind) -> list[Embedding]:
        """One embedding for each text, in order, the same bits at every call.

        Raises Overloaded if too many questions wait, Unavailable if a remote model does not answer.
        """
        ...

    async def close(self) -> None: ...


def normalised(vector: Vector) -> Vector:
    """The vector at length 1, float32. ValueError for a zero vector or one that is not finite."""
    wide = vector.astype(np.float64)
    length = float(np.sqrt((wide * wide).sum()))
    if not np.isfinite(length) or length == 0.0:
        raise ValueError("a vector of length zero or with a value that is not finite has no direction")
    return (wide / length).astype(np.float32)
