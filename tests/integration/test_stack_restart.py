"""Does an index that starts alone, without ingest, serve what it served before?"""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from services.local.sample import sample_files
from services.local.settings import REPOSITORY
from shared.channel import call, open_channel
from shared.pb import ingest_pb2, ingest_pb2_grpc
from shared.probe import is_serving
from shared.stage import Query, Ranking, RunOptions
from shared.stage_rpc import RemoteStage, describe
from tests.stack import Stack

pytestmark = [pytest.mark.stack, pytest.mark.models]

QUESTIONS = ("why does the oxygen value fall", "cable fault E07", "how long does the battery last")


@contextmanager
def alone(service: str, data: Path, sockets: Path) -> Iterator[str]:
    """One index as a process with nobody to talk to: its address."""
    address = f"unix://{sockets / service}.sock"
    process = subprocess.Popen(
        [sys.executable, "-m", f"services.{service.replace('-', '_')}"],
        cwd=REPOSITORY,
        env=os.environ | {"SIGHTLINE_DATA": str(data), "SIGHTLINE_LISTEN": address},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        until = time.monotonic() + 60
        while not is_serving(address, 1.0):
            assert process.poll() is None, f"{service} ended"
            assert time.monotonic() < until, f"{service} does not serve"
        yield address
    finally:
        process.terminate()
        process.wait(30)


async def generation_of(stack: Stack) -> int:
    channel = open_channel(f"unix://{stack.note()['sockets']}/ingest.sock")
    request = ingest_pb2.GenerationRequest(workspace="default")
    reply = await call(ingest_pb2_grpc.IngestStub(channel).GetGeneration, request, deadline_s=10)
    await channel.close(None)
    return int(reply.generation)


async def rankings(address: str, stage: str, generation: int) -> list[Ranking]:
    """What one stage at an address answers to each question."""
    channel = open_channel(address)
    info = next(info for info in await describe(channel, 10) if info.name == stage)
    remote = RemoteStage(channel, info)
    answers = [
        await remote.run(Query(question, "default", generation), [], RunOptions(limit=20))
        for question in QUESTIONS
    ]
    await channel.close(None)
    return answers


@pytest.mark.parametrize(("service", "stage"), [("lexical-index", "lexical"), ("vector-index", "vector")])
async def test_restarted_index_gives_the_same_lists_while_ingest_is_down(
    tmp_path: Path, service: str, stage: str
) -> None:
    stack = Stack(tmp_path / "data")
    try:
        stack.wait_until_up()
        stack.add({path.name: path.read_bytes() for path in sample_files()})
        generation = await generation_of(stack)
        before = await rankings(f"unix://{stack.note()['sockets']}/{service}.sock", stage, generation)
    finally:
        stack.stop()
    assert all(ranking.candidates for ranking in before)
    with alone(service, stack.data, tmp_path) as address:
        after = await rankings(address, stage, generation)
    assert [r.candidates for r in after] == [r.candidates for r in before]
