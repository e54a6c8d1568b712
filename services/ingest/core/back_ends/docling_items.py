"""What does docling say of a PDF, in our types? Its items are known here by their members alone."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

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

_KINDS: Mapping[str, str] = {
    "title": HEADING,
    "section_header": HEADING,
    "list_item": LIST_ITEM,
    "table": TABLE,
    "document_index": TABLE,
    "caption": CAPTION,
    "footnote": FOOTNOTE,
    "page_header": FURNITURE,
    "page_footer": FURNITURE,
    "code": CODE,
}
_TOP_LEFT = "TOPLEFT"
_DEEPEST = 6


class DoclingDocument(Protocol):
    """The members of docling's document that are read here."""

    @property
    def pages(self) -> Mapping[int, Any]: ...

    def iterate_items(self, *, included_content_layers: Any) -> Iterable[tuple[Any, int]]: ...


def from_docling(document: DoclingDocument, layers: Any, name: str) -> ParsedDocument:
    """The document in our types; `layers` are docling's own names of the layers wanted: body and furniture.

    Pages run from the first to the last that docling names. Pictures and what else has no text are left out.
    """
    last = max(document.pages, default=0)
    sizes = [_size(document.pages.get(number)) for number in range(1, last + 1)]
    items = (item for item, _ in document.iterate_items(included_content_layers=layers))
    return document_of((one for item in items for one in _found(item, sizes)), sizes, name)


def _found(item: Any, sizes: Sequence[tuple[float, float]]) -> Iterator[Found]:
    provenance = next(iter(getattr(item, "prov", ())), None)
    if provenance is None or not 1 <= provenance.page_no <= len(sizes):
        return
    kind = _KINDS.get(_name(item.label), PARAGRAPH)
    box = _box(provenance, sizes[provenance.page_no - 1][1])
    if kind == TABLE:
        grid = item.data.grid
        header = _header_rows(grid)
        lines = table_lines([_once(row, number) for number, row in enumerate(grid)], named=bool(header))
        yield Found(TABLE, "\n".join(lines), provenance.page_no, box, header_lines=min(header, len(lines)))
    elif text := getattr(item, "text", ""):
        yield Found(kind, text, provenance.page_no, box, _level(item, kind))


def _level(item: Any, kind: str) -> int:
    """1 for the title, from 2 on for the headings below it, 1 for every list item."""
    if kind == HEADING:
        return 1 if _name(item.label) == "title" else min(getattr(item, "level", 1) + 1, _DEEPEST)
    return 1 if kind == LIST_ITEM else 0


def _header_rows(grid: Sequence[Sequence[Any]]) -> int:
    """How many first rows name columns."""
    count = 0
    for row in grid:
        if not any(cell.column_header for cell in row):
            break
        count += 1
    return count


def _once(row: Sequence[Any], number: int) -> list[str]:
    """The cells of a row; one that spans several stands at its first place only."""
    return [
        cell.text if (cell.start_row_offset_idx, cell.start_col_offset_idx) == (number, place) else ""
        for place, cell in enumerate(row)
    ]


def _box(provenance: Any, height: float) -> Box:
    """Docling's origin is the bottom left of a page unless it says otherwise."""
    box = provenance.bbox
    top, bottom = (box.t, box.b) if _name(box.coord_origin) == _TOP_LEFT else (height - box.t, height - box.b)
    return Box(provenance.page_no, box.l, min(top, bottom), box.r, max(top, bottom))


def _size(page: Any) -> tuple[float, float]:
    return (page.size.width, page.size.height) if page is not None else (0.0, 0.0)


def _name(label: Any) -> str:
    """An enumeration's value, or the word itself."""
    return str(getattr(label, "value", label))
