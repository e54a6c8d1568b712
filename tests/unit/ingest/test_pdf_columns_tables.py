"""Are pages in columns read in order when tables stand in one of them or across?"""

import pytest

from tests.unit.ingest.drawing import Sheet, assert_order, prose, read


def ruled(sheet: Sheet, x: float, top: float, width: float, mark: str) -> None:
    """A grid of four rows and two columns, its rows marked so that their order can be asserted."""
    for row in range(5):
        y = 800 - top - 16 * row
        sheet.operators.append(f"{x} {y} m {x + width} {y} l S")
    for column in range(3):
        edge = x + column * width / 2
        sheet.operators.append(f"{edge} {800 - top} m {edge} {800 - top - 64} l S")
    for row in range(4):
        sheet.write(x + 4, top + 12 + 16 * row, f"{mark}{row}")
        sheet.write(x + 4 + width / 2, top + 12 + 16 * row, f"{row * 7 + 3}")


@pytest.mark.parametrize("right", [True, False])
def test_table_in_one_column_is_read_in_its_place(*, right: bool) -> None:
    sheet = Sheet()
    own, other = (310, 30) if right else (30, 310)
    sheet.column(own, 100, prose(8, mark="qa"))
    ruled(sheet, own, 200, 250, "row")
    sheet.column(own, 290, prose(8, mark="qb"))
    sheet.column(other, 100, prose(24, mark="qc"))
    mine, theirs = ["qaaa", "qaah", "row0", "row3", "qbaa", "qbah"], ["qcaa", "qcax"]
    assert_order(read(sheet).text, [*theirs, *mine] if right else [*mine, *theirs])


def test_tables_beside_each_other_belong_to_their_columns() -> None:
    sheet = Sheet()
    for x, mark in ((30, "l"), (310, "r")):
        sheet.column(x, 100, prose(8, mark=f"q{mark}"))
        ruled(sheet, x, 205 if mark == "l" else 215, 250, f"row{mark}")
        sheet.column(x, 300, prose(8, mark=f"z{mark}"))
    marks = [["qlaa", "rowl0", "rowl3", "zlaa", "zlah"], ["qraa", "rowr0", "rowr3", "zraa", "zrah"]]
    assert_order(read(sheet).text, [*marks[0], *marks[1]])


def test_table_across_both_columns_parts_them() -> None:
    sheet = Sheet()
    for x, mark in ((30, "l"), (310, "r")):
        sheet.column(x, 100, prose(8, mark=f"q{mark}"))
        sheet.column(x, 300, prose(8, mark=f"z{mark}"))
    ruled(sheet, 30, 210, 530, "row")
    assert_order(
        read(sheet).text, ["qlaa", "qlah", "qraa", "qrah", "row0", "row3", "zlaa", "zlah", "zraa", "zrah"]
    )
