"""How is a parsed document cut into chunks? Spans of its text, each within the embedder's token budget."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from services.ingest.core.chunk_draft import ChunkDraft, Drafter
from services.ingest.core.document import ParsedDocument
from services.ingest.core.fixed_chunks import fixed_chunks
from services.ingest.core.record_chunks import record_chunks
from services.ingest.core.structure_chunks import structure_chunks
from services.ingest.core.token_map import Tokenizer
from services.ingest.core.welds import missing_spaces
from services.ingest.core.welds_vocabulary import EMPTY, Vocabulary
from shared.errors import InvalidInput

MIN_TOKENS = 32


@dataclass(frozen=True, slots=True)
class ChunkingConfig:
    """The sizes, in tokens, prefix and special tokens included; `context_tokens` is what the embedder reads;
    `prefixed` whether title and section path stand above what is embedded, `welds` whether welded words
    are parted for it.

    Raises InvalidInput at once for an unknown kind or sizes that do not fit each other.
    """

    kind: str = "structure"
    max_tokens: int = 448
    overlap_tokens: int = 64
    context_tokens: int = 512
    prefixed: bool = True
    welds: bool = False

    def __post_init__(self) -> None:
        if self.kind not in CHUNKERS:
            raise InvalidInput(f"Unknown chunker {self.kind!r}; known are {', '.join(sorted(CHUNKERS))}.")
        if self.max_tokens > self.context_tokens:
            raise InvalidInput(
                f"Chunks of {self.max_tokens} tokens are longer than the {self.context_tokens} "
                "that the embedder reads: lower max_tokens."
            )
        if self.max_tokens < MIN_TOKENS:
            raise InvalidInput(
                f"Chunks of {self.max_tokens} tokens are too short: set max_tokens to {MIN_TOKENS} or more."
            )
        if not 0 <= self.overlap_tokens <= self.max_tokens // 2:
            raise InvalidInput(
                f"An overlap of {self.overlap_tokens} tokens does not fit chunks of {self.max_tokens}: "
                "set overlap_tokens to at most half of max_tokens."
            )


def chunk(
    parsed: ParsedDocument, config: ChunkingConfig, tokenizer: Tokenizer, vocabulary: Vocabulary = EMPTY
) -> list[ChunkDraft]:
    """The chunks in text order, never blank, each of at most `config.max_tokens`."""
    spaces = missing_spaces(parsed.text, parsed.blocks, vocabulary) if config.welds else ()
    drafter = Drafter(parsed, config.max_tokens, tokenizer, prefixed=config.prefixed, spaces=spaces)
    return list(CHUNKERS[config.kind](drafter, config))


def _fixed(drafter: Drafter, config: ChunkingConfig) -> Iterator[ChunkDraft]:
    return fixed_chunks(drafter, config.overlap_tokens)


def _structure(drafter: Drafter, config: ChunkingConfig) -> Iterator[ChunkDraft]:
    return structure_chunks(drafter)


def _records(drafter: Drafter, config: ChunkingConfig) -> Iterator[ChunkDraft]:
    return record_chunks(drafter, config.overlap_tokens)


CHUNKERS: dict[str, Callable[[Drafter, ChunkingConfig], Iterator[ChunkDraft]]] = {
    "structure": _structure,
    "fixed": _fixed,
    "records": _records,
}
