"""Do chunks keep to their budget, hold the whole text, and respect headings, pages, tables and sentences?"""

import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.ingest.core.chunk_draft import ChunkDraft
from services.ingest.core.chunking import ChunkingConfig, chunk
from services.ingest.core.document import (
    CODE,
    FURNITURE,
    HEADING,
    LIST_ITEM,
    PARAGRAPH,
    TABLE,
    Block,
    Page,
    ParsedDocument,
)
from services.ingest.core.formats.registry import parse
from services.ingest.core.text import TextBuilder
from shared.errors import InvalidInput
from shared.passage import indexed_text
from tests.unit.ingest.counting import PieceTokenizer


class WholeWordTokenizer(PieceTokenizer):
    """Any word is one token, however long, as WordPiece's unknown token is."""

    _PIECE = re.compile(r"\S+")


def document(*blocks: tuple[str, str], title: str = "Harbour handbook") -> ParsedDocument:
    builder = TextBuilder()
    for kind, text in blocks:
        level = 1 if kind == HEADING else 0
        builder.add(kind, text, level=level, header_lines=int(kind == TABLE))
    text, placed = builder.finish()
    return ParsedDocument(text, title, placed, (), None, (), "text/plain")


def texts(parsed: ParsedDocument, drafts: list[ChunkDraft]) -> list[str]:
    return [parsed.text[draft.start : draft.end] for draft in drafts]


def structure(parsed: ParsedDocument, max_tokens: int = 64) -> list[ChunkDraft]:
    return chunk(parsed, ChunkingConfig(max_tokens=max_tokens, overlap_tokens=8), PieceTokenizer())


WORDS = st.text(alphabet="abcdefgh .!?\n0123,;:éß中文字あ🚢́ \u2028\u200bשלוםم", min_size=1, max_size=400)
KINDS = st.sampled_from([HEADING, PARAGRAPH, LIST_ITEM, TABLE, CODE, FURNITURE])
BLOCKS = st.lists(st.tuples(KINDS, WORDS), min_size=1, max_size=12)
TOKENIZERS = st.sampled_from([PieceTokenizer(), WholeWordTokenizer()])


@settings(deadline=None, max_examples=150)
@given(BLOCKS, st.sampled_from(["structure", "fixed", "records"]), st.integers(32, 120), TOKENIZERS)
def test_chunks_keep_the_budget_and_hold_everything_for_any_document(
    blocks: list[tuple[str, str]], kind: str, max_tokens: int, tokenizer: PieceTokenizer
) -> None:
    parsed = document(*blocks)
    config = ChunkingConfig(kind=kind, max_tokens=max_tokens, overlap_tokens=16)
    drafts = chunk(parsed, config, tokenizer)
    assert drafts == chunk(parsed, config, tokenizer)
    covered = [False] * len(parsed.text)
    for draft in drafts:
        text = parsed.text[draft.start : draft.end]
        assert text.strip()
        assert draft.tokens == tokenizer.count(indexed_text(draft.prefix, text)) + 2 <= max_tokens
        covered[draft.start : draft.end] = [True] * (draft.end - draft.start)
    missed = [
        parsed.text[at]
        for block in parsed.blocks
        if block.kind != FURNITURE
        for at in range(block.start, block.end)
        if not covered[at] and not parsed.text[at].isspace()
    ]
    assert not missed
    assert [draft.start for draft in drafts] == sorted({draft.start for draft in drafts})


@settings(deadline=None, max_examples=100)
@given(BLOCKS, st.integers(32, 120))
def test_structure_chunks_do_not_overlap_nor_cross_headings_for_any_document(
    blocks: list[tuple[str, str]], max_tokens: int
) -> None:
    parsed = document(*blocks)
    drafts = chunk(parsed, ChunkingConfig(max_tokens=max_tokens, overlap_tokens=8), PieceTokenizer())
    for left, right in pairwise(drafts):
        assert left.end <= right.start
    for draft in drafts:
        touched = [b for b in parsed.blocks if b.start < draft.end and b.end > draft.start]
        kinds = [block.kind for block in touched]
        body = [kind for kind in kinds if kind != HEADING]
        assert FURNITURE not in kinds
        assert kinds == [HEADING] * (len(kinds) - len(body)) + body
        assert TABLE not in body or body == [TABLE]


def test_heading_opens_the_first_chunk_of_its_section() -> None:
    parsed = document(
        (HEADING, "Locks"), (PARAGRAPH, "The lock opens at noon. " * 20), (PARAGRAPH, "It shuts at six.")
    )
    drafts = structure(parsed)
    assert texts(parsed, drafts)[0].startswith("Locks\n\nThe lock opens")
    assert all(draft.section == ("Locks",) for draft in drafts)
    assert drafts[0].prefix == "Harbour handbook"
    assert drafts[1].prefix == "Harbour handbook > Locks"


def test_heading_alone_joins_the_section_below_it() -> None:
    parsed = document((HEADING, "Part one"), (HEADING, "Locks"), (PARAGRAPH, "The lock opens at noon."))
    assert texts(parsed, structure(parsed)) == ["Part one\n\nLocks\n\nThe lock opens at noon."]


def test_heading_alone_at_the_end_is_a_chunk() -> None:
    parsed = document((PARAGRAPH, "The lock opens at noon."), (HEADING, "Appendix"))
    assert texts(parsed, structure(parsed)) == ["The lock opens at noon.", "Appendix"]


def test_paragraphs_of_a_section_share_a_chunk_while_they_fit() -> None:
    parsed = document(
        (PARAGRAPH, "One is here."), (PARAGRAPH, "Two is here."), (HEADING, "Next"), (PARAGRAPH, "Three.")
    )
    assert texts(parsed, structure(parsed)) == ["One is here.\n\nTwo is here.", "Next\n\nThree."]


def test_table_is_never_packed_with_prose() -> None:
    parsed = document((PARAGRAPH, "Before."), (TABLE, "name | role\nAda | pilot"), (PARAGRAPH, "After."))
    assert texts(parsed, structure(parsed)) == ["Before.", "name | role\nAda | pilot", "After."]


def test_table_rows_stay_whole_and_the_header_is_repeated_in_the_prefix() -> None:
    rows = [f"pilot {number} | berth {number}" for number in range(40)]
    parsed = document((TABLE, "\n".join(["name | place", *rows])))
    drafts = structure(parsed)
    assert len(drafts) > 2
    assert [line for text in texts(parsed, drafts) for line in text.split("\n")] == ["name | place", *rows]
    assert drafts[0].prefix == "Harbour handbook"
    assert {draft.prefix for draft in drafts[1:]} == {"Harbour handbook\nname | place"}


def test_long_paragraph_is_cut_at_sentence_ends() -> None:
    parsed = document((PARAGRAPH, "Dr. Ada opened the lock at 3.5 metres. " * 20))
    found = texts(parsed, structure(parsed))
    assert len(found) > 2
    assert all(text.startswith("Dr. Ada") and text.endswith("metres.") for text in found)


def test_huge_word_is_cut_inside() -> None:
    parsed = document((PARAGRAPH, "x" * 5_000))
    found = texts(parsed, structure(parsed))
    assert "".join(found) == "x" * 5_000
    assert len(found) > 10


def test_huge_word_of_one_token_is_cut_all_the_same() -> None:
    parsed = document((PARAGRAPH, "x" * 50_000))
    drafts = chunk(parsed, ChunkingConfig(max_tokens=64, overlap_tokens=8), WholeWordTokenizer())
    assert max(draft.end - draft.start for draft in drafts) < 5_000


def test_endless_headings_leave_room_for_the_text() -> None:
    parsed = document(
        (HEADING, "very long heading " * 60), (PARAGRAPH, "The lock opens at noon. " * 10), title="t " * 300
    )
    drafts = structure(parsed)
    assert max(draft.tokens for draft in drafts) <= 64
    assert "The lock opens at noon." in texts(parsed, drafts)[-1]


def test_no_chunk_crosses_a_page() -> None:
    text = "First page.\n\nSecond page."
    blocks = (Block(PARAGRAPH, 0, 11, page_number=1), Block(PARAGRAPH, 13, 25, page_number=2))
    pages = (Page(1, "iv", 100, 100, False, 0, 11), Page(2, "v", 100, 100, False, 13, 25))
    drafts = structure(ParsedDocument(text, "T", blocks, pages, None, (), "application/pdf"))
    assert [(draft.page_number, draft.page_label) for draft in drafts] == [(1, "iv"), (2, "v")]


def test_prefix_leaves_out_the_title_that_the_text_begins_with() -> None:
    parsed = parse(
        "a.md", b"# Harbour\n\n## Locks\n\nThe lock opens.\n\n## Piers\n\nThe pier is long.", "text/markdown"
    )
    drafts = structure(parsed)
    assert [draft.prefix for draft in drafts] == ["", "Harbour"]
    assert drafts[1].section == ("Harbour", "Piers")


def test_fixed_windows_overlap_by_what_is_asked() -> None:
    parsed = document((PARAGRAPH, " ".join(f"w{number:03}" for number in range(300))))
    drafts = chunk(parsed, ChunkingConfig(kind="fixed", max_tokens=64, overlap_tokens=16), PieceTokenizer())
    assert len(drafts) > 4
    shared = parsed.text[drafts[1].start : drafts[0].end].split()
    assert len(shared) == 16


@pytest.mark.parametrize(
    "given_sizes",
    [
        {"max_tokens": 513},
        {"max_tokens": 8},
        {"overlap_tokens": 400},
        {"overlap_tokens": -1},
        {"kind": "record"},
    ],
)
def test_configuration_that_cannot_work_is_refused_at_start(given_sizes: dict[str, int]) -> None:
    with pytest.raises(InvalidInput):
        ChunkingConfig(**given_sizes)  # type: ignore[arg-type]


def test_configuration_above_the_embedders_context_names_both_sizes() -> None:
    with pytest.raises(InvalidInput, match=r"600 tokens.*256"):
        ChunkingConfig(max_tokens=600, context_tokens=256)


def test_megabytes_are_chunked_without_tokenizing_anything_twice_over() -> None:
    class Counting(PieceTokenizer):
        characters = 0

        def count(self, text: str) -> int:
            Counting.characters += len(text)
            return super().count(text)

        def offsets(self, text: str) -> list[tuple[int, int]]:
            Counting.characters += len(text)
            return super().offsets(text)

    parsed = document(*[(PARAGRAPH, "The lock opens at noon and shuts at six. " * 30)] * 800)
    chunk(parsed, ChunkingConfig(), Counting())
    assert Counting.characters < 3 * len(parsed.text)
