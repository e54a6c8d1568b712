"""What does ingest draw, and where does it say no?"""

import asyncio
import io
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from PIL import Image

from shared.errors import Conflict, InvalidInput, NotFound, Overloaded, SightlineError
from shared.pb import ingest_pb2
from tests.unit.ingest.calling import WAIT_S, Client, document, pdf_of


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
    for _ in range(5):  # whoever is still sending hears the reason too
        with pytest.raises(Overloaded):
            await client.submit("c.txt", *[b"x" * 500_000] * 40)


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
