"""Are tables over several pages, and frames side by side, read as what they are?"""

from services.ingest.core.document import TABLE, ParsedDocument
from tests.unit.ingest.drawing import Sheet, assert_order, prose, read

NAMES = ("Berth", "Keeper", "Remark")


def page(rows: list[tuple[str, ...]]) -> Sheet:
    """A page with a grid of three columns of text at its top."""
    sheet = Sheet()
    for number in range(len(rows) + 1):
        sheet.operators.append(f"60 {720 - 16 * number} m 420 {720 - 16 * number} l S")
    for column in range(4):
        sheet.operators.append(f"{60 + 120 * column} 720 m {60 + 120 * column} {720 - 16 * len(rows)} l S")
    for number, row in enumerate(rows):
        for column, cell in enumerate(row):
            sheet.write(64 + 120 * column, 92 + 16 * number, cell)
    return sheet


def rows_of(first: int, count: int) -> list[tuple[str, ...]]:
    return [(f"Quay {chr(97 + number)}", "Holm", "dredged") for number in range(first, first + count)]


def headers(parsed: ParsedDocument) -> list[int]:
    return [block.header_lines for block in parsed.blocks if block.kind == TABLE]


def test_part_on_the_next_page_has_no_header_of_its_own() -> None:
    sheets = page([NAMES, *rows_of(0, 5)]), page(rows_of(5, 6)), page(rows_of(11, 6))
    assert headers(read(*sheets)) == [1, 0, 0]


def test_header_that_is_printed_again_is_a_header_again() -> None:
    sheets = page([NAMES, *rows_of(0, 5)]), page([NAMES, *rows_of(5, 6)])
    assert headers(read(*sheets)) == [1, 1]


def test_text_between_the_parts_makes_two_tables() -> None:
    first = page([NAMES, *rows_of(0, 5)])
    first.column(60, 300, prose(4, words=14))
    assert headers(read(first, page([("Lamp", "Post", "State"), *rows_of(5, 6)]))) == [1, 1]


def test_frames_side_by_side_are_read_one_after_the_other() -> None:
    sheet = Sheet()
    for x in (40, 290, 540):
        sheet.operators.append(f"{x} 720 m {x} 520 l S")
    for y in (720, 520):
        sheet.operators.append(f"40 {y} m 540 {y} l S")
    sheet.column(46, 92, [f"la{chr(97 + line)} {' lock' * (line % 3)}" for line in range(15)])
    sheet.column(296, 92, [f"ra{chr(97 + line)} {' mole' * (line % 4)}" for line in range(15)])
    parsed = read(sheet)
    assert_order(parsed.text, ["laa", "lab", "lao", "raa", "rab", "rao"])
    assert not headers(parsed)
