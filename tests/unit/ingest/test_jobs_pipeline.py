"""Does the parse queue go on, whatever one document or the database does?"""

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from services.ingest.core.chunking import ChunkingConfig
from services.ingest.core.formats.limits import DEFAULT_LIMITS
from services.ingest.jobs import JobBoard
from services.ingest.originals import Originals
from services.ingest.pipeline import ParseOptions, Pipeline
from services.ingest.records import Unparsed
from tests.unit.ingest.conftest import parse_of

WAIT_S = 10.0


class InProcess:
    """A slicer that parses nothing: every file is one word."""

    @contextmanager
    def work(self, job_id: str) -> Iterator[Path]:
        yield Path(job_id)

    async def parse(self, request: Any, progress: Any, is_wanted: Any) -> Any:
        return parse_of(request.document_id, "word")


class FullDisk:
    """A store on which nothing can be written for the first document."""

    def __init__(self, store: Any, first: str) -> None:
        self._store = store
        self._first = first

    async def plan(self, job: Any) -> Any:
        return await self._store.plan(job)

    async def save_parsed(self, job: Any, parsed: Any, *, ready: bool = True) -> Any:
        self._check(job.job_id)
        return await self._store.save_parsed(job, parsed, ready=ready)

    async def fail(self, job_id: str, failure: Any) -> Any:
        self._check(job_id)
        return await self._store.fail(job_id, failure)

    def _check(self, job_id: str) -> None:
        if job_id == self._first:
            raise sqlite3.OperationalError("database or disk is full")


async def test_document_whose_failure_cannot_be_kept_does_not_stop_the_others(
    shelf: Any, tmp_path: Path
) -> None:
    stuck = await shelf.submit("a.txt", b"one")
    other = await shelf.submit("b.txt", b"two")
    ready = asyncio.Event()
    pipeline = Pipeline(
        FullDisk(shelf.store, stuck.job.job_id),  # type: ignore[arg-type]
        Originals(tmp_path),
        JobBoard(shelf.reading),
        InProcess(),  # type: ignore[arg-type]
        options=ParseOptions(
            workers=1,
            limits=DEFAULT_LIMITS,
            whole_pages=10,
            max_attached_bytes=10,
            chunking=ChunkingConfig(),
            tokenizer=tmp_path / "tokenizer.json",
        ),
        on_parsed=lambda workspace: ready.set(),
        checkpoint=lambda point: None,
    )
    for accepted in (stuck, other):
        pipeline.add(Unparsed(accepted.job, "0" * 64, "text/plain"))
    running = asyncio.create_task(pipeline.run())
    async with asyncio.timeout(WAIT_S):
        await asyncio.wait([running, asyncio.create_task(ready.wait())], return_when=asyncio.FIRST_COMPLETED)
    assert ready.is_set()
    running.cancel()
    await asyncio.wait([running])
    _, waiting = await shelf.store.resume()
    assert [job.job_id for job in waiting] == [other.job.job_id]
