"""Pairs wait in a bounded queue, long ones first, and not for callers who left."""

import asyncio
import threading
import time
from collections.abc import Iterator

import pytest

from services.rerank.pool import PairPool
from shared.errors import Overloaded


@pytest.fixture
def gate() -> Iterator[threading.Event]:
    opened = threading.Event()
    yield opened
    opened.set()


async def test_results_keep_the_order_of_the_tasks_and_long_ones_begin_first() -> None:
    pool, begun = PairPool(1, max_waiting=10), []

    def work(task: int) -> int:
        begun.append(task)
        return task * 10

    assert await pool.map(work, [3, 1, 7, 3], cost=lambda task: task) == [30, 10, 70, 30]
    assert begun == [7, 3, 3, 1]
    pool.close()


async def test_a_queue_that_is_full_refuses_and_recovers(gate: threading.Event) -> None:
    pool = PairPool(1, max_waiting=3)
    first = asyncio.create_task(pool.map(lambda _: gate.wait(10), [1, 2], cost=int))
    await asyncio.sleep(0)
    with pytest.raises(Overloaded):
        await pool.map(int, [1, 2], cost=int)
    gate.set()
    await first
    assert await pool.map(int, [1, 2, 3], cost=int) == [1, 2, 3]
    pool.close()


async def test_pairs_of_a_caller_who_left_are_dropped(gate: threading.Event) -> None:
    pool, begun, first_began = PairPool(1, max_waiting=10), [], threading.Event()

    def work(task: int) -> None:
        begun.append(task)
        first_began.set()
        gate.wait(10)

    left = asyncio.create_task(pool.map(work, [5, 4, 3, 2, 1], cost=int))
    await asyncio.to_thread(first_began.wait, 10)
    left.cancel()
    with pytest.raises(asyncio.CancelledError):
        await left
    gate.set()
    assert await pool.map(int, [9], cost=int) == [9]
    assert begun == [5]
    pool.close()


async def test_a_failing_pair_drops_the_others_of_its_call() -> None:
    pool, begun = PairPool(1, max_waiting=10), []

    def work(task: int) -> None:
        begun.append(task)
        if task == 10:
            raise ZeroDivisionError
        time.sleep(0.05)

    with pytest.raises(ZeroDivisionError):
        await pool.map(work, list(range(1, 11)), cost=int)
    pool.close()
    assert begun[0] == 10
    assert len(begun) < 10
