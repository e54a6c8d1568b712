"""Does the time for chunks and entities grow with the text alone, however monotonous it is?"""

import time

import pytest

from services.ingest.core.chunking import ChunkingConfig, chunk
from services.ingest.core.document import CODE, PARAGRAPH, ParsedDocument
from services.ingest.core.entities import entities_of
from services.ingest.core.record_marks import mark_of
from services.ingest.core.text import TextBuilder
from tests.unit.ingest.counting import PieceTokenizer

# Of CPU: several times what it takes, and a small part of what it would take if it grew with the square.
BOUND_S = 12.0


def document(kind: str, *texts: str) -> ParsedDocument:
    builder = TextBuilder()
    for text in texts:
        builder.add(kind, text)
    text, placed = builder.finish()
    return ParsedDocument(text, "Notes", placed, (), None, (), "text/plain")


@pytest.mark.parametrize("kind", ["structure", "records"])
def test_twenty_thousand_paragraphs_without_a_heading_are_soon_chunked(kind: str) -> None:
    parsed = document(PARAGRAPH, *(f"Word {number} of the book." for number in range(20_000)))
    started = time.process_time()
    drafts = chunk(parsed, ChunkingConfig(kind=kind), PieceTokenizer())
    assert time.process_time() - started < BOUND_S
    assert len(drafts) > 100


def test_thousands_of_names_that_begin_alike_are_soon_found() -> None:
    surnames = [f"{chr(65 + i % 26)}{chr(97 + i // 26 % 26)}{chr(97 + i // 676)}ra" for i in range(12_000)]
    parsed = document(PARAGRAPH, *(f"In the yard old Anna {surname} spoke." for surname in surnames))
    started = time.process_time()
    entities, _ = entities_of(parsed, [])
    assert time.process_time() - started < BOUND_S
    assert "Anna Aaara" in {entity.name for entity in entities}


def test_lines_of_dashes_alone_are_soon_looked_through() -> None:
    parsed = document(CODE, "-\n" * 60_000 + "end")
    started = time.process_time()
    entities_of(parsed, [])
    assert time.process_time() - started < BOUND_S


def test_mark_is_looked_for_at_the_beginning_of_an_endless_line_alone() -> None:
    started = time.process_time()
    assert mark_of("a1," * 60_000 + "é") is None
    assert time.process_time() - started < BOUND_S
