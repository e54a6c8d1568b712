"""Are PDF pages read in order, with labels, rectangles and clear refusals?"""

import pytest

from services.ingest.core.document import FURNITURE, HEADING, LIST_ITEM, TABLE
from tests.unit.ingest.drawing import PROSE, Sheet, assert_order, kinds, prose, read


@pytest.mark.parametrize("columns", [2, 3])
def test_columns_are_read_one_after_the_other(columns: int) -> None:
    sheet = Sheet()
    sheet.write(120, 60, "A title that stands across all of the columns below", size=16)
    width = 540 / columns
    marks = []
    for column in range(columns):
        lines = prose(30, words=7 if columns == 2 else 4, mark=f"q{column}")
        sheet.column(30 + column * width, 100 + 5 * column, lines)
        marks += [line.split()[0] for line in lines]
    parsed = read(sheet)
    assert_order(parsed.text, ["title", *marks])
    assert kinds(parsed)[0][0] == HEADING


def test_text_across_the_columns_parts_them() -> None:
    sheet = Sheet()
    top, middle, bottom = prose(10, mark="ql"), prose(10, mark="qr"), prose(10, mark="zl")
    sheet.column(30, 100, top)
    sheet.column(310, 100, middle)
    sheet.write(30, 240, "Acrossword " + " ".join(PROSE[:22]))
    sheet.column(30, 270, bottom)
    sheet.column(310, 270, prose(10, mark="zr"))
    assert_order(
        read(sheet).text, ["qlaa", "qlaj", "qraa", "qraj", "Acrossword", "zlaa", "zlaj", "zraa", "zraj"]
    )


def test_mark_that_hangs_out_of_its_column_tears_no_line() -> None:
    sheet = Sheet()
    sheet.column(30, 100, prose(20, mark="ql"))
    lines = prose(20, mark="qr")
    sheet.column(310, 100, [*lines[:9], "", *lines[10:]])
    sheet.write(306, 100 + 12 * 9, '"' + lines[9])
    assert_order(read(sheet).text, ["qlai", "qlaj", "qlat", "qraa", "qrai", "qraj", "qrak"])


def test_table_is_read_row_by_row_on_one_line_each() -> None:
    sheet = Sheet()
    rows = [
        ("Alabama", "18,870", "23,022", "859"),
        ("Alaska", "209", "3,062", "191"),
        ("Guam", "0", "100", "12"),
    ]
    for number, row in enumerate([("State", "Permit", "Handgun", "Other"), *rows]):
        for column, cell in enumerate(row):
            sheet.write(50 + 120 * column, 100 + 14 * number, cell)
    written = [("State", "Permit", "Handgun", "Other"), *rows]
    assert kinds(read(sheet)) == [(TABLE, "\n".join(map(" | ".join, written)))]


def test_stamp_up_the_side_breaks_no_line() -> None:
    sheet = Sheet()
    sheet.column(60, 100, prose(20, words=12, mark="q"))
    sheet.write(30, 400, "arXiv:2004.04906v3 30 Sep 2020", turn="0 1 -1 0")
    parsed = read(sheet)
    assert kinds(parsed)[-1] == (FURNITURE, "arXiv:2004.04906v3 30 Sep 2020")
    assert "arXiv" not in parsed.text[: parsed.blocks[-1].start]


@pytest.mark.parametrize("turn", ["0 1 -1 0", "0 -1 1 0"])
def test_page_that_runs_sideways_is_read_in_order(turn: str) -> None:
    sheet = Sheet()
    upwards = turn.startswith("0 1")
    for number, line in enumerate(prose(5, mark="q")):
        sheet.write(
            100 + 12 * number if upwards else 500 - 12 * number, 700 if upwards else 100, line, turn=turn
        )
    parsed = read(sheet)
    assert_order(parsed.text, ["qaa", "qab", "qac", "qad", "qae"])
    assert parsed.words is not None
    x0, top, x1, bottom = parsed.words.box[1]
    assert bottom - top > x1 - x0  # the rectangle stands on the page as it is seen


def test_glyphs_drawn_twice_are_read_once() -> None:
    sheet = Sheet()
    sheet.write(50, 100, "BOLD words")
    sheet.write(50.4, 100, "BOLD words")
    assert read(sheet).text == "BOLD words"


def test_every_word_has_its_rectangle() -> None:
    sheet = Sheet()
    sheet.column(50, 100, ["The lock opens", "at noon."])
    parsed = read(sheet)
    assert parsed.words is not None
    assert [
        parsed.text[s:e] for s, e in zip(parsed.words.start, parsed.words.end, strict=True)
    ] == parsed.text.split()
    start = parsed.text.index("opens")
    first, second = parsed.words.boxes_of(start, len(parsed.text))
    assert (first.page_number, second.page_number) == (1, 1)
    assert 90 < first.top < first.bottom < 103
    assert 102 < second.top < second.bottom < 115
    assert first.x0 > second.x0 == pytest.approx(50, abs=1)


def test_word_hyphenated_at_a_lines_end_is_made_whole_and_keeps_both_rectangles() -> None:
    sheet = Sheet()
    sheet.column(50, 100, ["The harbour is impor-", "tant, and the well-", "known locks are well-known too."])
    parsed = read(sheet)
    assert parsed.text == "The harbour is important, and the well-known locks are well-known too."
    start = parsed.text.index("important")
    assert parsed.words is not None
    assert len(parsed.words.boxes_of(start, start + 9)) == 2


def test_headings_and_items_are_told_by_their_type() -> None:
    sheet = Sheet()
    sheet.write(50, 60, "Harbour handbook", size=20)
    sheet.write(50, 100, "Locks", size=14)
    sheet.column(50, 120, prose(3, words=12))
    sheet.write(50, 180, "Bold words of their own", bold=True)
    sheet.column(50, 200, prose(3, words=12))
    sheet.write(50, 250, "- first item here")
    sheet.write(50, 262, "- second item here")
    parsed = read(sheet)
    assert [block.kind for block in parsed.blocks if block.kind != "paragraph"] == [
        HEADING, HEADING, HEADING, LIST_ITEM, LIST_ITEM,
    ]  # fmt: skip
    assert parsed.blocks[-1].section == ("Harbour handbook", "Locks", "Bold words of their own")
    assert parsed.title == "Harbour handbook"
