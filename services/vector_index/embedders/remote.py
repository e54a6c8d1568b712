"""What is alike in all embedders behind HTTP? Prefixes, batches, and refusing vectors that do not fit."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import httpx
import numpy as np

from services.vector_index.core.embedding import Embedding, TextKind, normalised
from shared.errors import InvalidInput, Unavailable
from shared.stage import ModelInfo

# Texts in one request: enough to keep a server busy, few enough to finish before the timeout.
BATCH_SIZE = 16


@dataclass(frozen=True, slots=True)
class RemoteReply:
    """Vectors in the order of the texts, the model as the server names it, tokens read (0: not told)."""

    vectors: list[list[float]]
    model: str
    tokens: int


class EmbeddingApi(Protocol):
    """One server's way of asking for embeddings."""

    @property
    def label(self) -> str: ...

    async def digest(self) -> str:
        """What the server tells of the weights, or empty."""
        ...

    async def vectors(self, texts: Sequence[str]) -> RemoteReply:
        """Raises InvalidInput for a text that is too long, Unavailable for anything else that fails."""
        ...

    async def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Prefixes:
    """What the model expects before a passage and before a question."""

    document: str = ""
    query: str = ""

    def of(self, kind: TextKind) -> str:
        return self.query if kind is TextKind.QUERY else self.document


class RemoteEmbedder:
    """Made by `open_remote`, which learns the dimensions from a first vector."""

    def __init__(self, api: EmbeddingApi, model: ModelInfo, answers_as: str, prefixes: Prefixes) -> None:
        self._api = api
        self._model = model
        self._answers_as = answers_as
        self._prefixes = prefixes

    @property
    def model(self) -> ModelInfo:
        return self._model

    @property
    def identity(self) -> str:
        return f"{self._model.digest}:{self._prefixes.document!r}:{self._prefixes.query!r}"

    async def embed(self, texts: Sequence[str], *, kind: TextKind) -> list[Embedding]:
        prefix = self._prefixes.of(kind)
        embeddings: list[Embedding] = []
        for start in range(0, len(texts), BATCH_SIZE):
            batch = [prefix + text for text in texts[start : start + BATCH_SIZE]]
            reply = await self._api.vectors(batch)
            self._refuse_another_model(reply, len(batch))
            # A server counts a request, not a text: only a request of one text tells about it. It refuses
            # what is too long instead of cutting it, so what was there was read.
            tokens = reply.tokens if len(batch) == 1 else 0
            embeddings.extend(Embedding(self._unit(v), tokens, tokens) for v in reply.vectors)
        return embeddings

    async def close(self) -> None:
        await self._api.close()

    def _refuse_another_model(self, reply: RemoteReply, expected: int) -> None:
        if reply.model != self._answers_as:
            raise Unavailable(
                f"{self._api.label} answered with model {reply.model!r}, but the index holds vectors of "
                f"{self._answers_as!r}: restart vector-index to index everything anew."
            )
        if len(reply.vectors) != expected:
            raise Unavailable(f"{self._api.label} gave {len(reply.vectors)} vectors for {expected} texts.")

    def _unit(self, values: list[float]) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
        if len(values) != self._model.dimensions:
            raise Unavailable(
                f"{self._api.label} gave a vector of {len(values)} dimensions, but the index holds "
                f"{self._model.dimensions}: restart vector-index to index everything anew."
            )
        try:
            return normalised(np.array(values, dtype=np.float32))
        except ValueError as error:
            raise Unavailable(f"{self._api.label} gave a vector that cannot be used: {error}.") from error


async def open_remote(api: EmbeddingApi, model: str, prefixes: Prefixes) -> RemoteEmbedder:
    """An embedder over an API, asked once already. InvalidInput without a model, Unavailable if it fails."""
    if not model:
        raise InvalidInput("SIGHTLINE_EMBEDDER_MODEL is not set: name the model that should embed.")
    told = await api.digest()
    first = await api.vectors(["dimensions"])
    dimensions = len(first.vectors[0]) if first.vectors else 0
    if not dimensions:
        raise Unavailable(f"{api.label} gave no vector for model {model!r}: does it embed?")
    identity = f"{api.label}\0{model}\0{told}\0{dimensions}"
    info = ModelInfo(
        name=f"{model} at {api.label}",
        digest=hashlib.sha256(identity.encode()).hexdigest(),
        dimensions=dimensions,
    )
    return RemoteEmbedder(api, info, first.model, prefixes)


async def ask(
    client: httpx.AsyncClient, label: str, path: str, body: Mapping[str, object] | None = None
) -> dict[str, Any]:
    """The JSON object that a server answers to a POST of `body`, or to a GET without one.

    InvalidInput if it finds the input too long, Unavailable for anything else that is not an answer.
    """
    try:
        reply = await client.get(path) if body is None else await client.post(path, json=body)
        document = reply.json() if reply.content else {}
    except (httpx.HTTPError, ValueError) as error:
        raise Unavailable(f"{label} does not answer ({type(error).__name__}: {error}).") from error
    if not isinstance(document, dict):
        raise Unavailable(f"{label} answered something else than a JSON object.")
    if reply.is_success:
        return document
    reason = document.get("error", "")
    reason = str(reason.get("message", reason) if isinstance(reason, dict) else reason)
    if reply.status_code in (400, 413, 422) and (
        "context" in reason or "too long" in reason or "length" in reason
    ):
        raise InvalidInput(f"{label} refuses a text as too long ({reason}): use smaller chunks.")
    raise Unavailable(f"{label} answered {reply.status_code} ({reason or 'no reason given'}).")
