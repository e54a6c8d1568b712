"""What does the Ingest service answer to each call?"""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

from services.ingest.core.entities import GIVEN, Given
from services.ingest.entities import Entities
from services.ingest.identity import clean_name
from services.ingest.intake import Intake, checked_workspace
from services.ingest.jobs import JobBoard
from services.ingest.layout import decode_blocks
from services.ingest.messages import (
    block_to_pb,
    box_to_pb,
    chunk_to_pb,
    document_to_pb,
    entity_to_pb,
    job_to_pb,
    own_chunk_to_pb,
    problem_to_pb,
)
from services.ingest.originals import PIECE_BYTES, Originals
from services.ingest.pages import Pages
from services.ingest.publisher import Publisher
from services.ingest.reading import Reading
from services.ingest.records import RUNNING, Document, failure_of
from services.ingest.reindexing import Reindexing
from services.ingest.store import Store
from shared.errors import Conflict, InvalidInput, NotFound, Overloaded, SightlineError, TooLarge
from shared.pb import ingest_pb2, ingest_pb2_grpc
from shared.server import Offer

DEFAULT_LIMIT = 50
MAX_LIMIT = 500
MAX_CHUNK_IDS = 1000
# Left of a deadline for the answer to travel.
REPLY_MARGIN_S = 1.0


@dataclass(frozen=True, slots=True)
class Parts:
    """What the servicer calls."""

    intake: Intake
    store: Store
    reading: Reading
    board: JobBoard
    publisher: Publisher
    pages: Pages
    originals: Originals
    reindexing: Reindexing
    entities: Entities


class IngestServicer(ingest_pb2_grpc.IngestServicer):
    """Every method raises SightlineErrors; the server maps them."""

    def __init__(self, parts: Parts, *, delete_wait_s: float, max_message_bytes: int) -> None:
        self._parts = parts
        self._delete_wait_s = delete_wait_s
        self._max_message_bytes = max_message_bytes

    async def Submit(
        self, request_iterator: AsyncIterator[ingest_pb2.SubmitRequest], context: Any
    ) -> ingest_pb2.SubmitReply:
        try:
            return await self._submitted(request_iterator)
        finally:
            # An answer before the last piece would reach a client that still sends as a broken call.
            async for _ in request_iterator:
                pass

    async def _submitted(
        self, request_iterator: AsyncIterator[ingest_pb2.SubmitRequest]
    ) -> ingest_pb2.SubmitReply:
        first = await anext(request_iterator, ingest_pb2.SubmitRequest())
        if not first.HasField("header"):
            raise InvalidInput("The first message of Submit must be the header.")
        workspace = checked_workspace(first.header.workspace)
        self._parts.intake.check_room()

        async def pieces() -> AsyncIterator[bytes]:
            async for request in request_iterator:
                yield request.data

        name = first.header.name
        try:
            name = clean_name(first.header.name)
            accepted = await self._parts.intake.take(workspace, name, pieces())
        except Overloaded:
            raise
        except SightlineError as error:
            return ingest_pb2.SubmitReply(
                name=name, status="failed", problem=problem_to_pb(failure_of(error))
            )
        return ingest_pb2.SubmitReply(
            document_id=accepted.document_id,
            name=name,
            status=accepted.status,
            duplicate=accepted.duplicate,
            job_id=accepted.job.job_id if accepted.job else "",
        )

    async def GetDocument(self, request: ingest_pb2.DocumentRequest, context: Any) -> ingest_pb2.Document:
        document = await self._document(request)
        return document_to_pb(document, self._status(document))

    async def ListDocuments(self, request: ingest_pb2.PageRequest, context: Any) -> ingest_pb2.DocumentList:
        documents, total = await self._parts.reading.documents(
            checked_workspace(request.workspace), request.offset, _limit(request.limit)
        )
        return ingest_pb2.DocumentList(
            documents=[document_to_pb(document, self._status(document)) for document in documents],
            total=total,
        )

    async def DeleteDocument(
        self, request: ingest_pb2.DocumentRequest, context: Any
    ) -> ingest_pb2.DeleteDocumentReply:
        workspace = checked_workspace(request.workspace)
        # Once it has begun it is carried through, whether the client waits or not.
        tombstone = await asyncio.shield(self._erase(workspace, request.document_id))
        left_s = context.time_remaining()
        wait_s = self._delete_wait_s
        if left_s is not None:
            wait_s = max(0.0, min(wait_s, left_s - REPLY_MARGIN_S))
        return ingest_pb2.DeleteDocumentReply(finished=await self._parts.publisher.is_gone(tombstone, wait_s))

    async def GetText(self, request: ingest_pb2.TextRequest, context: Any) -> ingest_pb2.TextReply:
        document = await self._served(request)
        end = request.end if request.HasField("end") else document.characters
        if not request.start <= end <= document.characters:
            raise InvalidInput(
                f"start and end must lie within 0 and {document.characters}, start first; "
                f"they are {request.start} and {end}."
            )
        text = await self._parts.reading.text(document.document_id, document.version, request.start, end)
        if text is None:
            raise _unknown(request.document_id)
        if len(text.encode()) > self._max_message_bytes - PIECE_BYTES:
            raise TooLarge("The text is too long for one answer: ask for spans of it with start and end.")
        return ingest_pb2.TextReply(text=text)

    async def GetBlocks(self, request: ingest_pb2.DocumentPageRequest, context: Any) -> ingest_pb2.BlockList:
        document = await self._served(request)
        encoded, _ = await self._parts.reading.layout(document.document_id, document.version)
        blocks = await asyncio.to_thread(decode_blocks, encoded)
        page = blocks[request.offset : request.offset + _limit(request.limit)]
        return ingest_pb2.BlockList(blocks=[block_to_pb(block) for block in page], total=len(blocks))

    async def ListChunks(self, request: ingest_pb2.DocumentPageRequest, context: Any) -> ingest_pb2.ChunkList:
        document = await self._served(request)
        chunks, texts = await self._parts.reading.chunks(
            document.document_id, document.version, request.offset, _limit(request.limit)
        )
        return ingest_pb2.ChunkList(
            chunks=[
                own_chunk_to_pb(document, chunk, text) for chunk, text in zip(chunks, texts, strict=True)
            ],
            total=document.chunk_count,
        )

    async def GetChunks(self, request: ingest_pb2.ChunksRequest, context: Any) -> ingest_pb2.ChunkList:
        if len(request.chunk_ids) > MAX_CHUNK_IDS:
            raise InvalidInput(f"At most {MAX_CHUNK_IDS} chunks are given at once.")
        chunks = await self._parts.reading.hydrate(
            checked_workspace(request.workspace), request.chunk_ids, with_text=request.with_text
        )
        return ingest_pb2.ChunkList(chunks=[chunk_to_pb(chunk) for chunk in chunks], total=len(chunks))

    async def GetOriginal(
        self, request: ingest_pb2.DocumentRequest, context: Any
    ) -> AsyncIterator[ingest_pb2.OriginalPiece]:
        document = await self._document(request)
        try:
            file = await asyncio.to_thread(self._parts.originals.path(document.sha256).open, "rb")
        except FileNotFoundError as error:
            raise _unknown(request.document_id) from error
        with file:
            yield ingest_pb2.OriginalPiece(
                media_type=document.media_type,
                name=document.name,
                data=await asyncio.to_thread(file.read, PIECE_BYTES),
            )
            while data := await asyncio.to_thread(file.read, PIECE_BYTES):
                yield ingest_pb2.OriginalPiece(data=data)

    async def RenderPage(
        self, request: ingest_pb2.RenderPageRequest, context: Any
    ) -> ingest_pb2.RenderPageReply:
        document = await self._served(request)
        png = await self._parts.pages.png(document, request.page_number, request.start, request.end)
        return ingest_pb2.RenderPageReply(png=png)

    async def GetPageBoxes(self, request: ingest_pb2.RenderPageRequest, context: Any) -> ingest_pb2.PageBoxes:
        document = await self._served(request)
        if request.page_number == 0:
            everywhere = await self._parts.pages.span_boxes(document, request.start, request.end)
            return ingest_pb2.PageBoxes(boxes=[box_to_pb(box) for box in everywhere])
        page, boxes = await self._parts.pages.boxes(document, request.page_number, request.start, request.end)
        return ingest_pb2.PageBoxes(
            width=page.width, height=page.height, boxes=[box_to_pb(box) for box in boxes]
        )

    async def GetJob(self, request: ingest_pb2.JobRequest, context: Any) -> ingest_pb2.Job:
        workspace = checked_workspace(request.workspace)
        return job_to_pb(await self._parts.board.get(workspace, request.job_id))

    async def ListJobs(self, request: ingest_pb2.PageRequest, context: Any) -> ingest_pb2.JobList:
        jobs, total = await self._parts.board.page(
            checked_workspace(request.workspace), request.offset, _limit(request.limit)
        )
        return ingest_pb2.JobList(jobs=[job_to_pb(job) for job in jobs], total=total)

    async def WatchJob(self, request: ingest_pb2.JobRequest, context: Any) -> AsyncIterator[ingest_pb2.Job]:
        workspace = checked_workspace(request.workspace)
        async for job in self._parts.board.watch(workspace, request.job_id):
            yield job_to_pb(job)

    async def ListEntities(self, request: ingest_pb2.EntitiesRequest, context: Any) -> ingest_pb2.EntityList:
        workspace = checked_workspace(request.workspace)
        if request.document_id:
            await self._parts.reading.document(workspace, request.document_id)
        entities, total = await self._parts.entities.listed(
            workspace, request.document_id, request.offset, _limit(request.limit)
        )
        return ingest_pb2.EntityList(entities=[entity_to_pb(*each) for each in entities], total=total)

    async def GiveEntities(
        self, request: ingest_pb2.GiveEntitiesRequest, context: Any
    ) -> ingest_pb2.ReindexReply:
        given = [Given(e.name, e.kind or GIVEN, tuple(e.aliases)) for e in request.entities]
        done = await asyncio.shield(self._parts.reindexing.give(checked_workspace(request.workspace), given))
        return ingest_pb2.ReindexReply(documents=done.documents, vocabulary=done.vocabulary)

    async def Reindex(self, request: ingest_pb2.ReindexRequest, context: Any) -> ingest_pb2.ReindexReply:
        done = await asyncio.shield(self._parts.reindexing.run(checked_workspace(request.workspace)))
        return ingest_pb2.ReindexReply(documents=done.documents, vocabulary=done.vocabulary)

    async def GetGeneration(
        self, request: ingest_pb2.GenerationRequest, context: Any
    ) -> ingest_pb2.GenerationReply:
        generation = await self._parts.reading.generation(checked_workspace(request.workspace))
        return ingest_pb2.GenerationReply(generation=generation)

    async def _document(self, request: Any) -> Document:
        return await self._parts.reading.document(checked_workspace(request.workspace), request.document_id)

    async def _served(self, request: Any) -> Document:
        """The document, if a version of it is served. Raises NotFound and Conflict."""
        document = await self._document(request)
        if not document.live_version:
            raise Conflict(f"{document.name} is still being processed: wait until its job is done.")
        return document

    async def _erase(self, workspace: str, document_id: str) -> int:
        tombstone, ended = await self._parts.store.erase(workspace, document_id)
        for job_id in ended:
            self._parts.board.close(job_id)
        self._parts.publisher.wake(workspace)
        return tombstone

    def _status(self, document: Document) -> str:
        if document.live_version:
            return "ready"
        return "processing" if self._parts.board.state(document.job_id) == RUNNING else "queued"


def ingest_offer(servicer: IngestServicer) -> Offer:
    """What `serve` needs to offer the service."""
    return Offer(
        ingest_pb2.DESCRIPTOR.services_by_name["Ingest"].full_name,
        lambda server: ingest_pb2_grpc.add_IngestServicer_to_server(servicer, server),
    )


def _limit(limit: int) -> int:
    return min(limit or DEFAULT_LIMIT, MAX_LIMIT)


def _unknown(document_id: str) -> NotFound:
    return NotFound(f"There is no document {document_id} in this workspace.")
