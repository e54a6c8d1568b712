"""Does each call of the Ingest service answer as the contract says, over the wire?"""

from collections.abc import Callable
from typing import Any

import pytest

from shared.errors import InvalidInput, NotFound
from shared.pb import ingest_pb2
from tests.unit.ingest.calling import TEXT, Client, document


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
