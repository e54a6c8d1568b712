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
    if not assembled.text.strip():
        raise InvalidDocument(_no_text(content))
    title = title_of(_title_candidates(assembled, content.declared_title), name)
    return ParsedDocument(
        assembled.text,
        title,
        assembled.blocks,
        assembled.pages,
        assembled.words,
        _warnings(content),
        MEDIA_TYPE,
    )


def _no_text(content: PdfContent) -> str:
    """Why there is none, and what to do, as sentences."""
    count, scanned = len(content.pages), sum(page.scanned for page in content.pages)
    found = (
        f"{scanned} of its {_pages(count)} are scanned images"
        if scanned
        else f"its {_pages(count)} are blank"
    )
    if any(page.recognised for page in content.pages):
        advice = "Text recognition found nothing on them: scan it anew, larger or with more contrast."
    else:
        advice = (
            "Run text recognition (OCR) on it and upload it again, or turn it on here (SIGHTLINE_OCR=on)."
        )
    return f"The PDF holds no text: {found}. {advice}"


def _warnings(content: PdfContent) -> tuple[str, ...]:
    """Which pages could not be read, which were read off their pictures, and how many were not."""
    warnings = []
    if content.unreadable:
        warnings.append(f"Pages that could not be read: {', '.join(map(str, content.unreadable))}.")
    recognised = [str(page.number) for page in content.pages if page.recognised]
    if recognised:
        verb = "was" if len(recognised) == 1 else "were"
        warnings.append(
            f"{_pages(len(recognised))} {verb} read by text recognition: {', '.join(recognised)}."
        )
    unread = sum(page.scanned for page in content.pages) - len(recognised)
    if unread:
        warnings.append(
            f"{unread} of {_pages(len(content.pages))} are scanned images without text and cannot be "
            "searched: text recognition is off (SIGHTLINE_OCR)."
        )
    return tuple(warnings)


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
