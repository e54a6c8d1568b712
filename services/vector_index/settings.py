"""What can be set of the vector index, and what if nothing is?"""

from typing import Literal

from pydantic import Field

from shared.index_store import DEFAULT_MAX_STAGED_CHUNKS
from shared.settings import ServiceSettings


class VectorIndexSettings(ServiceSettings):
    embedder: Literal["onnx", "hash", "ollama", "openai"] = Field(
        default="onnx", description="who makes vectors; hash is for tests: it knows words, not meanings"
    )
    embedder_url: str = Field(default="", description="base address of ollama, or of openai up to /v1")
    embedder_model: str = Field(default="", description="the model's name at ollama or openai")
    embedder_api_key: str = Field(default="", repr=False)
    embedder_query_prefix: str = Field(default="", description="for ollama and openai, before a question")
    embedder_document_prefix: str = Field(default="", description="for ollama and openai, before a passage")
    embedder_timeout_s: float = Field(default=60.0, gt=0, description="of one call to ollama or openai")
    max_candidates: int = Field(default=1000, gt=0, description="most passages that one query returns")
    max_query_characters: int = Field(default=8192, gt=0)
    max_embed_texts: int = Field(default=256, gt=0, description="most texts in one Embed")
    max_waiting_queries: int = Field(default=64, gt=0, description="more than this is Overloaded")
    max_staged_chunks: int = Field(
        default=DEFAULT_MAX_STAGED_CHUNKS, gt=0, description="chunks held in memory before they are published"
    )
