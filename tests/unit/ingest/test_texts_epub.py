"""What does a book become: its chapters in order, without its tables of contents, or the reason why not?"""

import io
import zipfile

import pytest

from services.ingest.core.document import HEADING, PARAGRAPH, ParsedDocument
from services.ingest.core.formats.limits import Limits
from services.ingest.core.formats.registry import parse
from shared.errors import InvalidDocument
from tests.unit.ingest.reading_files import blocks, read

CONTAINER = """<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
<rootfile full-path="OPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>"""
OPF = """<package xmlns="http://www.idpf.org/2007/opf"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:title>The lock keeper</dc:title><dc:language>en</dc:language></metadata><manifest>
<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
<item id="one" href="text/one.xhtml" media-type="application/xhtml+xml"/>
<item id="two" href="text/two%20b.xhtml" media-type="application/xhtml+xml"/>
<item id="gone" href="gone.xhtml" media-type="application/xhtml+xml"/></manifest>
<spine><itemref idref="nav"/><itemref idref="two"/><itemref idref="one"/>{more}</spine></package>"""
NAV = """<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><body>
<h1>Contents</h1><nav epub:type="toc"><ol><li><a href="text/two%20b.xhtml#x">The tide</a></li></ol></nav>
{more}</body></html>"""
CHAPTER = '<html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body>{}</body></html>'
ONE = CHAPTER.format("<h2>The lock</h2><p>caf&eacute;</p>")
TWO = CHAPTER.format('<p id="x">Water rises.</p>')


def book(spine: str = "", nav: str = "", encryption: str = "") -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as package:
        package.writestr("mimetype", "application/epub+zip")
        package.writestr("META-INF/container.xml", CONTAINER)
        package.writestr("OPS/book.opf", OPF.format(more=spine))
        package.writestr("OPS/nav.xhtml", NAV.format(more=nav))
        package.writestr("OPS/text/one.xhtml", ONE)
        package.writestr("OPS/text/two b.xhtml", TWO)
        if encryption:
            method = f'<EncryptionMethod Algorithm="{encryption}"/>'
            package.writestr(
                "META-INF/encryption.xml", f"<encryption><EncryptedData>{method}</EncryptedData></encryption>"
            )
    return written.getvalue()


def parsed(data: bytes) -> ParsedDocument:
    return read("book.epub", data)


def test_chapters_follow_the_spine_and_are_named_by_the_contents() -> None:
    document = parsed(book())
    assert document.title == "The lock keeper"
    assert blocks(document) == [
        (HEADING, "The tide"), (PARAGRAPH, "Water rises."), (HEADING, "The lock"), (PARAGRAPH, "café"),
    ]  # fmt: skip
    assert (document.blocks[2].level, document.warnings, document.pages) == (2, (), ())


def test_missing_chapter_and_unread_page_numbers_are_warned_of() -> None:
    pages = '<nav epub:type="page-list"><ol><li><a href="text/one.xhtml#p">1</a></li></ol></nav>'
    missing, numbers = parsed(book('<itemref idref="gone"/>', pages)).warnings
    assert "1 of the book's 4 documents are missing" in missing
    assert "page numbers" in numbers


def test_locked_book_is_refused_and_one_with_hidden_fonts_is_not() -> None:
    with pytest.raises(InvalidDocument, match="DRM"):
        parsed(book(encryption="http://www.w3.org/2001/04/xmlenc#aes128-cbc"))
    assert parsed(book(encryption="http://www.idpf.org/2008/embedding")).title == "The lock keeper"


def test_book_cut_short_is_called_damaged() -> None:
    with pytest.raises(InvalidDocument, match="damaged"):
        parsed(book()[:-60])


def test_book_that_unpacks_beyond_the_limit_is_refused() -> None:
    with pytest.raises(InvalidDocument, match="unpacks"):
        parse("a.epub", book(), "application/epub+zip", limits=Limits(max_unpacked_bytes=300))
