"""What do the first bytes and the members of a file say that it is, whatever its name?"""

import re

from services.ingest.core.formats import package, pdf
from services.ingest.core.formats.docx import parser as docx
from services.ingest.core.formats.encoding import looks_like_text
from services.ingest.core.formats.epub import parser as epub
from services.ingest.core.formats.pptx import parser as pptx
from services.ingest.core.formats.xlsx import parser as xlsx
from shared.errors import InvalidDocument, UnsupportedType

# Endings that promise a kind which only its bytes can keep: the media type and what to call it.
PROMISED = {
    "pdf": (pdf.MEDIA_TYPE, "PDF"),
    "docx": (docx.MEDIA_TYPE, "Word document"),
    "docm": (docx.MEDIA_TYPE, "Word document"),
    "pptx": (pptx.MEDIA_TYPE, "PowerPoint presentation"),
    "pptm": (pptx.MEDIA_TYPE, "PowerPoint presentation"),
    "xlsx": (xlsx.MEDIA_TYPE, "Excel workbook"),
    "xlsm": (xlsx.MEDIA_TYPE, "Excel workbook"),
    "epub": (epub.MEDIA_TYPE, "EPUB book"),
}
_MEMBERS = {
    "word/document.xml": docx.MEDIA_TYPE,
    "ppt/presentation.xml": pptx.MEDIA_TYPE,
    "xl/workbook.xml": xlsx.MEDIA_TYPE,
    "META-INF/container.xml": epub.MEDIA_TYPE,
}
_PDF_WITHIN_BYTES = 1024
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OLE_STREAMS = (
    ("__properties_version1.0", "An Outlook message (.msg) is not read: save it as EML."),
    ("WordDocument", "A Word 97-2003 file (.doc) is not read: save it as DOCX."),
    ("PowerPoint Document", "A PowerPoint 97-2003 file (.ppt) is not read: save it as PPTX."),
    ("Workbook", "An Excel 97-2003 file (.xls) is not read: save it as XLSX."),
    ("Book", "An old Excel file (.xls) is not read: save it as XLSX."),
)
_REFUSED = (
    (re.compile(rb"\{\\rtf"), "An RTF file is not read: save it as DOCX or PDF."),
    (
        re.compile(
            rb"\x89PNG|\xff\xd8\xff|GIF8[79]a|II\*\0|MM\0\*|RIFF....WEBP|BM....\0\0\0\0|....ftyp(?:hei|avif|mif1)",
            re.DOTALL,
        ),
        "An image is not read: put it into a PDF.",
    ),
    (
        re.compile(rb"\x1f\x8b|BZh[1-9]1AY|\xfd7zXZ\0|7z\xbc\xaf\x27\x1c|Rar!\x1a\x07"),
        "An archive is not read: unpack it and upload the files in it.",
    ),
    (
        re.compile(rb"ID3|OggS|RIFF....(?:WAVE|AVI )|....ftyp|\x1aE\xdf\xa3|fLaC", re.DOTALL),
        "Sound and film are not read: upload a transcript.",
    ),
)


def told_by_bytes(ending: str, data: bytes) -> str | None:
    """The media type that the bytes prove, None where they leave it open.

    Raises UnsupportedType for a kind that is known and not read, InvalidDocument for an encrypted or damaged
    file and for one that is not what its ending promises.
    """
    if _is_pdf(ending, data):
        return pdf.MEDIA_TYPE
    if starts_as_package(data):
        return _package_type(ending, data)
    if data.startswith(_OLE):
        raise _ole_refusal(ending, data)
    for signature, refusal in _REFUSED:
        if signature.match(data):
            raise UnsupportedType(refusal)
    if ending in PROMISED:
        raise InvalidDocument(not_as_promised(ending))
    return None


def starts_as_package(data: bytes) -> bool:
    return data[:4] in (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")


def not_as_promised(ending: str) -> str:
    """The sentence for a file whose name says one kind and whose bytes another."""
    noun = PROMISED[ending][1]
    return f"The file is no {noun}, whatever its name says: save it as {ending.upper()} and upload it again."


def _is_pdf(ending: str, data: bytes) -> bool:
    """A mark at the start, or a little later in what is not a text that merely mentions it."""
    found = data[:_PDF_WITHIN_BYTES].find(b"%PDF-")
    if found < 0:
        return False
    return not data[:found].strip() or ending in ("pdf", "") or not looks_like_text(data)


def _package_type(ending: str, data: bytes) -> str:
    """By what the package holds. A damaged one is a damaged document only if its name says so."""
    try:
        names = package.members(data)
    except InvalidDocument:
        if ending in PROMISED:
            raise
        names = frozenset()
    if "META-INF/manifest.xml" in names and "content.xml" in names:
        raise UnsupportedType("An OpenDocument file is not read: save it as DOCX, PPTX, XLSX or PDF.")
    found = next((media_type for member, media_type in _MEMBERS.items() if member in names), None)
    if found:
        return found
    if ending in PROMISED:
        raise InvalidDocument(not_as_promised(ending))
    raise UnsupportedType("An archive is not read: unpack it and upload the files in it.")


def _ole_refusal(ending: str, data: bytes) -> Exception:
    for stream, refusal in _OLE_STREAMS:
        if stream.encode("utf-16-le") in data:
            return UnsupportedType(refusal)
    if "EncryptedPackage".encode("utf-16-le") in data or ending in PROMISED:
        return InvalidDocument("The Office file is encrypted: remove its password and upload it again.")
    return UnsupportedType("An Office file of before 2007 is not read: save it as DOCX, PPTX or XLSX.")
