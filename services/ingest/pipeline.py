"""How does an accepted upload become a parsed version? A few at a time, each in its own process."""

import asyncio
import logging
import sqlite3
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from services.ingest.core.chunking import ChunkingConfig
from services.ingest.fairness import FairQueue
from services.ingest.jobs import INDEX, PARSE, JobBoard
from services.ingest.metrics import DOCUMENTS, PARSE_SECONDS
from services.ingest.originals import Originals
from services.ingest.parsing import ParseRequest, parse_file
from services.ingest.records import Failure, Unparsed, failure_of
from services.ingest.sandbox import Sandbox
from services.ingest.store import Store
from shared.errors import SightlineError, Unavailable

log = logging.getLogger("sightline.ingest.pipeline")


@dataclass(frozen=True, slots=True)
class ParseOptions:
    """What every document is parsed and chunked with."""

    workers: int
    timeout_s: float
    max_pages: int
    chunking: ChunkingConfig
    config_digest: str
    tokenizer: Path


class Pipeline:
    """The parse queue. `on_parsed` is called with the workspace of each version that is ready to publish."""

    def __init__(
        self,
        store: Store,
        originals: Originals,
        board: JobBoard,
        sandbox: Sandbox,
        *,
        options: ParseOptions,
        on_parsed: Callable[[str], None],
        checkpoint: Callable[[str], None],
    ) -> None:
        self._store = store
        self._originals = originals
        self._board = board
        self._sandbox = sandbox
        self._options = options
        self._on_parsed = on_parsed
        self._checkpoint = checkpoint
        self._queue: FairQueue[Unparsed] = FairQueue()
        self._waiting = asyncio.Semaphore(0)

    def add(self, unparsed: Unparsed) -> None:
        """Queue a job that is durable already."""
        self._board.add(unparsed.job)
        self._queue.push(unparsed)
        self._waiting.release()

    async def run(self) -> None:
        """Parse until cancelled; what is cut off is parsed again after the next start."""
        async with asyncio.TaskGroup() as group:
            for _ in range(self._options.workers):
                group.create_task(self._work())

    async def _work(self) -> None:
        while True:
            await self._waiting.acquire()
            unparsed = self._queue.pop()
            if unparsed is None or not self._board.is_open(unparsed.job.job_id):
                continue  # deleted while it waited
            try:
                await self._parse(unparsed)
            except Exception as error:  # the edge of a background task: one file may not stop the others
                log.exception("parsing failed", extra={"fields": {"job_id": unparsed.job.job_id}})
                failure = Failure("internal", f"An internal error ({type(error).__name__}).")
                try:
                    await self._fail(unparsed, failure)
                except sqlite3.Error:  # a full disk: the job stays as it is and goes on after the next start
                    log.exception("a failure is not kept", extra={"fields": {"job_id": unparsed.job.job_id}})

    async def _parse(self, unparsed: Unparsed) -> None:
        job, options = unparsed.job, self._options
        started = time.monotonic()
        self._board.advance(job.job_id, PARSE)
        self._checkpoint("parsing")
        request = ParseRequest(
            path=self._originals.path(unparsed.sha256),
            name=job.document_name,
            media_type=unparsed.media_type,
            document_id=job.document_id,
            sha256=unparsed.sha256,
            chunking=options.chunking,
            config_digest=options.config_digest,
            tokenizer=options.tokenizer,
            max_pages=options.max_pages,
        )
        try:
            version = await self._sandbox.run(
                parse_file,
                request,
                timeout_s=options.timeout_s,
                on_stage=lambda stage: self._board.advance(job.job_id, stage),
            )
        except Unavailable:
            return  # stopping: the job stays as it is
        except SightlineError as error:
            await self._fail(unparsed, failure_of(error))
            return
        PARSE_SECONDS.observe(time.monotonic() - started)
        if await self._store.save_parsed(job, version):
            self._board.advance(job.job_id, INDEX)
            self._checkpoint("parsed")
            self._on_parsed(job.workspace)

    async def _fail(self, unparsed: Unparsed, failure: Failure) -> None:
        await self._store.fail(unparsed.job.job_id, failure)
        self._board.close(unparsed.job.job_id)
        DOCUMENTS.labels("failed").inc()
        log.info(
            "document failed",
            extra={"fields": {"document_id": unparsed.job.document_id, "reason": failure.slug}},
        )
