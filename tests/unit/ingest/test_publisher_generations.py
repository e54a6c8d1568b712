"""Do both indexes and ingest always agree on what is visible, whatever fails in between?"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from itertools import count
from typing import Any

import pytest

from services.ingest.delivery import Delivery, Patience
from services.ingest.jobs import JobBoard
from services.ingest.publisher import Publisher, PublishOptions
from services.ingest.records import DONE, FAILED, RUNNING
from shared.errors import Conflict, InvalidInput, NotFound, Unavailable

WAIT_S = 10.0
TOKENIZER = "t" * 64


class Killed(BaseException):
    """Stands for a kill: nothing catches it, nothing is tidied."""


class Publishing:
    """A publisher over a store and two indexes, run inside a block."""

    def __init__(
        self, shelf: Any, indexes: list[Any], *, max_documents: int = 64, max_chunks: int = 512
    ) -> None:
        self.shelf = shelf
        self.board = JobBoard(shelf.reading)
        self.killed_at = ""
        ids = count(1)
        self.publisher = Publisher(
            shelf.store,
            shelf.reading,
            self.board,
            [
                Delivery(
                    index,
                    shelf.reading,
                    Patience(slice_chunks=3, base_s=0.001, max_s=0.01),
                    tokenizer_sha256=TOKENIZER if index.name == "vector-index" else None,
                )
                for index in indexes
            ],
            options=PublishOptions(max_documents, max_chunks, check_every_s=0.02, pause_s=0.01),
            new_id=lambda prefix: f"{prefix}_{next(ids)}_{id(self)}",
            checkpoint=self._checkpoint,
        )

    def _checkpoint(self, point: str) -> None:
        if point == self.killed_at:
            raise Killed

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        task = asyncio.create_task(self.publisher.run())
        try:
            yield
        finally:
            task.cancel()
            await asyncio.wait([task])

    async def parsed(self, name: str, words: list[str], workspace: str = "default") -> Any:
        accepted = await self.shelf.parsed(name, words, workspace)
        self.board.add(accepted.job)
        self.board.advance(accepted.job.job_id, "index")
        self.publisher.wake(workspace)
        return accepted

    async def final(self, accepted: Any) -> str:
        async with asyncio.timeout(WAIT_S):
            async for job in self.board.watch(accepted.job.workspace, accepted.job.job_id):
                state = job.state
        return str(state)


@pytest.fixture
def publishing(shelf: Any, lexical: Any, vector: Any) -> Publishing:
    return Publishing(shelf, [lexical, vector])


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(WAIT_S):
        while not condition():  # noqa: ASYNC110 - the condition is another object's state
            await asyncio.sleep(0.005)


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


async def test_index_that_lost_everything_in_the_middle_of_a_batch_is_written_anew(
    publishing: Publishing, lexical: Any, vector: Any
) -> None:
    async with publishing.running():
        first = await publishing.parsed("a.txt", ["one"])
        assert await publishing.final(first) == DONE
        losses = iter([True])
        vector.before = lambda method: (
            vector.lose_everything() if method == "publish" and next(losses, False) else None
        )
        second = await publishing.parsed("b.txt", ["two"])
        assert await publishing.final(second) == DONE
    expected = {first.document_id: "one", second.document_id: "two"}
    assert lexical.texts() == vector.texts() == expected
    assert lexical.latest() == vector.latest() == 2


async def test_index_that_comes_back_empty_is_repaired_without_a_new_upload(
    publishing: Publishing, lexical: Any
) -> None:
    async with publishing.running():
        accepted = await publishing.parsed("a.txt", ["one"])
        assert await publishing.final(accepted) == DONE
        lexical.lose_everything()
        await until(lambda: lexical.latest() == 1)
    assert lexical.texts() == {accepted.document_id: "one"}


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

    async def upsert(*arguments: Any) -> int:
        if not erased.is_set():
            erased.set()
            await shelf.store.erase("default", doomed.document_id)
            publishing.board.close(doomed.job.job_id)
        return int(await original(*arguments))

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


async def test_start_repairs_an_index_whose_documents_differ(shelf: Any, lexical: Any, vector: Any) -> None:
    first = Publishing(shelf, [lexical, vector])
    async with first.running():
        one = await first.parsed("a.txt", ["one"])
        two = await first.parsed("b.txt", ["two"])
        assert await first.final(one) == await first.final(two) == DONE
    generation = lexical.latest()
    del lexical.generations["default"][generation][one.document_id]
    vector.calls.clear()
    again = Publishing(shelf, [lexical, vector])
    async with again.running():
        await until(lambda: len(lexical.texts()) == 2 and "manifest" in vector.calls)
    assert lexical.texts() == vector.texts()
    assert "publish" not in vector.calls


async def test_ingest_that_starts_empty_takes_over_indexes_that_are_not(
    publishing: Publishing, lexical: Any, vector: Any
) -> None:
    for index in (lexical, vector):
        index.generations = {"default": {6: {}, 7: {}}}
        index.batches = {"default": "old"}
    async with publishing.running():
        accepted = await publishing.parsed("a.txt", ["one"])
        assert await publishing.final(accepted) == DONE
    generation = await publishing.shelf.reading.generation("default")
    assert lexical.texts(generation=generation) == vector.texts(generation=generation)
    assert lexical.texts(generation=generation) == {accepted.document_id: "one"}


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
