"""Ingest counts what both indexes read, and heading marks are not among it."""

from shared.passage import indexed_text


def test_prefix_stands_above_the_text() -> None:
    assert (
        indexed_text("Harbour > Locks", "The lock opens at noon.")
        == "Harbour > Locks\nThe lock opens at noon."
    )


def test_text_without_a_prefix_stands_alone() -> None:
    assert indexed_text("", "The lock opens at noon.") == "The lock opens at noon."


def test_heading_marks_are_left_out_and_other_signs_stay() -> None:
    text = "# Locks\n\n### Noon\nC# and #5 stay; so does # amid a line."
    assert indexed_text("", text) == "Locks\n\nNoon\nC# and #5 stay; so does # amid a line."
