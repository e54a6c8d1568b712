"""Does each call of the Ingest service answer as the contract says, over the wire?"""

import asyncio
import io
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from PIL import Image
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

from services.ingest.service import ingest_offer
from services.ingest.settings import IngestSettings
from services.ingest.wiring import running
from shared.channel import open_channel, translated
from shared.errors import Conflict, InvalidInput, NotFound, Overloaded, SightlineError
from shared.models import TokenizerFile
from shared.pb import ingest_pb2, ingest_pb2_grpc
from shared.server import EdgeInterceptor

WAIT_S = 60.0
TEXT = "# Tides\n\nHigh water comes twice a day; ünïcödé 🌊 stays whole.\n\n## Moon\n\nThe moon pulls.\n"


class Client:
    """The calls as tests make them; failures are SightlineErrors."""

    def __init__(self, channel: grpc.aio.Channel, folder: Path, indexes: list[Any]) -> None:
        self._stub = ingest_pb2_grpc.IngestStub(channel)
        self.folder = folder
        self.indexes = indexes

    async def call(self, name: str, request: Any) -> Any:
        try:
            return await getattr(self._stub, name)(request, timeout=WAIT_S)
        except grpc.aio.AioRpcError as error:
            raise translated(error) from error

    async def submit(
        self, name: str, *pieces: bytes, workspace: str = "", header: bool = True
    ) -> ingest_pb2.SubmitReply:
        async def requests() -> AsyncIterator[ingest_pb2.SubmitRequest]:
            if header:
                yield ingest_pb2.SubmitRequest(header=ingest_pb2.SubmitHeader(workspace=workspace, name=name))
            for piece in pieces:
                yield ingest_pb2.SubmitRequest(data=piece)

        try:
            return await self._stub.Submit(requests(), timeout=WAIT_S)
        except grpc.aio.AioRpcError as error:
            raise translated(error) from error

    async def watch(self, job_id: str) -> list[ingest_pb2.Job]:
        return [
            job async for job in self._stub.WatchJob(ingest_pb2.JobRequest(job_id=job_id), timeout=WAIT_S)
        ]

    async def add(self, name: str, content: bytes) -> ingest_pb2.SubmitReply:
        """Upload and wait until it is ready."""
        reply = await self.submit(name, content)
        jobs = await self.watch(reply.job_id)
        assert jobs[-1].state == "done", jobs[-1]
        return reply

    async def original(self, document_id: str) -> bytes:
        try:
            pieces = self._stub.GetOriginal(document(document_id), timeout=WAIT_S)
            return b"".join([piece.data async for piece in pieces])
        except grpc.aio.AioRpcError as error:
            raise translated(error) from error

    def files(self) -> list[str]:
        """The stored originals and spooled uploads."""
        folders = (self.folder / "ingest" / name for name in ("originals", "spool"))
        return [path.name for folder in folders for path in folder.rglob("*") if path.is_file()]


def document(document_id: str) -> ingest_pb2.DocumentRequest:
    return ingest_pb2.DocumentRequest(document_id=document_id)


def pdf_of(*pages: str) -> bytes:
    """A PDF with one line of text a page, in 20 points, 100 points from the left and 80 from the top."""
    kids = " ".join(f"{4 + 2 * n} 0 R" for n in range(len(pages)))
    bodies = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Count {len(pages)} /Kids [{kids}] >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for number, text in enumerate(pages):
        stream = f"BT /F1 20 Tf 100 700 Td ({text}) Tj ET"
        bodies.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {5 + 2 * number} 0 R"
            " /Resources << /Font << /F1 3 0 R >> >> >>"
        )
        bodies.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
    out = b"%PDF-1.4\n"
    offsets = []
    for number, body in enumerate(bodies, start=1):
        offsets.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n".encode()
    table = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    return (
        out
        + (
            f"xref\n0 {len(bodies) + 1}\n0000000000 65535 f \n{table}"
            f"trailer\n<< /Size {len(bodies) + 1} /Root 1 0 R >>\nstartxref\n{len(out)}\n%%EOF\n"
        ).encode()
    )


@pytest.fixture
def tokenizer(tmp_path: Path) -> TokenizerFile:
    words = Tokenizer(WordLevel({"[UNK]": 0}, unk_token="[UNK]"))
    words.pre_tokenizer = Whitespace()
    path = tmp_path / "tokenizer.json"
    words.save(str(path))
    return TokenizerFile(path, "t" * 64, max_tokens=512, query_prefix="")


@pytest.fixture
async def serving(
    tmp_path: Path, tokenizer: TokenizerFile, lexical: Any, vector: Any
) -> AsyncIterator[Callable[..., Any]]:
    """Starts the service with settings, for one test."""

    @asynccontextmanager
    async def start(**settings: Any) -> AsyncIterator[Client]:
        with tempfile.TemporaryDirectory(prefix="sightline-") as sockets:
            address = f"unix://{sockets}/ingest.sock"
            own = IngestSettings(data=tmp_path / "data", **settings)
            async with running(own, tokenizer, [lexical, vector]) as servicer:
                server = grpc.aio.server(interceptors=[EdgeInterceptor()])
                ingest_offer(servicer).add(server)
                server.add_insecure_port(address)
                await server.start()
                async with open_channel(address) as channel:
                    yield Client(channel, tmp_path / "data", [lexical, vector])
                await server.stop(grace=1)

    async with AsyncExitStack() as stack:
        yield lambda **settings: stack.enter_async_context(start(**settings))


@pytest.fixture
async def client(serving: Callable[..., Any]) -> Client:
    started: Client = await serving()
    return started


async def test_uploaded_document_can_be_read_in_every_way(client: Client) -> None:
    reply = await client.submit("Tïdes 🌊.md", TEXT.encode()[:20], TEXT.encode()[20:])
    assert (reply.name, reply.duplicate, reply.status) == ("Tïdes 🌊.md", False, "queued")
    jobs = await client.watch(reply.job_id)
    assert (jobs[-1].state, jobs[-1].progress, jobs[-1].document_id) == ("done", 1.0, reply.document_id)

    found = await client.call("GetDocument", document(reply.document_id))
    assert (found.status, found.version, found.size) == ("ready", 1, len(TEXT.encode()))
    whole = (await client.call("GetText", ingest_pb2.TextRequest(document_id=found.id))).text
    assert found.characters == len(whole)
    assert "ünïcödé 🌊 stays whole" in whole
    part = await client.call("GetText", ingest_pb2.TextRequest(document_id=found.id, start=3, end=9))
    assert part.text == whole[3:9]
    blocks = await client.call("GetBlocks", ingest_pb2.DocumentPageRequest(document_id=found.id))
    assert {"heading", "paragraph"} <= {block.kind for block in blocks.blocks}
    assert await client.original(found.id) == TEXT.encode()
    listed = await client.call("ListDocuments", ingest_pb2.PageRequest())
    assert [each.id for each in listed.documents] == [found.id]
    generation = await client.call("GetGeneration", ingest_pb2.GenerationRequest())
    assert generation.generation == 1


async def test_chunks_equal_their_spans_and_hydrate_in_the_order_asked(client: Client) -> None:
    body = "\n\n".join(f"## Part {n}\n\n" + f"word{n} " * 300 for n in range(6))
    reply = await client.add("a.md", body.encode())
    listed = await client.call("ListChunks", ingest_pb2.DocumentPageRequest(document_id=reply.document_id))
    assert listed.total == len(listed.chunks) > 3
    whole = (await client.call("GetText", ingest_pb2.TextRequest(document_id=reply.document_id))).text
    starts = [chunk.span.start for chunk in listed.chunks]
    assert starts == sorted(starts)
    for chunk in listed.chunks:
        assert chunk.text == whole[chunk.span.start : chunk.span.end]
    page = await client.call(
        "ListChunks", ingest_pb2.DocumentPageRequest(document_id=reply.document_id, offset=1, limit=2)
    )
    assert list(page.chunks) == list(listed.chunks)[1:3]

    ids = [chunk.chunk_id for chunk in reversed(listed.chunks)]
    asked = ingest_pb2.ChunksRequest(chunk_ids=[*ids, "chk_unknown"], with_text=True)
    hydrated = await client.call("GetChunks", asked)
    assert list(hydrated.chunks) == list(reversed(listed.chunks))
    assert hydrated.chunks[0].source.file_name == "a.md"
    assert list(hydrated.chunks[0].source.section)[-1] == "Part 5"
    asked.with_text = False
    assert {chunk.text for chunk in (await client.call("GetChunks", asked)).chunks} == {""}


@pytest.mark.parametrize(
    ("name", "content", "status", "word"),
    [
        ("empty.txt", b"", 422, "empty"),
        ("blank.txt", b" \n\t ", 422, "empty"),
        ("program.exe", b"MZ\x90\x00\x03\x00\x00\x00\x04\x00\x00\x00\xff\xff" * 20, 415, "read"),
        ("large.txt", b"x" * 5000, 413, "SIGHTLINE_MAX_UPLOAD_BYTES"),
        ("..", b"text", 422, "name"),
    ],
)
async def test_file_that_cannot_be_taken_is_refused_at_once_and_leaves_nothing(
    serving: Callable[..., Any], name: str, content: bytes, status: int, word: str
) -> None:
    client = await serving(max_upload_bytes=4096)
    for _ in range(2):
        reply = await client.submit(name, content)
        assert (reply.problem.status, reply.status, reply.job_id) == (status, "failed", "")
        assert word in reply.problem.detail
    assert client.files() == []
    assert (await client.call("ListDocuments", ingest_pb2.PageRequest())).total == 0


async def test_file_found_bad_later_fails_its_job_and_leaves_nothing(client: Client) -> None:
    reply = await client.submit("broken.pdf", b"%PDF-1.4\nnothing of a document follows\n")
    final = (await client.watch(reply.job_id))[-1]
    assert (final.state, final.error.status) == ("failed", 422)
    assert final.error.detail
    with pytest.raises(NotFound):
        await client.call("GetDocument", document(reply.document_id))
    assert client.files() == []


async def test_path_in_a_name_is_reduced_to_its_last_component(client: Client) -> None:
    assert (await client.submit("../../etc/passwd-1.txt", b"some text")).name == "passwd-1.txt"
    assert (await client.submit("C:\\temp\\notes.txt", b"some text")).name == "notes.txt"


async def test_same_bytes_again_are_a_duplicate_and_other_bytes_a_new_version(client: Client) -> None:
    first = await client.add("a.txt", b"The first words of the file.")
    again = await client.submit("a.txt", b"The first words of the file.")
    assert (again.duplicate, again.job_id, again.document_id) == (True, "", first.document_id)
    assert again.status == "ready"
    second = await client.add("a.txt", b"Quite other words now.")
    assert second.document_id == first.document_id
    found = await client.call("GetDocument", document(first.document_id))
    assert found.version == 2
    text = await client.call("GetText", ingest_pb2.TextRequest(document_id=first.document_id))
    assert "other words" in text.text


@pytest.mark.parametrize(("start", "end"), [(5, 3), (0, 10_000), (10_000, None)])
async def test_span_outside_the_text_is_refused(client: Client, start: int, end: int | None) -> None:
    reply = await client.add("a.txt", b"Some words to cut.")
    with pytest.raises(InvalidInput, match="start and end"):
        await client.call(
            "GetText", ingest_pb2.TextRequest(document_id=reply.document_id, start=start, end=end)
        )


async def test_deleted_document_is_gone_everywhere(client: Client) -> None:
    reply = await client.add("a.txt", b"Words that have to go.")
    chunks = await client.call("ListChunks", ingest_pb2.DocumentPageRequest(document_id=reply.document_id))
    ids = [chunk.chunk_id for chunk in chunks.chunks]
    assert all(index.texts() for index in client.indexes)
    deleted = await client.call("DeleteDocument", document(reply.document_id))
    assert deleted.finished
    assert [index.texts() for index in client.indexes] == [{}, {}]
    for name, request in (
        ("GetDocument", document(reply.document_id)),
        ("GetText", ingest_pb2.TextRequest(document_id=reply.document_id)),
        ("GetBlocks", ingest_pb2.DocumentPageRequest(document_id=reply.document_id)),
        ("ListChunks", ingest_pb2.DocumentPageRequest(document_id=reply.document_id)),
        ("DeleteDocument", document(reply.document_id)),
    ):
        with pytest.raises(NotFound):
            await client.call(name, request)
    with pytest.raises(NotFound):
        await client.original(reply.document_id)
    assert (await client.call("GetChunks", ingest_pb2.ChunksRequest(chunk_ids=ids))).chunks == []
    assert client.files() == []
    again = await client.add("a.txt", b"Words that have to go.")
    assert not again.duplicate


async def test_page_is_drawn_with_the_span_marked(client: Client) -> None:
    reply = await client.add("two.pdf", pdf_of("The harbour opens at dawn", "The lighthouse never sleeps"))
    found = await client.call("GetDocument", document(reply.document_id))
    assert [(page.number, page.width, page.height) for page in found.pages] == [(1, 612, 792), (2, 612, 792)]
    whole = (await client.call("GetText", ingest_pb2.TextRequest(document_id=found.id))).text
    start = whole.index("lighthouse")
    span = {"document_id": found.id, "start": start, "end": start + len("lighthouse")}

    boxes = await client.call("GetPageBoxes", ingest_pb2.RenderPageRequest(page_number=2, **span))
    (box,) = boxes.boxes
    assert 100 < box.x0 < box.x1 < 300
    assert 60 < box.top < box.bottom < 110
    on_page_one = await client.call("GetPageBoxes", ingest_pb2.RenderPageRequest(page_number=1, **span))
    assert on_page_one.boxes == []

    marked = await image_of(client, ingest_pb2.RenderPageRequest(page_number=2, **span))
    plain = await image_of(client, ingest_pb2.RenderPageRequest(page_number=2, document_id=found.id))
    assert marked.size == plain.size
    scale = marked.width / 612
    corner = (round((box.x0 - 1) * scale), round((box.top - 1) * scale))
    assert plain.getpixel(corner) == (255, 255, 255)
    assert marked.getpixel(corner) != (255, 255, 255)
    assert marked.getpixel((5, 5)) == (255, 255, 255)
    with pytest.raises(NotFound):
        await client.call("RenderPage", ingest_pb2.RenderPageRequest(document_id=found.id, page_number=3))


async def image_of(client: Client, request: ingest_pb2.RenderPageRequest) -> Any:
    reply = await client.call("RenderPage", request)
    return Image.open(io.BytesIO(reply.png)).convert("RGB")


async def test_format_without_pages_is_not_drawn(client: Client) -> None:
    reply = await client.add("a.txt", b"Words without a page.")
    for name in ("RenderPage", "GetPageBoxes"):
        with pytest.raises(InvalidInput, match="open its text"):
            await client.call(
                name, ingest_pb2.RenderPageRequest(document_id=reply.document_id, page_number=1)
            )


async def test_document_on_its_way_is_listed_but_has_no_text_yet(client: Client) -> None:
    for index in client.indexes:
        index.failures["upsert"] = [Overloaded("busy")] * 100_000
    reply = await client.submit("a.txt", b"Words that wait.")
    found = await client.call("GetDocument", document(reply.document_id))
    assert found.status in ("queued", "processing")
    with pytest.raises(Conflict, match="still being processed"):
        await client.call("GetText", ingest_pb2.TextRequest(document_id=reply.document_id))
    assert await client.original(reply.document_id) == b"Words that wait."


async def test_full_queue_refuses_with_overloaded(serving: Callable[..., Any]) -> None:
    client = await serving(queue_limit=1)
    for index in client.indexes:
        index.failures["upsert"] = [Overloaded("busy")] * 100_000
    await client.submit("a.txt", b"Words that wait.")
    with pytest.raises(Overloaded):
        await client.submit("b.txt", b"Words that come too late.")


async def test_submit_without_a_header_is_refused(client: Client) -> None:
    with pytest.raises(InvalidInput, match="header"):
        await client.submit("", b"bytes", header=False)


async def test_client_that_leaves_in_the_middle_of_an_upload_leaves_nothing(client: Client) -> None:
    begun = asyncio.Event()

    async def requests() -> AsyncIterator[ingest_pb2.SubmitRequest]:
        yield ingest_pb2.SubmitRequest(header=ingest_pb2.SubmitHeader(name="a.txt"))
        yield ingest_pb2.SubmitRequest(data=b"the first half")
        begun.set()
        await asyncio.sleep(WAIT_S)

    call = client._stub.Submit(requests())
    await begun.wait()
    async with asyncio.timeout(WAIT_S):
        while not client.files():  # noqa: ASYNC110 - files have no events
            await asyncio.sleep(0.01)
        call.cancel()
        while client.files():  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    assert (await client.call("ListDocuments", ingest_pb2.PageRequest())).total == 0


async def test_chunks_longer_than_the_embedder_reads_refuse_to_start(serving: Callable[..., Any]) -> None:
    with pytest.raises(SightlineError, match="SIGHTLINE_CHUNK_MAX_TOKENS"):
        await serving(chunk_max_tokens=513)
