"""When does a chunk get its annotation? After its document is parsed and before it is indexed, one by one."""

import asyncio
import logging
import sqlite3
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from services.ingest.annotations import Annotations
from services.ingest.chat import Chat
from services.ingest.core.annotation import Passage, digest_of, kept_of, messages_about
from services.ingest.core.token_map import Tokenizer
from services.ingest.jobs import ANNOTATE, JobBoard
from services.ingest.reading import Reading
from services.ingest.records import Job, StoredChunk
from shared.errors import Unavailable

log = logging.getLogger("sightline.ingest.annotating")

SLICE_CHUNKS = 64
OPENING_CHARACTERS = 1_000
# A model that fails this often in a row is not asked again for this document: it is published without.
MAX_FAILURES = 3


@dataclass(frozen=True, slots=True)
class AnnotateOptions:
    """How long an annotation may be, in the embedder's tokens."""

    max_tokens: int


class Annotator:
    """The queue of parsed versions. `on_ready` is called with the workspace of each that may be published."""

    def __init__(
        self,
        annotations: Annotations,
        reading: Reading,
        board: JobBoard,
        chat: Chat,
        *,
        tokenizer: Callable[[], Tokenizer],
        options: AnnotateOptions,
        on_ready: Callable[[str], None],
        checkpoint: Callable[[str], None],
    ) -> None:
        self._annotations = annotations
        self._reading = reading
        self._board = board
        self._chat = chat
        self._tokenizer = tokenizer
        self._options = options
        self._on_ready = on_ready
        self._checkpoint = checkpoint
        self._queue: deque[Job] = deque()
        self._waiting = asyncio.Semaphore(0)

    def add(self, job: Job) -> None:
        """Queue a version that is parsed and durable."""
        self._queue.append(job)
        self._waiting.release()

    async def run(self) -> None:
        """Annotate until cancelled; what is cut off goes on after the next start, from the cache."""
        while True:
            await self._waiting.acquire()
            job = self._queue.popleft()
            if not self._board.is_open(job.job_id):
                continue  # deleted while it waited
            try:
                await self._guarded(job)
                self._on_ready(job.workspace)
            except sqlite3.Error:  # a full disk: the job stays as it is and goes on after the next start
                log.exception("annotations are not kept", extra={"fields": {"job_id": job.job_id}})

    async def _guarded(self, job: Job) -> None:
        """What fails with one document may not keep it, or the others, from their readers."""
        try:
            await self._annotate(job)
        except sqlite3.Error:
            raise
        except Exception as error:  # the edge of the task: the document is published without
            log.exception("annotating failed", extra={"fields": {"job_id": job.job_id}})
            warning = f"Its chunks have no annotation: an internal error ({type(error).__name__})."
            await self._annotations.give(job, {}, warning)

    async def _annotate(self, job: Job) -> None:
        document, version = job.document_id, job.version
        title, count = await self._reading.titled(document, version)
        opening = await self._reading.text(document, version, 0, OPENING_CHARACTERS) or ""
        annotated: dict[int, tuple[str, int]] = {}
        failures, reason, tokenizer = 0, "", self._tokenizer()
        while len(annotated) < count:
            chunks, texts = await self._reading.chunks(document, version, len(annotated), SLICE_CHUNKS)
            if not chunks:
                return  # deleted meanwhile
            passages = [
                Passage(title, chunk.section, opening, text)
                for chunk, text in zip(chunks, texts, strict=True)
            ]
            known = await self._annotations.known([digest_of(p, self._chat.model) for p in passages])
            for chunk, passage in zip(chunks, passages, strict=True):
                digest = digest_of(passage, self._chat.model)
                annotation = known.get(digest)
                if annotation is None and failures < MAX_FAILURES:
                    try:
                        annotation = await self._ask(passage, digest, document, tokenizer)
                        failures = 0
                    except Unavailable as error:
                        failures, reason = failures + 1, str(error)
                annotated[chunk.position] = _with(chunk, annotation or "", tokenizer)
                self._board.advance(job.job_id, ANNOTATE, len(annotated) / count)
                self._checkpoint("annotating")
        lacking = sum(not annotation for annotation, _ in annotated.values())
        warning = f"{lacking} of {count} chunks have no annotation. {reason}".strip() if reason else ""
        await self._annotations.give(job, annotated, warning)

    async def _ask(self, passage: Passage, digest: str, document: str, tokenizer: Tokenizer) -> str:
        """Raises Unavailable. What says nothing is kept too: asking again would say no more."""
        reply = await self._chat.reply(messages_about(passage))
        annotation = kept_of(reply, self._options.max_tokens, tokenizer)
        await self._annotations.keep(digest, annotation, document)
        return annotation


def _with(chunk: StoredChunk, annotation: str, tokenizer: Tokenizer) -> tuple[str, int]:
    """The annotation, and the chunk's tokens with it instead of the one that it may have had."""
    before = tokenizer.count(chunk.annotation) if chunk.annotation else 0
    return annotation, chunk.tokens - before + (tokenizer.count(annotation) if annotation else 0)
