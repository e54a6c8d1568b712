"""What is a file told to be by its bytes, and what is said of a kind that is not read?"""

import io
import time
import zipfile

import pytest

from services.ingest.core.formats.limits import Limits
from services.ingest.core.formats.registry import parse, sniff
from shared.errors import InvalidDocument, TooLarge, UnsupportedType

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500)
WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


def ole(stream: str) -> bytes:
    return OLE + stream.encode("utf-16-le") + bytes(100)


def package(*members: str) -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        for member in members:
            archive.writestr(member, "<x/>")
    return written.getvalue()


@pytest.mark.parametrize(
    ("name", "data", "media_type"),
    [
        ("a.zip", package("word/document.xml"), WORD),
        ("a", package("META-INF/container.xml", "mimetype"), "application/epub+zip"),
        ("a.php", b"<!DOCTYPE html><html><body>x</body></html>", "text/html"),
        ("a.php", b"<!-- one --> <!-- a > b -->\n<html>x</html>", "text/html"),
        ("a.rst", b"Title\n=====", "text/x-rst"),
        ("a.eml", b"words without any header", "message/rfc822"),
        ("message", b"From: a@example.org\nTo: b@example.org\nSubject: x\n\nHello", "message/rfc822"),
        ("a.txt", b"Received: by mx\nFrom: a@example.org\n\nHello", "message/rfc822"),
        ("a.txt", b"From: the harbour\nTo: all\n\nHello", "text/plain"),
        ("settings.yaml", b"a: 1", "text/plain"),
        ("notes of 12.03", b"words", "text/plain"),
        ("formats.md", b"A file begins with %PDF-1.7 when it is one.", "text/markdown"),
    ],
)
def test_kind_is_told_by_bytes_before_the_name(name: str, data: bytes, media_type: str) -> None:
    assert sniff(name, data) == media_type


def test_text_of_comments_alone_is_told_at_once() -> None:
    started = time.process_time()
    assert sniff("a.txt", b"<!---->" * 24 + b"words") == "text/plain"
    assert time.process_time() - started < 1


@pytest.mark.parametrize(
    ("name", "data", "advice"),
    [
        ("a.doc", ole("WordDocument"), "save it as DOCX"),
        ("a.xls", ole("Workbook"), "save it as XLSX"),
        ("a.ppt", ole("PowerPoint Document"), "save it as PPTX"),
        ("a.msg", ole("__properties_version1.0"), "save it as EML"),
        ("a.odt", package("META-INF/manifest.xml", "content.xml"), "save it as DOCX"),
        ("a.rtf", b"{\\rtf1 words}", "save it as DOCX"),
        ("a.jpg", b"\xff\xd8\xff\xe0\0\x10JFIF", "put it into a PDF"),
        ("a.gz", b"\x1f\x8b\x08\0", "unpack it"),
        ("a.zip", package("notes.txt"), "unpack it"),
        ("a.mp4", b"\0\0\0\x18ftypmp42", "transcript"),
    ],
)
def test_kind_that_is_not_read_is_refused_with_advice(name: str, data: bytes, advice: str) -> None:
    with pytest.raises(UnsupportedType, match=advice):
        sniff(name, data)


@pytest.mark.parametrize("name", ["a.docx", "a.xlsx", "a.pptx", "a"])
def test_encrypted_office_file_is_called_encrypted(name: str) -> None:
    with pytest.raises(InvalidDocument, match="encrypted: remove its password"):
        sniff(name, ole("EncryptedPackage"))


@pytest.mark.parametrize("name", ["a.docx", "a.pptx", "a.xlsx", "a.epub", "a.pdf"])
def test_name_that_promises_a_kind_is_not_believed(name: str) -> None:
    with pytest.raises(InvalidDocument, match="whatever its name says"):
        sniff(name, b"Just some words.")
    with pytest.raises(InvalidDocument, match="damaged" if name != "a.pdf" else "no PDF|unpack"):
        sniff(name, b"PK\x03\x04" + bytes(100) if name != "a.pdf" else b"words")


def test_text_beyond_the_limit_is_refused_by_its_setting() -> None:
    with pytest.raises(TooLarge, match="SIGHTLINE_MAX_CHARACTERS"):
        parse("a.txt", b"twelve words", "text/plain", limits=Limits(max_characters=5))
    rows = b"name,city\n" + b"Ada,London\n" * 100
    with pytest.raises(TooLarge, match="SIGHTLINE_MAX_CHARACTERS"):
        parse("a.csv", rows, "text/csv", limits=Limits(max_characters=500))


def test_package_with_an_endless_directory_is_refused_unopened() -> None:
    entry = b"PK\x01\x02" + bytes(42)
    with pytest.raises(InvalidDocument, match="far more than a document has"):
        sniff("report.docx", b"PK\x03\x04" + entry * 60_000)
