"""Are headings, captions, footnotes, lists and furniture of PDF pages told apart?"""

import pytest

from services.ingest.core.document import CAPTION, FOOTNOTE, FURNITURE, HEADING, LIST_ITEM, PARAGRAPH
from tests.unit.ingest.drawing import Sheet, kinds, prose, read


def test_number_of_a_heading_says_its_level_before_its_size() -> None:
    sheet = Sheet()
    sheet.write(50, 40, "Harbour handbook of the northern towns", size=22)
    for number, (title, size) in enumerate(
        [("1 Locks", 16), ("1.1 Gates", 13), ("1.1.1 Hinges", 13), ("2 Tides", 16), ("Index of ships", 13)]
    ):
        sheet.write(50, 100 + 110 * number, title, size=size)
        sheet.column(50, 130 + 110 * number, prose(5, words=12))
    parsed = read(sheet)
    levels = [(block.section[-1], block.level) for block in parsed.blocks if block.kind == HEADING]
    assert levels == [
        ("Harbour handbook of the northern towns", 1), ("1 Locks", 2), ("1.1 Gates", 3), ("1.1.1 Hinges", 4),
        ("2 Tides", 2), ("Index of ships", 3),
    ]  # fmt: skip


def test_bold_words_that_run_into_a_sentence_are_no_heading() -> None:
    sheet = Sheet()
    sheet.write(50, 100, "Opening hours.", bold=True)
    sheet.write(140, 100, "The lock opens at noon and shuts again at six, as the tide allows it.")
    sheet.column(50, 112, prose(4, words=12))
    assert HEADING not in {kind for kind, _ in kinds(read(sheet))}


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Figure 3. The mole at low tide", CAPTION),
        ("Table 2: Ships by month", CAPTION),
        ("Abb. 4: Die Schleuse bei Ebbe", CAPTION),
        ("Tableau 1 : Navires par mois", CAPTION),
        ("Figure 3 shows the mole at low tide and the outer basin.", PARAGRAPH),
        ("Table manners: they matter at sea", PARAGRAPH),
    ],
)
def test_caption_has_a_name_a_number_and_a_mark(text: str, kind: str) -> None:
    sheet = Sheet()
    sheet.column(50, 100, prose(5, words=12))
    sheet.write(50, 190, text)
    sheet.column(50, 230, prose(5, words=12))
    assert {words: kind for kind, words in kinds(read(sheet))}[text] == kind


def footnoted() -> Sheet:
    sheet = Sheet()
    sheet.column(50, 100, prose(20, words=12, mark="q"))
    sheet.write(50, 360, "The tide turns")
    sheet.write(117, 356, "1", size=6)
    sheet.write(125, 360, "at noon.")
    sheet.write(50, 700, "1", size=5)
    sheet.write(54, 703, "As the tables of 1911 have it,", size=8)
    sheet.write(50, 713, "and those of the year after.", size=8)
    return sheet


def test_footnote_follows_the_text_of_its_page() -> None:
    first, second = footnoted(), Sheet()
    second.column(50, 100, prose(20, words=12, mark="z"))
    parsed = read(first, second)
    found = kinds(parsed)
    assert (FOOTNOTE, "¹ As the tables of 1911 have it, and those of the year after.") in found
    assert found.index((FOOTNOTE, "¹ As the tables of 1911 have it, and those of the year after.")) == 2
    assert "turns ¹ at noon." in parsed.text


def test_small_print_without_a_mark_is_no_footnote() -> None:
    sheet = Sheet()
    sheet.column(50, 100, prose(20, words=12))
    sheet.write(50, 640, "Printed by the harbour board in the year after the flood.", size=8)
    assert FOOTNOTE not in {kind for kind, _ in kinds(read(sheet))}


def test_items_keep_their_wrapped_lines_and_have_a_depth() -> None:
    sheet = Sheet()
    sheet.column(50, 60, prose(4, words=12))
    for number, (x, mark, words) in enumerate(
        [
            (50, "1.", "The lock opens at noon"),
            (64, "", "unless the tide is late"),
            (64, "(a)", "for ships from the north"),
            (64, "(b)", "for ships from the south"),
            (50, "2.", "The lock shuts at six"),
        ]
    ):
        sheet.write(x, 130 + 12 * number, f"{mark} {words}".strip())
    sheet.column(50, 220, prose(4, words=12))
    parsed = read(sheet)
    items = [(parsed.text[b.start : b.end], b.level) for b in parsed.blocks if b.kind == LIST_ITEM]
    assert items == [
        ("1. The lock opens at noon unless the tide is late", 1),
        ("(a) for ships from the north", 2),
        ("(b) for ships from the south", 2),
        ("2. The lock shuts at six", 1),
    ]


def test_header_that_changes_by_chapter_is_furniture() -> None:
    sheets = []
    for page in range(9):
        sheet = Sheet()
        sheet.write(50, 40, f"Chapter {'Locks' if page < 3 else 'Tides' if page < 6 else 'Ships'}")
        sheet.column(50, 200, prose(6, mark=f"p{page}"))
        sheets.append(sheet)
    furniture = [words for kind, words in kinds(read(*sheets)) if kind == FURNITURE]
    assert furniture == ["Chapter Locks"] * 3 + ["Chapter Tides"] * 3 + ["Chapter Ships"] * 3


def test_numbers_of_a_transcripts_lines_are_furniture() -> None:
    sheet = Sheet()
    for number, words in enumerate(prose(25, words=9), start=1):
        sheet.write(50 if number > 9 else 55, 60 + 26 * number, str(number))
        sheet.write(90, 60 + 26 * number, words)
    parsed = read(sheet)
    assert parsed.text.startswith("aa the harbour")
    assert kinds(parsed)[-1] == (FURNITURE, "\n".join(map(str, range(1, 26))))


def test_navigation_beside_every_page_is_furniture() -> None:
    sheets = []
    for page in range(4):
        sheet = Sheet()
        for number, words in enumerate(["Overview", "Review", "Statements"]):
            sheet.write(20, 200 + 40 * number, words)
        sheet.column(160, 200, prose(20, mark=f"p{page}"))
        sheets.append(sheet)
    parsed = read(*sheets)
    furniture = [words for kind, words in kinds(parsed) if kind == FURNITURE]
    assert furniture == ["Overview\nReview\nStatements"] * 4
