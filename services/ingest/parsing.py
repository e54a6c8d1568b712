"""How do bytes become the stored form of a document? Parsed and chunked in a process of their own."""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

from services.ingest.back_ends import BACK_ENDS, GEOMETRY
from services.ingest.core.chunking import ChunkingConfig, chunk
from services.ingest.core.document import ParsedDocument
from services.ingest.core.entities import entities_of
from services.ingest.core.formats import pdf
from services.ingest.core.formats.limits import Limits
from services.ingest.core.formats.registry import checked, parse
from services.ingest.core.pdf.reader import PdfFile
from services.ingest.core.pdf.words import PageWords
from services.ingest.core.welds_vocabulary import from_bytes
from services.ingest.enclosed import enclosed_files
from services.ingest.identity import chunk_id
from services.ingest.layout import encode_blocks, encode_pages, encode_words
from services.ingest.page_files import ReadPages, pages_of, write_pages
from services.ingest.recognition import OcrOptions, ScanReader, scan_reader
from services.ingest.records import ParsedVersion, Plan, StoredChunk
from services.ingest.text_parts import split
from shared.errors import InvalidDocument
from shared.tokens import TokenCounter

PDF = pdf.MEDIA_TYPE

Report: TypeAlias = Callable[[str, float], None]

# What a process reports: how many pages there are, which one is about to be read, that parsing is over.
PAGES, PAGE, CHUNK = "pages", "page", "chunk"

# What the fork server loads before the first document comes.
PRELOAD = (
    "services.ingest.parsing",
    "services.ingest.rendering",
    "services.ingest.sandbox_child",
    "pdfplumber",
    "lxml.html",
    "markdown_it",
    "charset_normalizer",
    "docutils.core",
    "openpyxl",
    "pptx.package",
)


@dataclass(frozen=True, slots=True)
class ParseRequest:
    """One file and everything that decides what it becomes.

    `work` is a folder for what is too much for a pipe. A PDF of more than `whole_pages` is read in parts.
    """

    path: Path
    name: str
    media_type: str
    document_id: str
    workspace: str
    sha256: str
    chunking: ChunkingConfig
    plan: Plan
    tokenizer: Path
    limits: Limits
    work: Path
    whole_pages: int
    max_attached_bytes: int
    ocr: OcrOptions | None = None
    pdf_parser: str = GEOMETRY


@dataclass(frozen=True, slots=True)
class Long:
    """A PDF of so many pages that several processes should share them."""

    page_count: int


@lru_cache(maxsize=1)
def token_counter(path: Path) -> TokenCounter:
    """The counter of a tokenizer file. The sandbox's template loads it once; each fork finds it there."""
    return TokenCounter(path)


def parse_file(request: ParseRequest, report: Report) -> ParsedVersion | Long:
    """The document in its stored form, or how long it is if it should be read in parts.

    Raises InvalidDocument (also when there is nothing to search in it) and TooLarge.
    """
    if request.media_type == PDF and request.pdf_parser != GEOMETRY:
        parsed = BACK_ENDS[request.pdf_parser].parse(request.path, request.name)
        return _version(checked(parsed, request.limits), request, report)
    data = request.path.read_bytes()
    if request.media_type != PDF:
        return _version(parse(request.name, data, request.media_type, limits=request.limits), request, report)
    file = PdfFile(data, request.limits, _scans(data, request))
    report(PAGES, file.page_count)
    if file.page_count > request.whole_pages:
        return Long(file.page_count)
    return _pdf_version(
        file, [_page(file, n, report) for n in range(1, file.page_count + 1)], request, report
    )


def read_part(request: ParseRequest, part: ReadPages, report: Report) -> None:
    """Reads pages of a PDF into the part's file, each of them there before the next one is reported."""
    data = request.path.read_bytes()
    file = PdfFile(data, request.limits, _scans(data, request))
    write_pages(part, (_page(file, number, report) for number in part.numbers))


def assemble_parts(
    request: ParseRequest, parts: tuple[ReadPages, ...], page_count: int, report: Report
) -> ParsedVersion:
    """The stored form of a PDF whose pages were read in parts; what is in none of them is unreadable."""
    file = PdfFile(request.path.read_bytes(), request.limits)
    return _pdf_version(file, pages_of(parts, page_count), request, report)


def _scans(data: bytes, request: ParseRequest) -> ScanReader | None:
    return scan_reader(data, request.ocr) if request.ocr is not None else None


def _page(file: PdfFile, number: int, report: Report) -> PageWords | None:
    report(PAGE, number)
    return file.read(number)


def _pdf_version(
    file: PdfFile, pages: list[PageWords | None], request: ParseRequest, report: Report
) -> ParsedVersion:
    parsed = pdf.document_of(file.content(pages), request.name)
    return _version(checked(parsed, request.limits), request, report)


def _version(parsed: ParsedDocument, request: ParseRequest, report: Report) -> ParsedVersion:
    """Reports the stage "chunk" first."""
    parsed = _encodable(parsed)
    report(CHUNK, 0.0)
    vocabulary = from_bytes(request.plan.vocabulary)
    drafts = chunk(parsed, request.chunking, token_counter(request.tokenizer), vocabulary)
    if not drafts:
        raise InvalidDocument(_nothing_to_search(parsed))
    entities, by_chunk = entities_of(parsed, drafts, request.plan.given)
    attached, refusals = enclosed_files(parsed.attachments, request)
    return ParsedVersion(
        title=parsed.title,
        media_type=parsed.media_type,
        characters=len(parsed.text),
        text_parts=split(parsed.text),
        pages=encode_pages(parsed.pages),
        blocks=encode_blocks(parsed.blocks),
        words=encode_words(parsed.words),
        warnings=parsed.warnings + refusals,
        chunks=tuple(
            StoredChunk(
                chunk_id=chunk_id(request.document_id, request.sha256, request.plan.config_digest, position),
                position=position,
                start=draft.start,
                end=draft.end,
                tokens=draft.tokens,
                prefix=draft.prefix,
                section=draft.section,
                page_number=draft.page_number,
                page_label=draft.page_label,
                reading=draft.reading,
                defines=known.defines,
                mentions=known.mentions,
            )
            for position, (draft, known) in enumerate(zip(drafts, by_chunk, strict=True))
        ),
        entities=entities,
        attached=attached,
        config_digest=request.plan.config_digest,
    )


def _encodable(parsed: ParsedDocument) -> ParsedDocument:
    """The document without lone surrogates, which no wire and no file can carry; lengths stay as they are."""
    try:
        parsed.text.encode()
    except UnicodeEncodeError:
        text = parsed.text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        if len(text) != len(parsed.text):
            text = parsed.text.encode("utf-8", "replace").decode()
        return dataclasses.replace(parsed, text=text)
    return parsed


def _nothing_to_search(parsed: ParsedDocument) -> str:
    scanned = sum(page.scanned for page in parsed.pages)
    if scanned:
        return f"There is no text in the file: {scanned} of its {len(parsed.pages)} pages are scanned images."
    return "There is no text in the file that could be searched."
