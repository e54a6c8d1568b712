"""What does a page look like, with the rectangles of a span marked? Drawn in a process of its own."""

import io
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import pypdfium2
from PIL import Image, ImageChops, ImageDraw

from services.ingest.core.document import Box
from shared.errors import InvalidDocument, InvalidInput

POINTS_PER_INCH = 72
MARK = (255, 226, 110)  # multiplied with the page, so that the words stay black
MARGIN_POINTS = 1.5

Key: TypeAlias = tuple[str, int, int, int, int]


@dataclass(frozen=True, slots=True)
class RenderRequest:
    """A page of a PDF; `boxes` are in points of the page as it is shown, `width` points wide."""

    path: Path
    page_number: int
    width: float
    dpi: int
    max_pixels: int
    boxes: tuple[Box, ...]


def render_page(request: RenderRequest, report: Callable[[str], None]) -> bytes:
    """The page as PNG. Raises InvalidInput for a page that is missing, InvalidDocument for a broken file."""
    try:
        pdf = pypdfium2.PdfDocument(request.path)
    except pypdfium2.PdfiumError as error:
        raise InvalidDocument("The file cannot be drawn; download the original instead.") from error
    with pdf:
        if not 1 <= request.page_number <= len(pdf):
            raise InvalidInput(f"There is no page {request.page_number}; the document has {len(pdf)}.")
        page = pdf[request.page_number - 1]
        width, height = page.get_size()
        scale = request.dpi / POINTS_PER_INCH
        pixels = width * height * scale * scale
        if pixels > request.max_pixels:
            scale *= (request.max_pixels / pixels) ** 0.5
        image = page.render(scale=scale).to_pil().convert("RGB")
    if request.boxes:
        image = _marked(image, request.boxes, image.width / (request.width or width))
    png = io.BytesIO()
    image.save(png, format="PNG", compress_level=4)
    return png.getvalue()


def _marked(image: Image.Image, boxes: tuple[Box, ...], scale: float) -> Image.Image:
    tint = Image.new("RGB", image.size, (255, 255, 255))
    draw = ImageDraw.Draw(tint)
    for box in boxes:
        draw.rectangle(
            (
                (box.x0 - MARGIN_POINTS) * scale,
                (box.top - MARGIN_POINTS) * scale,
                (box.x1 + MARGIN_POINTS) * scale,
                (box.bottom + MARGIN_POINTS) * scale,
            ),
            fill=MARK,
        )
    return ImageChops.multiply(image, tint)


class PngCache:
    """The pages drawn last, within a bound of bytes. Keys carry the content's digest."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._held_bytes = 0
        self._pages: OrderedDict[Key, bytes] = OrderedDict()

    def get(self, key: Key) -> bytes | None:
        if key in self._pages:
            self._pages.move_to_end(key)
        return self._pages.get(key)

    def put(self, key: Key, png: bytes) -> None:
        self._held_bytes += len(png) - len(self._pages.pop(key, b""))
        self._pages[key] = png
        while self._held_bytes > self._max_bytes:
            _, oldest = self._pages.popitem(last=False)
            self._held_bytes -= len(oldest)
