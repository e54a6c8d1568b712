"""A stage behind the wire behaves as it does in process, and its errors keep their types."""

import asyncio
import signal
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest
import pytest_asyncio

from shared.candidate import Candidate, Scored, ScoreType, TextSpan, ranked
from shared.channel import open_channel
from shared.errors import (
    DeadlineExceeded,
    InvalidInput,
    NotFound,
    PeerFailed,
    SightlineError,
    Unavailable,
    UnknownGeneration,
)
from shared.probe import is_serving
from shared.server import serve
from shared.settings import ServiceSettings
from shared.stage import Query, Ranking, RunOptions, StageInfo
from shared.stage_rpc import RemoteStage, describe, stage_offer

INFO = StageInfo("rerank", "By length", "rerank", ScoreType.CROSS_ENCODER, 100, 50, None, pointwise=True)
PASSAGES = [Candidate(f"chk_{n}", TextSpan("doc_a", n % 7, 99)) for n in range(10)]


class ByStart:
    """Scores a passage by where it starts; some questions make it fail."""

    def __init__(self) -> None:
        self.calls: list[int] = []

    @property
    def info(self) -> StageInfo:
        return INFO

    async def run(self, query: Query, candidates: Sequence[Candidate], options: RunOptions) -> Ranking:
        self.calls.append(len(candidates))
        if query.text == "old":
            raise UnknownGeneration("generation 3 is gone")
        if query.text == "bug":
            raise ZeroDivisionError
        if query.text == "slow":
            await asyncio.sleep(30)
        if query.text == "slow once" and len(self.calls) == 1:
            await asyncio.sleep(30)
        scored = [Scored(c, float(c.span.start)) for c in candidates]
        return Ranking(tuple(ranked("rerank", ScoreType.CROSS_ENCODER, scored, options.limit)), ("by start",))


@pytest.fixture
def stage() -> ByStart:
    return ByStart()


@pytest_asyncio.fixture
async def address(stage: ByStart, tmp_path: Path) -> AsyncIterator[str]:
    where = f"unix://{tmp_path}/stage.sock"
    serving = asyncio.create_task(
        serve("test", ServiceSettings(listen=where, drain_s=0.2), [stage_offer([stage])])
    )
    while not await asyncio.to_thread(is_serving, where, 0.2):  # noqa: ASYNC110 - it asks over the wire
        await asyncio.sleep(0.02)
    yield where
    signal.raise_signal(signal.SIGTERM)
    await serving


async def remote(address: str, *, try_deadline_s: float | None = None) -> RemoteStage:
    channel = open_channel(address)
    (info,) = await describe(channel, deadline_s=5)
    return RemoteStage(channel, info, shard_size=4, try_deadline_s=try_deadline_s)


async def test_a_remote_stage_describes_itself_as_the_local_one(address: str) -> None:
    assert (await remote(address)).info == INFO


async def test_a_sharded_run_gives_what_one_local_run_gives(address: str, stage: ByStart) -> None:
    afar = await (await remote(address)).run(Query("q", "default", 0), PASSAGES, RunOptions(limit=6))
    shards, stage.calls = stage.calls, []
    near = await stage.run(Query("q", "default", 0), PASSAGES, RunOptions(limit=6))
    assert sorted(shards) == [2, 4, 4]
    assert afar == near


@pytest.mark.parametrize(
    ("question", "error"),
    [("old", UnknownGeneration), ("bug", PeerFailed), ("x" * 51, InvalidInput), ("slow", DeadlineExceeded)],
)
async def test_an_error_keeps_its_type_over_the_wire(
    address: str, question: str, error: type[SightlineError]
) -> None:
    stage = await remote(address)
    with pytest.raises(error):
        await stage.run(Query(question, "default", 0), PASSAGES, RunOptions(deadline_s=1))


async def test_an_internal_error_tells_nothing_of_the_inside(address: str) -> None:
    stage = await remote(address)
    with pytest.raises(Unavailable) as caught:
        await stage.run(Query("bug", "default", 0), PASSAGES[:1], RunOptions())
    assert "ZeroDivision" not in str(caught.value)


async def test_an_unknown_stage_is_not_found(address: str) -> None:
    channel = open_channel(address)
    with pytest.raises(NotFound, match="there is rerank"):
        await RemoteStage(channel, StageInfo("x", "", "", ScoreType.BM25, 1, 1)).run(
            Query("q", "default", 0), [], RunOptions()
        )


async def test_a_long_reason_is_cut_and_keeps_its_type(address: str) -> None:
    channel = open_channel(address)
    with pytest.raises(NotFound) as caught:
        await RemoteStage(channel, StageInfo("語" * 20_000, "", "", ScoreType.BM25, 1, 1)).run(
            Query("q", "default", 0), [], RunOptions()
        )
    assert str(caught.value).startswith("there is no stage '語語")
    assert str(caught.value).endswith("語…")


async def test_a_hung_call_is_tried_again_within_its_deadline(address: str, stage: ByStart) -> None:
    patient = await remote(address, try_deadline_s=0.3)
    found = await patient.run(Query("slow once", "default", 0), PASSAGES[:3], RunOptions(deadline_s=5))
    assert len(found.candidates) == 3
    assert stage.calls == [3, 3]


@pytest.mark.parametrize("try_deadline_s", [None, 0.1])
async def test_a_call_without_an_answer_says_which_and_how_long(
    address: str, try_deadline_s: float | None
) -> None:
    stage = await remote(address, try_deadline_s=try_deadline_s)
    with pytest.raises(DeadlineExceeded, match=r"^Stage/Run did not answer within 0\.5 s$"):
        await stage.run(Query("slow", "default", 0), PASSAGES[:3], RunOptions(deadline_s=0.5))


async def test_a_cancelled_call_is_not_tried_again(address: str, stage: ByStart) -> None:
    patient = await remote(address, try_deadline_s=0.3)
    run = asyncio.create_task(
        patient.run(Query("slow", "default", 0), PASSAGES[:3], RunOptions(deadline_s=5))
    )
    while not stage.calls:  # noqa: ASYNC110 - it is called over the wire
        await asyncio.sleep(0.01)
    run.cancel()
    with pytest.raises(asyncio.CancelledError):
        await run
    await asyncio.sleep(0.6)
    assert stage.calls == [3]


async def test_a_peer_that_is_not_there_is_unavailable(tmp_path: Path) -> None:
    with pytest.raises(Unavailable):
        await describe(open_channel(f"unix://{tmp_path}/nobody.sock"), deadline_s=5)
