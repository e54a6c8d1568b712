"""How do the slides of a presentation or the sheets of a workbook become the pages of one text?"""

from dataclasses import replace

from services.ingest.core.document import FURNITURE, Block, Box, Page
from services.ingest.core.text import TextBuilder, visible

_BETWEEN = "\n\n"


class PagedText:
    """Grows a text page by page; a heading's section ends with its page."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._length = 0
        self._blocks: list[Block] = []
        self._pages: list[Page] = []
        self._page = TextBuilder()
        self._boxes: list[tuple[Box, ...]] = []
        self._characters = 0
        self._content = False

    @property
    def page_number(self) -> int:
        """The number of the page that is being filled."""
        return len(self._pages) + 1

    @property
    def page_has_content(self) -> bool:
        """Whether the page holds more than furniture so far."""
        return self._content

    @property
    def page_characters(self) -> int:
        """How many characters were added to the page so far."""
        return self._characters

    def add(
        self,
        kind: str,
        text: str,
        *,
        level: int = 0,
        header_lines: int = 0,
        tight: bool = False,
        boxes: tuple[Box, ...] = (),
    ) -> None:
        """Appends a block to the page, as TextBuilder does; one with nothing to see is left out."""
        if visible(text):
            self._page.add(kind, text, level=level, header_lines=header_lines, tight=tight)
            self._boxes.append(boxes)
            self._characters += len(text)
            self._content |= kind != FURNITURE

    def end_page(
        self,
        label: str,
        *,
        width: float = 0.0,
        height: float = 0.0,
        scanned: bool = False,
        printed_label: str = "",
    ) -> None:
        """Closes the page: what is added next stands on the next one."""
        text, blocks = self._page.finish()
        if text and self._length:
            self._texts.append(_BETWEEN)
            self._length += len(_BETWEEN)
        start = self._length
        number = self.page_number
        self._blocks += [
            replace(block, start=block.start + start, end=block.end + start, page_number=number, boxes=boxes)
            for block, boxes in zip(blocks, self._boxes, strict=True)
        ]
        self._texts.append(text)
        self._length += len(text)
        self._pages.append(Page(number, label, width, height, scanned, start, self._length, printed_label))
        self._page = TextBuilder()
        self._boxes = []
        self._characters = 0
        self._content = False

    def finish(self) -> tuple[str, tuple[Block, ...], tuple[Page, ...]]:
        """The text, its blocks and its pages."""
        return "".join(self._texts), tuple(self._blocks), tuple(self._pages)
