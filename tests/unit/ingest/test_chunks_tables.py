"""Are tables cut by whole rows under their column names, across pages too, with their captions?"""

from dataclasses import replace

import pytest

from services.ingest.core.chunk_draft import ChunkDraft
from services.ingest.core.chunking import ChunkingConfig, chunk
from services.ingest.core.document import (
    CAPTION,
    FOOTNOTE,
    FURNITURE,
    HEADING,
    PARAGRAPH,
    TABLE,
    Page,
    ParsedDocument,
)
from services.ingest.core.table_headers import columns
from services.ingest.core.text import TextBuilder
from tests.unit.ingest.counting import PieceTokenizer
from tests.unit.ingest.test_chunks_records import texts

Given = tuple[int, str, str, int]  # page, kind, text, header lines
HEAD = "berth | depth\nname | metres"
ROWS = [f"quay {number} | {number} metres deep" for number in range(30)]


def document(*blocks: Given) -> ParsedDocument:
    builder = TextBuilder()
    for _, kind, words, header_lines in blocks:
        builder.add(kind, words, level=int(kind == HEADING), header_lines=header_lines)
    text, placed = builder.finish()
    placed = tuple(replace(b, page_number=page) for b, (page, *_) in zip(placed, blocks, strict=True))
    pages = []
    for number in range(1, max(page for page, *_ in blocks) + 1):
        spans = [(b.start, b.end) for b in placed if b.page_number == number]
        pages.append(Page(number, str(number), 100, 100, False, spans[0][0], spans[-1][1]))
    return ParsedDocument(text, "Tariff", placed, tuple(pages), None, (), "application/pdf")


def cut(parsed: ParsedDocument, kind: str = "structure", max_tokens: int = 64) -> list[ChunkDraft]:
    return chunk(parsed, ChunkingConfig(kind=kind, max_tokens=max_tokens, overlap_tokens=8), PieceTokenizer())


def test_every_line_of_a_header_is_repeated() -> None:
    parsed = document((1, TABLE, "\n".join([HEAD, *ROWS]), 2))
    drafts = cut(parsed)
    assert texts(parsed, drafts)[0].startswith(f"{HEAD}\n{ROWS[0]}")
    assert {draft.prefix for draft in drafts[1:]} == {f"Tariff\n{HEAD}"}
    lines = [line for text in texts(parsed, drafts) for line in text.split("\n")]
    assert lines == [*HEAD.split("\n"), *ROWS]


def test_table_that_goes_on_on_the_next_pages_keeps_the_names_of_its_columns() -> None:
    parsed = document(
        (1, PARAGRAPH, "All berths.", 0),
        (1, TABLE, "\n".join([HEAD, *ROWS[:10]]), 2),
        (1, FOOTNOTE, "1 At low water.", 0),
        (1, FURNITURE, "Page 1", 0),
        (2, FURNITURE, "Tariff", 0),
        (2, TABLE, "\n".join(ROWS[10:20]), 0),
        (3, TABLE, "\n".join(ROWS[20:]), 0),
        (3, PARAGRAPH, "End.", 0),
    )
    drafts = cut(parsed)
    later = [draft for draft in drafts if draft.page_number in (2, 3) and "quay" in texts(parsed, [draft])[0]]
    assert len(later) > 2
    assert {draft.prefix for draft in later} == {f"Tariff\n{HEAD}"}
    assert [text for text in texts(parsed, drafts) if "low water" in text] == ["1 At low water."]


@pytest.mark.parametrize(
    "second",
    [
        (2, TABLE, "a | b | c\nd | e | f", 0),  # other columns
        (3, TABLE, "a | b\nc | d", 0),  # not on the next page
    ],
)
def test_table_that_does_not_go_on_gets_no_names(second: Given) -> None:
    between = [(2, PARAGRAPH, "Text.", 0)] if second[0] == 3 else []
    parsed = document((1, TABLE, f"{HEAD}\n{ROWS[0]}", 2), *between, second)
    assert cut(parsed)[-1].prefix == "Tariff"


def test_own_header_on_the_next_page_is_not_repeated_above_it() -> None:
    parsed = document((1, TABLE, f"{HEAD}\n{ROWS[0]}", 2), (2, TABLE, f"{HEAD}\n{ROWS[1]}", 2))
    assert [draft.prefix for draft in cut(parsed)] == ["Tariff", "Tariff"]


@pytest.mark.parametrize("kind", ["structure", "records"])
def test_caption_stands_with_its_table_above_or_below(kind: str) -> None:
    table = "name | role\nAda | pilot"
    above = document((1, PARAGRAPH, "Before.", 0), (1, CAPTION, "Table 1", 0), (1, TABLE, table, 1))
    assert texts(above, cut(above, kind)) == ["Before.", f"Table 1\n\n{table}"]
    below = document((1, TABLE, table, 1), (1, CAPTION, "Table 1", 0), (1, PARAGRAPH, "After.", 0))
    assert texts(below, cut(below, kind)) == [f"{table}\n\nTable 1", "After."]
    two = document(
        (1, TABLE, table, 1), (1, CAPTION, "Table 2", 0), (1, TABLE, table, 1), (1, CAPTION, "Figure 1", 0)
    )
    assert texts(two, cut(two, kind)) == [table, f"Table 2\n\n{table}", "Figure 1"]


@pytest.mark.parametrize("max_tokens", [40, 64])
def test_heading_and_caption_above_a_table_are_in_one_chunk_each(max_tokens: int) -> None:
    table = "name | role\n" + "\n".join(f"Ada {number} | pilot" for number in range(9))
    parsed = document((1, HEADING, "Crew of the boat", 0), (1, CAPTION, "Table 1", 0), (1, TABLE, table, 1))
    drafts = cut(parsed, max_tokens=max_tokens)
    assert "\n".join(texts(parsed, drafts)) == parsed.text
    assert texts(parsed, drafts)[0].startswith("Crew of the boat\n\nTable 1\n\nname | role\nAda 0 | pilot")


def test_footnote_is_packed_with_its_section_and_never_with_a_table() -> None:
    parsed = document(
        (1, HEADING, "Berths", 0),
        (1, PARAGRAPH, "All berths.", 0),
        (1, FOOTNOTE, "1 At low water.", 0),
        (1, TABLE, "name | role\nAda | pilot", 1),
        (1, FOOTNOTE, "2 Since May.", 0),
    )
    assert texts(parsed, cut(parsed)) == [
        "Berths\n\nAll berths.\n\n1 At low water.",
        "name | role\nAda | pilot",
        "2 Since May.",
    ]


@pytest.mark.parametrize(("row", "count"), [("a | b", 2), ("| a | b | c |", 3), ("a\tb\tc", 3), ("a", 1)])
def test_columns_are_counted_in_any_notation(row: str, count: int) -> None:
    assert columns(row) == count
