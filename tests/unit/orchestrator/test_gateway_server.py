"""Does the gateway listen where it is told, and stop when it is told?"""

import asyncio
import os
import signal
import socket

import httpx
import pytest

from services.orchestrator.gateway.server import listening_socket, serve
from services.orchestrator.gateway.settings import GatewaySettings
from tests.unit.orchestrator.gateway_fakes import gateway


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port: int = taken.getsockname()[1]
        return port


async def until_healthy(url: str) -> None:
    async with httpx.AsyncClient(trust_env=False) as client, asyncio.timeout(10):
        while True:
            try:
                if (await client.get(f"{url}/healthz")).status_code == 200:
                    return
            except httpx.ConnectError:
                await asyncio.sleep(0.02)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_signal_lets_running_requests_finish_and_then_returns(number: signal.Signals) -> None:
    stand, port = gateway(), free_port()
    stand.ingest.overloaded_times = 3  # an upload that takes a while
    serving = asyncio.create_task(serve(stand.app, GatewaySettings(http_port=port, drain_s=5)))
    url = f"http://127.0.0.1:{port}"
    await until_healthy(url)
    async with httpx.AsyncClient(base_url=url, trust_env=False) as client:
        uploading = asyncio.create_task(client.post("/v1/documents", files={"file": ("a.txt", b"x")}))
        await asyncio.sleep(0.2)
        os.kill(os.getpid(), number)
        assert (await uploading).status_code == 202
    await asyncio.wait_for(serving, 5)
    assert not stand.engine.running


async def test_stream_that_does_not_end_does_not_hold_up_the_stop() -> None:
    stand, port = gateway(), free_port()
    stand.engine.hangs = True
    serving = asyncio.create_task(serve(stand.app, GatewaySettings(http_port=port, drain_s=1)))
    url = f"http://127.0.0.1:{port}"
    await until_healthy(url)
    headers = {"Accept": "text/event-stream"}
    async with (
        httpx.AsyncClient(base_url=url, trust_env=False) as client,
        client.stream("POST", "/v1/query", json={"question": "why"}, headers=headers) as response,
    ):
        await anext(response.aiter_bytes())
        os.kill(os.getpid(), signal.SIGTERM)
        await asyncio.wait_for(serving, 5)
    assert stand.engine.cancelled.is_set()


def test_taken_port_is_said_in_words() -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as taken,
        pytest.raises(OSError, match="SIGHTLINE_HTTP_PORT"),
    ):
        listening_socket("127.0.0.1", taken.getsockname()[1])
