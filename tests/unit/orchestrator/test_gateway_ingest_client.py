"""Does the client of ingest say in our types what comes over the wire, errors included?"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest

from services.orchestrator.ingest_client import PIECE_BYTES, IngestClient
from shared.candidate import Source, TextSpan
from shared.channel import open_channel
from shared.errors import NotFound, Overloaded, Unavailable
from shared.pb import candidate_pb2, ingest_pb2, ingest_pb2_grpc
from shared.server import PINGS_WELCOME, EdgeInterceptor


class Servicer(ingest_pb2_grpc.IngestServicer):
    """Answers just enough; what it was sent is kept."""

    def __init__(self) -> None:
        self.pieces: list[int] = []
        self.header = ingest_pb2.SubmitHeader()
        self.watches = 0

    async def Submit(self, request_iterator: Any, context: Any) -> ingest_pb2.SubmitReply:
        async for request in request_iterator:
            if request.HasField("header"):
                self.header = request.header
            else:
                self.pieces.append(len(request.data))
        if self.header.name == "late.txt":  # said at the end, as ingest does
            raise Overloaded("the queue is full; try again in a moment")
        if self.header.name == "bad.txt":
            problem = ingest_pb2.Problem(type="invalid-document", title="No", status=422, detail="empty")
            return ingest_pb2.SubmitReply(name="bad.txt", status="failed", problem=problem)
        return ingest_pb2.SubmitReply(document_id="doc_1", name="a.txt", status="queued", job_id="job_1")

    async def GetChunks(self, request: ingest_pb2.ChunksRequest, context: Any) -> ingest_pb2.ChunkList:
        chunks = [
            ingest_pb2.Chunk(
                chunk_id=chunk_id,
                span=candidate_pb2.TextSpan(document_id="doc_1", start=1, end=4),
                text="abc" if request.with_text else "",
                source=candidate_pb2.Source(title="T", section=["A"], page_number=2, file_name="t.md"),
                tokens=3,
            )
            for chunk_id in request.chunk_ids
            if chunk_id != "gone"
        ]
        return ingest_pb2.ChunkList(chunks=chunks, total=len(chunks))

    async def GetText(self, request: ingest_pb2.TextRequest, context: Any) -> ingest_pb2.TextReply:
        return ingest_pb2.TextReply(text=f"{request.start}:{request.end if request.HasField('end') else ''}")

    async def GetOriginal(
        self, request: ingest_pb2.DocumentRequest, context: Any
    ) -> AsyncIterator[ingest_pb2.OriginalPiece]:
        if request.document_id != "doc_1":
            raise NotFound("there is no such document")
        yield ingest_pb2.OriginalPiece(media_type="text/plain", name="a.txt", data=b"ab")
        yield ingest_pb2.OriginalPiece(data=b"cd")

    async def WatchJob(self, request: ingest_pb2.JobRequest, context: Any) -> AsyncIterator[ingest_pb2.Job]:
        self.watches += 1
        yield ingest_pb2.Job(id="job_1", state="running", progress=0.5)
        problem = ingest_pb2.Problem(type="invalid-document", title="No", status=422, detail="empty")
        yield ingest_pb2.Job(id="job_1", state="failed", progress=1.0, error=problem)


@asynccontextmanager
async def serving(folder: Path) -> AsyncIterator[tuple[IngestClient, Servicer]]:
    address = f"unix://{folder / 'ingest.sock'}"
    servicer = Servicer()  # type: ignore[abstract]
    server = grpc.aio.server(interceptors=[EdgeInterceptor()], options=PINGS_WELCOME)
    ingest_pb2_grpc.add_IngestServicer_to_server(servicer, server)  # type: ignore[no-untyped-call, unused-ignore]
    server.add_insecure_port(address)
    await server.start()
    async with open_channel(address) as channel:
        yield IngestClient(channel), servicer
    await server.stop(None)


async def pieces(*sizes: int) -> AsyncIterator[bytes]:
    for size in sizes:
        yield bytes(size)


async def test_file_is_sent_in_pieces_that_fit_a_message(tmp_path: Path) -> None:
    async with serving(tmp_path) as (client, servicer):
        sent = await client.submit("w", "a.txt", "text/plain", pieces(10, 2 * PIECE_BYTES + 1))
    assert servicer.pieces == [10, PIECE_BYTES, PIECE_BYTES, 1]
    assert (servicer.header.workspace, servicer.header.name) == ("w", "a.txt")
    assert (sent.document_id, sent.job_id, sent.reason) == ("doc_1", "job_1", None)


async def test_refused_file_is_an_answer_and_a_full_queue_an_error(tmp_path: Path) -> None:
    async with serving(tmp_path) as (client, _):
        refused = await client.submit("w", "bad.txt", "", pieces(0))
        with pytest.raises(Overloaded, match="queue"):
            await client.submit("w", "late.txt", "", pieces(*[PIECE_BYTES] * 20))
    assert refused.reason is not None
    assert (refused.document_id, refused.job_id, refused.reason.slug) == (None, None, "invalid-document")


async def test_chunks_come_in_the_order_asked_without_those_that_are_gone(tmp_path: Path) -> None:
    async with serving(tmp_path) as (client, _):
        whole = await client.hydrate("w", ["b", "gone", "a"], with_text=True)
        bare = await client.hydrate("w", ["a"], with_text=False)
        none = await client.hydrate("w", [], with_text=True)
    assert list(whole) == ["b", "a"]
    assert whole["a"].span == TextSpan("doc_1", 1, 4)
    assert whole["a"].source == Source("T", ("A",), "", 2, "t.md")
    assert (whole["a"].text, bare["a"].text, none) == ("abc", "", {})


@pytest.mark.parametrize(("end", "expected"), [(None, "3:"), (0, "3:0"), (7, "3:7")])
async def test_end_of_text_is_sent_only_when_given(tmp_path: Path, end: int | None, expected: str) -> None:
    async with serving(tmp_path) as (client, _):
        assert await client.text("w", "doc_1", start=3, end=end) == expected


async def test_original_is_known_to_exist_before_its_bytes_are_read(tmp_path: Path) -> None:
    async with serving(tmp_path) as (client, _):
        original = await client.original("w", "doc_1")
        assert (original.media_type, original.name) == ("text/plain", "a.txt")
        assert b"".join([piece async for piece in original.pieces]) == b"abcd"
        with pytest.raises(NotFound):
            await client.original("w", "doc_2")


async def test_job_is_watched_to_its_end_with_its_reason(tmp_path: Path) -> None:
    async with serving(tmp_path) as (client, servicer):
        jobs = [job async for job in client.watch_job("w", "job_1")]
    assert [job.state for job in jobs] == ["running", "failed"]
    assert jobs[-1].reason is not None
    assert servicer.watches == 1


async def test_ingest_that_is_away_is_said_without_details_of_the_wire(tmp_path: Path) -> None:
    async with open_channel(f"unix://{tmp_path / 'nobody.sock'}") as channel:
        client = IngestClient(channel, deadline_s=5)
        with pytest.raises(Unavailable, match="ingest service does not answer") as raised:
            await client.generation("w")
        with pytest.raises(Unavailable, match="ingest service does not answer"):
            await client.submit("w", "a.txt", "", pieces(1))
    assert "sock" not in str(raised.value)
