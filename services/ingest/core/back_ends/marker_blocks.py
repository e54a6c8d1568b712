"""What does marker say of a PDF, in our types? Its JSON output: pages of blocks, each with a box and HTML."""

from collections.abc import Iterator, Mapping
from typing import Any

import lxml.html

from services.ingest.core.back_ends.foreign import Found, document_of
from services.ingest.core.document import (
    CAPTION,
    CODE,
    FOOTNOTE,
    FURNITURE,
    HEADING,
    LIST_ITEM,
    PARAGRAPH,
    TABLE,
    Box,
    ParsedDocument,
)
from services.ingest.core.formats.table_text import table_lines
from services.ingest.core.text import one_line

_KINDS: Mapping[str, str] = {
    "SectionHeader": HEADING,
    "ListItem": LIST_ITEM,
    "Table": TABLE,
    "TableOfContents": TABLE,
    "Form": TABLE,
    "Caption": CAPTION,
    "Footnote": FOOTNOTE,
    "PageHeader": FURNITURE,
    "PageFooter": FURNITURE,
    "Code": CODE,
}


def from_marker(output: Mapping[str, Any], name: str) -> ParsedDocument:
    """The document in our types, from marker's JSON output: `children` are the pages, in their order."""
    pages = output.get("children") or []
    sizes = [(page["bbox"][2] - page["bbox"][0], page["bbox"][3] - page["bbox"][1]) for page in pages]
    return document_of(
        (
            one
            for number, page in enumerate(pages, start=1)
            for block in page.get("children") or ()
            for one in _found(block, number, page["bbox"])
        ),
        sizes,
        name,
    )


def _found(block: Mapping[str, Any], number: int, page: list[float]) -> Iterator[Found]:
    """A block without children, or each of those that it groups."""
    children = block.get("children") or ()
    kind = _KINDS.get(str(block["block_type"]).rpartition(".")[2], PARAGRAPH)
    if children and kind not in (TABLE, LIST_ITEM):
        for child in children:
            yield from _found(child, number, page)
        return
    html = block.get("html") or ""
    if not html.strip():
        return
    x0, top, x1, bottom = block["bbox"]
    box = Box(number, x0 - page[0], top - page[1], x1 - page[0], bottom - page[1])
    root = lxml.html.fragment_fromstring(html, create_parent="div")
    if kind == TABLE and root.find(".//tr") is not None:
        rows = list(root.iter("tr"))
        header = _header_rows(rows)
        lines = table_lines(
            [[_text(cell) for cell in row.iter("td", "th")] for row in rows], named=bool(header)
        )
        yield Found(TABLE, "\n".join(lines), number, box, header_lines=min(header, len(lines)))
        return
    kind = PARAGRAPH if kind == TABLE else kind
    text = root.text_content() if kind == CODE else _text(root)
    yield Found(kind, text, number, box, _level(root, kind))
    if kind == LIST_ITEM:
        for child in children:
            yield from _found(child, number, page)


def _text(element: lxml.html.HtmlElement) -> str:
    return one_line(" ".join(element.itertext()))


def _level(root: lxml.html.HtmlElement, kind: str) -> int:
    """A heading's own, 1 for every list item."""
    if kind == HEADING:
        return next((level for level in range(1, 7) if root.find(f".//h{level}") is not None), 2)
    return 1 if kind == LIST_ITEM else 0


def _header_rows(rows: list[lxml.html.HtmlElement]) -> int:
    """How many first rows hold header cells alone."""
    count = 0
    for row in rows:
        if row.find(".//th") is None or row.find(".//td") is not None:
            break
        count += 1
    return count
