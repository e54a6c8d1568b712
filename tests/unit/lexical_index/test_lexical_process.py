"""Does the real process come back after SIGKILL with the same lists, alone and without any text?"""

import asyncio
import os
import signal
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import grpc
import pytest

from shared.channel import call, open_channel
from shared.pb import candidate_pb2, index_pb2, index_pb2_grpc
from shared.probe import is_serving
from shared.stage import Query, RunOptions
from shared.stage_rpc import RemoteStage, describe

TEXTS = ["The lock opens at noon, quoted verbatim.", "Locks close at six.", "Cranes lift the lock gates."]


@asynccontextmanager
async def process(
    data: Path, address: str, repository: Path, stop: signal.Signals
) -> AsyncIterator[grpc.aio.Channel]:
    """A lexical-index process; at the end it is sent `stop` and waited for."""
    environment = os.environ | {"SIGHTLINE_DATA": str(data), "SIGHTLINE_LISTEN": address}
    running = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "services.lexical_index", cwd=repository, env=environment
    )
    try:
        until = time.monotonic() + 60
        while not await asyncio.to_thread(is_serving, address, 0.5):
            assert running.returncode is None
            assert time.monotonic() < until
            await asyncio.sleep(0.05)
        async with open_channel(address) as channel:
            yield channel
    finally:
        running.send_signal(stop)
        code = await asyncio.wait_for(running.wait(), 30)
    assert code == (-signal.SIGKILL if stop is signal.SIGKILL else 0)


@pytest.mark.stack
async def test_killed_process_restarts_alone_with_the_same_lists_and_scores(
    tmp_path: Path, repository: Path
) -> None:
    address = f"unix://{tmp_path}/lexical.sock"
    query = Query("when does the lock open", "default", 1)
    async with process(tmp_path, address, repository, signal.SIGKILL) as channel:
        await _fill(index_pb2_grpc.IndexStub(channel))
        (info,) = await describe(channel, 5)
        before = await RemoteStage(channel, info).run(query, (), RunOptions())
        assert {c.chunk_id for c in before.candidates} == {"c0", "c1", "c2"}
    stored = b"".join(path.read_bytes() for path in (tmp_path / "lexical-index").iterdir())
    assert b"verbatim" in stored
    assert b"quoted verbatim" not in stored
    async with process(tmp_path, address, repository, signal.SIGTERM) as channel:
        (info,) = await describe(channel, 5)
        assert await RemoteStage(channel, info).run(query, (), RunOptions()) == before


async def _fill(stub: "index_pb2_grpc.IndexAsyncStub") -> None:
    chunks = [
        index_pb2.IndexedChunk(
            chunk_id=f"c{n}", span=candidate_pb2.TextSpan(document_id="d", start=n, end=n + 1), text=text
        )
        for n, text in enumerate(TEXTS)
    ]
    document = index_pb2.DocumentVersion(document_id="d", version=1, digest="x", chunk_count=len(chunks))
    upsert = index_pb2.UpsertRequest(workspace="default", batch_id="b", document=document, chunks=chunks)
    publish = index_pb2.PublishRequest(
        workspace="default", generation=1, batch_id="b", documents=1, chunks=len(chunks)
    )
    await call(stub.Upsert, upsert, deadline_s=10)
    await call(stub.Publish, publish, deadline_s=10)
