"""What is a chunk before it has an id, and how is one made whose size is certain?"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from services.ingest.core.document import ParsedDocument
from services.ingest.core.prefix import SPECIAL_TOKENS, prefix_of, within
from services.ingest.core.table_headers import continued_headers
from services.ingest.core.text import trimmed
from services.ingest.core.token_map import Tokenizer, TokenMap
from services.ingest.core.welds import with_spaces
from shared.passage import indexed_text

PREFIX_SHARE = 4  # a prefix takes at most one part in four of a chunk


@dataclass(frozen=True, slots=True)
class ChunkDraft:
    """`text[start:end]` is stored; `indexed_text(prefix, text[start:end])` is embedded.

    `reading` is the text with welded words parted, which is then embedded in its place; empty where that
    changes nothing. `tokens` is the size of what is embedded, special tokens included.
    """

    start: int
    end: int
    section: tuple[str, ...]
    page_number: int | None
    page_label: str
    prefix: str
    tokens: int
    reading: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a chunk stands, and the column names of the table it continues."""

    section: tuple[str, ...]
    page_number: int | None
    header: str = ""


class Drafter:
    """Turns spans into chunks of one document, each counted as it will be embedded.

    `spaces` are the offsets before which the text lacks one.
    """

    def __init__(
        self,
        parsed: ParsedDocument,
        max_tokens: int,
        tokenizer: Tokenizer,
        *,
        prefixed: bool = True,
        spaces: Sequence[int] = (),
    ) -> None:
        self.parsed = parsed
        self.max_tokens = max_tokens
        self.tokens = TokenMap(parsed.text, tokenizer)
        self.headers = continued_headers(parsed.text, parsed.blocks)
        self._tokenizer = tokenizer
        self._prefixed = prefixed
        self._spaces = spaces
        self._prefix_sizes: dict[tuple[tuple[str, ...], str], int] = {}

    def budget(self, place: Place) -> int:
        """Tokens left for a chunk's own text under the longest prefix that the place may need."""
        key = (place.section, place.header)
        if key not in self._prefix_sizes:
            self._prefix_sizes[key] = self._tokenizer.count(self._prefix(place, ""))
        return self.max_tokens - SPECIAL_TOKENS - self._prefix_sizes[key]

    def draft(self, start: int, end: int, place: Place) -> Iterator[ChunkDraft]:
        """One chunk; none for a blank span; several where the whole counts for more than its parts did."""
        text = self.parsed.text
        start, end = trimmed(text, start, end)
        if start == end:
            return
        words = text[start:end]
        prefix = self._prefix(place, words)
        reading = with_spaces(text, start, end, self._spaces)
        tokens = self._tokenizer.count(indexed_text(prefix, reading or words)) + SPECIAL_TOKENS
        if tokens > self.max_tokens and end - start > 1:
            middle = start + (end - start) // 2
            middle = self.tokens.word_end(start, middle)
            yield from self.draft(start, middle, place)
            yield from self.draft(middle, end, place)
            return
        label = self.parsed.pages[place.page_number - 1].label if place.page_number else ""
        yield ChunkDraft(start, end, place.section, place.page_number, label, prefix, tokens, reading)

    def _prefix(self, place: Place, words: str) -> str:
        limit = self.max_tokens // PREFIX_SHARE
        names = prefix_of(self.parsed.title, place.section, words) if self._prefixed else ""
        path = within(names, limit, self._tokenizer)
        return "\n".join(filter(None, (path, place.header)))
