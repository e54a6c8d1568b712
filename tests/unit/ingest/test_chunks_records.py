"""Does each session, entry or incident stay by itself, and is a passing mention of one no beginning?"""

import re
from itertools import pairwise

import pytest

from services.ingest.core.chunk_draft import ChunkDraft
from services.ingest.core.chunking import ChunkingConfig, chunk
from services.ingest.core.document import HEADING, PARAGRAPH, TABLE, ParsedDocument
from services.ingest.core.record_marks import mark_of
from services.ingest.core.text import TextBuilder
from tests.unit.ingest.counting import PieceTokenizer


def document(*blocks: tuple[str | int, str]) -> ParsedDocument:
    """Blocks as (kind or heading level, text)."""
    builder = TextBuilder()
    for kind, text in blocks:
        if isinstance(kind, int):
            builder.add(HEADING, text, level=kind)
        else:
            builder.add(kind, text, header_lines=int(kind == TABLE))
    text, placed = builder.finish()
    return ParsedDocument(text, "Notes", placed, (), None, (), "text/plain")


def records(parsed: ParsedDocument, max_tokens: int = 64, kind: str = "records") -> list[ChunkDraft]:
    config = ChunkingConfig(kind=kind, max_tokens=max_tokens, overlap_tokens=16)
    return chunk(parsed, config, PieceTokenizer())


def texts(parsed: ParsedDocument, drafts: list[ChunkDraft]) -> list[str]:
    return [parsed.text[draft.start : draft.end] for draft in drafts]


@pytest.mark.parametrize(
    ("line", "pattern", "value"),
    [
        ("Session 12 – 3 May", "session #", (12,)),
        ("## Session 9 — 2023-09-12", "session #", (9,)),
        ("2024-05-03", "date", (2024, 5, 3)),
        ("2024-05-03 07:15 Pump stopped", "date", (2024, 5, 3)),
        ("Monday, 3 May 2024", "date", (2024, 5, 3)),
        ("Meeting of 19 March 2024", "meeting of date", (2024, 3, 19)),
        ("3. Mai 2024: Sitzung", "date", (2024, 5, 3)),
        ("May 3, 2024", "date", (2024, 5, 3)),
        ("SEC-014 Access control", "sec-#", (14,)),
        ("INC-2024-0017: lost key", "inc-#", (2024, 17)),
        ("Entry 7", "entry #", (7,)),
        ("#1042 Printer", "#", (1042,)),
    ],
)
def test_line_that_opens_a_record_has_a_pattern_and_a_place_in_the_order(
    line: str, pattern: str, value: tuple[int, ...]
) -> None:
    mark = mark_of(line)
    assert mark is not None
    assert (mark.pattern, mark.value) == (pattern, value)


@pytest.mark.parametrize(
    "line",
    ["3 Results", "2.1 Method", "Chapter 3", "Figure 4: the quay", "python3 is fast", "The tide rises", ""],
)
def test_numbered_part_of_a_text_is_no_record(line: str) -> None:
    assert mark_of(line) is None


def sessions(words: int) -> ParsedDocument:
    blocks: list[tuple[str | int, str]] = [(1, "Working group"), (PARAGRAPH, "All sessions of the year.")]
    for number in range(1, 6):
        blocks += [(2, f"Session {number} – {number} May"), (PARAGRAPH, f"Members met {number}. " * words)]
        blocks += [(3, "Decisions"), (PARAGRAPH, f"As Session {number - 1} decided, bins are moved.")]
        blocks += [(3, "Questions"), (PARAGRAPH, "None.")]
    return document(*blocks)


def test_record_is_never_mixed_with_another_and_its_small_sub_headings_are_packed() -> None:
    parsed = sessions(words=1)
    found = texts(parsed, records(parsed))
    assert found[0] == "Working group\n\nAll sessions of the year."
    assert len(found) == 6
    for number, text in enumerate(found[1:], start=1):
        assert text.startswith(f"Session {number} –")
        assert text.endswith("Questions\n\nNone.")
    assert {draft.section for draft in records(parsed)[1:]} == {
        ("Working group", f"Session {number} – {number} May") for number in range(1, 6)
    }


def test_structure_cuts_the_same_records_at_each_sub_heading() -> None:
    parsed = sessions(words=1)
    assert len(records(parsed, kind="structure")) == 16


def test_overlap_is_only_inside_what_must_be_cut() -> None:
    parsed = sessions(words=40)
    drafts = records(parsed)
    overlaps = [(left, right) for left, right in pairwise(drafts) if right.start < left.end]
    assert overlaps
    for left, right in overlaps:
        assert left.section[:2] == right.section[:2]
        shared = parsed.text[right.start : left.end]
        assert re.fullmatch(r"(Members met \d\.\s*)+", shared)
        assert PieceTokenizer().count(shared) <= 16
    for draft in drafts:
        text = parsed.text[draft.start : draft.end]
        assert len(re.findall(r"Session \d – ", text)) <= 1


def test_lines_that_look_like_titles_open_records_and_mentions_in_prose_do_not() -> None:
    parsed = document(
        (PARAGRAPH, "Entry 1: Gate\nThe gate was shut."),
        (PARAGRAPH, "Entry 2 was never written, see Entry 1."),
        (PARAGRAPH, "Entry 2: Lamp\nThe lamp was out."),
        (PARAGRAPH, "In Entry 1 the gate is described."),
        (PARAGRAPH, "Entry 3: Rope"),
        (PARAGRAPH, "A rope had parted."),
    )
    found = records(parsed)
    assert [text.split("\n")[0] for text in texts(parsed, found)] == [
        "Entry 1: Gate",
        "Entry 2: Lamp",
        "Entry 3: Rope",
    ]
    assert [draft.section for draft in found] == [("Entry 1: Gate",), ("Entry 2: Lamp",), ("Entry 3: Rope",)]


def test_code_out_of_order_is_a_mention() -> None:
    parsed = document(
        (PARAGRAPH, "SEC-001 Doors are locked."),
        (PARAGRAPH, "SEC-014 is stricter about doors."),
        (PARAGRAPH, "SEC-002 Keys are counted."),
        (PARAGRAPH, "SEC-003 Badges are worn."),
    )
    assert [text[:7] for text in texts(parsed, records(parsed))] == ["SEC-001", "SEC-002", "SEC-003"]


def test_each_line_of_a_log_is_a_record_newest_first_or_last() -> None:
    lines = [f"2024-05-{day:02} 07:15 Pump {day} was stopped and started again." for day in range(1, 8)]
    for ordered in (lines, lines[::-1]):
        parsed = document((1, "Log"), (PARAGRAPH, "\n".join(ordered)))
        assert (
            texts(parsed, records(parsed)) == [f"Log\n\n{ordered[0]}", *ordered[1:]]
            or texts(parsed, records(parsed))[-7:] == ordered
        )


def test_table_of_a_record_stays_apart_and_keeps_its_heading() -> None:
    blocks: list[tuple[str | int, str]] = []
    for number in range(1, 4):
        blocks += [(2, f"Session {number}"), (PARAGRAPH, "Present were all.")]
        blocks += [(3, "Votes"), (TABLE, "name | vote\nAda | yes"), (3, "End"), (PARAGRAPH, "At six.")]
    parsed = document(*blocks)
    found = texts(parsed, records(parsed))
    assert found[:3] == [
        "Session 1\n\nPresent were all.",
        "Votes\n\nname | vote\nAda | yes",
        "End\n\nAt six.",
    ]


@pytest.mark.parametrize(
    "blocks",
    [
        [(1, "Handbook"), (2, "Locks"), (PARAGRAPH, "Open at noon."), (2, "Piers"), (PARAGRAPH, "Long.")],
        [(2, "Session 1"), (PARAGRAPH, "One."), (2, "Session 2"), (PARAGRAPH, "Two.")],
        [(PARAGRAPH, "Session 1 was short. Session 2 was long."), (PARAGRAPH, "Session 3 is to come.")],
        [(2, "Chapter 1"), (PARAGRAPH, "a"), (2, "Chapter 2"), (PARAGRAPH, "b"), (2, "Chapter 3")],
    ],
)
def test_document_without_records_is_cut_by_structure(blocks: list[tuple[str | int, str]]) -> None:
    parsed = document(*blocks)
    assert records(parsed) == records(parsed, kind="structure")
