"""How does Ollama embed? `POST /api/embed`, never cutting a text in silence."""

from collections.abc import Sequence

import httpx

from services.vector_index.embedders.remote import RemoteReply, ask
from shared.errors import Unavailable


class OllamaEmbedding:
    """Ollama's API at a base address such as http://127.0.0.1:11434."""

    def __init__(self, client: httpx.AsyncClient, model: str) -> None:
        self._client = client
        self._model = model

    @property
    def label(self) -> str:
        return "Ollama"

    async def digest(self) -> str:
        document = await ask(self._client, self.label, "/api/tags")
        names = {self._model, f"{self._model}:latest"}
        entries = document.get("models") or []
        for entry in entries:
            if entry.get("name") in names:
                return str(entry.get("digest", ""))
        have = ", ".join(sorted(str(entry.get("name")) for entry in entries)) or "none"
        raise Unavailable(
            f"Ollama has no model {self._model!r} (it has {have}): run `ollama pull {self._model}`."
        )

    async def vectors(self, texts: Sequence[str]) -> RemoteReply:
        body = {"model": self._model, "input": list(texts), "truncate": False, "keep_alive": "30m"}
        document = await ask(self._client, self.label, "/api/embed", body)
        return RemoteReply(
            vectors=document.get("embeddings") or [],
            model=str(document.get("model", self._model)),
            tokens=int(document.get("prompt_eval_count") or 0),
        )

    async def close(self) -> None:
        await self._client.aclose()
