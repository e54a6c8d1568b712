"""How is a PDF opened and gone through, page by page, when any of its pages may be broken?"""

import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, TypeAlias

import pdfplumber
from pdfminer.pdfdocument import PDFEncryptionError, PDFPasswordIncorrect
from pdfminer.pdfpage import PDFPage
from pdfplumber.page import Page
from pdfplumber.utils.exceptions import PdfminerException

from services.ingest.core.document import Attachment
from services.ingest.core.formats.limits import Limits
from services.ingest.core.ocr.sizes import settled
from services.ingest.core.pdf.embedded import embedded_files
from services.ingest.core.pdf.fields import annotations_of
from services.ingest.core.pdf.fonts import Fonts
from services.ingest.core.pdf.outline import read_outline
from services.ingest.core.pdf.words import PageWords, Word, read_page, recognised
from shared.errors import InvalidDocument, TooLarge

_ENCRYPTED = "The PDF is encrypted: remove its password and upload it again."
_DAMAGED = "The PDF is damaged and cannot be opened: export it anew and upload it again."
_A4 = (595.0, 842.0)


ScanReader: TypeAlias = Callable[[int], tuple[Word, ...]]  # the words of a page by its number


@dataclass(frozen=True, slots=True)
class PdfContent:
    """What the pages hold, the title in the file's metadata, and the numbers of pages that gave nothing.

    `outline` is the file's own table of contents, by page number and bare title; `notices` are sentences.
    """

    pages: tuple[PageWords, ...]
    declared_title: str
    unreadable: tuple[int, ...]
    outline: Mapping[tuple[int, str], int] = field(default_factory=dict)
    attachments: tuple[Attachment, ...] = ()
    notices: tuple[str, ...] = ()


class PdfFile:
    """An opened PDF, none of its pages looked into yet: they may be read in parts, each in its own process.

    `scans` reads a scanned page off its picture. Raises InvalidDocument for a file that cannot be opened,
    TooLarge for one of too many pages.
    """

    def __init__(self, data: bytes, limits: Limits, scans: ScanReader | None = None) -> None:
        self._scans, self._limits = scans, limits
        self._pdf, self._pages = _opened(data, limits.max_pages + 1)
        self.page_count = len(self._pages)
        self._fonts = Fonts()
        if not self._pages:
            raise InvalidDocument(_DAMAGED)
        if self.page_count > limits.max_pages:
            raise TooLarge(f"The PDF has more than {limits.max_pages} pages (SIGHTLINE_MAX_PAGES): split it.")
        declared = self._pdf.metadata.get("Title")
        self.declared_title = declared if isinstance(declared, str) else ""

    def read(self, number: int) -> PageWords | None:
        """A page by its number from 1, None if it is broken: it must not cost the others."""
        try:
            source = self._pages[number - 1]
            source.mediabox, source.cropbox = _sound(source.mediabox), _sound(source.cropbox)
            page = Page(self._pdf, source, number)
            words = read_page(page, number, self._fonts)
            page.close()
            if words.scanned and self._scans is not None:
                words = recognised(words, self._scans(number))
        except Exception:  # pdfminer lets whatever a broken page provokes through
            return None
        return words

    def content(self, pages: Sequence[PageWords | None]) -> PdfContent:
        """All of its pages, a blank one for each that is None. Raises InvalidDocument if all of them are."""
        unreadable = tuple(number for number, page in enumerate(pages, start=1) if page is None)
        if len(unreadable) == len(pages):
            raise InvalidDocument(_DAMAGED)
        blank = (PageWords(n, *_A4, _A4[1], (), (), False, None) for n in unreadable)
        pinned = [annotation for page in self._pages for annotation in _annotations(page)]
        attachments, notices = embedded_files(self._pdf.doc.catalog, pinned, self._limits)
        return PdfContent(
            settled(page or next(blank) for page in pages),
            self.declared_title,
            unreadable,
            read_outline(self._pdf.doc, [page.pageid for page in self._pages]),
            attachments,
            notices,
        )


def _sound(box: Sequence[float]) -> tuple[float, float, float, float]:
    """A page's box with its corners the right way round."""
    (x0, x1), (y0, y1) = sorted((box[0], box[2])), sorted((box[1], box[3]))
    return x0, y0, x1, y1


def read_pdf(data: bytes, limits: Limits) -> PdfContent:
    """All pages, read one after the other. Raises as PdfFile does, and InvalidDocument if all are broken."""
    file = PdfFile(data, limits)
    return file.content([file.read(number + 1) for number in range(file.page_count)])


def _annotations(page: PDFPage) -> list[dict[str, Any]]:
    try:
        return annotations_of(page) if page.annots is not None else []
    except Exception:  # pdfminer lets whatever a broken page provokes through
        return []


def _pages_of(document: Any, most: int) -> list[PDFPage]:
    """The pages with their labels, without any if the label tree is broken: it must not cost the pages."""
    try:
        return list(islice(PDFPage.create_pages(document), most))
    except Exception:  # pdfminer lets whatever a broken tree provokes through
        if document.catalog.pop("PageLabels", None) is None:
            raise
        return list(islice(PDFPage.create_pages(document), most))


def _opened(data: bytes, most: int) -> tuple[Any, list[PDFPage]]:
    """The file and its pages, `most` of them, none looked into yet."""
    try:
        pdf = pdfplumber.open(io.BytesIO(data), raise_unicode_errors=False)
        return pdf, _pages_of(pdf.doc, most)
    except PdfminerException as error:
        cause = error.args[0] if error.args else None
        encrypted = isinstance(cause, PDFPasswordIncorrect | PDFEncryptionError)
        raise InvalidDocument(_ENCRYPTED if encrypted else _DAMAGED) from error
    except Exception as error:  # pdfminer lets whatever a broken file provokes through
        raise InvalidDocument(_DAMAGED) from error
