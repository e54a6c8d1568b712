"""Does the OpenAI-compatible provider read the event stream to the byte, failures included?"""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager

import pytest

from services.orchestrator.core.prompt import Message
from services.orchestrator.providers.openai import OpenAIOptions, OpenAIProvider, base_of
from services.orchestrator.providers.provider import ChatRequest, Usage
from shared.errors import Unavailable
from tests.unit.orchestrator.wire_server import Reply, Server, serving

CHAT = "/v1/chat/completions"
REQUEST = ChatRequest((Message("user", "q"),), 5000, 1024)
HEAD = b'{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"m",'


def event(data: bytes, end: bytes = b"\n\n") -> bytes:
    return b"data: " + data + end


def chunk(delta: bytes, finish: bytes = b"null") -> bytes:
    return event(HEAD + b'"choices":[{"index":0,"delta":' + delta + b',"finish_reason":' + finish + b"}]}")


WORDS = [
    chunk(b'{"role":"assistant","content":""}'),
    chunk('{"content":"Naïve "}'.encode()),
    b": keep-alive\n\n",
    chunk(b'{"content":"line\\u2028end"}'),
    chunk(b"{}", b'"stop"'),
]
USAGE = event(HEAD + b'"choices":[],"usage":{"prompt_tokens":26,"completion_tokens":9,"total_tokens":35}}')
DONE = event(b"[DONE]")


@asynccontextmanager
async def provider(*replies: Reply, path: str = CHAT) -> AsyncIterator[tuple[OpenAIProvider, Server]]:
    async with serving({path: list(replies)}) as server:
        made = OpenAIProvider(OpenAIOptions(url=server.url, model="m", api_key="k", silence_s=2))
        try:
            yield made, server
        finally:
            await made.close()


def stream_of(*pieces: bytes) -> Reply:
    return Reply(list(pieces), media_type="text/event-stream")


async def heard(made: OpenAIProvider) -> list[str | Usage]:
    async with aclosing(made.stream(REQUEST)) as pieces:
        return [piece async for piece in pieces]


async def test_answer_is_streamed_with_its_usage() -> None:
    async with provider(stream_of(*WORDS, USAGE, DONE)) as (made, server):
        assert await heard(made) == ["Naïve ", "line\u2028end", Usage(26, 9)]
    asked = json.loads(server.asked[0][2])
    assert asked["stream"] is True
    assert asked["stream_options"] == {"include_usage": True}
    assert asked["messages"] == [{"role": "user", "content": "q"}]
    assert asked["max_tokens"] == 1024


async def test_events_cut_anywhere_and_ended_by_crlf_make_the_same_answer() -> None:
    whole = b"".join([*WORDS, USAGE, DONE]).replace(b"\n", b"\r\n")
    pieces = [whole[i : i + 5] for i in range(0, len(whole), 5)]
    async with provider(stream_of(*pieces)) as (made, _):
        assert await heard(made) == ["Naïve ", "line\u2028end", Usage(26, 9)]


async def test_finish_reason_is_enough_where_no_done_is_sent() -> None:
    async with provider(stream_of(*WORDS)) as (made, _):
        assert await heard(made) == ["Naïve ", "line\u2028end"]


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (
            stream_of(*WORDS[:2], event(b'{"error":{"message":"overloaded","type":"server_error"}}')),
            "overloaded",
        ),
        (stream_of(*WORDS[:2], event(b'{"error":"flat"}')), "flat"),
        (stream_of(*WORDS[:2]), "before it was finished"),
        (Reply(WORDS[:2], media_type="text/event-stream", breaks=True), "broke off"),
        (stream_of(*WORDS[:2], event(b"{")), "no JSON"),
        (stream_of(*WORDS[:2], event(b"[]")), "no object"),
    ],
)
async def test_failure_in_mid_stream_is_raised_after_the_first_words(reply: Reply, words: str) -> None:
    async with provider(reply) as (made, _):
        stream = made.stream(REQUEST)
        assert await anext(stream) == "Naïve "
        with pytest.raises(Unavailable, match=words):
            await anext(stream)


@pytest.mark.parametrize(
    ("status", "body", "words"),
    [
        (401, b'{"error":{"message":"bad key","type":"invalid_request_error"}}', "bad key"),
        (404, b'{"error":{"message":"the model m does not exist"}}', "does not exist"),
        (502, b"<html>bad gateway</html>", "status 502"),
    ],
)
async def test_refusal_is_raised_before_any_word(status: int, body: bytes, words: str) -> None:
    async with provider(Reply([body], status=status, media_type="application/json")) as (made, _):
        with pytest.raises(Unavailable, match=words):
            await heard(made)


async def test_closing_the_stream_hangs_up() -> None:
    async with provider(Reply(WORDS[:2], media_type="text/event-stream", hangs=True)) as (made, server):
        async with aclosing(made.stream(REQUEST)) as stream:
            assert await anext(stream) == "Naïve "
        await asyncio.wait_for(server.left.wait(), 2)


@pytest.mark.parametrize(("status", "state"), [(200, "ok"), (404, "ok"), (401, "down"), (503, "down")])
async def test_state_is_what_the_endpoint_answers(status: int, state: str) -> None:
    reply = Reply([b"{}"], status=status, media_type="application/json")
    async with provider(reply, path="/v1/models") as (made, _):
        assert (await made.state()).state == state


async def test_nobody_at_the_address_is_down() -> None:
    made = OpenAIProvider(OpenAIOptions(url="http://127.0.0.1:9", model="m"))
    state = await made.state()
    await made.close()
    assert state.state == "down"


@pytest.mark.parametrize(
    ("url", "base"),
    [
        ("http://host:1", "http://host:1/v1"),
        ("http://host:1/", "http://host:1/v1"),
        ("http://host/v1/", "http://host/v1"),
        ("http://host/api/v3", "http://host/api/v3"),
    ],
)
def test_v1_is_added_to_a_bare_host_only(url: str, base: str) -> None:
    assert base_of(url) == base
