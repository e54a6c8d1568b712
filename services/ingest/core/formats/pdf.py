"""How does a PDF become a document?"""

from collections.abc import Sequence

from services.ingest.core.document import HEADING, ParsedDocument
from services.ingest.core.formats.limits import DEFAULT_LIMITS, Limits
from services.ingest.core.pdf.assembly import Assembled, assemble
from services.ingest.core.pdf.labels import disagreements
from services.ingest.core.pdf.reader import PdfContent, read_pdf
from services.ingest.core.text import one_line
from services.ingest.core.title import title_of
from shared.errors import InvalidDocument

MEDIA_TYPE = "application/pdf"
_FIRST_PAGE = 1
_TITLE_SHARE = 0.6  # of the first page's height: a title begins above
_SHOWN = 20  # page numbers in a sentence


def parse(name: str, data: bytes, *, limits: Limits = DEFAULT_LIMITS) -> ParsedDocument:
    return document_of(read_pdf(data, limits), name)


def document_of(content: PdfContent, name: str) -> ParsedDocument:
    """The document that the pages make. Raises InvalidDocument if there is no text on them."""
    assembled = assemble(content.pages, content.outline)
    if not assembled.text.strip():
        raise InvalidDocument(_no_text(content))
    title = title_of(_title_candidates(assembled, content.declared_title), name)
    return ParsedDocument(
        assembled.text,
        title,
        assembled.blocks,
        assembled.pages,
        assembled.words,
        (*_warnings(content), *filter(None, [disagreements(assembled.pages)]), *content.notices),
        MEDIA_TYPE,
        content.attachments,
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
        warnings.append(f"Pages that could not be read: {_numbers(content.unreadable)}.")
    partly = [page.number for page in content.pages if page.broken]
    if partly:
        warnings.append(f"Pages that are damaged and were read in part: {_numbers(partly)}.")
    recognised = [str(page.number) for page in content.pages if page.recognised]
    if recognised:
        verb = "was" if len(recognised) == 1 else "were"
        warnings.append(
            f"{_pages(len(recognised))} {verb} read by text recognition: {', '.join(recognised)}."
        )
    unread = [page.number for page in content.pages if page.scanned and not page.recognised]
    if unread:
        verb = "holds" if len(unread) == 1 else "hold"
        warnings.append(
            f"{len(unread)} of {_pages(len(content.pages))} {verb} no text (scanned) and cannot be searched: "
            f"{_numbers(unread)}; turn text recognition on (SIGHTLINE_OCR=on)."
        )
    unmapped = sum(page.unmapped for page in content.pages)
    if unmapped:
        where = _numbers([page.number for page in content.pages if page.unmapped])
        pages = "page" if sum(bool(page.unmapped) for page in content.pages) == 1 else "pages"
        what = "1 character of the fonts has" if unmapped == 1 else f"{unmapped} characters of the fonts have"
        warnings.append(f"{what} no mapping to text and cannot be searched, on {pages} {where}.")
    return tuple(warnings)


def _title_candidates(assembled: Assembled, declared: str) -> list[str]:
    """The declared title if the first page shows it, else the largest heading in its upper part, else it."""
    first = assembled.pages[0]
    shown = one_line(assembled.text[first.start : first.end]).lower()
    heads = [
        block
        for block in assembled.blocks
        if block.kind == HEADING
        and block.page_number == _FIRST_PAGE
        and block.boxes
        and block.boxes[0].top < _TITLE_SHARE * first.height
    ]
    heads.sort(key=lambda block: (block.level, block.start))
    largest = [block.section[-1] for block in heads[:1]]
    return [declared, *largest] if one_line(declared).lower() in shown else [*largest, declared]


def _numbers(pages: Sequence[int]) -> str:
    """The first of the page numbers, and how many more there are."""
    shown = ", ".join(map(str, pages[:_SHOWN]))
    return f"{shown} and {len(pages) - _SHOWN} more" if len(pages) > _SHOWN else shown


def _pages(count: int) -> str:
    return f"{count} page" if count == 1 else f"{count} pages"
