"""Does the work end when nobody waits for it any more? Over real sockets, with the real server."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
import uvicorn
from starlette.requests import ClientDisconnect
from starlette.types import Message

from services.orchestrator.gateway.sse import EventStream
from tests.unit.orchestrator.gateway_fakes import Gateway, gateway


@asynccontextmanager
async def serving(stand: Gateway) -> AsyncIterator[str]:
    config = uvicorn.Config(stand.app, host="127.0.0.1", port=0, log_config=None, lifespan="off")
    server = uvicorn.Server(config)
    task = asyncio.create_task(server.serve())
    try:
        while not server.started:  # noqa: ASYNC110 - the server offers nothing to wait for
            await asyncio.sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        await task


async def test_leaving_a_stream_cancels_the_engine_within_a_second() -> None:
    stand = gateway()
    stand.engine.hangs = True
    async with serving(stand) as url, httpx.AsyncClient(base_url=url, trust_env=False) as client:
        headers = {"Accept": "text/event-stream"}
        async with client.stream("POST", "/v1/query", json={"question": "why"}, headers=headers) as response:
            assert b"event: trace" in await anext(response.aiter_bytes())
            assert not stand.engine.cancelled.is_set()
        await asyncio.wait_for(stand.engine.cancelled.wait(), 1)


async def test_leaving_a_stream_before_its_first_event_says_nothing_and_is_told_from_a_failure() -> None:
    sent: list[Message] = []

    async def hanging() -> AsyncGenerator[tuple[str, Mapping[str, Any]], None]:
        await asyncio.Event().wait()
        yield "trace", {}

    async def receive() -> Message:
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)

    with pytest.raises(ClientDisconnect):
        await EventStream(hanging(), heartbeat_s=15)({"type": "http"}, receive, send)
    assert sent == []


@pytest.mark.parametrize("path", ["/v1/search", "/v1/query"])
async def test_leaving_a_plain_request_cancels_the_engine_within_a_second(path: str) -> None:
    stand = gateway()
    stand.engine.hangs = True
    async with serving(stand) as url, httpx.AsyncClient(base_url=url, trust_env=False) as client:
        with pytest.raises(httpx.ReadTimeout):
            await client.post(path, json={"question": "why"}, timeout=0.5)
        await asyncio.wait_for(stand.engine.cancelled.wait(), 1)


async def test_leaving_a_watched_job_ends_the_watch_within_a_second() -> None:
    stand = gateway()
    stand.ingest.hangs = True
    async with serving(stand) as url, httpx.AsyncClient(base_url=url, trust_env=False) as client:
        async with client.stream("GET", "/v1/jobs/job_1/events") as response:
            await anext(response.aiter_bytes())
        await asyncio.wait_for(stand.ingest.watch_ended.wait(), 1)
