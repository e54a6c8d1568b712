"""How does an OpenAI-compatible server embed? `POST /embeddings` below its /v1."""

from collections.abc import Sequence

import httpx

from services.vector_index.embedders.remote import RemoteReply, ask


class OpenAIEmbedding:
    """An OpenAI-compatible API at a base address such as http://127.0.0.1:8000/v1."""

    def __init__(self, client: httpx.AsyncClient, model: str) -> None:
        self._client = client
        self._model = model

    @property
    def label(self) -> str:
        return "the OpenAI-compatible server"

    async def digest(self) -> str:
        return ""  # the API tells nothing of the weights

    async def vectors(self, texts: Sequence[str]) -> RemoteReply:
        body = {"model": self._model, "input": list(texts), "encoding_format": "float"}
        document = await ask(self._client, self.label, "embeddings", body)
        data = sorted(document.get("data") or [], key=lambda entry: int(entry.get("index", 0)))
        return RemoteReply(
            vectors=[entry["embedding"] for entry in data],
            model=str(document.get("model", self._model)),
            tokens=int((document.get("usage") or {}).get("prompt_tokens") or 0),
        )

    async def close(self) -> None:
        await self._client.aclose()
