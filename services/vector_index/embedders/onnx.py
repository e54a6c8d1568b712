"""How does the built-in model embed? bge-small on ONNX: the vector of [CLS], one text at a time."""

import asyncio
from collections.abc import Sequence
from functools import partial

import numpy as np
from tokenizers import Tokenizer

from services.vector_index.core.embedding import Embedding, TextKind, normalised
from services.vector_index.lanes import Lanes
from shared.models import ModelFiles
from shared.onnx import OnnxModel
from shared.stage import ModelInfo


class OnnxEmbedder:
    """Reads at most `max_tokens`, prefix and special tokens included; what was over shows in the counts."""

    def __init__(self, files: ModelFiles, lanes: Lanes) -> None:
        self._graph = OnnxModel(files.weights)
        # The file may ask for padding or truncation; both are decided here.
        self._tokenizer: Tokenizer = Tokenizer.from_file(str(files.tokenizer))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        self._prefixes = {TextKind.DOCUMENT: "", TextKind.QUERY: files.query_prefix}
        self._lanes = lanes
        self._model = ModelInfo(
            name=files.name,
            digest=files.weights_sha256,
            tokenizer_digest=files.tokenizer_sha256,
            max_tokens=files.max_tokens,
            dimensions=files.dimensions,
        )

    @property
    def model(self) -> ModelInfo:
        return self._model

    @property
    def identity(self) -> str:
        query_prefix = self._prefixes[TextKind.QUERY]
        return f"{self._model.digest}:{self._model.tokenizer_digest}:{self._model.max_tokens}:{query_prefix}"

    async def embed(self, texts: Sequence[str], *, kind: TextKind) -> list[Embedding]:
        lane = self._lanes.query if kind is TextKind.QUERY else self._lanes.document
        try:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(lane(partial(self._one, text, kind))) for text in texts]
        except BaseExceptionGroup as failures:  # the first failure speaks for all
            raise failures.exceptions[0] from failures
        return [task.result() for task in tasks]

    async def close(self) -> None:
        self._lanes.close()

    def _one(self, text: str, kind: TextKind) -> Embedding:
        encoding = self._tokenizer.encode(self._prefixes[kind] + text)
        ids: list[int] = encoding.ids
        present = len(ids)
        if present > self._model.max_tokens:
            ids = [*ids[: self._model.max_tokens - 1], ids[-1]]  # [SEP] stays the last
        hidden = self._graph.run(ids, [0] * len(ids))
        return Embedding(normalised(np.ascontiguousarray(hidden[0])), present, len(ids))
