"""How does a PDF become a document?"""

from services.ingest.core.document import HEADING, ParsedDocument
from services.ingest.core.formats.limits import DEFAULT_LIMITS, Limits
from services.ingest.core.pdf.assembly import Assembled, assemble
from services.ingest.core.pdf.reader import PdfContent, read_pdf
from services.ingest.core.text import one_line
from services.ingest.core.title import title_of
from shared.errors import InvalidDocument

MEDIA_TYPE = "application/pdf"
_FIRST_PAGE = 1


def parse(name: str, data: bytes, *, limits: Limits = DEFAULT_LIMITS) -> ParsedDocument:
    return document_of(read_pdf(data, limits), name)


def document_of(content: PdfContent, name: str) -> ParsedDocument:
    """The document that the pages make. Raises InvalidDocument if there is no text on them."""
    assembled = assemble(content.pages)
    count, scanned = len(content.pages), sum(page.scanned for page in content.pages)
    if not assembled.text.strip():
        found = (
            f"{scanned} of its {_pages(count)} are scanned images"
            if scanned
            else f"its {_pages(count)} are blank"
        )
        raise InvalidDocument(
            f"The PDF holds no text: {found}. Run text recognition (OCR) on it and upload it again."
        )
    warnings: tuple[str, ...] = ()
    if content.unreadable:
        warnings += (f"Pages that could not be read: {', '.join(map(str, content.unreadable))}.",)
    if scanned:
        warnings += (f"{scanned} of {_pages(count)} are scanned images without text and cannot be searched.",)
    title = title_of(_title_candidates(assembled, content.declared_title), name)
    return ParsedDocument(
        assembled.text, title, assembled.blocks, assembled.pages, assembled.words, warnings, MEDIA_TYPE
    )


def _title_candidates(assembled: Assembled, declared: str) -> list[str]:
    """The declared title if the first page shows it, else the largest heading there, else it."""
    first = assembled.pages[0]
    shown = one_line(assembled.text[first.start : first.end]).lower()
    heads = [
        block for block in assembled.blocks if block.kind == HEADING and block.page_number == _FIRST_PAGE
    ]
    heads.sort(key=lambda block: (block.level, block.start))
    largest = [block.section[-1] for block in heads[:1]]
    return [declared, *largest] if one_line(declared).lower() in shown else [*largest, declared]


def _pages(count: int) -> str:
    return f"{count} page" if count == 1 else f"{count} pages"
