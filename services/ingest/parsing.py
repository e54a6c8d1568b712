"""How do bytes become the stored form of a document? Parsed and chunked in a process of their own."""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import pypdfium2

from services.ingest.core.chunking import ChunkingConfig, chunk
from services.ingest.core.document import ParsedDocument
from services.ingest.core.formats.registry import parse
from services.ingest.identity import chunk_id
from services.ingest.layout import encode_blocks, encode_pages, encode_words
from services.ingest.records import ParsedVersion, StoredChunk
from services.ingest.text_parts import split
from shared.errors import InvalidDocument, TooLarge
from shared.tokens import TokenCounter

PDF = "application/pdf"

# What the fork server loads before the first document comes.
PRELOAD = (
    "services.ingest.parsing",
    "services.ingest.rendering",
    "services.ingest.sandbox_child",
    "pdfplumber",
    "docx",
    "lxml.html",
    "markdown_it",
    "charset_normalizer",
)


@dataclass(frozen=True, slots=True)
class ParseRequest:
    """One file and everything that decides what it becomes."""

    path: Path
    name: str
    media_type: str
    document_id: str
    sha256: str
    chunking: ChunkingConfig
    config_digest: str
    tokenizer: Path
    max_pages: int


@lru_cache(maxsize=1)
def token_counter(path: Path) -> TokenCounter:
    """The counter of a tokenizer file. The sandbox's template loads it once; each fork finds it there."""
    return TokenCounter(path)


def parse_file(request: ParseRequest, report: Callable[[str], None]) -> ParsedVersion:
    """The document in its stored form; reports the stage "chunk" once it is parsed.

    Raises InvalidDocument (also when there is nothing to search in it) and TooLarge.
    """
    if request.media_type == PDF:
        _check_page_count(request.path, request.max_pages)
    parsed = _encodable(parse(request.name, request.path.read_bytes(), request.media_type))
    report("chunk")
    drafts = chunk(parsed, request.chunking, token_counter(request.tokenizer))
    if not drafts:
        raise InvalidDocument(_nothing_to_search(parsed))
    return ParsedVersion(
        title=parsed.title,
        media_type=parsed.media_type,
        characters=len(parsed.text),
        text_parts=split(parsed.text),
        pages=encode_pages(parsed.pages),
        blocks=encode_blocks(parsed.blocks),
        words=encode_words(parsed.words),
        warnings=parsed.warnings,
        chunks=tuple(
            StoredChunk(
                chunk_id=chunk_id(request.document_id, request.sha256, request.config_digest, position),
                position=position,
                start=draft.start,
                end=draft.end,
                tokens=draft.tokens,
                prefix=draft.prefix,
                section=draft.section,
                page_number=draft.page_number,
                page_label=draft.page_label,
            )
            for position, draft in enumerate(drafts)
        ),
    )


def _check_page_count(path: Path, max_pages: int) -> None:
    try:
        pdf = pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError:
        return  # encrypted or corrupt: the extractor words it
    with pdf:
        if len(pdf) > max_pages:
            raise TooLarge(
                f"The file has {len(pdf)} pages; at most {max_pages} are taken (SIGHTLINE_MAX_PAGES)."
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
