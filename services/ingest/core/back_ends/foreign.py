"""How does what another parser found on the pages of a PDF become a document of ours?"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from services.ingest.core.document import Block, Box, Page, ParsedDocument, WordBoxes
from services.ingest.core.text import TextBuilder, clean, one_line
from services.ingest.core.title import title_of

MEDIA_TYPE = "application/pdf"
_TOKEN = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class Found:
    """A stretch of text that another parser found: its kind as ours, where it stands, in reading order.

    `level` and `header_lines` as in a block of ours; `box` is None where the parser gives none.
    """

    kind: str
    text: str
    page_number: int
    box: Box | None = None
    level: int = 0
    header_lines: int = 0


def document_of(
    found: Iterable[Found], sizes: Sequence[tuple[float, float]], name: str, *, title: str = ""
) -> ParsedDocument:
    """The canonical text of what was found, page by page, with blocks, pages and boxes.

    `sizes` are width and height of each page in points. A word has the box of its block: these parsers tell
    no finer ones. Text on a page that is not there is left out.
    """
    by_page: dict[int, list[Found]] = {number: [] for number in range(1, len(sizes) + 1)}
    for one in found:
        if one.page_number in by_page and clean(one.text).strip():
            by_page[one.page_number].append(one)
    builder = TextBuilder()
    kept: list[Found] = []
    for number in by_page:
        for one in by_page[number]:
            builder.add(one.kind, one.text, level=one.level, header_lines=one.header_lines)
            kept.append(one)
    text, blocks = builder.finish()
    placed = tuple(
        replace(block, page_number=one.page_number, boxes=(one.box,) if one.box else ())
        for block, one in zip(blocks, kept, strict=True)
    )
    return ParsedDocument(
        text,
        title_of([title, *_headings(text, placed)], name),
        placed,
        tuple(_pages(placed, sizes)),
        _words(text, placed),
        (),
        MEDIA_TYPE,
    )


def _headings(text: str, blocks: Sequence[Block]) -> list[str]:
    return [one_line(text[block.start : block.end]) for block in blocks if block.level == 1][:1]


def _pages(blocks: Sequence[Block], sizes: Sequence[tuple[float, float]]) -> Iterable[Page]:
    """Each page spans its blocks; one without any is empty where the last one ended."""
    position = 0
    for number, (width, height) in enumerate(sizes, start=1):
        own = [block for block in blocks if block.page_number == number]
        start = own[0].start if own else position
        position = own[-1].end if own else position
        yield Page(number, str(number), width, height, False, start, position)


def _words(text: str, blocks: Sequence[Block]) -> WordBoxes:
    words = [
        (match.start(), match.end(), box)
        for block in blocks
        for box in block.boxes[:1]
        for match in _TOKEN.finditer(text, block.start, block.end)
    ]
    return WordBoxes(
        np.array([start for start, _, _ in words], dtype=np.int32),
        np.array([end for _, end, _ in words], dtype=np.int32),
        np.array([box.page_number for _, _, box in words], dtype=np.int32),
        np.array([(b.x0, b.top, b.x1, b.bottom) for _, _, b in words], dtype=np.float32).reshape(-1, 4),
    )
