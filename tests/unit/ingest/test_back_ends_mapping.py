"""Does what another parser found become a document whose spans, pages and boxes hold?"""

from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any

import pytest

from services.ingest.core.back_ends.docling_items import from_docling
from services.ingest.core.back_ends.foreign import Found, document_of
from services.ingest.core.back_ends.marker_blocks import from_marker
from services.ingest.core.document import Box, ParsedDocument

SIZE = (600.0, 800.0)


def said(parsed: ParsedDocument) -> list[tuple[str, str]]:
    return [(block.kind, parsed.text[block.start : block.end]) for block in parsed.blocks]


def item(label: str, text: str, page: int = 1, **more: Any) -> SimpleNamespace:
    box = SimpleNamespace(l=10.0, t=790.0, r=110.0, b=770.0, coord_origin=SimpleNamespace(value="BOTTOMLEFT"))
    return SimpleNamespace(
        label=SimpleNamespace(value=label), text=text, prov=[SimpleNamespace(page_no=page, bbox=box)], **more
    )


def cell(text: str, row: int, column: int, *, header: bool = False) -> SimpleNamespace:
    return SimpleNamespace(
        text=text, start_row_offset_idx=row, start_col_offset_idx=column, column_header=header
    )


class Docling:
    """A document as docling has them, of two pages."""

    def __init__(self, *items: SimpleNamespace) -> None:
        size = SimpleNamespace(size=SimpleNamespace(width=SIZE[0], height=SIZE[1]))
        self.pages = {1: size, 2: size}
        self._items = items

    def iterate_items(self, *, included_content_layers: Any) -> Iterable[tuple[Any, int]]:
        assert included_content_layers == {"body", "furniture"}
        return [(one, 0) for one in self._items]


def read(*items: SimpleNamespace) -> ParsedDocument:
    return from_docling(Docling(*items), {"body", "furniture"}, "tides.pdf")


@pytest.mark.parametrize(
    ("label", "kind", "level"),
    [
        ("title", "heading", 1),
        ("section_header", "heading", 3),
        ("text", "paragraph", 0),
        ("list_item", "list_item", 1),
        ("caption", "caption", 0),
        ("footnote", "footnote", 0),
        ("page_header", "furniture", 0),
        ("page_footer", "furniture", 0),
        ("code", "code", 0),
        ("formula", "paragraph", 0),
    ],
)
def test_label_of_docling_is_a_kind_of_ours(label: str, kind: str, level: int) -> None:
    (block,) = read(item(label, "High water", level=2)).blocks
    assert (block.kind, block.level, block.page_number) == (kind, level, 1)


def test_box_of_docling_is_turned_to_the_top_left() -> None:
    parsed = read(item("text", "High water"))
    assert parsed.blocks[0].boxes == (Box(1, 10.0, 10.0, 110.0, 30.0),)
    assert parsed.words is not None
    assert parsed.words.boxes_of(5, 10) == [Box(1, 10.0, 10.0, 110.0, 30.0)]


def test_table_of_docling_has_a_line_a_row_and_merged_cells_once() -> None:
    merged = cell("Quay 7", 1, 0)
    grid = [
        [cell("Quay", 0, 0, header=True), cell("Depth", 0, 1, header=True)],
        [merged, cell("9.5", 1, 1)],
        [merged, cell("9.7", 2, 1)],
    ]
    parsed = read(item("table", "", data=SimpleNamespace(grid=grid)))
    assert said(parsed) == [("table", "Quay | Depth\nQuay 7 | 9.5\n| 9.7")]
    assert parsed.blocks[0].header_lines == 1


def test_items_without_text_or_page_are_left_out() -> None:
    nowhere = SimpleNamespace(label="text", text="Nowhere", prov=[])
    picture = SimpleNamespace(label="picture", prov=item("picture", "").prov)
    assert said(read(nowhere, picture, item("text", "Here"), item("text", "Beyond", page=9))) == [
        ("paragraph", "Here")
    ]


def test_pages_span_their_blocks_though_found_in_another_order() -> None:
    parsed = read(item("text", "Second page", page=2), item("title", "Tides"), item("text", "First page"))
    assert [parsed.text[page.start : page.end] for page in parsed.pages] == [
        "Tides\n\nFirst page",
        "Second page",
    ]
    assert parsed.title == "Tides"
    assert [(page.label, page.width, page.height) for page in parsed.pages] == [("1", *SIZE), ("2", *SIZE)]


def test_page_without_blocks_is_empty_where_the_last_one_ended() -> None:
    parsed = document_of([Found("paragraph", "Third", 3)], [SIZE] * 3, "tides.pdf")
    assert [(page.start, page.end) for page in parsed.pages] == [(0, 0), (0, 0), (0, 5)]
    assert parsed.blocks[0].boxes == ()


def test_text_of_control_characters_alone_is_no_block() -> None:
    found = [Found("paragraph", "\x01\x02", 1), Found("paragraph", "Tide", 1)]
    assert said(document_of(found, [SIZE], "tides.pdf")) == [("paragraph", "Tide")]


def marked(kind: str, html: str, *children: dict[str, Any]) -> dict[str, Any]:
    return {"block_type": kind, "html": html, "bbox": [20.0, 30.0, 220.0, 50.0], "children": list(children)}


def marker(*blocks: dict[str, Any]) -> ParsedDocument:
    page = {"block_type": "Page", "html": "", "bbox": [10.0, 10.0, 610.0, 810.0], "children": list(blocks)}
    return from_marker({"children": [page]}, "tides.pdf")


def test_blocks_of_marker_are_typed_and_their_html_is_read() -> None:
    parsed = marker(
        marked("PageHeader", "<p>Volume 4</p>"),
        marked("SectionHeader", "<h3>High <b>water</b></h3>"),
        marked("Text", "<p>At 7 &amp; 9<br>o'clock.</p>"),
        marked("ListGroup", "<content-ref src='x'></content-ref>", marked("ListItem", "<li>one</li>")),
        marked("Footnote", "<p>See below.</p>"),
    )
    assert said(parsed) == [
        ("furniture", "Volume 4"),
        ("heading", "High water"),
        ("paragraph", "At 7 & 9 o'clock."),
        ("list_item", "one"),
        ("footnote", "See below."),
    ]
    assert parsed.blocks[1].level == 3
    assert parsed.blocks[0].boxes == (Box(1, 10.0, 20.0, 210.0, 40.0),)


def test_table_of_marker_is_its_rows() -> None:
    html = "<table><tr><th>Quay</th><th>Depth</th></tr><tr><td>Quay 7</td><td></td></tr></table>"
    parsed = marker(marked("TableGroup", "", marked("Caption", "<p>Table 1</p>"), marked("Table", html)))
    assert said(parsed) == [("caption", "Table 1"), ("table", "Quay | Depth\nQuay 7 |")]
    assert parsed.blocks[1].header_lines == 1
