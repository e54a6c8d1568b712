"""Is a header told from the title that it repeats, and a page's number from a heading's?"""

from services.ingest.core.document import FURNITURE, HEADING
from tests.unit.ingest.drawing import Sheet, kinds, prose, read


def headed(header: str, *, footer: str = "", mark: str = "") -> Sheet:
    sheet = Sheet()
    sheet.write(50, 30, header, size=8)
    if footer:
        sheet.write(300, 770, footer, size=8)
    sheet.column(50, 300, prose(12, mark=mark, words=4 + len(mark)))
    return sheet


def furniture(*sheets: Sheet) -> list[str]:
    return [words for kind, words in kinds(read(*sheets)) if kind == FURNITURE]


def test_title_that_the_header_of_every_page_repeats_stays() -> None:
    sheets = [headed("Report on the locks", mark=mark) for mark in "abcd"]
    sheets[0].write(50, 70, "Report on the locks", size=16, bold=True)
    parsed = read(*sheets)
    assert kinds(parsed)[:2] == [(FURNITURE, "Report on the locks"), (HEADING, "Report on the locks")]
    assert parsed.title == "Report on the locks"
    assert furniture(*sheets) == ["Report on the locks"] * 4


def test_header_over_the_title_of_a_single_page_is_furniture() -> None:
    sheet = headed("Register of tides")
    sheet.write(50, 70, "Register of tides", size=16, bold=True)
    assert kinds(read(sheet))[:2] == [(FURNITURE, "Register of tides"), (HEADING, "Register of tides")]


def test_heading_that_begins_with_the_pages_number_stays() -> None:
    sheets = [headed("Proceedings", footer=str(number), mark=number * "x") for number in range(1, 3)]
    sheets[0].write(50, 66, "1 Silverfish at the mole", size=11, bold=True)
    assert (HEADING, "1 Silverfish at the mole") in kinds(read(*sheets))
    assert furniture(*sheets) == ["Proceedings", "1", "Proceedings", "2"]


def test_line_over_both_of_two_pages_is_furniture_if_it_stands_apart() -> None:
    assert (
        furniture(headed("Harbour board, part 3", mark="a"), headed("Harbour board, part 3", mark="qqqq"))
        == ["Harbour board, part 3"] * 2
    )
    close = [Sheet(), Sheet()]
    for mark, sheet in zip(("a", "qqqq"), close, strict=True):
        sheet.column(50, 60, ["Harbour board, part 3", *prose(12, mark=mark)])
    assert furniture(*close) == []


def test_page_that_comes_twice_loses_no_line() -> None:
    sheet = headed("To whom it may concern", mark="a")
    assert furniture(sheet, sheet) == []
