"""What does ingest tell the orchestrator of documents, chunks and jobs?"""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from shared.candidate import Source, TextSpan

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Listed(Generic[Item]):
    """A page of a list, and how long the whole list is."""

    items: tuple[Item, ...]
    total: int


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a file was refused or a job failed: a slug of shared/errors.py, title, HTTP status, a sentence."""

    slug: str
    title: str
    status: int
    detail: str


@dataclass(frozen=True, slots=True)
class Submission:
    """What became of one uploaded file; no `job_id` for a duplicate or a file refused at once."""

    document_id: str | None
    name: str
    status: str
    duplicate: bool
    job_id: str | None
    reason: Reason | None


@dataclass(frozen=True, slots=True)
class PageRecord:
    """A physical page: 1-based number, label, size in points, whether it lacks a text layer.

    `printed_label` is what is printed on it, empty where nothing is.
    """

    number: int
    label: str
    width: float
    height: float
    scanned: bool
    printed_label: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentRecord:
    """A document as ingest knows it; `status` is queued, processing, ready or failed.

    `parent_id` is the document that it came in, empty for an upload.
    """

    id: str
    name: str
    title: str
    media_type: str
    size: int
    sha256: str
    version: int
    status: str
    reason: Reason | None
    characters: int
    chunk_count: int
    pages: tuple[PageRecord, ...]
    warnings: tuple[str, ...]
    created_ms: int
    updated_ms: int
    parent_id: str = ""


@dataclass(frozen=True, slots=True)
class BoxRecord:
    """A rectangle on a page, in points, origin top left."""

    page_number: int
    x0: float
    top: float
    x1: float
    bottom: float


@dataclass(frozen=True, slots=True)
class PageBoxes:
    """The rectangles of a span on one page, and that page's size."""

    width: float
    height: float
    boxes: tuple[BoxRecord, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockRecord:
    """A typed stretch of the canonical text; `level` is a heading's, 0 otherwise."""

    kind: str
    start: int
    end: int
    level: int
    section: tuple[str, ...]
    page_number: int | None
    boxes: tuple[BoxRecord, ...]


@dataclass(frozen=True, slots=True)
class StoredChunk:
    """A chunk as stored; `text` is empty when it was not asked for.

    `reading` is its text with welded words parted, `annotation` a sentence or two on what it is about,
    `defines` and `mentions` its names of entities and codes; each empty where there is none.
    """

    chunk_id: str
    span: TextSpan
    source: Source
    text: str
    tokens: int
    reading: str = ""
    annotation: str = ""
    defines: tuple[str, ...] = ()
    mentions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Original:
    """The bytes as uploaded, piece by piece."""

    media_type: str
    name: str
    pieces: AsyncIterator[bytes]


@dataclass(frozen=True, slots=True, kw_only=True)
class JobRecord:
    """How far the ingestion of one file is; `progress` is 0..1, `state` queued, running, done or failed."""

    id: str
    document_id: str
    document_name: str
    state: str
    stage: str
    progress: float
    reason: Reason | None
    created_ms: int
    updated_ms: int

    @property
    def finished(self) -> bool:
        """Whether nothing more will happen to it."""
        return self.state in ("done", "failed")


@dataclass(frozen=True, slots=True)
class EntityRecord:
    """A person, place, thing or code that documents speak of, and how often; given ones have no counts."""

    name: str
    kind: str
    aliases: tuple[str, ...] = ()
    mentions: int = 0
    documents: int = 0


@dataclass(frozen=True, slots=True)
class Reindexing:
    """How many documents are read again, and with which version of the workspace's vocabulary."""

    documents: int
    vocabulary: int
