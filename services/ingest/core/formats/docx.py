"""How is a Word document read? Paragraphs, headings, lists and tables in the order of its body."""

import io
from collections.abc import Iterator
from typing import Any

import docx
import lxml.etree
from docx.opc.exceptions import PackageNotFoundError

from services.ingest.core.document import (
    CODE,
    FURNITURE,
    HEADING,
    LIST_ITEM,
    PARAGRAPH,
    TABLE,
    ParsedDocument,
)
from services.ingest.core.formats.csv_header import why_no_header
from services.ingest.core.formats.docx_styles import Styles, word_name
from services.ingest.core.formats.limits import DEFAULT_LIMITS, Limits
from services.ingest.core.formats.package import check_package
from services.ingest.core.formats.table_text import table_lines
from services.ingest.core.text import TextBuilder, one_line
from services.ingest.core.title import first_headings, title_of
from shared.errors import InvalidDocument

MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
_DAMAGED = "The Word file is damaged: open it in a word processor, save it anew and upload it again."
_TEXT, _TAB, _BREAK, _RETURN = (word_name(tag) for tag in ("t", "tab", "br", "cr"))
_PARAGRAPH, _TABLE, _CONTROL, _CONTENT = (word_name(tag) for tag in ("p", "tbl", "sdt", "sdtContent"))
_ROW, _CELL, _CELL_PROPERTIES, _MERGED = (word_name(tag) for tag in ("tr", "tc", "tcPr", "vMerge"))
_VALUE, _HYPHEN, _BOX = word_name("val"), word_name("noBreakHyphen"), word_name("txbxContent")
_HEADER_MARK = word_name("tblHeader")
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_WRAPPERS = frozenset(word_name(tag) for tag in ("ins", "customXml", "smartTag", "moveTo"))


def parse(name: str, data: bytes, *, limits: Limits = DEFAULT_LIMITS) -> ParsedDocument:
    check_package(data, limits)
    try:
        document = docx.Document(io.BytesIO(data))
        if document.element.body is None or document.element.getroottree().docinfo.internalDTD is not None:
            raise InvalidDocument(_DAMAGED)  # no word processor declares entities, and their text is not read
        styles = Styles(document)
        builder = TextBuilder()
        _add_furniture(builder, document, "header")
        for element in _flow(document.element.body):
            _add(builder, element, styles)
        _add_furniture(builder, document, "footer")
        declared = document.core_properties.title or ""
    except (KeyError, ValueError, AttributeError, PackageNotFoundError, lxml.etree.LxmlError) as error:
        raise InvalidDocument(_DAMAGED) from error
    text, blocks = builder.finish()
    title = title_of([declared, *first_headings(blocks, text)], name)
    return ParsedDocument(text, title, blocks, (), None, (), MEDIA_TYPE)


def _flow(parent: Any) -> Iterator[Any]:
    """Paragraphs and tables in order, content controls and accepted insertions opened up."""
    for element in parent:
        if element.tag in (_PARAGRAPH, _TABLE):
            yield element
        elif element.tag == _CONTROL:
            for content in element.iterchildren(_CONTENT):
                yield from _flow(content)
        elif element.tag in _WRAPPERS:
            yield from _flow(element)


def _add(builder: TextBuilder, element: Any, styles: Styles) -> None:
    if element.tag == _TABLE:
        lines, header_lines = _table_lines(element)
        builder.add(TABLE, "\n".join(lines), header_lines=header_lines)
        return
    level, depth = styles.heading_level(element), styles.list_depth(element)
    words = _words(element)
    if level:
        builder.add(HEADING, one_line(words), level=level)
    elif depth:
        builder.add(
            LIST_ITEM,
            "  " * (depth - 1) + "- " + one_line(words) if words.strip() else "",
            level=depth,
            tight=True,
        )
    else:
        builder.add(CODE if styles.is_code(element) else PARAGRAPH, words.strip("\n"))
    for box in element.iter(_BOX):
        if not any(True for _ in box.iterancestors(_FALLBACK)):
            for inner in _flow(box):
                _add(builder, inner, styles)


def _words(paragraph: Any) -> str:
    """A paragraph's words; its text boxes are paragraphs of their own, what is struck out is left out."""
    parts: list[str] = []
    stack = list(reversed(paragraph))
    while stack:
        node = stack.pop()
        if node.tag == _TEXT:
            parts.append(node.text or "")
        elif node.tag in (_BREAK, _RETURN):
            parts.append("\n")
        elif node.tag == _TAB:
            parts.append("\t")
        elif node.tag == _HYPHEN:
            parts.append("\u2011")
        elif node.tag not in (_FALLBACK, _BOX):
            stack.extend(reversed(node))
    return "".join(parts)


def _table_lines(table: Any) -> tuple[list[str], int]:
    """One line a row, and how many of the first name the columns."""
    rows: list[list[str]] = []
    marked = 0
    for row in _rows(table):
        cells = [_cell_words(cell) for cell in _cells(row)]
        if not any(cells):
            continue
        if marked == len(rows) and next(row.iter(_HEADER_MARK), None) is not None:
            marked += 1
        rows.append(cells)
    if not marked and _first_names_columns(rows):
        marked = 1
    marked = marked if marked < len(rows) else 0
    return table_lines(rows, named=marked > 0), marked


def _first_names_columns(rows: list[list[str]]) -> bool:
    """Several filled cells that name columns rather than hold values, above more than one row."""
    return len(rows) > 2 and len(rows[0]) > 1 and all(rows[0]) and why_no_header(rows[0], rows[1:]) is None


def _rows(table: Any) -> Iterator[Any]:
    for element in table:
        if element.tag == _ROW:
            yield element
        elif element.tag == _CONTROL:
            for content in element.iterchildren(_CONTENT):
                yield from content.iterchildren(_ROW)


def _cells(row: Any) -> Iterator[Any]:
    """The cells that begin in this row; one merged from the row above is not said twice."""
    for element in row:
        found = [element] if element.tag == _CELL else []
        if element.tag == _CONTROL:
            found = [
                cell for content in element.iterchildren(_CONTENT) for cell in content.iterchildren(_CELL)
            ]
        for cell in found:
            properties = cell.find(_CELL_PROPERTIES)
            merged = None if properties is None else properties.find(_MERGED)
            if merged is None or merged.get(_VALUE) == "restart":
                yield cell


def _cell_words(cell: Any) -> str:
    """A cell on one line; a table inside it as its rows, set apart by semicolons."""
    parts = [
        "; ".join(_table_lines(element)[0]) if element.tag == _TABLE else one_line(_words(element))
        for element in _flow(cell)
    ]
    return " ".join(filter(None, parts))


def _add_furniture(builder: TextBuilder, document: Any, which: str) -> None:
    """The different running headers or footers of all sections, each once."""
    seen: set[str] = set()
    for section in document.sections:
        for part in (getattr(section, which), getattr(section, f"first_page_{which}")):
            if part.is_linked_to_previous:
                continue
            words = "\n".join(_words(paragraph) for paragraph in part._element.iter(_PARAGRAPH)).strip()
            if words and words not in seen:
                seen.add(words)
                builder.add(FURNITURE, words)
