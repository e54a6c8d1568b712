"""How does an accepted upload become a parsed version? A few at a time, each in its own process."""

import asyncio
import logging
import sqlite3
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from services.ingest.back_ends import GEOMETRY
from services.ingest.core.chunking import ChunkingConfig
from services.ingest.core.formats.limits import Limits
from services.ingest.fairness import FairQueue
from services.ingest.jobs import INDEX, PARSE, JobBoard
from services.ingest.metrics import DOCUMENTS, PARSE_SECONDS
from services.ingest.originals import Originals
from services.ingest.parsing import Long, ParseRequest
from services.ingest.recognition import OcrOptions
from services.ingest.records import Failure, Job, ParsedVersion, Unparsed, failure_of
from services.ingest.slicing import Progress, Slicer
from services.ingest.store import Store
from shared.errors import SightlineError, Unavailable

log = logging.getLogger("sightline.ingest.pipeline")

NOT_KEPT = "What was read cannot be kept, the disk may be full: make room; it is read again after a restart."


# Long files in work at once: with more, each would only be later.
MAX_LARGE = 4


@dataclass(frozen=True, slots=True)
class ParseOptions:
    """What every document is parsed and chunked with."""

    workers: int
    limits: Limits
    whole_pages: int
    max_attached_bytes: int
    chunking: ChunkingConfig
    tokenizer: Path
    ocr: OcrOptions | None = None
    pdf_parser: str = GEOMETRY
    annotates: bool = False


class Pipeline:
    """The parse queue. `on_parsed` is called with the job of each version that is parsed and kept."""

    def __init__(
        self,
        store: Store,
        originals: Originals,
        board: JobBoard,
        slicer: Slicer,
        *,
        options: ParseOptions,
        on_parsed: Callable[[Job], None],
        checkpoint: Callable[[str], None],
    ) -> None:
        self._store = store
        self._originals = originals
        self._board = board
        self._slicer = slicer
        self._options = options
        self._on_parsed = on_parsed
        self._checkpoint = checkpoint
        self._queue: FairQueue[Unparsed] = FairQueue()
        self._waiting = asyncio.Semaphore(0)
        self._large = asyncio.Semaphore(MAX_LARGE)
        self._group: asyncio.TaskGroup | None = None

    def add(self, unparsed: Unparsed) -> None:
        """Queue a job that is durable already."""
        self._board.add(unparsed.job)
        self._queue.push(unparsed)
        self._waiting.release()

    async def run(self) -> None:
        """Parse until cancelled; what is cut off is parsed again after the next start."""
        async with asyncio.TaskGroup() as group:
            self._group = group
            for _ in range(self._options.workers):
                group.create_task(self._work())

    async def _work(self) -> None:
        while True:
            await self._waiting.acquire()
            unparsed = self._queue.pop()
            if unparsed is None or not self._board.is_open(unparsed.job.job_id):
                continue  # deleted while it waited
            page_count = await self._guarded(unparsed, self._parse(unparsed))
            if page_count and self._group is not None:
                # Not by this worker: small files go on while a few large ones share the processes.
                self._group.create_task(self._guarded(unparsed, self._parse_long(unparsed, page_count)))

    async def _guarded(self, unparsed: Unparsed, work: Coroutine[Any, Any, int]) -> int:
        """What the work returns, 0 if it fails: the edge of a task, one file may not stop the others."""
        try:
            return await work
        except Unavailable:
            return 0  # stopping: the job stays as it is
        except SightlineError as error:
            failure = failure_of(error)
        except sqlite3.Error:  # a full disk: the job stays as it is and goes on after the next start
            log.exception("a parse is not kept", extra={"fields": {"job_id": unparsed.job.job_id}})
            self._board.note([unparsed.job.job_id], Failure("unavailable", NOT_KEPT))
            return 0
        except Exception as error:  # whatever it is, it is this file's, and said of it
            log.exception("parsing failed", extra={"fields": {"job_id": unparsed.job.job_id}})
            failure = Failure("internal", f"An internal error ({type(error).__name__}).")
        try:
            await self._fail(unparsed, failure)
        except sqlite3.Error:  # a full disk: the job stays as it is and goes on after the next start
            log.exception("a failure is not kept", extra={"fields": {"job_id": unparsed.job.job_id}})
        return 0

    async def _parse(self, unparsed: Unparsed) -> int:
        """Keep the document's parse. Returns its number of pages if it is for several processes, else 0."""
        job = unparsed.job
        started = time.monotonic()
        self._board.advance(job.job_id, PARSE)
        self._checkpoint("parsing")
        log.info("parsing", extra={"fields": {"document_id": job.document_id, "version": job.version}})
        with self._slicer.work(job.job_id) as folder:
            parsed = await self._slicer.parse(
                await self._request(unparsed, folder),
                self._progress(job),
                lambda: self._board.is_open(job.job_id),
            )
            if isinstance(parsed, Long):
                return parsed.page_count
            await self._save(job, parsed, started)
        return 0

    async def _parse_long(self, unparsed: Unparsed, page_count: int) -> int:
        job = unparsed.job
        async with self._large:
            started = time.monotonic()
            with self._slicer.work(job.job_id) as folder:
                parsed = await self._slicer.parse_long(
                    await self._request(unparsed, folder),
                    page_count,
                    self._progress(job),
                    lambda: self._board.is_open(job.job_id),
                )
                await self._save(job, parsed, started)
        return 0

    async def _save(self, job: Job, parsed: ParsedVersion, started: float) -> None:
        PARSE_SECONDS.observe(time.monotonic() - started)
        saved = await self._store.save_parsed(job, parsed, ready=not self._options.annotates)
        if saved is None:
            again = await self._store.unparsed(job)
            if again is None:
                self._board.close(job.job_id)  # gone meanwhile
            else:
                self.add(again)  # its workspace learnt other words meanwhile
            return
        for attached in saved.attached:
            self.add(attached)
        self._board.advance(job.job_id, INDEX)
        self._checkpoint("parsed")
        self._on_parsed(job)

    async def _request(self, unparsed: Unparsed, folder: Path) -> ParseRequest:
        job, options = unparsed.job, self._options
        return ParseRequest(
            path=self._originals.path(unparsed.sha256),
            name=job.document_name,
            media_type=unparsed.media_type,
            document_id=job.document_id,
            workspace=job.workspace,
            sha256=unparsed.sha256,
            chunking=options.chunking,
            plan=await self._store.plan(job),
            tokenizer=options.tokenizer,
            limits=options.limits,
            work=folder,
            whole_pages=options.whole_pages,
            max_attached_bytes=options.max_attached_bytes,
            ocr=options.ocr,
            pdf_parser=options.pdf_parser,
        )

    def _progress(self, job: Job) -> Progress:
        def progress(stage: str, share: float) -> None:
            self._board.advance(job.job_id, stage, share)

        return progress

    async def _fail(self, unparsed: Unparsed, failure: Failure) -> None:
        ended = await self._store.fail(unparsed.job.job_id, failure)
        for job_id in (unparsed.job.job_id, *ended):
            self._board.close(job_id)
        DOCUMENTS.labels("failed").inc()
        log.info(
            "document failed",
            extra={"fields": {"document_id": unparsed.job.document_id, "reason": failure.slug}},
        )
