"""How is a presentation read? Each slide is a page: its title, its words from the top, its notes."""

import io
from typing import Any

import pptx.package
from pptx.exc import PythonPptxError

from services.ingest.core.document import (
    FURNITURE,
    HEADING,
    LIST_ITEM,
    PARAGRAPH,
    TABLE,
    Box,
    ParsedDocument,
)
from services.ingest.core.formats.limits import DEFAULT_LIMITS, Limits, check_characters
from services.ingest.core.formats.office_xml import READING_ERRORS, counted, refuse_declarations
from services.ingest.core.formats.package import check_package
from services.ingest.core.formats.paged_text import PagedText
from services.ingest.core.formats.pptx.graphics import chart_of, diagram_of, table_of
from services.ingest.core.formats.pptx.paragraphs import paragraphs_of
from services.ingest.core.formats.pptx.shapes import (
    EMU_PER_POINT,
    FURNITURE_KINDS,
    TITLES,
    Placed,
    shapes_of,
)
from services.ingest.core.text import one_line
from services.ingest.core.title import first_headings, title_of
from shared.errors import InvalidDocument, TooLarge

MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
_DAMAGED = (
    "The presentation is damaged: open it in a presentation program, save it as PPTX and upload it again."
)
_PLACEHOLDER_TITLES = frozenset({"powerpoint presentation", "presentation", "powerpoint-präsentation"})
_NOTES = "Notes"


def parse(name: str, data: bytes, *, limits: Limits = DEFAULT_LIMITS) -> ParsedDocument:
    check_package(data, limits)
    refuse_declarations(data, _DAMAGED)
    try:
        part = pptx.package.Package.open(io.BytesIO(data)).main_document_part
        return _parsed(name, part.presentation, part.core_properties.title or "", limits)
    except (*READING_ERRORS, PythonPptxError) as error:
        raise InvalidDocument(_DAMAGED) from error


def _parsed(name: str, presentation: Any, declared: str, limits: Limits) -> ParsedDocument:
    width, height = presentation.slide_width or 0, presentation.slide_height or 0
    slides = list(presentation.slides)
    if len(slides) > limits.max_pages:
        raise TooLarge(f"The presentation has more than {limits.max_pages} slides: split it.")
    text = PagedText()
    hidden = scanned = characters = 0
    for slide in slides:
        hidden += slide.element.get("show") in ("0", "false")
        placed = shapes_of(slide, height=height)
        for shape in placed:
            _add(text, shape)
        pictured = not text.page_has_content and any(_is_picture(shape.shape) for shape in placed)
        scanned += pictured
        _add_notes(text, slide)
        characters += text.page_characters
        check_characters(characters, limits)
        text.end_page(
            str(text.page_number),
            width=width / EMU_PER_POINT,
            height=height / EMU_PER_POINT,
            scanned=pictured,
            printed_label=_printed_label(placed),
        )
    canonical, blocks, pages = text.finish()
    warnings = []
    if hidden:
        warnings.append(f"{counted(hidden, 'hidden slide')} read all the same.")
    if scanned:
        warnings.append(f"{counted(scanned, 'slide')} nothing but pictures: the words in them are not read.")
    named = [] if declared.strip().lower() in _PLACEHOLDER_TITLES else [declared]
    title = title_of([*named, *first_headings(blocks, canonical)], name)
    return ParsedDocument(canonical, title, blocks, pages, None, tuple(warnings), MEDIA_TYPE)


def _add(text: PagedText, placed: Placed) -> None:
    shape, boxes = placed.shape, placed.boxes(text.page_number)
    if placed.placeholder in FURNITURE_KINDS:
        text.add(FURNITURE, shape.text_frame.text if shape.has_text_frame else "", boxes=boxes)
    elif placed.placeholder in TITLES and shape.has_text_frame:
        text.add(HEADING, one_line(shape.text_frame.text), level=1, boxes=boxes)
    elif shape.has_text_frame:
        _add_paragraphs(text, shape, boxes)
    elif getattr(shape, "has_table", False):
        lines, header_lines = table_of(shape.table)
        text.add(TABLE, "\n".join(lines), header_lines=header_lines, boxes=boxes)
    elif getattr(shape, "has_chart", False):
        titles, lines = chart_of(shape.chart_part._element)
        text.add(PARAGRAPH, titles, boxes=boxes)
        text.add(TABLE, "\n".join(lines), header_lines=1, boxes=boxes)
    elif hasattr(shape, "has_chart"):  # any other graphic frame
        for index, (words, depth) in enumerate(diagram_of(shape)):
            _add_item(text, words, depth, "-", boxes=boxes, tight=index > 0)


def _add_paragraphs(text: PagedText, shape: Any, boxes: tuple[Box, ...]) -> None:
    in_list = False
    for paragraph in paragraphs_of(shape):
        if paragraph.depth:
            _add_item(text, paragraph.text, paragraph.depth, paragraph.mark, boxes=boxes, tight=in_list)
        else:
            text.add(PARAGRAPH, paragraph.text, boxes=boxes)
        in_list = paragraph.depth > 0


def _add_item(
    text: PagedText, words: str, depth: int, mark: str, *, boxes: tuple[Box, ...], tight: bool
) -> None:
    if words.strip():
        line = f"{'  ' * (depth - 1)}{mark} {one_line(words)}"
        text.add(LIST_ITEM, line, level=depth, tight=tight, boxes=boxes)


def _add_notes(text: PagedText, slide: Any) -> None:
    if not slide.has_notes_slide:
        return
    frame = slide.notes_slide.notes_text_frame
    words = [] if frame is None else [p.text for p in frame.paragraphs if p.text.strip()]
    if words:
        text.add(HEADING, _NOTES, level=2)
    for paragraph in words:
        text.add(PARAGRAPH, paragraph)


def _is_picture(shape: Any) -> bool:
    return hasattr(shape, "image") or shape._element.tag.endswith("}pic")


def _printed_label(placed: list[Placed]) -> str:
    """The slide's number as it stands on it; empty where a sign merely stands for it."""
    for shape in placed:
        if str(shape.placeholder).startswith("SLIDE_NUMBER") and shape.shape.has_text_frame:
            words = one_line(shape.shape.text_frame.text)
            if any(character.isdigit() for character in words):
                return words
    return ""
