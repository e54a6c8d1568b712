"""What is found in plain text by how it is typed, and what is left as prose?"""

import pytest

from services.ingest.core.document import CAPTION, CODE, HEADING, LIST_ITEM, PARAGRAPH, TABLE
from tests.unit.ingest.reading_files import blocks, read

ALIGNED = "name       units   price\nAda           12    3.50\nGrace H.       7   12.00"
RULED = "Name      Role     Since\n--------  -------  -----\nAda       pilot    1999"
GRID = "+-----+-----+\n| key | val |\n+=====+=====+\n| x   | 1   |\n+-----+-----+"


@pytest.mark.parametrize(
    ("table", "header_lines"),
    [
        (ALIGNED, 1),
        (RULED, 2),
        (GRID, 3),
        ("name\trole\tsince\nAda\tpilot\t1999\nGrace\tmate\t2001", 1),
        ("| a | b |\n|---|---|\n| 1 | 2 |", 2),
        ("north | 12 | 3\nsouth | 15 | 4", 0),
        ("name   units\n------------\nAda       12\nBo         7", 2),
    ],
)
def test_rows_typed_under_each_other_are_a_table(table: str, header_lines: int) -> None:
    parsed = read("a.txt", f"Some words.\n\n{table}\n\nMore words.")
    block = parsed.blocks[1]
    assert (block.kind, parsed.text[block.start : block.end]) == (TABLE, table)
    assert block.header_lines == header_lines


@pytest.mark.parametrize(
    "prose",
    [
        "It has two spaces.  After each sentence.\nThat is how it was.  Typed once.\nNobody does it.  Now.",
        "One line of a column that is long     another column of the same page\n"
        "and it goes on and on for a while     with as many words as the first\n"
        "until nobody would call it a cell     so that this is no table at all",
        "He said a | b once.\nNothing more.",
        "\tIndented line.\n\tAnother one.",
        "Name: Ada      Role: pilot\nNo more than two lines.",
    ],
)
def test_prose_is_left_as_it_is(prose: str) -> None:
    assert [kind for kind, _ in blocks(read("a.txt", prose))] == [PARAGRAPH]


def test_list_with_wide_gaps_is_a_list() -> None:
    kinds = [kind for kind, _ in blocks(read("a.txt", "1.  first\n2.  second\n3.  third"))]
    assert kinds == [LIST_ITEM] * 3


def test_caption_above_a_table_is_told() -> None:
    assert blocks(read("a.txt", f"Table 1. Crew\n{RULED}")) == [(CAPTION, "Table 1. Crew"), (TABLE, RULED)]


def test_list_items_keep_their_lines_and_depth() -> None:
    parsed = read(
        "a.txt", "To do:\n- one thing\n  that wraps\n  * nested\n- two\n\nThe year was\n1999. It passed."
    )
    assert blocks(parsed) == [
        (PARAGRAPH, "To do:"), (LIST_ITEM, "- one thing\n  that wraps"), (LIST_ITEM, "* nested"),
        (LIST_ITEM, "- two"), (PARAGRAPH, "The year was\n1999. It passed."),
    ]  # fmt: skip
    assert [block.level for block in parsed.blocks] == [0, 1, 2, 1, 0]


def test_headings_are_told_by_capitals_numbers_and_lines() -> None:
    source = (
        "HARBOUR RULES\n\n1. Scope\n\nAll ships.\n\n1.2 Pilots and tugs\n\nOrder them.\n\n"
        "Appendix B: Fees\n\nNone.\n\n2. Lights\n\nGreen."
    )
    parsed = read("a.txt", source)
    found = [(block.level, block.section[-1]) for block in parsed.blocks if block.kind == HEADING]
    assert found == [
        (1, "HARBOUR RULES"), (2, "1. Scope"), (3, "1.2 Pilots and tugs"), (2, "Appendix B: Fees"),
        (2, "2. Lights"),
    ]  # fmt: skip
    assert parsed.title == "HARBOUR RULES"
    assert parsed.blocks[4].section == ("HARBOUR RULES", "1. Scope", "1.2 Pilots and tugs")


def test_line_over_and_under_a_title_belongs_to_it() -> None:
    parsed = read("a.txt", "=======\nHarbour\n=======\n\nWords.\n\nLOCKS\n\nThey open.")
    assert parsed.title == "Harbour"
    assert parsed.blocks[-1].section == ("Harbour", "LOCKS")


@pytest.mark.parametrize(
    "lines",
    [
        "ALL OF IT\n\nIS SHOUTED\n\nFROM START TO END\n\nREALLY",
        "Words.\n\n1. Buy rope\n\n2. Buy tar\n\n3. Go home",
        "Words.\n\n12 boats came in\n\nand left.",
        "Words.\n\nSEC-2024-0417\n\nMore.",
        "Words.\n\nSTOP!\n\nMore.",
    ],
)
def test_what_is_no_heading_stays_text(lines: str) -> None:
    assert HEADING not in [kind for kind, _ in blocks(read("a.txt", lines))]


def test_source_is_read_as_code_with_its_indent() -> None:
    parsed = read("boat.py", "class Boat:\n    NAME = 1\n\n    def go(self): ...\n")
    assert blocks(parsed) == [(CODE, "class Boat:\n    NAME = 1"), (CODE, "    def go(self): ...")]
