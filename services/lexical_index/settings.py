"""Which settings does lexical-index have? Read once in `__main__`."""

from pathlib import Path

from pydantic import Field

from shared.index_store import DEFAULT_MAX_STAGED_CHUNKS
from shared.settings import ServiceSettings

SERVICE = "lexical-index"


class LexicalSettings(ServiceSettings):
    lexical_stemming: bool = Field(
        default=True, description="English stemming (Snowball); another value empties the index at start"
    )
    lexical_stop_words: bool = Field(
        default=True, description="leave out English stop words; another value empties the index at start"
    )
    query_threads: int = Field(default=2, gt=0, description="questions that are scored at the same time")
    query_queue: int = Field(default=64, gt=0, description="questions that may run or wait; then Overloaded")
    max_staged_chunks: int = Field(
        default=DEFAULT_MAX_STAGED_CHUNKS, gt=0, description="chunks held in memory before they are published"
    )

    @property
    def index_path(self) -> Path:
        return self.data / SERVICE / "index.sqlite"
