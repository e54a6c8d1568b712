"""Are tables that rules draw read cell by cell?"""

from collections.abc import Sequence

import pytest

from services.ingest.core.document import TABLE, ParsedDocument
from tests.unit.ingest.drawing import Sheet, kinds, prose, read

ROWS = [
    ("Basin", "Depth m", "Berths"),
    ("Outer", "12.5", "4"),
    ("Inner", "8.1", "11"),
    ("Fishery", "3.9", "27"),
]
WRITTEN = "\n".join(map(" | ".join, ROWS))
LEFT, TOP, WIDTH, HEIGHT = 60.0, 200.0, 100.0, 16.0


def rule(sheet: Sheet, x0: float, y0: float, x1: float, y1: float) -> None:
    sheet.operators.append(f"0.5 w {x0} {800 - y0} m {x1} {800 - y1} l S")


def fill(sheet: Sheet, x0: float, top: float, x1: float, bottom: float, grey: float = 0.8) -> None:
    sheet.operators.insert(0, f"q {grey} g {x0} {800 - bottom} {x1 - x0} {bottom - top} re f Q")


def write_rows(sheet: Sheet, rows: Sequence[Sequence[str]], *, bold: int = 0) -> None:
    for number, row in enumerate(rows):
        for column, cell in enumerate(row):
            x, y = LEFT + 4 + WIDTH * column, TOP + 12 + HEIGHT * number
            if cell:
                sheet.write(x, y, cell, bold=number < bold)


def grid(sheet: Sheet, rows: int, columns: int, *, inner_rows: bool = True) -> None:
    right, bottom = LEFT + columns * WIDTH, TOP + rows * HEIGHT
    for row in range(rows + 1):
        if inner_rows or row in (0, 1, rows):
            rule(sheet, LEFT, TOP + row * HEIGHT, right, TOP + row * HEIGHT)
    for column in range(columns + 1):
        rule(sheet, LEFT + column * WIDTH, TOP, LEFT + column * WIDTH, bottom)


def table_of(parsed: ParsedDocument) -> tuple[str, int]:
    (block,) = [block for block in parsed.blocks if block.kind == TABLE]
    return parsed.text[block.start : block.end], block.header_lines


@pytest.mark.parametrize("inner_rows", [True, False])
def test_grid_is_read_row_by_row_with_its_header(*, inner_rows: bool) -> None:
    sheet = Sheet()
    write_rows(sheet, ROWS)
    grid(sheet, 4, 3, inner_rows=inner_rows)
    assert table_of(read(sheet)) == (WRITTEN, 1)


def test_wrapped_cell_of_a_grid_is_one_cell_and_every_word_keeps_its_rectangle() -> None:
    sheet = Sheet()
    for row in range(3):
        rule(sheet, LEFT, TOP + 40 * row, LEFT + 200, TOP + 40 * row)
    for column in range(3):
        rule(sheet, LEFT + 100 * column, TOP, LEFT + 100 * column, TOP + 80)
    sheet.column(LEFT + 4, TOP + 12, ["Dredging of the", "fishery harbour"])
    sheet.write(LEFT + 104, TOP + 12, "open")
    sheet.write(LEFT + 4, TOP + 52, "Lights")
    sheet.column(LEFT + 104, TOP + 52, ["shut for want", "of spare lamps"])
    parsed = read(sheet)
    text, _ = table_of(parsed)
    assert text == "Dredging of the fishery harbour | open\nLights | shut for want of spare lamps"
    assert parsed.words is not None
    (box,) = parsed.words.boxes_of(text.index("spare"), text.index("spare") + 5)
    assert 250 < box.top < box.bottom < 270
    assert box.x0 > LEFT + 104


def test_empty_cells_keep_their_place() -> None:
    sheet = Sheet()
    write_rows(sheet, [ROWS[0], ("Outer", "", "4"), ("", "8.1", "11"), ("Fishery", "3.9", "")])
    grid(sheet, 4, 3)
    assert table_of(read(sheet))[0] == "Basin | Depth m | Berths\nOuter |  | 4\n| 8.1 | 11\nFishery | 3.9 |"


def test_merged_cells_are_written_once_where_they_begin() -> None:
    sheet = Sheet()
    rows = [("Basin", "Survey", ""), ("", "Depth", "Berths"), *ROWS[1:]]
    write_rows(sheet, rows, bold=2)
    bottom = TOP + 5 * HEIGHT
    for row in range(6):
        start = LEFT + WIDTH if row == 1 else LEFT  # "Basin" stands in both header rows
        rule(sheet, start, TOP + row * HEIGHT, LEFT + 300, TOP + row * HEIGHT)
    for column in range(4):
        top = TOP + HEIGHT if column == 2 else TOP  # "Survey" over two columns
        rule(sheet, LEFT + WIDTH * column, top, LEFT + WIDTH * column, bottom)
    text, header = table_of(read(sheet))
    assert text.splitlines()[:3] == ["Basin | Survey |", "| Depth | Berths", "Outer | 12.5 | 4"]
    assert header == 2


def test_row_across_all_columns_is_one_cell() -> None:
    sheet = Sheet()
    write_rows(sheet, [("Measured by lead in the spring",), *ROWS])
    grid(sheet, 5, 3)
    sheet.operators = [line for line in sheet.operators if " m 160" not in line and " m 260" not in line]
    for x in (LEFT + WIDTH, LEFT + 2 * WIDTH):
        rule(sheet, x, TOP + HEIGHT, x, TOP + 5 * HEIGHT)
    assert table_of(read(sheet)) == ("Measured by lead in the spring\n" + WRITTEN, 2)


@pytest.mark.parametrize("rules", [(0, 1, 4), (1, 2, 3, 4), (0, 1, 2, 3, 4)])
def test_rules_between_rows_alone_are_enough(rules: Sequence[int]) -> None:
    sheet = Sheet()
    write_rows(sheet, ROWS)
    for row in rules:
        rule(sheet, LEFT, TOP + row * HEIGHT, LEFT + 300, TOP + row * HEIGHT)
    assert table_of(read(sheet)) == (WRITTEN, 1)


def test_filled_rows_part_a_table_as_rules_do() -> None:
    sheet = Sheet()
    write_rows(sheet, ROWS, bold=1)
    for row in (0, 2):
        fill(sheet, LEFT, TOP + row * HEIGHT, LEFT + 300, TOP + (row + 1) * HEIGHT)
    assert table_of(read(sheet)) == (WRITTEN, 1)


def test_filled_cells_draw_a_grid_and_name_the_columns() -> None:
    sheet = Sheet()
    write_rows(sheet, [("Basin", "Keeper"), ("Outer", "Aldvik"), ("Inner", "Berg"), ("Fishery", "Holm")])
    grid(sheet, 4, 2)
    for column in range(2):
        fill(sheet, LEFT + column * WIDTH, TOP, LEFT + (column + 1) * WIDTH, TOP + HEIGHT)
    assert table_of(read(sheet))[1] == 1


@pytest.mark.parametrize("extra", ["/Rotate 90", "/Rotate 270"])
def test_table_on_a_page_that_is_turned_is_read_in_its_own_direction(extra: str) -> None:
    sheet = Sheet(extra=extra)
    write_rows(sheet, ROWS)
    grid(sheet, 4, 3)
    assert table_of(read(sheet)) == (WRITTEN, 1)


def test_frame_around_text_is_no_table() -> None:
    sheet = Sheet()
    sheet.column(LEFT + 4, TOP + 12, prose(6))
    for y in (TOP, TOP + 80):
        rule(sheet, LEFT, y, 560, y)
    for x in (LEFT, 560):
        rule(sheet, x, TOP, x, TOP + 80)
    assert TABLE not in [kind for kind, _ in kinds(read(sheet))]


def test_text_between_two_rules_is_no_table() -> None:
    sheet = Sheet()
    sheet.column(LEFT, TOP + 12, prose(6, words=14))
    for y in (TOP, TOP + 80, TOP + 160):
        rule(sheet, LEFT, y, 560, y)
    sheet.column(LEFT, TOP + 92, prose(5, words=14))
    assert TABLE not in [kind for kind, _ in kinds(read(sheet))]
