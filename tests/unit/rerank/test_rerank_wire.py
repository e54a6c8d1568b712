"""A caller whose time is up, or who leaves, takes its waiting pairs along."""

import asyncio
import signal
import time
from collections.abc import AsyncIterator
from pathlib import Path

import grpc
import pytest
import pytest_asyncio

from services.rerank.core.pairs import Pair
from services.rerank.pool import PairPool
from services.rerank.service import RerankStage
from shared.cache import ProcessCache
from shared.channel import open_channel
from shared.errors import DeadlineExceeded
from shared.probe import is_serving
from shared.server import serve
from shared.settings import ServiceSettings
from shared.stage import Query, RunOptions
from shared.stage_rpc import RemoteStage, describe, stage_offer
from tests.unit.rerank.test_rerank_stage import LetterModel, passages

QUESTION = Query("ab", "harbour", 1)
MANY = passages(*(f"a{n}" for n in range(50)))


class SlowModel(LetterModel):
    def logit(self, pair: Pair) -> float:
        time.sleep(0.05)
        return super().logit(pair)


@pytest.fixture
def model() -> SlowModel:
    return SlowModel()


@pytest_asyncio.fixture
async def channel(tmp_path: Path, model: SlowModel) -> AsyncIterator[grpc.aio.Channel]:
    where = f"unix://{tmp_path}/rerank.sock"
    pool = PairPool(1, max_waiting=100)
    stage = RerankStage(model, pool, ProcessCache("test", 100, 60.0, time.time))
    settings = ServiceSettings(listen=where, drain_s=0.2)
    serving = asyncio.create_task(serve("rerank", settings, [stage_offer([stage])]))
    while not await asyncio.to_thread(is_serving, where, 0.2):  # noqa: ASYNC110 - it asks over the wire
        await asyncio.sleep(0.02)
    async with open_channel(where) as opened:
        yield opened
    signal.raise_signal(signal.SIGTERM)
    await serving
    pool.close()


async def test_pairs_of_a_call_that_ran_out_of_time_are_dropped(
    channel: grpc.aio.Channel, model: SlowModel
) -> None:
    (info,) = await describe(channel, deadline_s=5)
    stage = RemoteStage(channel, info, shard_size=50)
    with pytest.raises(DeadlineExceeded):
        await stage.run(QUESTION, MANY, RunOptions(deadline_s=0.4))
    await stage.run(QUESTION, MANY[:1], RunOptions(deadline_s=5))
    assert len(model.scored) < 25


async def test_pairs_of_a_caller_who_left_are_dropped_over_the_wire(
    channel: grpc.aio.Channel, model: SlowModel
) -> None:
    (info,) = await describe(channel, deadline_s=5)
    stage = RemoteStage(channel, info)
    left = asyncio.create_task(stage.run(QUESTION, MANY, RunOptions(deadline_s=30)))
    await asyncio.sleep(0.4)
    left.cancel()
    with pytest.raises(asyncio.CancelledError):
        await left
    await stage.run(QUESTION, MANY[:1], RunOptions(deadline_s=5))
    assert len(model.scored) < 25
