"""How is a parsed document cut into chunks? Spans of its text, each within the embedder's token budget."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from services.ingest.core.document import ParsedDocument
from shared.errors import InvalidInput


class Tokenizer(Protocol):
    """Counts as the embedder does, special tokens left out; `shared.tokens.TokenCounter` is the real one."""

    def count(self, text: str) -> int: ...

    def offsets(self, text: str) -> list[tuple[int, int]]: ...


@dataclass(frozen=True, slots=True)
class ChunkingConfig:
    """The sizes, in tokens, prefix and the two special tokens included. Raises InvalidInput at once."""

    kind: str = "structure"
    max_tokens: int = 448
    overlap_tokens: int = 64
    context_tokens: int = 512

    def __post_init__(self) -> None:
        if self.kind not in CHUNKERS:
            raise InvalidInput(f"Unknown chunker {self.kind!r}; known are {', '.join(sorted(CHUNKERS))}.")


@dataclass(frozen=True, slots=True)
class ChunkDraft:
    """A chunk before it has an id: `text[start:end]` is stored, `prefix` + newline + that is embedded."""

    start: int
    end: int
    section: tuple[str, ...]
    page_number: int | None
    page_label: str
    prefix: str
    tokens: int


def chunk(parsed: ParsedDocument, config: ChunkingConfig, tokenizer: Tokenizer) -> list[ChunkDraft]:
    """The chunks in text order, never blank, each of at most `config.max_tokens`."""
    return CHUNKERS[config.kind](parsed, config, tokenizer)


def _not_yet(parsed: ParsedDocument, config: ChunkingConfig, tokenizer: Tokenizer) -> list[ChunkDraft]:
    raise NotImplementedError


CHUNKERS: dict[str, Callable[[ParsedDocument, ChunkingConfig, Tokenizer], list[ChunkDraft]]] = {
    "structure": _not_yet,
    "fixed": _not_yet,
}
