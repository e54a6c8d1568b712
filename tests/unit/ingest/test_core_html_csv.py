"""What do web pages and tables become: which blocks, which rows, and what is refused?"""

import codecs

import pytest

from services.ingest.core.document import (
    CAPTION,
    CODE,
    HEADING,
    LIST_ITEM,
    PARAGRAPH,
    TABLE,
)
from shared.errors import InvalidDocument
from tests.unit.ingest.reading_files import FRENCH, blocks, read

# HTML

PAGE = """<!DOCTYPE html><html><head><title>Harbour</title><style>p {}</style></head><body>
<nav>Home About</nav><h1>The harbour</h1><p>Some <b>bold</b> words,<br>two lines.</p>
<ul><li>first<ul><li>inner</li></ul></li><li>second</li></ul><ol><li>one</li><li>two</li></ol>
<pre>x = 1
  y = 2</pre>
<table><caption>Crew</caption><tr><th>name</th><th>role</th></tr><tr><td>Ada</td><td>pilot</td></tr></table>
<div style="display: none">hidden</div><script>alert(1)</script><p>&copy; caf&eacute; &#128674;</p>
<footer>Imprint</footer></body></html>"""


def test_html_keeps_content_and_drops_the_rest() -> None:
    parsed = read("a.html", PAGE)
    assert blocks(parsed) == [
        (HEADING, "The harbour"),
        (PARAGRAPH, "Some bold words, two lines."),
        (LIST_ITEM, "- first"),
        (LIST_ITEM, "  - inner"),
        (LIST_ITEM, "- second"),
        (LIST_ITEM, "1. one"),
        (LIST_ITEM, "2. two"),
        (CODE, "x = 1\n  y = 2"),
        (CAPTION, "Crew"),
        (TABLE, "name | role\nAda | pilot"),
        (PARAGRAPH, "© café 🚢"),
    ]
    assert parsed.title == "The harbour"


@pytest.mark.parametrize(
    "page",
    [
        "<html><head><title>T</title><meta name=description content=words></head><body></body></html>",
        "<html><body><nav>Home</nav><script>app()</script><footer>Imprint</footer></body></html>",
        "<html><head><title>T</title></head></html>",
    ],
)
def test_page_with_nothing_but_metadata_is_refused(page: str) -> None:
    with pytest.raises(InvalidDocument, match="no text"):
        read("a.html", page)


def test_html_encoding_is_taken_from_its_declaration() -> None:
    page = '<html><head><meta charset="iso-8859-2"></head><body><p>Žluťoučký kůň</p></body></html>'
    assert "Žluťoučký kůň" in read("a.html", page.encode("iso-8859-2")).text


def test_html_without_declaration_is_read_by_its_letters() -> None:
    page = f"<html><body><p>{FRENCH}</p><p>15,50 €</p></body></html>"
    assert "15,50 €" in read("a.html", page.encode("cp1252")).text


def test_utf16_html_with_an_xml_declaration_is_read() -> None:
    page = '<?xml version="1.0" encoding="utf-16"?><html><body><p>鋼材</p></body></html>'
    assert read("a.html", codecs.BOM_UTF16_LE + page.encode("utf-16-le")).text == "鋼材"


def nested(depth: int) -> str:
    return "<html><body>" + "<div>" * depth + "deep" + "</div>" * depth + "<p>after</p></body></html>"


def test_deeply_nested_html_is_read() -> None:
    assert read("a.html", nested(1_500)).text == "deep\n\nafter"


def test_endlessly_nested_html_is_refused_rather_than_cut() -> None:
    with pytest.raises(InvalidDocument, match="too deeply"):
        read("a.html", nested(50_000))


# CSV


def test_csv_rows_can_be_read_alone() -> None:
    parsed = read("crew.csv", "region,units,owner ZX12AB\nnorth,120,Ada\nsouth,144,\n")
    assert blocks(parsed) == [
        (TABLE, "region: north; units: 120; owner ZX12AB: Ada\nregion: south; units: 144")
    ]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_csv_dialect_is_found(delimiter: str) -> None:
    rows = [["name", "note"], ["Ada", '"a, b; c\nd"'], ["Grace", "x"]]
    data = "\n".join(delimiter.join(row) for row in rows)
    assert read("a.csv", data).text == "name: Ada; note: a, b; c d\nname: Grace; note: x"


def test_csv_title_row_above_the_header_is_its_own_paragraph() -> None:
    parsed = read("a.csv", "Stanley Cups,,\nTeam,Location,Cups\nBlues,STL,1\nFlyers,PHI,2".encode("utf-16"))
    assert blocks(parsed)[0] == (PARAGRAPH, "Stanley Cups")
    assert parsed.title == "Stanley Cups"


def test_csv_of_ragged_rows_is_taken_with_a_warning() -> None:
    parsed = read("a.csv", "name,city\nAda,London,extra\nGrace")
    assert parsed.text == "name: Ada; city: London; column 3: extra\nname: Grace"
    assert parsed.warnings == ("2 of 2 rows have more or fewer cells than the header names.",)


def test_tsv_is_read_by_its_name() -> None:
    assert read("a.tsv", "name\tcity\nAda\tLondon\n").text == "name: Ada; city: London"
