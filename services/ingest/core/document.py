"""What is a parsed document? One canonical text, and everything else as half-open code point spans of it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

HEADING = "heading"
PARAGRAPH = "paragraph"
LIST_ITEM = "list_item"  # one item with whatever is nested in it
TABLE = "table"  # one row a line
CODE = "code"
CAPTION = "caption"
FOOTNOTE = "footnote"
FURNITURE = "furniture"  # running headers, footers, side stamps, front matter: in the text, never in a chunk
BLOCK_KINDS = frozenset({HEADING, PARAGRAPH, LIST_ITEM, TABLE, CODE, CAPTION, FOOTNOTE, FURNITURE})


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle in points, origin at the top left of the page as it is shown; pages count from 1."""

    page_number: int
    x0: float
    top: float
    x1: float
    bottom: float


@dataclass(frozen=True, slots=True)
class Block:
    """A typed stretch of the canonical text.

    `level` is 1 to 6 for a heading, the depth (from 1) for a list item, else 0. `section` holds the headings
    above it from the outside in; a heading ends its own. `header_lines` counts a table's first lines that
    name its columns.
    """

    kind: str
    start: int
    end: int
    level: int = 0
    section: tuple[str, ...] = ()
    page_number: int | None = None
    boxes: tuple[Box, ...] = ()
    header_lines: int = 0


@dataclass(frozen=True, slots=True)
class Page:
    """A page: its physical number from 1, its label, its size in points and its span of the text.

    `label` is what people call the page; `printed_label` is what is printed on it, empty where nothing is.
    """

    number: int
    label: str
    width: float
    height: float
    scanned: bool
    start: int
    end: int
    printed_label: str = ""


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file inside a file, which becomes a document of its own."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class WordBoxes:
    """Where each word of the canonical text stands, in text order, starts rising.

    start, end, page: int32[n]; box: float32[n, 4], as x0, top, x1, bottom.
    """

    start: NDArray[np.int32]
    end: NDArray[np.int32]
    page: NDArray[np.int32]
    box: NDArray[np.float32]

    def boxes_of(self, start: int, end: int) -> list[Box]:
        """The rectangles that a span touches, one a line, in text order; empty where no word stands."""
        first = int(np.searchsorted(self.end, start, side="right"))
        last = int(np.searchsorted(self.start, end, side="left"))
        merged: list[Box] = []
        for index in range(first, last):
            x0, top, x1, bottom = (float(edge) for edge in self.box[index])
            box = Box(int(self.page[index]), x0, top, x1, bottom)
            if merged and _on_one_line(merged[-1], box):
                merged[-1] = _around(merged[-1], box)
            else:
                merged.append(box)
        return merged


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """The result of every extractor. Pages and word boxes exist only where the format has pages."""

    text: str
    title: str
    blocks: tuple[Block, ...]
    pages: tuple[Page, ...]
    words: WordBoxes | None
    warnings: tuple[str, ...]
    media_type: str
    attachments: tuple[Attachment, ...] = ()

    def __post_init__(self) -> None:
        _check_blocks(self.text, self.blocks)
        _check_pages(self.text, self.pages, self.blocks)


def _check_blocks(text: str, blocks: tuple[Block, ...]) -> None:
    """Raises ValueError unless blocks are typed, ordered, disjoint, and hold all that is not blank."""
    position = 0
    for block in blocks:
        if block.kind not in BLOCK_KINDS:
            raise ValueError(f"a block of kind {block.kind!r}; known are {', '.join(sorted(BLOCK_KINDS))}")
        if not position <= block.start < block.end <= len(text):
            raise ValueError(f"block {block.start}:{block.end} is empty, out of order or outside the text")
        if not _blank(text, position, block.start):
            raise ValueError(f"text {position}:{block.start} belongs to no block")
        position = block.end
    if not _blank(text, position, len(text)):
        raise ValueError(f"text {position}:{len(text)} belongs to no block")


def _check_pages(text: str, pages: tuple[Page, ...], blocks: tuple[Block, ...]) -> None:
    position = 0
    for number, page in enumerate(pages, start=1):
        if page.number != number or not position <= page.start <= page.end <= len(text):
            raise ValueError(f"page {page.number} is out of order or outside the text")
        position = page.end
    for block in blocks:
        if block.page_number is None:
            continue
        if not 1 <= block.page_number <= len(pages):
            raise ValueError(
                f"block {block.start}:{block.end} is on page {block.page_number}, which is missing"
            )
        page = pages[block.page_number - 1]
        if block.start < page.start or block.end > page.end:
            raise ValueError(f"block {block.start}:{block.end} lies outside its page {page.number}")


def _blank(text: str, start: int, end: int) -> bool:
    return start >= end or not text[start:end].strip()


def _on_one_line(left: Box, right: Box) -> bool:
    """Whether a word carries on the line before it: same page, most of the height shared, not set back."""
    overlap = min(left.bottom, right.bottom) - max(left.top, right.top)
    height = min(left.bottom - left.top, right.bottom - right.top)
    return left.page_number == right.page_number and overlap > height / 2 and right.x0 >= left.x0


def _around(left: Box, right: Box) -> Box:
    return Box(
        left.page_number,
        min(left.x0, right.x0),
        min(left.top, right.top),
        max(left.x1, right.x1),
        max(left.bottom, right.bottom),
    )
