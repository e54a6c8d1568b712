"""Are the rows told apart that stand together between two rules, and what stands above a table?"""

from collections.abc import Sequence

import pytest

from services.ingest.core.document import TABLE, ParsedDocument
from tests.unit.ingest.drawing import Sheet, kinds, read

NAMES = [f"Quay {mark}" for mark in "abcdefghijklmnopqrstu"]
LEFT, TOP, WIDTH, STEP = 60.0, 100.0, 90.0, 11.0


def rule(sheet: Sheet, x0: float, y0: float, x1: float, y1: float) -> None:
    sheet.operators.append(f"0.5 w {x0} {800 - y0} m {x1} {800 - y1} l S")


def banded(sheet: Sheet, bands: Sequence[Sequence[Sequence[str]]]) -> None:
    """Bands of lines between rules, the columns parted by rules as well; an empty cell is not written."""
    y = TOP
    for band in bands:
        rule(sheet, LEFT, y, LEFT + 4 * WIDTH, y)
        for line in band:
            y += STEP
            for column, cell in enumerate(line):
                if cell:
                    sheet.write(LEFT + 4 + WIDTH * column, y, cell)
        y += 4
    rule(sheet, LEFT, y, LEFT + 4 * WIDTH, y)
    for column in range(5):
        rule(sheet, LEFT + WIDTH * column, TOP, LEFT + WIDTH * column, y)


def states(first: int, count: int) -> list[tuple[str, ...]]:
    return [(NAMES[at], f"{at * 37 + 5}", f"{at * 1.5:.1f}", f"{at}%") for at in range(first, first + count)]


def table_of(parsed: ParsedDocument) -> list[str]:
    (block,) = [block for block in parsed.blocks if block.kind == TABLE]
    return parsed.text[block.start : block.end].splitlines()


HEADER = ("Basin", "Ships", "Depth", "Share")


@pytest.mark.parametrize("sizes", [(5, 5, 5), (3, 3, 3, 3, 3, 3), (3, 3, 3, 3, 3, 2)])
def test_band_of_several_rows_is_parted_into_them(sizes: Sequence[int]) -> None:
    sheet = Sheet()
    bands = [states(sum(sizes[:at]), size) for at, size in enumerate(sizes)]
    banded(sheet, [[HEADER], *bands])
    assert table_of(read(sheet)) == [" | ".join(row) for row in [HEADER, *(row for b in bands for row in b)]]


def test_wrapped_name_in_a_band_stays_in_its_row() -> None:
    sheet = Sheet()
    bands = [states(3 * at, 3) for at in range(6)]
    long = ("Basin of the old", *bands[2][1][1:]), ("customs house", "", "", "")
    bands[2][1:2] = long
    banded(sheet, [[HEADER], *bands])
    rows = table_of(read(sheet))
    assert len(rows) == 19
    assert rows[8] == " | ".join(("Basin of the old customs house", *long[0][1:]))


def test_values_in_words_are_parted_where_they_are_not_wrapped() -> None:
    sheet = Sheet()
    lines = [(NAMES[at], "open" if at % 2 else "shut", "Holm", "by day") for at in range(18)]
    banded(sheet, [[HEADER], *(lines[at : at + 3] for at in range(0, 18, 3))])
    assert table_of(read(sheet)) == [" | ".join(row) for row in [HEADER, *lines]]


def test_wrapped_text_in_all_cells_of_a_row_stays_in_it() -> None:
    sheet = Sheet()
    lines = [
        ("The master of", "is allowed to", "Ships between", "whenever lamps"),
        ("the harbour is", "pass whenever", "outer mole and", "burn upon each"),
        ("called at once", "the tide turns", "customs house", "mole and lock"),
    ]
    banded(sheet, [[HEADER], *([*lines] for _ in range(6))])
    assert table_of(read(sheet))[1:] == [" | ".join(" ".join(cell) for cell in zip(*lines, strict=True))] * 6


@pytest.mark.parametrize(("title", "size"), [("Ships in the harbour", 15), ("Table 3: Ships counted", 10)])
def test_title_in_the_frame_of_a_table_is_not_its_first_row(title: str, size: float) -> None:
    sheet = Sheet()
    banded(sheet, [[HEADER], *([row] for row in states(0, 4))])
    rule(sheet, LEFT, TOP - 30, LEFT + 4 * WIDTH, TOP - 30)
    for x in (LEFT, LEFT + 4 * WIDTH):
        rule(sheet, x, TOP - 30, x, TOP)
    sheet.write(LEFT + 100, TOP - 8, title, size=size)
    parsed = read(sheet)
    assert table_of(parsed)[0] == " | ".join(HEADER)
    assert [text for kind, text in kinds(parsed) if kind != TABLE] == [title]


def test_groups_of_columns_stand_above_the_names_under_them() -> None:
    sheet = Sheet()
    rows = [("Basin", "Ships", "", "Share"), ("", "in", "out", ""), *states(0, 5)]
    for number, row in enumerate(rows):
        for column, cell in enumerate(row):
            if cell:
                shift = 40 if cell == "Ships" else 4
                sheet.write(LEFT + shift + WIDTH * column, TOP + 10 + 12 * number, cell)
    bottom = TOP + 12 * len(rows) + 2
    for number in (0, 2, 3, 4, 5, 6):
        rule(sheet, LEFT, TOP + 12 * number + 1, LEFT + 4 * WIDTH, TOP + 12 * number + 1)
    rule(sheet, LEFT, bottom, LEFT + 4 * WIDTH, bottom)
    for column in range(5):
        top = TOP + 13 if column in (2, 4) else TOP
        rule(sheet, LEFT + WIDTH * column, top, LEFT + WIDTH * column, bottom)
    parsed = read(sheet)
    assert table_of(parsed)[:2] == ["Basin | Ships |  | Share", "| in | out |"]
    assert [block.header_lines for block in parsed.blocks if block.kind == TABLE] == [2]
