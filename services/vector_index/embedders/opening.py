"""Which embedder do the settings ask for?"""

from collections.abc import Awaitable, Callable

import httpx

from services.vector_index.core.embedding import Embedder
from services.vector_index.embedders.hash import HashEmbedder
from services.vector_index.embedders.ollama import OllamaEmbedding
from services.vector_index.embedders.onnx import OnnxEmbedder
from services.vector_index.embedders.openai import OpenAIEmbedding
from services.vector_index.embedders.remote import EmbeddingApi, Prefixes, open_remote
from services.vector_index.lanes import Lanes
from services.vector_index.settings import VectorIndexSettings
from shared import cpu
from shared.errors import InvalidInput
from shared.models import verified


async def open_embedder(settings: VectorIndexSettings) -> Embedder:
    """Loaded and ready. Unavailable or InvalidInput, in one sentence, if it cannot be."""
    return await OPENERS[settings.embedder](settings)


async def _onnx(settings: VectorIndexSettings) -> Embedder:
    lanes = Lanes(cpu.threads(settings.cpu_threads), settings.max_waiting_queries)
    return OnnxEmbedder(verified(settings.models, "embedder"), lanes)


async def _hash(settings: VectorIndexSettings) -> Embedder:
    return HashEmbedder()


async def _ollama(settings: VectorIndexSettings) -> Embedder:
    return await _remote(settings, OllamaEmbedding(_client(settings), settings.embedder_model))


async def _openai(settings: VectorIndexSettings) -> Embedder:
    return await _remote(settings, OpenAIEmbedding(_client(settings), settings.embedder_model))


async def _remote(settings: VectorIndexSettings, api: EmbeddingApi) -> Embedder:
    prefixes = Prefixes(settings.embedder_document_prefix, settings.embedder_query_prefix)
    return await open_remote(api, settings.embedder_model, prefixes)


def _client(settings: VectorIndexSettings) -> httpx.AsyncClient:
    if not settings.embedder_url:
        raise InvalidInput(f"SIGHTLINE_EMBEDDER_URL is not set: name the address of {settings.embedder}.")
    key = settings.embedder_api_key
    return httpx.AsyncClient(
        base_url=settings.embedder_url,
        headers={"Authorization": f"Bearer {key}"} if key else {},
        timeout=settings.embedder_timeout_s,
    )


OPENERS: dict[str, Callable[[VectorIndexSettings], Awaitable[Embedder]]] = {
    "onnx": _onnx,
    "hash": _hash,
    "ollama": _ollama,
    "openai": _openai,
}
