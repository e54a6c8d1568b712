"""Are sentences, rows, items and headings told apart, wherever lines happen to break?"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.orchestrator.core.sentences import UnitKind, units


def cut(text: str) -> list[tuple[str, str]]:
    return [(u.kind.value, text[u.start : u.end]) for u in units(text)]


def texts(text: str) -> list[str]:
    return [piece for _, piece in cut(text)]


@pytest.mark.parametrize(
    "text",
    [
        "Dr. Smith et al. found 3.5 metres in Fig. 2 at 5 p.m. sharp.",
        "The U.S. Department kept version 2.0.1 of hnsw.ef_search unchanged.",
        "J. R. Smith wrote it, e.g. in no. 7 of the series.",
        "It costs $1.50 (approx. 2 EUR), i.e. little.",
    ],
)
def test_abbreviations_and_decimals_do_not_end_a_sentence(text: str) -> None:
    assert cut(text) == [("sentence", text)]


def test_sentences_end_where_a_new_one_begins() -> None:
    text = 'It "works." Really? Yes! "Quite so," he said. 42 is enough… Then it ended.'
    assert texts(text) == [
        'It "works."',
        "Really?",
        "Yes!",
        '"Quite so," he said.',
        "42 is enough…",
        "Then it ended.",
    ]


def test_sentence_runs_over_the_line_breaks_of_a_page() -> None:
    text = "The FAA must receive comments\non this proposed AD by September\n21, 2020. It will read them."
    assert texts(text) == [text[:72], "It will read them."]


def test_heading_stands_alone() -> None:
    text = "### SEC-117 Retention\n\nRecords are kept.\n\nAnother heading\n\nMore text."
    assert cut(text) == [
        ("heading", "### SEC-117 Retention"),
        ("sentence", "Records are kept."),
        ("heading", "Another heading"),
        ("sentence", "More text."),
    ]


def test_rows_of_tables_stand_alone() -> None:
    text = (
        "Alabama 18,870 23,022 0 14\nAlaska 2,598 2,994 5 -\n| a | b |\n|---|---|\n| x | 1 |\nnorth,120,Ada"
    )
    assert cut(text) == [
        ("row", "Alabama 18,870 23,022 0 14"),
        ("row", "Alaska 2,598 2,994 5 -"),
        ("row", "| a | b |"),
        ("row", "| x | 1 |"),
        ("row", "north,120,Ada"),
    ]


def test_items_of_lists_begin_anew() -> None:
    text = "- drain the shards\n- copy the snapshot\n  of the region\n1. switch the entry"
    assert texts(text) == [
        "- drain the shards",
        "- copy the snapshot\n  of the region",
        "1. switch the entry",
    ]
    assert {u.kind for u in units(text)} == {UnitKind.ITEM}


def test_rule_between_lines_parts_them() -> None:
    assert texts("1\n|\n1") == ["1", "1"]
    assert texts("Net total\n---\nthat is all.") == ["Net total", "that is all."]


def test_wide_punctuation_needs_no_space() -> None:
    assert texts("第一句。第二句！「第三句？」") == ["第一句。", "第二句！", "「第三句？」"]


def test_code_points_are_counted_not_bytes() -> None:
    text = "Naïve 🚚 moved. Then 🚢 came."
    assert texts(text) == ["Naïve 🚚 moved.", "Then 🚢 came."]


@given(st.text(st.sampled_from("aB1 .,\n|-#!?。é🚚\t"), max_size=80))
def test_units_are_in_order_apart_and_without_space_at_their_ends(text: str) -> None:
    end = 0
    for unit in units(text):
        assert end <= unit.start < unit.end <= len(text)
        piece = text[unit.start : unit.end]
        assert piece == piece.strip()
        end = unit.end


@given(st.text(st.sampled_from("aB1 .,\n!?é🚚"), max_size=80))
def test_no_word_is_lost(text: str) -> None:
    covered = {i for u in units(text) for i in range(u.start, u.end)}
    assert all(i in covered for i, ch in enumerate(text) if ch.isalnum())


def test_rows_of_names_and_values_stand_alone_each() -> None:
    rows = [
        "code: E05; display text: TEMPERATURE SENSOR; remedy: Send the probe in",
        "code: E07; display text: CABLE FAULT; cause: Under 1 megohm. See part 3; remedy: Dry the plug",
    ]
    text = "\n".join(rows)
    assert [(text[u.start : u.end], u.kind) for u in units(text)] == [(row, UnitKind.ROW) for row in rows]


def test_a_sentence_with_a_semicolon_and_a_colon_is_no_row() -> None:
    text = "Two things count: the berth and the tide; the pilot decides; the master signs."
    assert [u.kind for u in units(text)] == [UnitKind.SENTENCE]
