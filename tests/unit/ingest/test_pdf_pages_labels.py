"""Are the label of the file and the one that is printed both kept, and told apart from other numbers?"""

from collections.abc import Sequence

import pytest

from services.ingest.core.document import FURNITURE, ParsedDocument
from tests.unit.ingest.drawing import Sheet, kinds, prose, read


def book(
    printed: Sequence[str], *, catalog: str = "", at_top: bool = False, sides: bool = False
) -> ParsedDocument:
    sheets = []
    for number, label in enumerate(printed):
        sheet = Sheet()
        sheet.column(50, 200, prose(10, words=12, mark=f"q{number}"))
        x = 60 if sides and number % 2 else 480 if sides else 300
        sheet.write(x, 40 if at_top else 770, label)
        sheets.append(sheet)
    return read(*sheets, catalog=catalog)


@pytest.mark.parametrize(
    ("printed", "wanted"),
    [
        (["K-83", "K-84", "K-85"], ["K-83", "K-84", "K-85"]),
        (["A.4", "A.5", "A.6"], ["A.4", "A.5", "A.6"]),
        (["2-16", "2-17", "2-18"], ["2-16", "2-17", "2-18"]),
        (["Page 3 of 12", "Page 4 of 12", "Page 5 of 12"], ["3", "4", "5"]),
        (["Seite 7", "Seite 8", "Seite 9"], ["7", "8", "9"]),
        (["47 Federal Register", "48 Federal Register", "49 Federal Register"], ["47", "48", "49"]),
        (["i", "ii", "iii", "1", "2", "3", "4"], ["i", "ii", "iii", "1", "2", "3", "4"]),
        (["3-1", "3-2", "3-3", "4-1", "4-2", "4-3"], ["3-1", "3-2", "3-3", "4-1", "4-2", "4-3"]),
        (["Price 12", "Price 90", "Price 31"], ["", "", ""]),
        (["in 1999", "in 2000", "in 2001"], ["", "", ""]),
        (["$5", "$6", "$7"], ["", "", ""]),
    ],
)  # fmt: skip
@pytest.mark.parametrize("at_top", [True, False])
def test_printed_label_is_read_off_the_page(printed: list[str], wanted: list[str], at_top: bool) -> None:
    parsed = book(printed, at_top=at_top)
    assert [page.printed_label for page in parsed.pages] == wanted
    numbers = map(str, range(1, len(printed) + 1))
    assert [page.label for page in parsed.pages] == [
        label or number for label, number in zip(wanted, numbers, strict=True)
    ]


def test_label_on_alternating_sides_is_found() -> None:
    parsed = book(["17", "18", "19", "20"], sides=True)
    assert [page.printed_label for page in parsed.pages] == ["17", "18", "19", "20"]


def test_both_labels_are_kept_and_their_disagreement_is_reported() -> None:
    catalog = "/PageLabels << /Nums [0 << /S /r >>] >>"
    parsed = book([str(number) for number in range(1, 6)], catalog=catalog)
    assert [(page.label, page.printed_label) for page in parsed.pages[:2]] == [("i", "1"), ("ii", "2")]
    assert parsed.warnings == (
        "The file calls page 1 “i”, the page itself says “1”; page 2 “ii”, the page itself says “2”; "
        "page 3 “iii”, the page itself says “3”; 2 more differ. The file's own labels are shown.",
    )


def test_labels_that_agree_are_not_reported() -> None:
    parsed = book(["II", "III", "IV"], catalog="/PageLabels << /Nums [0 << /S /r /St 2 >>] >>")
    assert [(page.label, page.printed_label) for page in parsed.pages] == [
        ("ii", "II"),
        ("iii", "III"),
        ("iv", "IV"),
    ]
    assert parsed.warnings == ()


@pytest.mark.parametrize(
    ("printed", "wanted"), [("Page 4 of 9", "4"), ("- 12 -", "12"), ("2019", ""), ("in all 12", "")]
)
def test_only_page_has_a_label_if_it_says_so_or_the_number_stands_alone(printed: str, wanted: str) -> None:
    assert book([printed]).pages[0].printed_label == wanted


def test_substance_of_a_single_page_is_no_furniture() -> None:
    sheet = Sheet()
    sheet.write(50, 40, "1 The harbour master must be told of every ship")
    sheet.column(50, 300, prose(3))
    sheet.write(50, 770, "Signed by the harbour master on page 4 of 9 in the presence of two witnesses")
    assert FURNITURE not in {kind for kind, _ in kinds(read(sheet))}


@pytest.mark.parametrize(
    "tree",
    ["[0 << /S /r /St -3 >>]", "[0 << /S /R /St 99999 >>]", "[0 << /S /r /St (a) >>]", "[0 (x)]", "(a)"],
)
def test_broken_label_tree_leaves_the_pages_their_numbers(tree: str) -> None:
    sheets = [Sheet() for _ in range(3)]
    for mark, sheet in zip("abc", sheets, strict=True):
        sheet.column(50, 300, prose(6, mark=mark))
    parsed = read(*sheets, catalog=f"/PageLabels << /Nums {tree} >>")
    assert [page.label for page in parsed.pages] == ["1", "2", "3"]


def test_prefix_of_a_label_tree_is_kept() -> None:
    sheet = Sheet()
    sheet.column(50, 300, prose(6))
    parsed = read(sheet, catalog="/PageLabels << /Nums [0 << /P <FEFF0058> /St 3 /S /D >>] >>")
    assert [page.label for page in parsed.pages] == ["X3"]
