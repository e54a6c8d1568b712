"""How is an EPUB book read? Its documents in the order of its spine, without its tables of contents."""

import io
import zipfile
import zlib

from lxml.html import HtmlElement

from services.ingest.core.document import HEADING, ParsedDocument
from services.ingest.core.formats.epub.book import Book, read_book
from services.ingest.core.formats.html.blocks import BlockWalker
from services.ingest.core.formats.html.parser import decoded_page
from services.ingest.core.formats.html.tags import HEADINGS, is_left_out, tag_of
from services.ingest.core.formats.html.tree import tree_of
from services.ingest.core.formats.limits import DEFAULT_LIMITS, Limits
from services.ingest.core.formats.package import check_package
from services.ingest.core.text import TextBuilder
from services.ingest.core.title import first_headings, title_of
from shared.errors import InvalidDocument

MEDIA_TYPE = "application/epub+zip"
_MIN_BESIDE_CONTENTS = 200  # characters that make a page with the table of contents worth reading
_DAMAGED = "The book is damaged: export it anew and upload it again."


def parse(name: str, data: bytes, *, limits: Limits = DEFAULT_LIMITS) -> ParsedDocument:
    check_package(data, limits)
    builder = TextBuilder()
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            book = read_book(package)
            warnings = _add_chapters(builder, package, book)
    except (zipfile.BadZipFile, KeyError, OSError, EOFError, NotImplementedError, zlib.error) as error:
        raise InvalidDocument(_DAMAGED) from error
    if book.has_page_list:
        warnings.append("The page numbers of the printed book are not read: passages are cited by chapter.")
    text, blocks = builder.finish()
    title = title_of([book.title, *first_headings(blocks, text)], name)
    return ParsedDocument(text, title, blocks, (), None, tuple(warnings), MEDIA_TYPE)


def _add_chapters(builder: TextBuilder, package: zipfile.ZipFile, book: Book) -> list[str]:
    """Adds each document of the spine; returns warnings about those that are missing."""
    members = frozenset(package.namelist())
    missing = [member for member in book.spine if member not in members]
    for member in book.spine:
        if member in missing:
            continue
        root = tree_of(decoded_page(package.read(member)), as_xml=True)
        lists = frozenset(root.iter("nav"))
        said = _characters(root)
        if member in book.contents and said < _MIN_BESIDE_CONTENTS:
            continue
        if said and next(root.iter(*HEADINGS), None) is None:
            builder.add(HEADING, book.names.get(member, ""), level=1)
        BlockWalker(builder, left_out=lists).walk(root)
    if not missing:
        return []
    return [f"{len(missing)} of the book's {len(book.spine)} documents are missing, the first {missing[0]}."]


def _characters(root: HtmlElement) -> int:
    """How much is said outside lists of links."""
    count = 0
    stack = list(root.iter("body"))
    while stack:
        element = stack.pop()
        count += len((element.text or "").strip())
        for child in element:
            count += len((child.tail or "").strip())
            if not is_left_out(child) and tag_of(child) not in ("nav", "a"):
                stack.append(child)
    return count
