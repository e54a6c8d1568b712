"""What are windows of a fixed number of tokens, overlapping, blind to structure? The baseline."""

from bisect import bisect_right
from collections.abc import Iterator

from services.ingest.core.chunk_draft import ChunkDraft, Drafter, Place
from services.ingest.core.document import ParsedDocument


def fixed_chunks(drafter: Drafter, overlap_tokens: int) -> Iterator[ChunkDraft]:
    """Windows over the whole text, cut between words; a chunk's section and page are those of its start."""
    parsed, tokens = drafter.parsed, drafter.tokens
    starts = [block.start for block in parsed.blocks]
    position, covered, length = 0, 0, len(parsed.text)
    while position < length:
        place = _place(parsed, starts, position)
        end_of_room = max(tokens.end_after(position, drafter.budget(place)), position + 1)
        end = tokens.word_end(position, end_of_room)
        if end > covered:  # else a huge word ahead left nothing but overlap
            yield from drafter.draft(position, end, place)
            covered = end
        if end >= length:
            return
        back = tokens.start_before(end, overlap_tokens)
        position = max(tokens.word_end(position, back), position + 1) if back > position else end


def _place(parsed: ParsedDocument, starts: list[int], position: int) -> Place:
    """Of the block that holds the position, or the next one when it lies between two."""
    index = max(0, bisect_right(starts, position) - 1)
    if index + 1 < len(parsed.blocks) and parsed.blocks[index].end <= position:
        index += 1
    if not parsed.blocks:
        return Place((), None)
    block = parsed.blocks[index]
    return Place(block.section, block.page_number)
