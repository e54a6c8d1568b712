"""Is a question searched for and answered as the contract says, at once and event by event?"""

import asyncio
import json
from typing import Any

import httpx
import pytest

from services.orchestrator.core.config import QueryConfig
from services.orchestrator.gateway.sse import encode
from shared.errors import Unavailable
from tests.unit.orchestrator.gateway_fakes import Gateway, gateway
from tests.unit.orchestrator.gateway_samples import ANSWER, EVENTS

STREAM = {"Accept": "text/event-stream"}


def events_of(response: httpx.Response) -> list[tuple[int, str, Any]]:
    found = []
    for block in response.content.decode().split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.split("\n") if line and not line.startswith(":"))
        if fields:
            found.append((int(fields["id"]), fields["event"], json.loads(fields["data"])))
    return found


async def ask(stand: Gateway, **body: Any) -> httpx.Response:
    async with stand.client() as client:
        return await client.post("/v1/query", json={"question": "why", **body}, headers=STREAM)


async def test_search_answers_stages_and_the_final_list() -> None:
    async with gateway().client() as client:
        body = (await client.post("/v1/search", json={"question": " why \n"})).json()
    assert body["trace_id"] == "trc_1"
    assert [s["name"] for s in body["stages"]] == ["select"]
    assert body["candidates"] == body["stages"][-1]["candidates"]


async def test_question_reaches_the_engine_trimmed_with_its_configuration() -> None:
    stand = gateway()
    async with stand.client() as client:
        config = {"vector": {"enabled": False}, "select": {"limit": 50, "budget_tokens": 1_000_000}}
        await client.post("/v1/search", json={"question": " why \n", "config": config})
    question, given = stand.engine.asked[0]
    assert question == "why"
    assert (given.vector.enabled, given.select.limit, given.fusion.k) == (False, 50, 60)


async def test_query_answers_the_answer_object() -> None:
    async with gateway().client() as client:
        body = {"question": "why", "conversation_id": "cnv_7"}
        response = await client.post("/v1/query", json=body)
    assert response.json() == {**ANSWER, "conversation_id": "cnv_7"}


async def test_events_are_numbered_and_in_order() -> None:
    response = await ask(gateway())
    events = events_of(response)
    assert [e[0] for e in events] == list(range(1, len(EVENTS) + 1))
    assert [(e[1], e[2]) for e in events] == [(e.kind, e.data) for e in EVENTS]
    assert response.headers["content-type"].startswith("text/event-stream")
    assert response.headers["cache-control"] == "no-store"
    assert response.headers["x-accel-buffering"] == "no"


async def test_media_type_that_is_accepted_may_be_spelt_in_capitals() -> None:
    async with gateway().client() as client:
        headers = {"Accept": "Text/Event-Stream"}
        response = await client.post("/v1/query", json={"question": "why"}, headers=headers)
    assert response.headers["content-type"].startswith("text/event-stream")


async def test_failure_in_the_middle_becomes_an_error_event() -> None:
    stand = gateway()
    stand.engine.failure, stand.engine.failing_after = Unavailable("no index answers; start one"), 2
    events = events_of(await ask(stand))
    assert [e[1] for e in events] == ["trace", "plan", "error"]
    assert events[-1][0] == 3
    assert events[-1][2]["status"] == 503
    assert events[-1][2]["request_id"]


async def test_unexpected_failure_in_the_middle_says_nothing_of_itself() -> None:
    stand = gateway()
    stand.engine.failure, stand.engine.failing_after = RuntimeError("secret"), 2
    response = await ask(stand)
    assert "secret" not in response.text
    assert events_of(response)[-1][2]["status"] == 500


@pytest.mark.parametrize("text", ["\u2028", "\u2029", "\x85", "\r\n", "\x0c", "\ud800", "🚚"])
def test_data_of_an_event_is_one_line_whatever_it_holds(text: str) -> None:
    block = encode(1, "token", {"text": text}).decode()
    assert len(block.splitlines()) == 4
    assert json.loads(block.split("data: ")[1])["text"] == text


async def test_silent_stream_is_kept_alive_by_comments() -> None:
    stand = gateway(heartbeat_s=0.02)
    stand.ingest.hangs = True
    received = bytearray()
    beaten = asyncio.Event()

    async def send(message: Any) -> None:
        received.extend(message.get("body", b""))
        if received.count(b": still here\n\n") >= 2:
            beaten.set()

    task = asyncio.create_task(stand.app(*call("GET", "/v1/jobs/job_1/events"), send))
    await asyncio.wait_for(beaten.wait(), 5)
    task.cancel()
    await asyncio.wait({task})
    assert stand.ingest.watch_ended.is_set()


def call(method: str, path: str) -> tuple[dict[str, Any], Any]:
    """Scope and receive of a bodiless request whose client stays."""
    told = [{"type": "http.request", "body": b"", "more_body": False}]

    async def receive() -> dict[str, Any]:
        if told:
            return told.pop()
        await asyncio.Event().wait()
        raise AssertionError

    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": [],
        "server": ("test", 80),
        "client": ("test", 1),
    }
    return scope, receive


async def test_questions_beyond_the_seats_are_turned_away_and_then_taken_again() -> None:
    stand = gateway(max_queries=1, max_waiting_queries=0)
    stand.engine.hangs = True
    async with stand.client() as client:
        first = asyncio.create_task(client.post("/v1/search", json={"question": "why"}))
        await asyncio.wait_for(stand.engine.began.wait(), 5)
        second = await client.post("/v1/search", json={"question": "why"})
        streamed = await client.post("/v1/query", json={"question": "why"}, headers=STREAM)
        first.cancel()
        await asyncio.wait({first})
        stand.engine.hangs = False
        third = await client.post("/v1/search", json={"question": "why"})
    assert (second.status_code, streamed.status_code, third.status_code) == (503, 503, 200)
    assert second.headers["retry-after"]


async def test_replay_without_configuration_takes_the_stored_one() -> None:
    stand = gateway()
    async with stand.client() as client:
        for content in (b"", b"{}"):
            headers = {"Content-Type": "application/json"} if content else {}
            response = await client.post("/v1/traces/trc_1/replay", content=content, headers=headers)
            assert response.status_code == 200
    assert stand.engine.asked == [("trc_1", QueryConfig())] * 2


async def test_replay_takes_another_configuration() -> None:
    stand = gateway()
    async with stand.client() as client:
        body = {"config": {"fusion": {"kind": "weighted"}}}
        response = await client.post("/v1/traces/trc_1/replay", json=body)
    assert response.json()["trace_id"] == "trc_2"
    assert stand.engine.asked[0][1].fusion.kind == "weighted"


async def test_traces_are_listed_and_read() -> None:
    async with gateway().client() as client:
        listed = (await client.get("/v1/traces")).json()
        one = (await client.get("/v1/traces/trc_1")).json()
    assert listed == {"traces": [{"id": "trc_1", "trace_id": "trc_1", "question": "why"}], "total": 1}
    assert one["trace_id"] == "trc_1"
