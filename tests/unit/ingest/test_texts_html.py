"""What is the content of a web page, and where do its table cells end up?"""

import time

import pytest

from services.ingest.core.document import CODE, FOOTNOTE, HEADING, LIST_ITEM, PARAGRAPH, TABLE
from tests.unit.ingest.reading_files import blocks, read

PROSE = "The lock opens at noon, when the tide has turned and the pilot boat has left the basin. " * 4
LINKS = "".join(f'<li><a href="/{word}">{word}</a></li>' for word in ("Home", "Boats", "Tides", "About"))
FURNITURE = f"""<header><h1>Port of Norrholm</h1><ul>{LINKS}</ul></header>
<div class="cookie-banner"><p>We use cookies to remember you. <button>OK</button></p></div>
<div id="sidebar"><ul>{LINKS}</ul></div>"""


def page(body: str, head: str = "") -> str:
    return f"<!DOCTYPE html><html><head>{head}</head><body>{body}</body></html>"


def text(body: str, head: str = "") -> str:
    return read("a.html", page(body, head)).text


@pytest.mark.parametrize("tag", ["main", "article", 'div role="main"', "div"])
def test_content_is_kept_without_the_site_around_it(tag: str) -> None:
    body = f"<{tag}><h1>Locks</h1><p>{PROSE}</p></{tag.split()[0]}>"
    parsed = read("a.html", page(f"{FURNITURE}{body}<aside>Weather: fair</aside><footer>Imprint</footer>"))
    assert parsed.text == f"Locks\n\n{PROSE.strip()}"
    assert parsed.title == "Locks"


def test_heading_of_the_page_is_kept_in_its_header() -> None:
    body = f"<header><h1>Locks</h1><p>By Ada</p></header><p>{PROSE}</p>"
    assert text(body).startswith("Locks\n\nBy Ada\n\nThe lock opens")


def test_page_of_which_little_would_be_left_is_read_whole() -> None:
    assert "Weather: fair" in text("<p>Short.</p><aside>Weather: fair</aside>")
    assert PROSE.strip() in text(f"<main><p>Loading</p></main><aside><p>{PROSE * 3}</p></aside>")


def test_article_about_cookies_is_no_banner() -> None:
    assert "biscuit" in text(f'<div class="cookie-policy"><p>{PROSE * 3} biscuit</p></div><p>{PROSE}</p>')


def test_notes_and_links_within_the_content_stay() -> None:
    inner = f"<p>{PROSE}</p><aside>Mind the sill.</aside><ul>{LINKS}</ul>"
    found = text(f"<main>{inner}</main>")
    assert "Mind the sill." in found
    assert "- Tides" in found


@pytest.mark.parametrize("mark", ['aria-hidden="true"', "hidden", 'style="display:none"'])
def test_what_is_hidden_is_left_out(mark: str) -> None:
    assert text(f"<p {mark}>secret</p><template>later</template><p>seen</p>") == "seen"


def test_page_hidden_until_its_script_runs_is_read() -> None:
    assert "seen" in read("a.html", '<html><body style="visibility:hidden"><p>seen</p></body></html>').text


@pytest.mark.parametrize(
    ("head", "body", "title"),
    [
        ("<title>Window</title>", "<p>x</p>", "Window"),
        ('<meta property="og:title" content="Shared"><title>Window</title>', "<p>x</p>", "Shared"),
        ("<title>Window</title>", f"<h1>Outside</h1><main><p>{PROSE}</p></main>", "Outside"),
        ("", "<p>x</p>", "Harbour page"),
    ],
)
def test_title_is_the_first_that_the_page_gives_itself(head: str, body: str, title: str) -> None:
    assert read("harbour_page.html", page(body, head)).title == title


def test_terms_stand_before_their_meaning() -> None:
    body = "<dl><dt>Sill<dd><p>The edge.</p><p>Of a lock.</p><dt>Lee</dt><dt>Lee side<dd>Away from wind.</dl>"
    assert text(body).split("\n\n") == [
        "Sill: The edge.",
        "Of a lock.",
        "Lee, Lee side: Away from wind.",
    ]


def test_list_begins_at_its_number() -> None:
    parsed = read("a.html", page('<ol start="4"><li>four</li><li>five</li></ol>'))
    assert blocks(parsed) == [(LIST_ITEM, "4. four"), (LIST_ITEM, "5. five")]


def test_cells_stay_under_their_columns_whatever_they_span() -> None:
    table = """<table><tr><th rowspan=2>Boat</th><th colspan=2>Crew</th></tr>
    <tr><th>day</th><th>night</th></tr><tr><td rowspan=2>Svana</td><td>Ada<br>Bo</td><td>Cy</td></tr>
    <tr><td>Di</td><td><table><tr><td>Eve</td><td>1</td></tr><tr><td>Flo</td></tr></table></td></tr></table>"""
    block = read("a.html", page(table)).blocks[0]
    assert (block.kind, block.header_lines) == (TABLE, 2)
    assert text(table).split("\n") == [
        "Boat | Crew |",
        "| day | night",
        "Svana | Ada Bo | Cy",
        "| Di | Eve 1 ; Flo",
    ]


def test_columns_that_only_place_signs_are_closed_up() -> None:
    table = """<table><tr><td>Item</td><td></td><td>2024</td><td></td></tr>
    <tr><td>Dues</td><td>$</td><td>1,200</td><td></td></tr><tr><td>Loss</td><td>(</td><td>30</td><td>)</td></tr>
    </table>"""
    assert text(table).split("\n")[1:] == ["Dues | $1,200", "Loss | (30)"]


def test_table_for_layout_gives_its_blocks() -> None:
    table = "<table><tr><td><ul><li>one</li></ul></td><td><pre>x = 1\ny</pre></td></tr></table>"
    assert blocks(read("a.html", page(table))) == [(LIST_ITEM, "- one"), (CODE, "x = 1\ny")]


def test_xhtml_is_read_as_xml() -> None:
    source = (
        '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/>'
        '<script src="x"/></head><body><h1>Locks</h1>'
        '<a id="x"/><p>caf&eacute; <![CDATA[a < b]]></p></body></html>'
    )
    assert blocks(read("a.xhtml", source)) == [(HEADING, "Locks"), (PARAGRAPH, "café a < b")]


def test_footnotes_are_told_by_their_role() -> None:
    body = '<p>Words.</p><section role="doc-endnotes"><div role="doc-footnote"><p>1 Note.</p></div></section>'
    assert blocks(read("a.html", page(body)))[1] == (FOOTNOTE, "1 Note.")


def test_stateful_encoding_is_read_as_declared() -> None:
    source = page("<p>鋼材の規格</p>", '<meta charset="iso-2022-jp">')
    assert read("a.html", source.encode("iso-2022-jp")).text == "鋼材の規格"


def test_tables_nested_in_hundreds_are_soon_read() -> None:
    source = "<table><tr><td>" * 300 + "inmost" + "<tr><td>left<td>right" * 3000
    started = time.process_time()
    assert text(source).count("right") == 3000
    assert time.process_time() - started < 10
