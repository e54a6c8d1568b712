"""Which kind of file is this, and which extractor reads it?"""

import re
from dataclasses import dataclass, replace
from typing import Protocol

from services.ingest.core.document import FURNITURE, ParsedDocument
from services.ingest.core.formats import markdown, pdf
from services.ingest.core.formats.delimited import parser as delimited
from services.ingest.core.formats.docx import parser as docx
from services.ingest.core.formats.eml import parser as eml
from services.ingest.core.formats.eml.headers import looks_like_mail
from services.ingest.core.formats.encoding import looks_like_text, marked_encoding
from services.ingest.core.formats.epub import parser as epub
from services.ingest.core.formats.html import parser as html
from services.ingest.core.formats.limits import DEFAULT_LIMITS, Limits, check_characters
from services.ingest.core.formats.plain import parser as plain
from services.ingest.core.formats.pptx import parser as pptx
from services.ingest.core.formats.rst import parser as rst
from services.ingest.core.formats.signatures import starts_as_package, told_by_bytes
from services.ingest.core.formats.xlsx import parser as xlsx
from services.ingest.core.text import visible
from shared.errors import InvalidDocument, UnsupportedType


class Extractor(Protocol):
    """Raises InvalidDocument or TooLarge with a sentence that says what to do."""

    def __call__(self, name: str, data: bytes, *, limits: Limits) -> ParsedDocument: ...


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of file: its media type, its reader, and the endings that mean it where the bytes do not."""

    media_type: str
    extract: Extractor
    endings: tuple[str, ...] = ()


FORMATS = (
    Format(pdf.MEDIA_TYPE, pdf.parse),
    Format(docx.MEDIA_TYPE, docx.parse),
    Format(pptx.MEDIA_TYPE, pptx.parse),
    Format(xlsx.MEDIA_TYPE, xlsx.parse),
    Format(html.MEDIA_TYPE, html.parse, ("html", "htm", "xhtml", "xht")),
    Format(markdown.MEDIA_TYPE, markdown.parse, ("md", "markdown", "mdown", "mkd")),
    Format(delimited.CSV_MEDIA_TYPE, delimited.parse_csv, ("csv",)),
    Format(delimited.TSV_MEDIA_TYPE, delimited.parse_tsv, ("tsv", "tab")),
    Format(epub.MEDIA_TYPE, epub.parse),
    Format(rst.MEDIA_TYPE, rst.parse, ("rst", "rest")),
    Format(eml.MEDIA_TYPE, eml.parse, ("eml",)),
    Format(plain.MEDIA_TYPE, plain.parse, (*plain.PROSE_ENDINGS, *plain.SOURCE_ENDINGS)),
)
PARSERS: dict[str, Extractor] = {known.media_type: known.extract for known in FORMATS}
_TEXT_ENDINGS = {ending: known.media_type for known in FORMATS for ending in known.endings}
_READABLE = (
    "PDF, DOCX, PPTX, XLSX, HTML, EPUB, EML, Markdown, reStructuredText, plain text, CSV and TSV "
    "files are read."
)
# Each comment ends at its first end and is given back whole: else the ways to tell a row of them apart double
# with every one, in the service's own process.
_PAGE_START = re.compile(
    rb"\s*(?:<\?xml[^>]*>\s*)?(?>(?:<!--.*?-->\s*)*)<(?:!doctype\s+html|html)[\s>]", re.IGNORECASE | re.DOTALL
)
_BLANK = b" \t\r\n\x0b\x0c\0"


def sniff(name: str, data: bytes) -> str:
    """The media type, from the bytes first and the name's ending second.

    Raises UnsupportedType for what no extractor reads, InvalidDocument for an empty or plainly corrupt file.
    """
    ending = _ending(name)
    if not data.strip(_BLANK) and not starts_as_package(data):
        raise InvalidDocument("The file is empty: upload one with text in it.")
    try:
        told = told_by_bytes(ending, data)
    except UnsupportedType as refusal:
        raise UnsupportedType(f"{refusal} {_READABLE}") from refusal
    if told:
        return told
    declared = _TEXT_ENDINGS.get(ending)
    binary_mail = declared == eml.MEDIA_TYPE and looks_like_mail(data)  # its parts may be sent as they are
    if declared and not binary_mail and not looks_like_text(data):
        raise UnsupportedType(f"The file holds binary data, which is not read as text. {_READABLE}")
    if declared in (None, plain.MEDIA_TYPE):
        declared = _told_by_its_start(ending, data) or declared
    if declared is None:
        raise UnsupportedType(f"This kind of file (.{ending}) is not read. {_READABLE}")
    return declared


def parse(name: str, data: bytes, media_type: str, *, limits: Limits = DEFAULT_LIMITS) -> ParsedDocument:
    """The parsed document, with something to read in it.

    Raises InvalidDocument with a sentence that says what to do, UnsupportedType for another media type,
    TooLarge above the limits.
    """
    extract = PARSERS.get(media_type)
    if extract is None:
        raise UnsupportedType(f"Files of type {media_type} are not read. {_READABLE}")
    return checked(extract(name, data, limits=limits), limits)


def checked(parsed: ParsedDocument, limits: Limits) -> ParsedDocument:
    """The document as it is. Raises TooLarge, and InvalidDocument when nothing can be searched."""
    check_characters(len(parsed.text), limits)
    content = (parsed.text[block.start : block.end] for block in parsed.blocks if block.kind != FURNITURE)
    if not any(visible(text) for text in content):
        raise InvalidDocument(
            "The file holds no text to search: upload one with content beyond its metadata."
        )
    return _with_readable_attachments(parsed) if parsed.attachments else parsed


def _told_by_its_start(ending: str, data: bytes) -> str | None:
    """The media type of a page or a mail under a name that says neither."""
    if not marked_encoding(data) and _PAGE_START.match(data):
        return html.MEDIA_TYPE
    return eml.MEDIA_TYPE if looks_like_mail(data, sent=bool(ending)) else None


def _with_readable_attachments(parsed: ParsedDocument) -> ParsedDocument:
    """The document with those attachments that can be read at all; a warning names each of the others."""
    kept, warnings = [], list(parsed.warnings)
    for attachment in parsed.attachments:
        try:
            sniff(attachment.name, attachment.data)
        except (InvalidDocument, UnsupportedType) as refusal:
            reason = str(refusal).removesuffix(_READABLE).strip()
            warnings.append(f"Attachment {attachment.name} is not read: {reason}")
        else:
            kept.append(attachment)
    return replace(parsed, attachments=tuple(kept), warnings=tuple(warnings))


def _ending(name: str) -> str:
    """Lower case; empty for a name without one, and for digits after a dot, which are a date or a version."""
    base = re.split(r"[/\\]", name)[-1].lstrip(".")
    ending = base.rsplit(".", 1)[1].lower().strip() if "." in base else ""
    return "" if ending.isdigit() else ending
