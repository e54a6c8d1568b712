"""Are tables without rules told by their alignment, and is no other text taken for one?"""

from collections.abc import Sequence

import pytest

from services.ingest.core.document import TABLE, ParsedDocument
from tests.unit.ingest.drawing import Sheet, kinds, prose, read

XS = (60.0, 240.0, 340.0)
ROWS = [
    ("Basin", "Depth m", "Berths"),
    ("Outer", "12.5", "4"),
    ("Inner", "8.1", "11"),
    ("Fishery", "3.9", "27"),
]


def write_lines(sheet: Sheet, lines: Sequence[Sequence[str]], *, top: float = 200, step: float = 12) -> None:
    for number, line in enumerate(lines):
        for x, cell in zip(XS, line, strict=False):
            if cell:
                sheet.write(x, top + step * number, cell)


def tables(parsed: ParsedDocument) -> list[tuple[str, int]]:
    return [
        (parsed.text[block.start : block.end], block.header_lines)
        for block in parsed.blocks
        if block.kind == TABLE
    ]


def test_aligned_columns_are_a_table_between_paragraphs() -> None:
    sheet = Sheet()
    sheet.column(60, 100, prose(4, words=14))
    write_lines(sheet, ROWS)
    sheet.column(60, 280, prose(4, words=14))
    assert tables(read(sheet)) == [("\n".join(map(" | ".join, ROWS)), 1)]
    assert [kind for kind, _ in kinds(read(sheet))] == ["paragraph", "table", "paragraph"]


def test_empty_cells_keep_their_place() -> None:
    sheet = Sheet()
    write_lines(sheet, [*ROWS, ("Timber", "", "3"), ("Naval", "14.0", "")])
    ((text, _),) = tables(read(sheet))
    assert text.splitlines()[-2:] == ["Timber |  | 3", "Naval | 14.0 |"]


def test_wrapped_cell_goes_on_the_row_above() -> None:
    sheet = Sheet()
    lines = [
        *ROWS[:2],
        ("Basin of the old customs house", "8.1", "11"),
        ("behind the long northern mole", "", ""),
        ("Fishery", "3.9", "27"),
        ("Timber", "5.5", "3"),
    ]
    write_lines(sheet, lines)
    ((text, _),) = tables(read(sheet))
    assert text.splitlines()[2:4] == [
        "Basin of the old customs house behind the long northern mole | 8.1 | 11",
        "Fishery | 3.9 | 27",
    ]


def test_short_label_under_a_row_is_a_row_of_its_own() -> None:
    sheet = Sheet()
    write_lines(sheet, [*ROWS, ("Closed", "", ""), ("Basin of the old customs house", "2.2", "1")])
    ((text, _),) = tables(read(sheet))
    assert text.splitlines()[-2:] == ["Closed |  |", "Basin of the old customs house | 2.2 | 1"]


def test_years_name_columns_of_numbers() -> None:
    sheet = Sheet()
    write_lines(sheet, [("Basin", "2023", "2024"), ("Outer", "1250", "411"), ("Inner", "830", "97")])
    ((text, header),) = tables(read(sheet))
    assert (text.splitlines()[0], header) == ("Basin | 2023 | 2024", 1)


@pytest.mark.parametrize(
    "lines",
    [
        [("Locks ........................", "", "3"), ("Moles ........................", "", "7")] * 3,
        [("Locks", "", "3"), ("Moles", "", "7"), ("Lights", "", "12"), ("Tides", "", "31")],
        [("1", "Locks", "3"), ("2", "Moles", "7"), ("2.1", "Lights", "12"), ("3", "Tides", "31")],
    ],
    ids=["leaders", "page numbers", "numbered sections"],
)
def test_contents_are_no_table(lines: Sequence[Sequence[str]]) -> None:
    sheet = Sheet()
    write_lines(sheet, lines)
    assert not tables(read(sheet))


def test_numbered_references_are_no_table() -> None:
    sheet = Sheet()
    for number, line in enumerate(prose(6, words=9)):
        sheet.write(60, 100 + 12 * number, f"[{number + 1}]")
        sheet.write(90, 100 + 12 * number, line)
    assert not tables(read(sheet))


def test_names_set_in_the_middle_are_no_table() -> None:
    sheet = Sheet()
    blocks = [
        ("Sunniva Aldvik", "Harbour Office", "aldvik@harbour.example"),
        ("Per Holm", "Water Laboratory", "holm@water.example"),
        ("Ingrid Bergstrand", "Archive", "ib@archive.example"),
    ]
    for column, lines in enumerate(blocks):
        for number, line in enumerate(lines):
            sheet.write(120 + 180 * column - 2.6 * len(line), 100 + 12 * number, line)
    assert not tables(read(sheet))


def test_two_columns_of_text_are_no_table() -> None:
    sheet = Sheet()
    sheet.column(30, 100, prose(20, mark="ql"))
    sheet.column(310, 100, prose(20, mark="qr"))
    assert not tables(read(sheet))
