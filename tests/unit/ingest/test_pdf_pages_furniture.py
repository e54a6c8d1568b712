"""Is a header told from the title that it repeats, and a page's number from a heading's?"""

from collections.abc import Callable

import pytest

from services.ingest.core.document import FURNITURE, HEADING
from services.ingest.core.formats.pdf import parse
from tests.unit.ingest.drawing import Sheet, kinds, pdf, prose, read


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


def paged(top: Callable[[int], str], *, size: float = 10) -> list[Sheet]:
    """Five pages, each with a line of its own at the top and a running footer."""
    sheets = []
    for number in range(1, 6):
        sheet = Sheet()
        sheet.write(60, 60, top(number), size=size)
        sheet.column(60, 100, prose(12, mark=chr(96 + number)))
        sheet.write(60, 760, f"Port Authority Ltd. Page {number} of 5")
        sheets.append(sheet)
    return sheets


@pytest.mark.parametrize(
    ("top", "size"),
    [
        (lambda number: f"Invoice 2026-0{100 + 7 * number}", 10),
        (lambda number: f"Line 00 of page {number}: berth {40 * number} is free", 10),
        (lambda number: f"Chapter {number}", 16),
        (lambda number: f"Results {2019 + number}", 16),
    ],
)
def test_line_whose_number_is_the_pages_own_news_stays(top: Callable[[int], str], size: float) -> None:
    sheets = paged(top, size=size)
    assert furniture(*sheets) == [f"Port Authority Ltd. Page {number} of 5" for number in range(1, 6)]


def test_line_that_counts_along_with_the_pages_is_furniture() -> None:
    sheets = paged(lambda number: f"Annual review 2026, {number + 20}")
    assert [line for line in furniture(*sheets) if "Annual" in line] == [
        f"Annual review 2026, {number + 20}" for number in range(1, 6)
    ]


def test_page_whose_box_is_the_wrong_way_round_is_read() -> None:
    sheet = Sheet()
    sheet.write(60, 100, "The sluice is open.")
    turned = pdf(sheet).replace(b"[0 0 600 800]", b"[600 800 0 0]")
    assert parse("a.pdf", turned).text == "The sluice is open."
