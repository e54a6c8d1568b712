"""What does reStructuredText become, its own and that of other programs, and what may it not do?"""

from pathlib import Path

import pytest

from services.ingest.core.document import CAPTION, CODE, FOOTNOTE, HEADING, LIST_ITEM, PARAGRAPH, TABLE
from tests.unit.ingest.reading_files import blocks, read

HEAD = "=======\nHarbour\n=======\n\n"


def test_title_and_sections_are_headings_by_depth() -> None:
    parsed = read("a.rst", f"{HEAD}Words.\n\nLocks\n=====\n\nSill\n----\n\nDeep.\n\nTides\n=====\n\nHigh.")
    found = [(block.level, block.section[-1]) for block in parsed.blocks if block.kind == HEADING]
    assert found == [(1, "Harbour"), (2, "Locks"), (3, "Sill"), (2, "Tides")]
    assert parsed.title == "Harbour"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("* one\n\n  more", [(LIST_ITEM, "- one"), (LIST_ITEM, "  more")]),
        ("* two\n\n  * in", [(LIST_ITEM, "- two"), (LIST_ITEM, "  - in")]),
        ("3. three\n4. four", [(LIST_ITEM, "3. three"), (LIST_ITEM, "4. four")]),
        ("Sill\n  The edge.", [(PARAGRAPH, "Sill: The edge.")]),
        ("Code::\n\n  x = 1\n\n  y", [(PARAGRAPH, "Code:"), (CODE, "x = 1\n\ny")]),
        (".. note:: Mind the gap.", [(PARAGRAPH, "Note: Mind the gap.")]),
        ("See [1]_.\n\n.. [1] A note.", [(PARAGRAPH, "See [1]."), (FOOTNOTE, "[1] A note.")]),
        (".. figure:: x.png\n\n   The quay.", [(CAPTION, "The quay.")]),
        ("== ==\na  b\n== ==\n1  2\n== ==", [(TABLE, "a | b\n1 | 2")]),
        ("Words.\n\n.. a comment\n   of two lines", [(PARAGRAPH, "Words.")]),
        ("| one\n| two", [(PARAGRAPH, "one\ntwo")]),
        (":Author: Ada", [(PARAGRAPH, "Author: Ada")]),
    ],
)  # fmt: skip
def test_each_construct_becomes_its_block(source: str, expected: list[tuple[str, str]]) -> None:
    assert blocks(read("a.rst", source)) == expected


def test_table_spans_keep_columns_and_name_the_header() -> None:
    source = (
        "+---+---+\n| a | b |\n+===+===+\n| 1 | 2 |\n|   +---+\n|   | 3 |\n+---+---+\n| both  |\n+-------+"
    )
    parsed = read("a.rst", f".. table:: Crew\n\n   {source.replace(chr(10), chr(10) + '   ')}")
    assert blocks(parsed) == [(CAPTION, "Crew"), (TABLE, "a | b\n1 | 2\n| 3\nboth |")]
    assert parsed.blocks[1].header_lines == 1


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("See :ref:`the lock <lock>` and :py:class:`~boats.Boat`.", "See the lock and boats.Boat."),
        (".. py:function:: open(lock)\n   :async:\n\n   Opens it.", "open(lock)\n\nOpens it."),
        (".. code-block:: python\n   :emphasize-lines: 1\n\n   x = 1", "x = 1"),
        (".. versionadded:: 2.0\n   The lock.", "Added in version 2.0 The lock."),
        (".. tip-of-the-day:: Sail\n\n   * early", "Sail\n- early"),
        (".. only:: html\n\n   Inner words.\n\n.. toctree::\n\n   a\n   b", "Inner words."),
        ("Text |undefined| here `unclosed.", "Text |undefined| here `unclosed."),
        (".. table:: bad\n\n   no table here", ".. table:: bad\n\n   no table here"),
    ],
)
def test_words_under_unknown_or_broken_markup_are_kept(source: str, text: str) -> None:
    assert read("a.rst", source).text.replace("\n\n- ", "\n- ") == text


def test_no_other_file_is_read_and_no_day_put_in(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("secret words")
    source = (
        f"Words |date|.\n\n.. |date| date::\n\n.. include:: {secret}\n\n.. csv-table::\n   :file: {secret}\n"
        f"\n.. raw:: html\n   :file: {secret}\n"
    )
    parsed = read("a.rst", source)
    assert parsed.text.startswith("Words .")
    assert "secret words" not in parsed.text
