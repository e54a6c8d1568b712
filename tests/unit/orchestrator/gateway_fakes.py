"""What stands behind the gateway in its tests: an engine, an ingest and a trace store that live in memory."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

import httpx
from fastapi import FastAPI

from services.orchestrator.core.config import QueryConfig
from services.orchestrator.core.records import (
    BoxRecord,
    DocumentRecord,
    JobRecord,
    Listed,
    Original,
    PageBoxes,
    Reindexing,
    StoredChunk,
    Submission,
)
from services.orchestrator.core.trace import Trace
from services.orchestrator.engine import Engine, Event
from services.orchestrator.evaluation import Evaluation
from services.orchestrator.gateway.app import create_app
from services.orchestrator.gateway.parts import assembled
from services.orchestrator.gateway.settings import GatewaySettings
from services.orchestrator.ingest_client import IngestClient
from services.orchestrator.wiring import read_pipeline
from shared.candidate import Source, TextSpan
from shared.errors import NotFound, Overloaded, SightlineError
from tests.unit.orchestrator.evaluation_fakes import idle_evaluation
from tests.unit.orchestrator.gateway_samples import EVENTS, TEXT, document, job, refused, trace


@dataclass
class FakeEngine(Engine):
    """Plays the events it was given; `failure` is raised after `failing_after` of them."""

    events: list[Event] = field(default_factory=lambda: list(EVENTS))
    failure: Exception | None = None
    failing_after: int = 0
    hangs: bool = False
    states: dict[str, str] = field(
        default_factory=lambda: {"ingest": "ok", "lexical-index": "ok", "vector-index": "ok", "rerank": "ok"}
    )
    asked: list[tuple[str, QueryConfig]] = field(default_factory=list)
    began: asyncio.Event = field(default_factory=asyncio.Event)
    cancelled: asyncio.Event = field(default_factory=asyncio.Event)
    running: bool = False

    async def start(self) -> None:
        self.running = True

    async def stop(self) -> None:
        self.running = False

    async def _hang(self) -> None:
        self.began.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.cancelled.set()
            raise

    async def search(self, question: str, config: QueryConfig, workspace: str) -> Trace:
        self.asked.append((question, config))
        if self.failure is not None:
            raise self.failure
        if self.hangs:
            await self._hang()
        return trace(config=config)

    async def query(
        self, question: str, config: QueryConfig, workspace: str, conversation_id: str | None
    ) -> AsyncGenerator[Event, None]:
        self.asked.append((question, config))
        for number, event in enumerate(self.events):
            if self.failure is not None and number == self.failing_after:
                raise self.failure
            if event.kind == "answer" and conversation_id is not None:
                event = Event("answer", {**event.data, "conversation_id": conversation_id})
            yield event
            if self.hangs:
                await self._hang()

    async def replay(self, trace_id: str, config: QueryConfig, workspace: str) -> Trace:
        self.asked.append((trace_id, config))
        return trace("trc_2", config)

    def require_possible(self, config: QueryConfig) -> None:
        read_pipeline().planned(config)

    async def available(self) -> dict[str, Any]:
        return {"rerank.kind": {"cross_encoder": True}}

    async def dependencies(self) -> dict[str, dict[str, str]]:
        return {name: {"state": state, "detail": ""} for name, state in self.states.items()}


class FakeIngest(IngestClient):
    """Keeps what is submitted; a name that begins with a slug of `REFUSALS` is refused with it."""

    REFUSALS: ClassVar = {"empty": ("invalid-document", 422), "blob": ("unsupported-type", 415)}

    def __init__(self) -> None:
        self.stored: dict[str, bytes] = {}
        self.media_types: dict[str, str] = {}
        self.original_name = "handbook.md"
        self.original_type = "text/markdown"
        self.deleted: list[str] = []
        self.overloaded_times = 0
        self.failure: SightlineError | None = None
        self.job_states: list[str] = ["queued", "running", "done"]
        self.watch_ended = asyncio.Event()
        self.hangs = False

    async def submit(
        self, workspace: str, name: str, media_type: str, pieces: AsyncIterator[bytes]
    ) -> Submission:
        if self.failure is not None:
            raise self.failure
        if self.overloaded_times > 0:
            self.overloaded_times -= 1
            raise Overloaded("the queue of ingest is full; try again in a moment")
        data = b"".join([piece async for piece in pieces])
        for prefix, (slug, status) in self.REFUSALS.items():
            if name.startswith(prefix):
                return refused(name, slug, status)
        duplicate = self.stored.get(name) == data
        self.stored[name] = data
        self.media_types[name] = media_type
        job_id = None if duplicate else f"job_{len(self.stored)}"
        return Submission(f"doc_{name}", name, "ready" if duplicate else "queued", duplicate, job_id, None)

    async def document(self, workspace: str, document_id: str) -> DocumentRecord:
        if document_id != "doc_1":
            raise NotFound(f"there is no document {document_id}; GET /v1/documents lists them")
        return document()

    async def documents(self, workspace: str, *, offset: int, limit: int) -> Listed[DocumentRecord]:
        return Listed((document(),)[offset : offset + limit], 1)

    async def reindex(self, workspace: str) -> Reindexing:
        return Reindexing(documents=len(self.stored), vocabulary=3)

    async def delete_document(self, workspace: str, document_id: str) -> bool:
        await self.document(workspace, document_id)
        self.deleted.append(document_id)
        return False

    async def text(self, workspace: str, document_id: str, *, start: int = 0, end: int | None = None) -> str:
        await self.document(workspace, document_id)
        return TEXT[start:end]

    async def chunks(
        self, workspace: str, document_id: str, *, offset: int, limit: int
    ) -> Listed[StoredChunk]:
        chunk = StoredChunk("chk_1", TextSpan("doc_1", 0, 5), Source(section=("A", "B")), "Naïve", 3)
        return Listed((chunk,)[offset : offset + limit], 1)

    async def original(self, workspace: str, document_id: str) -> Original:
        await self.document(workspace, document_id)

        async def pieces() -> AsyncIterator[bytes]:
            yield b"<script>"
            yield b""
            yield b"alert(1)</script>"

        return Original(self.original_type, self.original_name, pieces())

    async def page_png(
        self, workspace: str, document_id: str, page_number: int, *, start: int = 0, end: int = 0
    ) -> bytes:
        return f"png {page_number} {start} {end}".encode()

    async def page_boxes(
        self, workspace: str, document_id: str, page_number: int, *, start: int = 0, end: int = 0
    ) -> PageBoxes:
        return PageBoxes(612.0, 792.0, ())

    async def span_boxes(
        self, workspace: str, document_id: str, *, start: int, end: int
    ) -> tuple[BoxRecord, ...]:
        return tuple(BoxRecord(page, start, 10.0, end, 20.0) for page in (1, 2, 3))

    async def job(self, workspace: str, job_id: str) -> JobRecord:
        if job_id != "job_1":
            raise NotFound(f"there is no job {job_id}")
        return job("done")

    async def jobs(self, workspace: str, *, offset: int, limit: int) -> Listed[JobRecord]:
        if self.failure is not None:
            raise self.failure
        return Listed((job("done"),), 1)

    async def watch_job(self, workspace: str, job_id: str) -> AsyncIterator[JobRecord]:
        await self.job(workspace, job_id)
        try:
            for state in self.job_states:
                yield job(state)
                if self.hangs:
                    await asyncio.Event().wait()
        finally:
            self.watch_ended.set()


class FakeTraces:
    """One stored trace, and the documents that were erased."""

    def __init__(self) -> None:
        self.erased: list[str] = []
        self.stored = replace(trace(), config=QueryConfig())

    async def get(self, workspace: str, trace_id: str) -> Trace:
        if trace_id != "trc_1":
            raise NotFound(f"there is no trace {trace_id}; GET /v1/traces lists them")
        return self.stored

    async def list(self, workspace: str, *, offset: int, limit: int) -> Listed[dict[str, Any]]:
        return Listed(({"trace_id": "trc_1", "question": "why"},)[offset : offset + limit], 1)

    async def erase_document(self, workspace: str, document_id: str) -> None:
        self.erased.append(document_id)


@dataclass
class Gateway:
    """A gateway over fakes, and the fakes."""

    app: FastAPI
    engine: FakeEngine
    ingest: FakeIngest
    traces: FakeTraces

    @asynccontextmanager
    async def client(self) -> AsyncIterator[httpx.AsyncClient]:
        transport = httpx.ASGITransport(self.app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
            yield client


def gateway(evaluation: Evaluation | None = None, **settings: Any) -> Gateway:
    """A gateway with these settings over the defaults; no page is built."""
    given = {"ui_dist": Path("/nonexistent"), "upload_patience_s": 2.0, **settings}
    engine, ingest, traces = FakeEngine(), FakeIngest(), FakeTraces()
    evaluation = evaluation or idle_evaluation(Path("/nonexistent"))
    app = create_app(assembled(GatewaySettings(**given), engine, ingest, traces, evaluation))
    return Gateway(app, engine, ingest, traces)
