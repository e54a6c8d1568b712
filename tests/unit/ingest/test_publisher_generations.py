"""Do both indexes and ingest always agree on what is visible, whatever fails in between?"""

import asyncio
from typing import Any

import pytest

from services.ingest.records import DONE, FAILED, RUNNING
from shared.errors import Conflict, InvalidInput, NotFound, Unavailable
from tests.unit.ingest.publishing import TOKENIZER, WAIT_S, Publishing, until


async def test_document_becomes_visible_in_both_indexes_at_one_generation(
    publishing: Publishing, lexical: Any, vector: Any
) -> None:
    async with publishing.running():
        accepted = await publishing.parsed("a.txt", ["one", "two", "three", "four"])
        assert await publishing.final(accepted) == DONE
    assert await publishing.shelf.reading.generation("default") == 1
    assert lexical.texts() == vector.texts() == {accepted.document_id: "one|two|three|four"}
    assert lexical.sizes == [3, 1]


async def test_queue_is_published_in_bounded_batches_and_the_newest_does_not_wait_for_all(
    shelf: Any, lexical: Any, vector: Any
) -> None:
    publishing = Publishing(shelf, [lexical, vector], max_documents=4)
    accepted = [await publishing.parsed(f"{n}.txt", [f"word{n}"]) for n in range(12)]
    async with publishing.running():
        assert await publishing.final(accepted[-1]) == DONE
        assert lexical.latest() == 1
        for each in accepted:
            assert await publishing.final(each) == DONE
    assert lexical.latest() == vector.latest() == 3
    assert len(vector.texts()) == 12


async def test_index_that_is_away_delays_and_loses_nothing(
    publishing: Publishing, lexical: Any, vector: Any
) -> None:
    vector.failures["upsert"] = [Unavailable("gone")] * 4
    vector.failures["publish"] = [Unavailable("gone")] * 3
    async with publishing.running():
        accepted = await publishing.parsed("a.txt", ["one", "two"])
        assert await publishing.final(accepted) == DONE
    assert lexical.texts() == vector.texts() == {accepted.document_id: "one|two"}


async def test_job_says_what_it_waits_for_while_an_index_is_away(publishing: Publishing, vector: Any) -> None:
    vector.failures["upsert"] = [Unavailable("gone")] * 100_000
    async with publishing.running():
        accepted = await publishing.parsed("a.txt", ["one"])
        async with asyncio.timeout(WAIT_S):
            async for job in publishing.board.watch("default", accepted.job.job_id):
                if job.failure is not None:
                    break
        assert job.state == RUNNING
        assert job.failure is not None
        assert "vector-index does not answer" in job.failure.detail
        assert await publishing.shelf.reading.generation("default") == 0
        vector.failures["upsert"].clear()
        assert await publishing.final(accepted) == DONE


async def test_index_that_lost_the_staged_batch_gets_the_whole_batch_again(
    publishing: Publishing, lexical: Any, vector: Any
) -> None:
    restarts = iter([True])

    def restart(method: str) -> None:
        if method == "publish" and next(restarts, False):
            lexical.lose_staged()

    lexical.before = restart
    async with publishing.running():
        accepted = await publishing.parsed("a.txt", ["one", "two", "three", "four"])
        assert await publishing.final(accepted) == DONE
    assert lexical.texts() == vector.texts() == {accepted.document_id: "one|two|three|four"}


@pytest.mark.parametrize("point", ["staged", "published", "flipped"])
async def test_killed_between_the_steps_every_document_is_visible_once_after_a_restart(
    shelf: Any, lexical: Any, vector: Any, point: str
) -> None:
    first = Publishing(shelf, [lexical, vector])
    before = await first.parsed("a.txt", ["one"])
    async with first.running():
        assert await first.final(before) == DONE
    dying = Publishing(shelf, [lexical, vector])
    dying.killed_at = point
    accepted = await dying.parsed("b.txt", ["two", "three"])
    task = asyncio.create_task(dying.publisher.run())
    with pytest.raises(BaseExceptionGroup):
        await task
    assert lexical.texts(generation=1) == {before.document_id: "one"}

    _, unpublished = await shelf.store.resume()
    again = Publishing(shelf, [lexical, vector])
    for job in unpublished:
        again.board.add(job)
    async with again.running():
        assert await again.final(accepted) == DONE
        third = await again.parsed("c.txt", ["four"])
        assert await again.final(third) == DONE
    expected = {before.document_id: "one", accepted.document_id: "two|three", third.document_id: "four"}
    assert lexical.texts() == vector.texts() == expected
    assert lexical.latest() == vector.latest() == await shelf.reading.generation("default") == 3


async def test_delete_reaches_both_indexes_and_is_waited_for(
    publishing: Publishing, lexical: Any, vector: Any
) -> None:
    async with publishing.running():
        accepted = await publishing.parsed("a.txt", ["one"])
        assert await publishing.final(accepted) == DONE
        tombstone, _ = await publishing.shelf.store.erase("default", accepted.document_id)
        publishing.publisher.wake("default")
        assert await publishing.publisher.is_gone(tombstone, WAIT_S)
    assert lexical.texts() == vector.texts() == {}


async def test_delete_survives_a_restart(shelf: Any, lexical: Any, vector: Any) -> None:
    first = Publishing(shelf, [lexical, vector])
    async with first.running():
        accepted = await first.parsed("a.txt", ["one"])
        assert await first.final(accepted) == DONE
    tombstone, _ = await shelf.store.erase("default", accepted.document_id)
    again = Publishing(shelf, [lexical, vector])
    async with again.running():
        assert await again.publisher.is_gone(tombstone, WAIT_S)
    assert lexical.texts() == vector.texts() == {}


async def test_document_deleted_while_it_is_staged_is_left_out(
    publishing: Publishing, lexical: Any, vector: Any
) -> None:
    shelf = publishing.shelf
    doomed = await publishing.parsed("a.txt", [f"w{n}" for n in range(9)])
    kept = await publishing.parsed("b.txt", ["kept"])
    erased = asyncio.Event()
    original = lexical.upsert

    async def upsert(*arguments: Any) -> Any:
        if not erased.is_set():
            erased.set()
            await shelf.store.erase("default", doomed.document_id)
            publishing.board.close(doomed.job.job_id)
        return await original(*arguments)

    lexical.upsert = upsert
    async with publishing.running():
        assert await publishing.final(kept) == DONE
        assert await publishing.final(doomed) == FAILED
        await until(lambda: vector.texts() == {kept.document_id: "kept"})
    assert lexical.texts() == {kept.document_id: "kept"}
    with pytest.raises(NotFound):
        await shelf.reading.document("default", doomed.document_id)


async def test_document_that_an_index_refuses_fails_alone(publishing: Publishing, vector: Any) -> None:
    bad = await publishing.parsed("a.txt", ["bad"])
    good = await publishing.parsed("b.txt", ["good"])
    vector.failures["upsert"] = [InvalidInput("a chunk too far")]
    async with publishing.running():
        assert await publishing.final(bad) == FAILED
        assert await publishing.final(good) == DONE
    job = await publishing.board.get("default", bad.job.job_id)
    assert job.failure is not None
    assert job.failure.slug == "invalid-input"
    assert vector.texts() == {good.document_id: "good"}


async def test_embedder_with_another_tokenizer_stops_publishing_and_says_so(
    publishing: Publishing, lexical: Any, vector: Any
) -> None:
    vector.tokenizer = "x" * 64
    async with publishing.running():
        accepted = await publishing.parsed("a.txt", ["one"])
        async with asyncio.timeout(WAIT_S):
            async for job in publishing.board.watch("default", accepted.job.job_id):
                if job.failure is not None:
                    break
        assert job.failure is not None
        assert "another tokenizer" in job.failure.detail
        assert (lexical.latest(), vector.latest()) == (0, 0)
        vector.tokenizer = TOKENIZER
        assert await publishing.final(accepted) == DONE


async def test_unexpected_conflict_that_lasts_is_tried_again_later(
    publishing: Publishing, lexical: Any
) -> None:
    lexical.failures["publish"] = [Conflict("not now")] * 9
    async with publishing.running():
        accepted = await publishing.parsed("a.txt", ["one"])
        assert await publishing.final(accepted) == DONE


async def test_workspaces_have_generations_of_their_own(publishing: Publishing, lexical: Any) -> None:
    async with publishing.running():
        for number in range(2):
            alpha = await publishing.parsed(f"{number}.txt", [f"word{number}"], "alpha")
            assert await publishing.final(alpha) == DONE
        beta = await publishing.parsed("0.txt", ["word0"], "beta")
        assert await publishing.final(beta) == DONE
    reading = publishing.shelf.reading
    assert (await reading.generation("alpha"), await reading.generation("beta")) == (2, 1)
    assert lexical.texts("beta") == {beta.document_id: "word0"}
