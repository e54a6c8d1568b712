"""What does a span look like on its page? Boxes as numbers, or drawn."""

from dataclasses import dataclass

from services.ingest.core.document import Box, Page
from services.ingest.layout import decode_pages, decode_words
from services.ingest.originals import Originals
from services.ingest.parsing import PDF
from services.ingest.reading import Reading
from services.ingest.records import Document
from services.ingest.rendering import PngCache, RenderRequest, render_page
from services.ingest.sandbox import Sandbox
from shared.errors import InvalidInput, NotFound

MAX_SPAN = 200_000  # code points whose rectangles are given at once


@dataclass(frozen=True, slots=True)
class RenderOptions:
    """How large a page is drawn, and how long that may take."""

    dpi: int
    max_pixels: int
    timeout_s: float


class Pages:
    """Pages of served documents."""

    def __init__(
        self,
        reading: Reading,
        originals: Originals,
        sandbox: Sandbox,
        *,
        options: RenderOptions,
        cache: PngCache,
    ) -> None:
        self._reading = reading
        self._originals = originals
        self._sandbox = sandbox
        self._options = options
        self._cache = cache

    async def boxes(
        self, document: Document, page_number: int, start: int, end: int
    ) -> tuple[Page, list[Box]]:
        """The page, and the rectangles on it that a span touches, one a line.

        Raises NotFound for a page that is not there, InvalidInput for a bad span or a format without pages.
        """
        pages = _pages_of(document)
        if not 1 <= page_number <= len(pages):
            raise NotFound(f"{document.name} has no page {page_number}; it has {len(pages)}.")
        found = await self.span_boxes(document, start, end)
        return pages[page_number - 1], [box for box in found if box.page_number == page_number]

    async def span_boxes(self, document: Document, start: int, end: int) -> list[Box]:
        """The rectangles that a span touches on all of its pages, one a line, in the order of the text.

        Raises InvalidInput for a bad span or a format without pages.
        """
        _pages_of(document)
        if not 0 <= start <= end <= document.characters:
            raise InvalidInput(f"start and end must lie within 0 and {document.characters}, start first.")
        if end - start > MAX_SPAN:
            raise InvalidInput(f"The span holds more than {MAX_SPAN} code points: ask for its parts.")
        if start == end:
            return []
        _, encoded = await self._reading.layout(document.document_id, document.version)
        words = decode_words(encoded)
        return words.boxes_of(start, end) if words is not None else []

    async def png(self, document: Document, page_number: int, start: int, end: int) -> bytes:
        """The page with the span marked. Raises as `boxes` does."""
        if document.media_type != PDF:
            raise InvalidInput(
                f"{document.name} is no PDF, and only pages of a PDF are drawn: open its text."
            )
        key = (document.sha256, document.version, page_number, start, end)
        cached = self._cache.get(key)
        if cached is not None:
            return cached
        page, boxes = await self.boxes(document, page_number, start, end)
        request = RenderRequest(
            path=self._originals.path(document.sha256),
            page_number=page_number,
            width=page.width,
            dpi=self._options.dpi,
            max_pixels=self._options.max_pixels,
            boxes=tuple(boxes),
        )
        png: bytes = await self._sandbox.run(render_page, request, timeout_s=self._options.timeout_s)
        self._cache.put(key, png)
        return png


def _pages_of(document: Document) -> tuple[Page, ...]:
    pages = decode_pages(document.pages)
    if not pages:
        raise InvalidInput(f"{document.name} has no pages: open its text instead.")
    return pages
