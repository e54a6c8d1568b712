"""Is a first row of names told from a first row of data?"""

import pytest

from services.ingest.core.formats.registry import parse
from shared.errors import InvalidDocument

CSV = "text/csv"

WITH_HEADER = [
    "region,units,owner ZX12AB\nnorth,120,Ada\nsouth,144,Grace",
    "name,city\nAda,London\nGrace,New York",
    "Lorem, ipsum; dolor sit; amet\nsed, do; eiusmod; tempor\nut labore; et, dolore; magna aliqua",
    "country,2019,2020,2021\nChile,1.5,1.7,1.9\nPeru,2.0,2.1,2.2",
    "id,id_2\n1,2\n3,4",
    "Team,Q1,Q2\nred,10,20\nblue,11,21",
    ",name,score\n0,Ada,3\n1,Grace,4",
    "when,who\n2020-01-02,Ada\n2020-01-03,Grace",
    "active,name\nyes,Ada\nno,Grace",
    "code,meaning\nSEC-014,locks\nSEC-015,piers",
    "COVID-19 cases,region\n5,north\n6,south",
    "name,role\nAda,pilot\nname,role\nGrace,clerk",
    'question,answer\nWhat is a lock?,"A gate, with water."\nWhat is a pier?,A wall.',
    'price (€),item\n"1,50",rope\n"2,75",tar',
    "header\nvalue one\nvalue two",
]
WITHOUT_HEADER = [
    "North pier,East Lock,1924\nSouth pier,West Lock,1931\nMole,Sea Lock,1950",
    "Ada,120\nGrace,144",
    "1,2,3\n4,5,6\n7,8,9",
    "2020-01-02,Ada\n2020-01-03,Grace",
    "Ada,ada@example.org\nGrace,grace@example.org",
    "SKU-0001,rope\nSKU-0002,tar\nSKU-0003,oakum",
    "rope,$1.50\ntar,$2.75",
    "Ada,true\nGrace,false",
    "red,rope\nblue,tar\nred,oakum\nred,pitch",
    "https://example.org/a,first\nhttps://example.org/b,second",
    "10:30,arrival\n11:45,departure",
    "12 %,up\n13 %,down",
    ",,\n1,2,3\n4,5,6",
]


@pytest.mark.parametrize("table", WITH_HEADER)
def test_table_is_taken_whose_first_row_names_its_columns(table: str) -> None:
    assert parse("a.csv", table.encode(), CSV).blocks


@pytest.mark.parametrize("table", WITHOUT_HEADER)
def test_table_is_refused_whose_first_row_is_data(table: str) -> None:
    with pytest.raises(InvalidDocument, match=r"no header row.*Add a first row"):
        parse("a.csv", table.encode(), CSV)


def test_header_alone_is_refused() -> None:
    with pytest.raises(InvalidDocument, match="single row"):
        parse("a.csv", b"name,city\n", CSV)
