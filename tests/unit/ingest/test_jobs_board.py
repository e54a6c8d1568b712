"""Does everyone who watches a job hear of every stage and of its end, and is the queue fair?"""

import asyncio
from typing import Any

import pytest

from services.ingest.fairness import FairQueue, Waiting, choose
from services.ingest.jobs import JobBoard
from services.ingest.records import FAILED, QUEUED, RUNNING, Failure
from shared.errors import NotFound

WAIT_S = 10.0


async def test_watcher_sees_stages_in_order_and_the_final_state(shelf: Any) -> None:
    board = JobBoard(shelf.reading)
    accepted = await shelf.submit("a.txt", b"one")
    job_id = accepted.job.job_id
    board.add(accepted.job)
    async with asyncio.timeout(WAIT_S):
        # Each is seen before the next is said: a watcher that is late hears of the newest alone.
        watching = board.watch("default", job_id)
        seen = [await anext(watching)]
        for stage, share in (("parse", 0.0), ("chunk", 0.0), ("index", 0.5)):
            board.advance(job_id, stage, share)
            seen.append(await anext(watching))
        board.advance(job_id, "index", 0.2)  # no news: progress never falls
        board.advance(job_id, "publish", 0.0)
        seen.append(await anext(watching))
        await shelf.store.fail(job_id, Failure("invalid-document", "no"))
        board.close(job_id)
        seen += [job async for job in watching]
    assert [job.state for job in seen] == [QUEUED, *[RUNNING] * 4, FAILED]
    assert [job.stage for job in seen[1:5]] == ["parse", "chunk", "index", "publish"]
    progress = [job.progress for job in seen if job.state == RUNNING]
    assert progress == sorted(progress)


async def test_watch_of_a_finished_job_ends_at_once(shelf: Any) -> None:
    board = JobBoard(shelf.reading)
    accepted = await shelf.submit("a.txt", b"one")
    await shelf.store.fail(accepted.job.job_id, Failure("invalid-document", "no"))
    async with asyncio.timeout(WAIT_S):
        states = [job.state async for job in board.watch("default", accepted.job.job_id)]
    assert states == [FAILED]


async def test_job_of_another_workspace_is_not_found(shelf: Any) -> None:
    board = JobBoard(shelf.reading)
    accepted = await shelf.submit("a.txt", b"one")
    board.add(accepted.job)
    with pytest.raises(NotFound):
        await board.get("other", accepted.job.job_id)


def test_queue_gives_the_newest_a_share_and_starves_nobody() -> None:
    line = FairQueue(list(range(100)))
    order = [line.pop() for _ in range(100)]
    assert order[:4] == [0, 1, 2, 99]
    assert sorted(item for item in order if item is not None) == list(range(100))
    assert line.pop() is None


def test_batch_holds_what_fits_and_always_something() -> None:
    waiting = [Waiting(0, 900), Waiting(1, 10), Waiting(2, 10)]
    assert choose(waiting, 64, 512) == [0]
    assert choose(waiting[1:], 64, 512) == [1, 2]
    assert choose([], 64, 512) == []
    assert len(choose([Waiting(n, 1) for n in range(200)], 64, 512)) == 64


async def test_watchers_leave_nothing_behind_when_no_news_will_come(shelf: Any) -> None:
    board = JobBoard(shelf.reading)
    accepted = await shelf.submit("a.txt", b"one")
    with pytest.raises(NotFound):
        await anext(board.watch("default", "job_unknown"))
    await shelf.store.fail(accepted.job.job_id, Failure("invalid-document", "no"))
    leaver = board.watch("default", accepted.job.job_id)
    assert (await anext(leaver)).state == FAILED
    await leaver.aclose()
    assert not board._news
