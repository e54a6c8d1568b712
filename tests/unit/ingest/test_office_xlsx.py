"""What does a workbook become: sheets, tables, names, values as shown?"""

import io
import zipfile
from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

import openpyxl
import pytest
from openpyxl.styles import Font

from services.ingest.core.document import HEADING, PARAGRAPH, TABLE, ParsedDocument
from services.ingest.core.formats.limits import Limits
from services.ingest.core.formats.xlsx.parser import parse
from shared.errors import InvalidDocument, TooLarge


def saved(workbook: Any) -> bytes:
    stream = io.BytesIO()
    workbook.save(stream)
    return stream.getvalue()


def sheet_of(*rows: Sequence[object]) -> Any:
    workbook = openpyxl.Workbook()
    for row in rows:
        workbook["Sheet"].append(list(row))
    return workbook["Sheet"]


def read(sheet: Any, **given: Any) -> ParsedDocument:
    return parse("my_book.xlsx", saved(sheet.parent), **given)


def body(sheet: Any) -> list[tuple[str, str]]:
    """The blocks below the sheet's name."""
    parsed = read(sheet)
    return [(block.kind, parsed.text[block.start : block.end]) for block in parsed.blocks][1:]


def test_sheet_is_a_page_and_a_row_reads_alone() -> None:
    sheet = sheet_of(["name", "role"], ["Ada", "pilot"], ["Grace", None])
    sheet.title = "People"
    sheet.parent.create_sheet("Void")
    parsed = read(sheet)
    assert parsed.text == "People\n\nname: Ada; role: pilot\nname: Grace\n\nVoid"
    assert [(page.number, page.label, page.width) for page in parsed.pages] == [
        (1, "People", 0.0),
        (2, "Void", 0.0),
    ]
    assert [(block.kind, block.page_number, block.section) for block in parsed.blocks] == [
        (HEADING, 1, ("People",)),
        (TABLE, 1, ("People",)),
        (HEADING, 2, ("Void",)),
    ]
    assert parsed.title == "My book"


def test_values_are_written_as_they_are_shown() -> None:
    sheet = sheet_of(
        ["what", "day", "time", "share", "pay", "open"],
        ["x", date(2023, 1, 5), datetime(2023, 1, 5, 14, 30), 0.25, 1234.5, True],
    )
    sheet["D2"].number_format, sheet["E2"].number_format = "0.0%", "[$€-407] #,##0.00"
    sheet["C2"].number_format = "d mmm yy h:mm"
    assert body(sheet) == [
        (
            TABLE,
            "what: x; day: 2023-01-05; time: 5 Jan 23 14:30; share: 25.0%; pay: € 1,234.50; open: TRUE",
        )
    ]


def test_merged_header_names_every_column_below_it() -> None:
    sheet = sheet_of(
        ["Region", 2022, None, 2023, None],
        [None, "Q1", "Q2", "Q1", "Q2"],
        ["North", 1, 2, 3, 4],
        ["South", 5, 6, 7, 8],
    )
    for merged in ("A1:A2", "B1:C1", "D1:E1"):
        sheet.merge_cells(merged)
    assert body(sheet)[0][1].splitlines() == [
        "Region: North; 2022 – Q1: 1; 2022 – Q2: 2; 2023 – Q1: 3; 2023 – Q2: 4",
        "Region: South; 2022 – Q1: 5; 2022 – Q2: 6; 2023 – Q1: 7; 2023 – Q2: 8",
    ]


def test_groups_at_the_right_end_of_their_columns_name_those_to_their_left() -> None:
    sheet = sheet_of(
        ["In millions", None, "2022", None, None, "2023"],
        [None, "Sales", "Costs", None, "Sales", "Costs"],
        [],
        ["North", 1, 2, None, 3, 4],
        ["South", 5, 6, None, 7, 8],
    )
    assert body(sheet)[0][1].splitlines()[0] == (
        "In millions: North; 2022 – Sales: 1; 2022 – Costs: 2; 2023 – Sales: 3; 2023 – Costs: 4"
    )


def test_cell_merged_downwards_is_said_in_each_of_its_rows() -> None:
    sheet = sheet_of(["area", "quarter", "units"], ["North", "Q1", 1], [None, "Q2", 2])
    sheet.merge_cells("A2:A3")
    assert body(sheet)[0][1] == "area: North; quarter: Q1; units: 1\narea: North; quarter: Q2; units: 2"


def test_titles_and_notes_around_a_table_are_paragraphs() -> None:
    sheet = sheet_of(["Dues of the harbour"], ["item", "paid"], ["boat", 3], ["raft", 4], ["(a) No tax."])
    assert body(sheet) == [
        (PARAGRAPH, "Dues of the harbour"),
        (TABLE, "item: boat; paid: 3\nitem: raft; paid: 4"),
        (PARAGRAPH, "(a) No tax."),
    ]
    assert read(sheet).title == "Dues of the harbour"


def test_tables_side_by_side_and_one_below_are_told_apart() -> None:
    sheet = sheet_of(
        ["name", "age", None, "city", "people"],
        ["Ada", 36, None, "Rome", 3],
        ["Bob", 40, None, "Oslo", 1],
        [],
        [],
        ["month", "sales", "costs"],
        ["May", 4, 5],
    )
    assert [text for _, text in body(sheet)] == [
        "name: Ada; age: 36\nname: Bob; age: 40",
        "city: Rome; people: 3\ncity: Oslo; people: 1",
        "month: May; sales: 4; costs: 5",
    ]


def test_rows_after_a_gap_keep_the_names_of_their_columns() -> None:
    sheet = sheet_of(["item", 2021, 2022], ["Sales", 1, 2], ["Costs", 3, 4], [], ["Profit", 5, 6])
    assert body(sheet)[1] == (TABLE, "item: Profit; 2021: 5; 2022: 6")


@pytest.mark.parametrize(
    "rows",
    [
        [[1, 2.5, "x1"], [2, 3.5, "x2"], [3, 4.5, "x3"]],
        [["Author", "Ada"], ["Version", 3], ["Status", "final"]],
        [["Author:", "Ada"], ["Status:", "final"], ["Place:", "Oslo"]],
    ],
)
def test_table_without_a_header_has_its_cells_side_by_side(rows: list[list[object]]) -> None:
    shown = "\n".join(" | ".join(map(str, row)) for row in rows)
    assert body(sheet_of(*rows)) == [(TABLE, shown)]


def test_bold_first_row_names_two_columns_whatever_they_hold() -> None:
    sheet = sheet_of(["key", "value"], ["Version", 3], ["Status", "final"], ["Day", "Friday"])
    for cell in sheet[1]:
        cell.font = Font(bold=True)
    assert body(sheet)[0][1].splitlines()[0] == "key: Version; value: 3"


def test_lines_of_prose_stay_prose() -> None:
    sheet = sheet_of(["This sheet says what the harbour costs."], ["It is kept each month."], [], ["Ask us."])
    assert body(sheet) == [
        (PARAGRAPH, "This sheet says what the harbour costs.\nIt is kept each month."),
        (PARAGRAPH, "Ask us."),
    ]


def test_what_is_hidden_is_read_and_what_is_not_stored_is_said() -> None:
    sheet = sheet_of(["name", "sum"], ["Ada", "=1+1"], ["Bob", 5])
    sheet.row_dimensions[3].hidden = True
    sheet.column_dimensions["B"].hidden = True
    hidden = sheet.parent.create_sheet("Back room")
    hidden["A1"], hidden.sheet_state = "Secret words", "hidden"
    parsed = read(sheet)
    assert "name: Bob; sum: 5" in parsed.text
    assert "Secret words" in parsed.text
    assert parsed.warnings == (
        "1 hidden sheet is read all the same: “Back room”.",
        "1 hidden row is read all the same.",
        "1 hidden column is read all the same.",
        "1 formula is without a stored result left out: open the workbook in a spreadsheet program, "
        "save it and upload it again.",
    )


def test_workbook_with_nothing_in_it_has_pages_and_no_text() -> None:
    parsed = read(sheet_of())
    assert (parsed.text, parsed.blocks, len(parsed.pages)) == ("", (), 1)


def test_cells_without_addresses_follow_one_another() -> None:
    data = saved(sheet_of(["name", "age"], ["Ada", 36]).parent)
    part = "xl/worksheets/sheet1.xml"
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as whole, zipfile.ZipFile(stream, "w") as edited:
        for name in whole.namelist():
            content = whole.read(name)
            if name == part:
                for address in (b' r="A1"', b' r="B1"', b' r="A2"', b' r="B2"', b' r="1"', b' r="2"'):
                    content = content.replace(address, b"")
            edited.writestr(name, content)
    assert parse("a.xlsx", stream.getvalue()).text == "Sheet\n\nname: Ada; age: 36"


def test_workbook_beyond_a_limit_is_refused_while_it_is_read() -> None:
    sheet = sheet_of(*[["word"] * 10] * 10)
    with pytest.raises(TooLarge, match="too many filled cells"):
        read(sheet, limits=Limits(max_cells=50))
    with pytest.raises(TooLarge, match="more than 20 characters"):
        read(sheet, limits=Limits(max_characters=20))


def test_cells_strewn_over_a_vast_sheet_take_no_room() -> None:
    sheet = sheet_of()
    for step in range(1, 400):
        sheet.cell(step, step * 40, f"w{step}")
    sheet.cell(1_048_576, 16_384, "last")
    sheet.merged_cells.add("A2:XFD1048570")
    assert read(sheet).text.endswith("last")


def test_damaged_workbook_is_refused() -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as package:
        package.writestr("xl/workbook.xml", "<workbook><sheets>")
    with pytest.raises(InvalidDocument, match="damaged"):
        parse("a.xlsx", stream.getvalue())
