"""Are rows read whole whose cells are set in the middle of them, with lines beside lines?"""

from collections.abc import Sequence

import pytest

from services.ingest.core.document import TABLE, ParsedDocument
from tests.unit.ingest.drawing import Sheet, prose, read

XS = (60.0, 240.0, 340.0)
LEADING, PADDING = 12.0, 6.0
ROWS = [
    (["Basin"], ["Depth m"], ["Berths", "in use"]),
    (["Outer"], ["12.5"], ["4"]),
    (["Basin of the old customs", "house behind the mole"], ["8.1"], ["11"]),
    (["Fishery"], ["3.9"], ["27"]),
    (["Timber basin and the quay", "along the northern river", "where rafts are moored"], ["5.5"], ["3"]),
    (["Naval"], ["14.0"], ["9"]),
    (["Quay of the great cranes", "north of the naval basin"], ["9.5"], ["2"]),
]
WRITTEN = [" | ".join(" ".join(cell) for cell in row) for row in ROWS]


def write_rows(sheet: Sheet, rows: Sequence[Sequence[Sequence[str]]], *, rules: bool = False) -> None:
    """Each cell in the middle of its row, from the top of the row that is the highest."""
    top = 200.0
    for row in rows:
        height = LEADING * max(map(len, row))
        for x, cell in zip(XS, row, strict=True):
            first = top + (height - LEADING * len(cell)) / 2 + 10
            for number, line in enumerate(cell):
                sheet.write(x, first + LEADING * number, line)
        top += height + PADDING
        if rules:
            sheet.operators.append(f"56 {800 - top + 2} m 420 {800 - top + 2} l S")


def rows_of(parsed: ParsedDocument) -> list[str]:
    (block,) = [block for block in parsed.blocks if block.kind == TABLE]
    return parsed.text[block.start : block.end].splitlines()


@pytest.mark.parametrize("rules", [True, False])
def test_cells_in_the_middle_of_their_rows_are_read_with_them(*, rules: bool) -> None:
    sheet = Sheet()
    sheet.column(60, 60, prose(4, words=14))
    write_rows(sheet, ROWS, rules=rules)
    sheet.column(60, 440, prose(4, words=14))
    assert rows_of(read(sheet)) == WRITTEN


def test_last_row_keeps_the_line_below_its_middle() -> None:
    sheet = Sheet()
    write_rows(sheet, [*ROWS[1:], ROWS[2]])
    assert rows_of(read(sheet)) == [*WRITTEN[1:], WRITTEN[2]]


def test_end_of_a_paragraph_is_no_row_above_the_first_rule() -> None:
    sheet = Sheet()
    sheet.column(60, 140, [*prose(3, words=14), "water pressure south of the mole crane and south."])
    rows = [(["Basin"], ["Depth m"], ["Berths"]), *ROWS[1:4], *ROWS[5:6]]
    write_rows(sheet, rows, rules=True)
    assert rows_of(read(sheet))[0] == "Basin | Depth m | Berths"
