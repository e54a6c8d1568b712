"""What does ingest remember of documents, versions, chunks and jobs? The rows as the rest sees them."""

from dataclasses import dataclass
from pathlib import Path

from services.ingest.core.entities import Entity, Given
from shared.errors import MAPPINGS, SightlineError, mapping_of

QUEUED, RUNNING, DONE, FAILED = "queued", "running", "done", "failed"
FINAL_STATES = frozenset({DONE, FAILED})


@dataclass(frozen=True, slots=True)
class Failure:
    """Why something failed, or what it waits for: the slug of `shared.errors` and a sentence."""

    slug: str
    detail: str


def failure_of(error: SightlineError) -> Failure:
    return Failure(mapping_of(error).slug, str(error))


def failure_parts(failure: Failure) -> tuple[str, int]:
    """Title and HTTP status that belong to a failure's slug."""
    for mapping in MAPPINGS.values():
        if mapping.slug == failure.slug:
            return mapping.title, mapping.http_status
    return "An internal error", 500


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that has arrived: its bytes stand in `path`, complete and on disk.

    One that came inside another has an id already, and that one's as its parent.
    """

    workspace: str
    name: str
    media_type: str
    size: int
    sha256: str
    path: Path
    document_id: str = ""
    parent_id: str = ""


@dataclass(frozen=True, slots=True)
class Accepted:
    """The answer to an upload; `job` is None for a duplicate."""

    document_id: str
    duplicate: bool
    status: str
    job: "Job | None"


@dataclass(frozen=True, slots=True)
class Job:
    """One version of one document on its way; `progress` is 0 to 1."""

    job_id: str
    workspace: str
    document_id: str
    document_name: str
    version: int
    state: str
    stage: str
    progress: float
    failure: Failure | None
    created_ms: int
    updated_ms: int


@dataclass(frozen=True, slots=True)
class Unparsed:
    """What a parse needs: the job and its version's bytes."""

    job: Job
    sha256: str
    media_type: str


@dataclass(frozen=True, slots=True)
class Saved:
    """A parse that is kept, and the files inside the document that are documents to be parsed now."""

    attached: tuple[Unparsed, ...] = ()


@dataclass(frozen=True, slots=True)
class Flipped:
    """The jobs that are done by a flip, and those of attachments that it left no place for."""

    done: tuple[str, ...]
    ended: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """What a version is parsed under: the digest of all of it, the words that its workspace knows, as bytes,
    and the entities that people gave it."""

    config_digest: str
    vocabulary: bytes
    given: tuple[Given, ...]


@dataclass(frozen=True, slots=True)
class StoredChunk:
    """A chunk of a version: `start` and `end` are code points of its canonical text.

    `reading` is its text with welded words parted, empty where that changes nothing. `annotation` says in a
    sentence or two what it is about. `defines` and `mentions` are names of entities and codes.
    """

    chunk_id: str
    position: int
    start: int
    end: int
    tokens: int
    prefix: str
    section: tuple[str, ...]
    page_number: int | None
    page_label: str
    reading: str = ""
    annotation: str = ""
    defines: tuple[str, ...] = ()
    mentions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AttachedFile:
    """A file inside a file, about to become a document: its bytes stand in `path`, complete and on disk."""

    document_id: str
    name: str
    media_type: str
    size: int
    sha256: str
    path: Path


@dataclass(frozen=True, slots=True)
class ParsedVersion:
    """A parsed and chunked document in the form that is stored; `layout` encodes pages, blocks and words."""

    title: str
    media_type: str
    characters: int
    text_parts: tuple[bytes, ...]
    pages: bytes
    blocks: bytes
    words: bytes
    warnings: tuple[str, ...]
    chunks: tuple[StoredChunk, ...]
    attached: tuple[AttachedFile, ...] = ()
    entities: tuple[Entity, ...] = ()
    config_digest: str = ""


@dataclass(frozen=True, slots=True)
class Document:
    """A document as clients see it: the served version, or the first one on its way."""

    document_id: str
    workspace: str
    name: str
    live_version: int
    version: int
    sha256: str
    size: int
    media_type: str
    job_id: str
    title: str
    characters: int
    chunk_count: int
    pages: bytes
    warnings: tuple[str, ...]
    created_ms: int
    updated_ms: int
    parent_id: str = ""


@dataclass(frozen=True, slots=True)
class HydratedChunk:
    """A chunk with where it comes from; `text` is empty unless asked for."""

    document_id: str
    file_name: str
    title: str
    chunk: StoredChunk
    text: str


@dataclass(frozen=True, slots=True)
class IndexedVersion:
    """A document's version as an index knows it."""

    document_id: str
    version: int
    digest: str
    chunk_count: int


@dataclass(frozen=True, slots=True)
class BatchDocument:
    """A parsed version that takes part in a batch."""

    version: IndexedVersion
    job_id: str


@dataclass(frozen=True, slots=True)
class Batch:
    """What turns generation `base` into the next one."""

    workspace: str
    base: int
    documents: tuple[BatchDocument, ...]
    deleted: tuple[str, ...]
    last_tombstone: int

    @property
    def chunk_count(self) -> int:
        return sum(document.version.chunk_count for document in self.documents)
