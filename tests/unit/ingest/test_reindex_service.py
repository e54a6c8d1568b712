"""Does reindexing learn a workspace's words, and bring every document under them once, whatever happens?"""

import asyncio
from collections.abc import Callable
from itertools import count
from typing import Any

from services.ingest.core.document import PARAGRAPH, Block
from services.ingest.layout import encode_blocks
from services.ingest.records import Unparsed
from services.ingest.reindexing import Reindexing
from shared.pb import ingest_pb2
from tests.unit.ingest.calling import Client
from tests.unit.ingest.conftest import CONFIG, parse_of

LEARNT = (
    b"A pressure relief valve is closed. The pressure relief valve is open. A pressure relief valve drips."
)
WELDED = b"Open the pressurereliefvalve."

IDS = count(1)


async def reindex(client: Client, workspace: str = "") -> tuple[int, int]:
    reply = await client.call("Reindex", ingest_pb2.ReindexRequest(workspace=workspace))
    return reply.documents, reply.vocabulary


async def readings(client: Client, document_id: str) -> list[str]:
    request = ingest_pb2.DocumentPageRequest(document_id=document_id)
    return [chunk.reading for chunk in (await client.call("ListChunks", request)).chunks]


async def versions(client: Client) -> dict[str, int]:
    listed = await client.call("ListDocuments", ingest_pb2.PageRequest())
    return {document.name: document.version for document in listed.documents}


async def settled(client: Client) -> None:
    while True:
        jobs = (await client.call("ListJobs", ingest_pb2.PageRequest())).jobs
        if all(job.state in ("done", "failed") for job in jobs):
            assert all(job.state == "done" for job in jobs), jobs
            return
        await asyncio.sleep(0.02)


async def test_words_of_other_documents_part_a_weld_after_reindexing_and_not_before(client: Client) -> None:
    welded = await client.add("welded.txt", WELDED)
    await client.add("words.txt", LEARNT)
    assert await readings(client, welded.document_id) == [""]
    assert await reindex(client) == (2, 1)
    await settled(client)
    assert await readings(client, welded.document_id) == ["Open the pressure relief valve."]
    assert await versions(client) == {"welded.txt": 2, "words.txt": 2}
    chunks = await client.call("ListChunks", ingest_pb2.DocumentPageRequest(document_id=welded.document_id))
    assert chunks.chunks[0].text == WELDED.decode()


async def test_second_reindexing_without_changes_queues_nothing(client: Client) -> None:
    await client.add("words.txt", LEARNT)
    assert await reindex(client) == (1, 1)
    await settled(client)
    assert await reindex(client) == (0, 1)
    assert await versions(client) == {"words.txt": 2}


async def test_later_uploads_use_the_words_in_force_and_teach_none(client: Client) -> None:
    await client.add("words.txt", LEARNT)
    await reindex(client)
    await settled(client)
    first = await client.add("welded.txt", WELDED)
    assert await readings(client, first.document_id) == ["Open the pressure relief valve."]
    again = await client.submit("welded.txt", WELDED)
    assert again.duplicate
    await client.add("more.txt", b"gate keeper " * 9)
    other = await client.add("other.txt", b"Ask the gatekeeper.")
    assert await readings(client, other.document_id) == [""]


async def test_reindexing_an_empty_workspace_or_with_welds_off_learns_nothing(
    serving: Callable[..., Any],
) -> None:
    client = await serving(welds=False)
    assert await reindex(client) == (0, 0)
    await client.add("words.txt", LEARNT)
    assert await reindex(client) == (0, 0)
    assert await versions(client) == {"words.txt": 1}


def reindexing(shelf: Any, added: list[Unparsed]) -> Reindexing:
    return Reindexing(
        shelf.database,
        shelf.reading,
        config=CONFIG,
        learns=True,
        clock=lambda: 1.0,
        new_id=lambda prefix: f"{prefix}_again_{next(IDS)}",
        add=added.append,
    )


async def published(shelf: Any, name: str, text: str, workspace: str = "default") -> Any:
    accepted = await shelf.submit(name, text.encode(), workspace)
    parse = parse_of(accepted.document_id, text)
    blocks = encode_blocks((Block(PARAGRAPH, 0, len(text)),))
    assert await shelf.store.save_parsed(accepted.job, _with(parse, blocks=blocks))
    await shelf.store.flip(await shelf.store.next_batch(workspace, 64, 512))
    return accepted


def _with(parse: Any, **changes: Any) -> Any:
    fields = {name: getattr(parse, name) for name in parse.__dataclass_fields__}
    return type(parse)(**{**fields, **changes})


async def test_kill_after_the_words_are_kept_loses_no_document(
    shelf: Any, open_again: Callable[[], Any]
) -> None:
    await published(shelf, "a.txt", LEARNT.decode())
    await published(shelf, "b.txt", WELDED.decode())
    added: list[Unparsed] = []
    done = await reindexing(shelf, added).run("default")
    assert (done.documents, done.vocabulary, len(added)) == (2, 1, 2)
    # As after a kill: nothing that was queued in memory is there.
    again = open_again()
    await again.database.open()
    unparsed, _ = await again.store.resume()
    assert sorted(each.job.document_name for each in unparsed) == ["a.txt", "b.txt"]
    plan = await again.store.plan(unparsed[0].job)
    assert plan.config_digest != CONFIG
    assert b"relief valve" in plan.vocabulary
    await again.database.close()


async def test_reindexing_of_one_workspace_does_not_wait_for_anothers(shelf: Any) -> None:
    await published(shelf, "a.txt", LEARNT.decode(), "one")
    learning = reindexing(shelf, [])
    served, begun, goes_on = shelf.reading.served, asyncio.Event(), asyncio.Event()

    async def slow(workspace: str) -> Any:
        if workspace == "one":
            begun.set()
            await goes_on.wait()
        return await served(workspace)

    shelf.reading.served = slow
    first = asyncio.create_task(learning.run("one"))
    await begun.wait()
    async with asyncio.timeout(10):
        assert (await learning.run("other")).documents == 0
    goes_on.set()
    assert (await first).documents == 1


async def test_document_deleted_while_words_are_learnt_is_passed_over(shelf: Any) -> None:
    first = await published(shelf, "a.txt", WELDED.decode())
    await published(shelf, "b.txt", LEARNT.decode())
    added: list[Unparsed] = []
    learning = reindexing(shelf, added)
    served = shelf.reading.served

    async def deleted_after(workspace: str) -> Any:
        found = await served(workspace)
        await shelf.store.erase(workspace, first.document_id)
        return found

    shelf.reading.served = deleted_after
    assert (await learning.run("default")).documents == 1
    assert [each.job.document_name for each in added] == ["b.txt"]


async def test_document_on_its_way_is_not_queued_twice_but_parsed_under_the_new_words(shelf: Any) -> None:
    await published(shelf, "a.txt", LEARNT.decode())
    waiting = await shelf.submit("b.txt", WELDED)
    before = (await shelf.store.plan(waiting.job)).config_digest
    added: list[Unparsed] = []
    await reindexing(shelf, added).run("default")
    assert [each.job.document_name for each in added] == ["a.txt"]
    after = (await shelf.store.plan(waiting.job)).config_digest
    assert before == CONFIG != after
    parse = parse_of(waiting.document_id, WELDED.decode())
    assert not await shelf.store.save_parsed(waiting.job, _with(parse, config_digest=before))
    assert (await shelf.store.unparsed(waiting.job)) is not None, "it is parsed again"
    assert await shelf.store.save_parsed(waiting.job, _with(parse, config_digest=after))


async def test_words_do_not_depend_on_the_order_of_uploads(shelf: Any) -> None:
    texts = [LEARNT.decode(), "The gate keeper and the gate keeper.", "A gate keeper of the valve."]
    learnt = []
    for workspace, ordered in (("one", texts), ("other", texts[::-1])):
        for text in ordered:
            await published(shelf, f"{text[:9]}.txt", text, workspace)
        added: list[Unparsed] = []
        await reindexing(shelf, added).run(workspace)
        assert len(added) == 3
        learnt.append((await shelf.store.plan(added[0].job)).vocabulary)
    assert learnt[0] == learnt[1] != b""
