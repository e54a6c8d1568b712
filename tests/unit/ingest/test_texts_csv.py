"""How are tables of many dialects read, row by row?"""

import tracemalloc

import pytest

from services.ingest.core.formats.limits import Limits
from services.ingest.core.formats.registry import parse
from tests.unit.ingest.reading_files import read


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252"])
def test_delimiter_that_excel_names_is_taken(encoding: str) -> None:
    assert (
        read("a.csv", "sep=;\r\nname;size, m\r\nÉva;1,5\r\n".encode(encoding)).text
        == "name: Éva; size, m: 1,5"
    )


def test_decimal_commas_do_not_set_cells_apart() -> None:
    assert read("a.csv", "a,x;b,y\n1,5;2,5\n3,5;4,5").text == "a,x: 1,5; b,y: 2,5\na,x: 3,5; b,y: 4,5"


def test_line_ends_within_quotation_marks_stay_in_their_cell() -> None:
    assert (
        read("a.csv", 'name,note\r\nAda,"one\r\ntwo"\rBo,x').text
        == "name: Ada; note: one two\nname: Bo; note: x"
    )


def test_very_long_cell_is_read_whole() -> None:
    cell = "word " * 60_000
    assert read("a.csv", f"name,note\nAda,{cell}\nBo,x").text.startswith(f"name: Ada; note: {cell.strip()}\n")


def test_rows_beyond_those_consulted_for_the_header_are_read() -> None:
    rows = "".join(f"boat {number},{number}\n" for number in range(5_000))
    assert read("a.csv", "name,units\n" + rows).text.endswith("name: boat 4999; units: 4999")


def test_rows_are_not_held_while_they_are_written() -> None:
    data = b"name,units\n" + b"".join(b"boat %d,%d\n" % (number, number) for number in range(15_000))
    tracemalloc.start()
    text = parse("a.csv", data, "text/csv", limits=Limits()).text
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 5 * len(text)  # lists of cells would take twenty times the text
