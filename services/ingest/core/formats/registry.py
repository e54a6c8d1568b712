"""Which kind of file is this, and which extractor reads it?"""

import re
from collections.abc import Callable

from services.ingest.core.document import FURNITURE, ParsedDocument
from services.ingest.core.formats import delimited, docx, html, markdown, package, pdf, plain
from services.ingest.core.formats.encoding import looks_like_text, marked_encoding
from services.ingest.core.formats.limits import DEFAULT_LIMITS
from services.ingest.core.text import visible
from shared.errors import InvalidDocument, TooLarge, UnsupportedType

PARSERS: dict[str, Callable[[str, bytes], ParsedDocument]] = {
    pdf.MEDIA_TYPE: pdf.parse,
    docx.MEDIA_TYPE: docx.parse,
    html.MEDIA_TYPE: html.parse,
    markdown.MEDIA_TYPE: markdown.parse,
    plain.MEDIA_TYPE: plain.parse,
    delimited.CSV_MEDIA_TYPE: delimited.parse_csv,
    delimited.TSV_MEDIA_TYPE: delimited.parse_tsv,
}
_TEXT_ENDINGS = {
    "md": markdown.MEDIA_TYPE,
    "markdown": markdown.MEDIA_TYPE,
    "mdown": markdown.MEDIA_TYPE,
    "csv": delimited.CSV_MEDIA_TYPE,
    "tsv": delimited.TSV_MEDIA_TYPE,
    "tab": delimited.TSV_MEDIA_TYPE,
    "html": html.MEDIA_TYPE,
    "htm": html.MEDIA_TYPE,
    "xhtml": html.MEDIA_TYPE,
    "txt": plain.MEDIA_TYPE,
    "text": plain.MEDIA_TYPE,
    "log": plain.MEDIA_TYPE,
    "": plain.MEDIA_TYPE,
}
_READABLE = "PDF, DOCX, HTML, Markdown, plain text, CSV and TSV files are read."
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_PAGE_START = re.compile(
    rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html)[\s>]", re.IGNORECASE | re.DOTALL
)
_PDF_WITHIN_BYTES = 1024
_BLANK = b" \t\r\n\x0b\x0c\0"


def sniff(name: str, data: bytes) -> str:
    """The media type, from the bytes first and the name's ending second.

    Raises UnsupportedType for what no extractor reads, InvalidDocument for an empty or plainly corrupt file.
    """
    ending = _ending(name)
    if not data.strip(_BLANK) and not _starts_as_package(data):
        raise InvalidDocument("The file is empty: upload one with text in it.")
    if b"%PDF-" in data[:_PDF_WITHIN_BYTES]:
        return pdf.MEDIA_TYPE
    if _starts_as_package(data):
        return _package_type(ending, data)
    if ending == "docx":
        if data.startswith(_OLE):
            raise InvalidDocument("The Word file is encrypted: remove its password and upload it again.")
        raise InvalidDocument(
            "The file is no Word document, whatever its name says: save it as DOCX and upload it again."
        )
    if ending == "pdf":
        raise InvalidDocument(
            "The file is no PDF, whatever its name says: export it as PDF and upload it again."
        )
    if ending in _TEXT_ENDINGS and not looks_like_text(data):
        raise UnsupportedType(f"The file holds binary data, which is not read as text. {_READABLE}")
    if ending not in _TEXT_ENDINGS:
        raise UnsupportedType(
            f"This kind of file{f' (.{ending})' if ending else ''} is not read. {_READABLE}"
        )
    declared = _TEXT_ENDINGS[ending]
    if declared == plain.MEDIA_TYPE and not marked_encoding(data) and _PAGE_START.match(data):
        return html.MEDIA_TYPE
    return declared


def parse(name: str, data: bytes, media_type: str) -> ParsedDocument:
    """The parsed document, with something to read in it.

    Raises InvalidDocument with a sentence that says what to do, UnsupportedType for another media type.
    """
    extract = PARSERS.get(media_type)
    if extract is None:
        raise UnsupportedType(f"Files of type {media_type} are not read. {_READABLE}")
    parsed = extract(name, data)
    if len(parsed.text) > DEFAULT_LIMITS.max_characters:
        raise TooLarge(f"The text has more than {DEFAULT_LIMITS.max_characters} characters: split the file.")
    content = (parsed.text[block.start : block.end] for block in parsed.blocks if block.kind != FURNITURE)
    if not any(visible(text) for text in content):
        raise InvalidDocument(
            "The file holds no text to search: upload one with content beyond its metadata."
        )
    return parsed


def _starts_as_package(data: bytes) -> bool:
    return data[:4] in (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")


def _package_type(ending: str, data: bytes) -> str:
    """DOCX by what the package holds. A damaged one is a damaged document only if its name says DOCX."""
    try:
        names = package.members(data)
    except InvalidDocument:
        if ending == "docx":
            raise
        names = frozenset()
    if "word/document.xml" in names:
        return docx.MEDIA_TYPE
    if ending == "docx":
        raise InvalidDocument(
            "The file is no Word document, whatever its name says: save it as DOCX and upload it again."
        )
    raise UnsupportedType(f"This kind of file{f' (.{ending})' if ending else ''} is not read. {_READABLE}")


def _ending(name: str) -> str:
    base = re.split(r"[/\\]", name)[-1].lstrip(".")
    return base.rsplit(".", 1)[1].lower().strip() if "." in base else ""
