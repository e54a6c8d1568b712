"""What can the orchestrator ask of ingest? Typed calls; protobuf stays inside."""

from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Sequence
from contextlib import aclosing
from typing import Any, TypeVar, cast

import grpc

from services.orchestrator import ingest_records as records
from services.orchestrator.core.records import (
    BlockRecord,
    BoxRecord,
    DocumentRecord,
    EntityRecord,
    JobRecord,
    Listed,
    Original,
    PageBoxes,
    Reindexing,
    StoredChunk,
    Submission,
)
from shared.channel import call, outgoing_metadata, stream, translated
from shared.errors import DeadlineExceeded, SightlineError, Unavailable
from shared.pb import ingest_pb2, ingest_pb2_grpc

Reply = TypeVar("Reply")

PIECE_BYTES = 1024 * 1024
# A watch is begun anew after this long: ingest ends connections that are too old.
WATCH_S = 300.0


class IngestClient:
    """Every method raises the SightlineError that ingest raised: NotFound, Unavailable, and so on."""

    def __init__(
        self,
        channel: grpc.aio.Channel,
        *,
        deadline_s: float = 10.0,
        submit_deadline_s: float = 120.0,
        render_deadline_s: float = 30.0,
    ) -> None:
        self._stub = ingest_pb2_grpc.IngestStub(channel)
        self._deadline_s = deadline_s
        self._submit_deadline_s = submit_deadline_s
        self._render_deadline_s = render_deadline_s

    async def generation(self, workspace: str, *, deadline_s: float | None = None) -> int:
        """The visible generation of a workspace; 0 when it is empty."""
        reply = await self._call(
            self._stub.GetGeneration, ingest_pb2.GenerationRequest(workspace=workspace), deadline_s
        )
        return reply.generation

    async def hydrate(
        self,
        workspace: str,
        chunk_ids: Sequence[str],
        *,
        with_text: bool,
        deadline_s: float | None = None,
    ) -> dict[str, StoredChunk]:
        """Chunks by id, in the order asked; those that ingest does not know, or no more, are left out."""
        if not chunk_ids:
            return {}
        reply = await self._call(
            self._stub.GetChunks,
            ingest_pb2.ChunksRequest(workspace=workspace, chunk_ids=chunk_ids, with_text=with_text),
            deadline_s,
        )
        return {chunk.chunk_id: records.chunk_from_pb(chunk) for chunk in reply.chunks}

    async def submit(
        self, workspace: str, name: str, media_type: str, pieces: AsyncIterator[bytes]
    ) -> Submission:
        """What became of one file. A file that is refused is an answer with a reason, not an error."""

        async def requests() -> AsyncIterator[ingest_pb2.SubmitRequest]:
            header = ingest_pb2.SubmitHeader(workspace=workspace, name=name, media_type=media_type)
            yield ingest_pb2.SubmitRequest(header=header)
            async for piece in pieces:
                for at in range(0, len(piece), PIECE_BYTES):
                    yield ingest_pb2.SubmitRequest(data=piece[at : at + PIECE_BYTES])

        try:
            reply = await self._stub.Submit(
                requests(), timeout=self._submit_deadline_s, metadata=outgoing_metadata()
            )
        except grpc.aio.AioRpcError as error:
            raise _worded(translated(error)) from error
        return records.submission_from_pb(reply)

    async def document(self, workspace: str, document_id: str) -> DocumentRecord:
        request = ingest_pb2.DocumentRequest(workspace=workspace, document_id=document_id)
        return records.document_from_pb(await self._call(self._stub.GetDocument, request))

    async def documents(self, workspace: str, *, offset: int, limit: int) -> Listed[DocumentRecord]:
        request = ingest_pb2.PageRequest(workspace=workspace, offset=offset, limit=limit)
        reply = await self._call(self._stub.ListDocuments, request)
        return Listed(tuple(records.document_from_pb(d) for d in reply.documents), reply.total)

    async def delete_document(self, workspace: str, document_id: str) -> bool:
        """Whether it is gone from the indexes already; it is invisible in any case."""
        request = ingest_pb2.DocumentRequest(workspace=workspace, document_id=document_id)
        reply = await self._call(self._stub.DeleteDocument, request)
        return reply.finished

    async def reindex(self, workspace: str) -> Reindexing:
        """Learns the workspace's vocabulary; which documents are read again for it."""
        # Every served text is read for it, which takes as long as an upload may.
        reply = await self._call(
            self._stub.Reindex, ingest_pb2.ReindexRequest(workspace=workspace), self._submit_deadline_s
        )
        return Reindexing(reply.documents, reply.vocabulary)

    async def text(self, workspace: str, document_id: str, *, start: int = 0, end: int | None = None) -> str:
        """The canonical text, or the span of it."""
        request = ingest_pb2.TextRequest(workspace=workspace, document_id=document_id, start=start, end=end)
        reply = await self._call(self._stub.GetText, request)
        return reply.text

    async def blocks(
        self, workspace: str, document_id: str, *, offset: int, limit: int
    ) -> Listed[BlockRecord]:
        request = ingest_pb2.DocumentPageRequest(
            workspace=workspace, document_id=document_id, offset=offset, limit=limit
        )
        reply = await self._call(self._stub.GetBlocks, request)
        return Listed(tuple(records.block_from_pb(b) for b in reply.blocks), reply.total)

    async def chunks(
        self, workspace: str, document_id: str, *, offset: int, limit: int
    ) -> Listed[StoredChunk]:
        request = ingest_pb2.DocumentPageRequest(
            workspace=workspace, document_id=document_id, offset=offset, limit=limit
        )
        reply = await self._call(self._stub.ListChunks, request)
        return Listed(tuple(records.chunk_from_pb(c) for c in reply.chunks), reply.total)

    async def entities(
        self, workspace: str, document_id: str, *, offset: int, limit: int
    ) -> Listed[EntityRecord]:
        """Of one document, or for an empty id of the whole workspace; those mentioned most first."""
        request = ingest_pb2.EntitiesRequest(
            workspace=workspace, document_id=document_id, offset=offset, limit=limit
        )
        reply = await self._call(self._stub.ListEntities, request)
        return Listed(tuple(records.entity_from_pb(e) for e in reply.entities), reply.total)

    async def give_entities(self, workspace: str, entities: Sequence[EntityRecord]) -> Reindexing:
        """Replaces the list that people gave; which documents are read again for it."""
        request = ingest_pb2.GiveEntitiesRequest(
            workspace=workspace, entities=[records.entity_to_pb(entity) for entity in entities]
        )
        reply = await self._call(self._stub.GiveEntities, request)
        return Reindexing(reply.documents, reply.vocabulary)

    async def original(self, workspace: str, document_id: str) -> Original:
        """The bytes as uploaded; NotFound is raised here, before the first piece is read."""
        request = ingest_pb2.DocumentRequest(workspace=workspace, document_id=document_id)
        messages = _messages(
            self._stub.GetOriginal(request, timeout=self._submit_deadline_s, metadata=outgoing_metadata())
        )
        try:
            first: ingest_pb2.OriginalPiece = await anext(messages, ingest_pb2.OriginalPiece())
        except Unavailable as error:
            raise _worded(error) from error

        async def pieces() -> AsyncIterator[bytes]:
            async with aclosing(messages):
                yield first.data
                async for message in messages:
                    yield message.data

        return Original(first.media_type, first.name, pieces())

    async def page_png(
        self, workspace: str, document_id: str, page_number: int, *, start: int = 0, end: int = 0
    ) -> bytes:
        """The rendered page as PNG, with the span's boxes marked unless it is empty."""
        request = ingest_pb2.RenderPageRequest(
            workspace=workspace, document_id=document_id, page_number=page_number, start=start, end=end
        )
        reply = await self._call(self._stub.RenderPage, request, self._render_deadline_s)
        return reply.png

    async def page_boxes(
        self, workspace: str, document_id: str, page_number: int, *, start: int = 0, end: int = 0
    ) -> PageBoxes:
        request = ingest_pb2.RenderPageRequest(
            workspace=workspace, document_id=document_id, page_number=page_number, start=start, end=end
        )
        reply = await self._call(self._stub.GetPageBoxes, request, self._render_deadline_s)
        return records.page_boxes_from_pb(reply)

    async def span_boxes(
        self, workspace: str, document_id: str, *, start: int, end: int
    ) -> tuple[BoxRecord, ...]:
        """The rectangles that the span touches on all of its pages, in the order of the text."""
        request = ingest_pb2.RenderPageRequest(
            workspace=workspace, document_id=document_id, page_number=0, start=start, end=end
        )
        reply = await self._call(self._stub.GetPageBoxes, request, self._render_deadline_s)
        return records.page_boxes_from_pb(reply).boxes

    async def job(self, workspace: str, job_id: str) -> JobRecord:
        request = ingest_pb2.JobRequest(workspace=workspace, job_id=job_id)
        return records.job_from_pb(await self._call(self._stub.GetJob, request))

    async def jobs(self, workspace: str, *, offset: int, limit: int) -> Listed[JobRecord]:
        request = ingest_pb2.PageRequest(workspace=workspace, offset=offset, limit=limit)
        reply = await self._call(self._stub.ListJobs, request)
        return Listed(tuple(records.job_from_pb(j) for j in reply.jobs), reply.total)

    async def watch_job(self, workspace: str, job_id: str) -> AsyncIterator[JobRecord]:
        """Its state now and after every change, until it is finished. Closing ends the call."""
        request = ingest_pb2.JobRequest(workspace=workspace, job_id=job_id)
        while True:
            watch = self._stub.WatchJob(request, timeout=WATCH_S, metadata=outgoing_metadata())
            try:
                async with aclosing(_messages(watch)) as messages:
                    async for message in messages:
                        yield records.job_from_pb(message)
                return
            except DeadlineExceeded:
                continue
            except Unavailable as error:
                raise _worded(error) from error

    async def _call(
        self,
        method: Callable[..., Awaitable[Reply]],
        request: Any,
        deadline_s: float | None = None,
    ) -> Reply:
        try:
            return await call(method, request, deadline_s=deadline_s or self._deadline_s)
        except Unavailable as error:
            raise _worded(error) from error


def _messages(call_object: Any) -> AsyncGenerator[Any, None]:
    """`shared.channel.stream`, typed as the generator that it is, so that it can be closed."""
    return cast(AsyncGenerator[Any, None], stream(call_object))


def _worded(error: SightlineError) -> SightlineError:
    """The error in words for people: what gRPC says of a lost connection is for the log."""
    if isinstance(error, Unavailable):
        return Unavailable("the ingest service does not answer; try again in a moment")
    return error
