"""A question does not wait behind an ingestion."""

import asyncio
import threading
from collections.abc import Iterator

import pytest

from services.vector_index.lanes import Lanes
from shared.errors import Overloaded


@pytest.fixture
def gate() -> Iterator[threading.Event]:
    """What holds work in a thread until a test opens it."""
    opened = threading.Event()
    yield opened
    opened.set()


async def test_a_question_overtakes_waiting_passages(gate: threading.Event) -> None:
    lanes, order = Lanes(1, max_waiting_queries=4), []
    began = threading.Event()

    def passage(n: int) -> None:
        began.set()
        gate.wait(10)
        order.append(f"passage {n}")

    passages = [asyncio.create_task(lanes.document(lambda n=n: passage(n))) for n in range(3)]  # type: ignore[misc]
    await asyncio.to_thread(began.wait, 10)
    await lanes.query(lambda: order.append("question"))
    gate.set()
    await asyncio.gather(*passages)
    lanes.close()
    assert order == ["question", "passage 0", "passage 1", "passage 2"]


async def test_no_passage_begins_while_a_question_is_read(gate: threading.Event) -> None:
    lanes, order = Lanes(1, max_waiting_queries=4), []

    def question() -> None:
        gate.wait(10)
        order.append("question")

    asked = asyncio.create_task(lanes.query(question))
    await asyncio.sleep(0)
    passage = asyncio.create_task(lanes.document(lambda: order.append("passage")))
    await asyncio.sleep(0.05)
    assert order == []
    gate.set()
    await asyncio.gather(asked, passage)
    lanes.close()
    assert order == ["question", "passage"]


async def test_too_many_questions_are_refused(gate: threading.Event) -> None:
    lanes = Lanes(1, max_waiting_queries=2)
    waiting = [asyncio.create_task(lanes.query(lambda: gate.wait(10))) for _ in range(3)]
    await asyncio.sleep(0)
    with pytest.raises(Overloaded):
        await lanes.query(lambda: None)
    gate.set()
    await asyncio.gather(*waiting)
    assert await lanes.query(lambda: "again") == "again"
    lanes.close()


async def test_a_cancelled_passage_that_has_not_begun_never_does(gate: threading.Event) -> None:
    lanes, order = Lanes(1, max_waiting_queries=1), []
    first = asyncio.create_task(lanes.document(lambda: gate.wait(10)))
    second = asyncio.create_task(lanes.document(lambda: order.append("second")))
    await asyncio.sleep(0.02)
    second.cancel()
    gate.set()
    await asyncio.gather(first, second, return_exceptions=True)
    await lanes.document(lambda: order.append("third"))
    lanes.close()
    assert order == ["third"]


async def test_an_error_in_a_lane_reaches_its_caller_and_frees_the_lane() -> None:
    lanes = Lanes(1, max_waiting_queries=1)
    with pytest.raises(ZeroDivisionError):
        await lanes.query(lambda: 1 / 0)
    assert await lanes.document(lambda: "on") == "on"
    lanes.close()
