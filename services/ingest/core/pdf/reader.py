"""How is a PDF opened and gone through, page by page, when any of its pages may be broken?"""

import io
from dataclasses import dataclass
from typing import Any

import pdfplumber
from pdfminer.pdfdocument import PDFEncryptionError, PDFPasswordIncorrect
from pdfminer.pdfpage import PDFPage
from pdfplumber.page import Page
from pdfplumber.utils.exceptions import PdfminerException

from services.ingest.core.formats.limits import Limits
from services.ingest.core.pdf.words import PageWords, read_page
from shared.errors import InvalidDocument, TooLarge

_ENCRYPTED = "The PDF is encrypted: remove its password and upload it again."
_DAMAGED = "The PDF is damaged and cannot be opened: export it anew and upload it again."
_A4 = (595.0, 842.0)


@dataclass(frozen=True, slots=True)
class PdfContent:
    """What the pages hold, the title in the file's metadata, and what could not be read."""

    pages: tuple[PageWords, ...]
    declared_title: str
    warnings: tuple[str, ...]


def read_pdf(data: bytes, limits: Limits) -> PdfContent:
    """Raises InvalidDocument for a file that cannot be opened, TooLarge for one of too many pages."""
    pdf, pages = _opened(data)
    if not pages:
        raise InvalidDocument(_DAMAGED)
    if len(pages) > limits.max_pages:
        raise TooLarge(f"The PDF has {len(pages)} pages; at most {limits.max_pages} are read: split it.")
    read, broken = [], []
    for number, source in enumerate(pages, start=1):
        try:
            page = Page(pdf, source, number)
            read.append(read_page(page, number))
            page.close()
        except Exception:  # one broken page must not cost the others
            read.append(PageWords(number, *_A4, _A4[1], (), (), False, None))
            broken.append(number)
    declared = pdf.metadata.get("Title")
    if len(broken) == len(read):
        raise InvalidDocument(_DAMAGED)
    warnings = (f"Pages that could not be read: {', '.join(map(str, broken))}.",) if broken else ()
    return PdfContent(tuple(read), declared if isinstance(declared, str) else "", warnings)


def _opened(data: bytes) -> tuple[Any, list[PDFPage]]:
    """The file and its pages, none of them looked into yet."""
    try:
        pdf = pdfplumber.open(io.BytesIO(data), raise_unicode_errors=False)
        return pdf, list(PDFPage.create_pages(pdf.doc))
    except PdfminerException as error:
        cause = error.args[0] if error.args else None
        encrypted = isinstance(cause, PDFPasswordIncorrect | PDFEncryptionError)
        raise InvalidDocument(_ENCRYPTED if encrypted else _DAMAGED) from error
    except Exception as error:  # pdfminer lets whatever a broken file provokes through
        raise InvalidDocument(_DAMAGED) from error
