"""Does the Ollama provider read the server's wire format to the byte, failures included?"""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace

import pytest

from services.orchestrator.core.prompt import Message
from services.orchestrator.providers.ollama import OllamaOptions, OllamaProvider, context_size
from services.orchestrator.providers.provider import ChatRequest, Usage
from shared.errors import Unavailable
from tests.unit.orchestrator.wire_server import Reply, Server, serving

TAGS = (
    b'{"models":[{"name":"llama3.2:3b","model":"llama3.2:3b","modified_at":"2026-01-02T03:04:05Z","size":1}]}'
)
NO_TAGS = b'{"models":[]}'
HEAD = b'{"model":"llama3.2:3b","created_at":"2026-01-02T03:04:05.678901234Z",'
WORDS = [
    HEAD + b'"message":{"role":"assistant","content":"Na\xc3\xafve "},"done":false}\n',
    HEAD + b'"message":{"role":"assistant","content":"line\\u2028end"},"done":false}\n',
    HEAD + b'"message":{"role":"assistant","content":""},"done_reason":"stop","done":true,'
    b'"total_duration":5,"load_duration":1,"prompt_eval_count":26,"prompt_eval_duration":2,'
    b'"eval_count":298,"eval_duration":2}\n',
]
REQUEST = ChatRequest((Message("system", "s"), Message("user", "q")), 5000, 1024)
OPTIONS = OllamaOptions(url="", model="llama3.2:3b", silence_s=2)


@asynccontextmanager
async def provider(
    replies: Mapping[str, list[Reply]], options: OllamaOptions = OPTIONS
) -> AsyncIterator[tuple[OllamaProvider, Server]]:
    async with serving(replies) as server:
        made = OllamaProvider(replace(options, url=server.url), monotonic=lambda: 0.0)
        try:
            yield made, server
        finally:
            await made.close()


async def heard(made: OllamaProvider) -> list[str | Usage]:
    async with aclosing(made.stream(REQUEST)) as pieces:
        return [piece async for piece in pieces]


async def test_answer_is_streamed_with_its_usage() -> None:
    async with provider({"/api/chat": [Reply(WORDS)]}) as (made, server):
        assert await heard(made) == ["Naïve ", "line\u2028end", Usage(26, 298)]
    method, path, body = server.asked[0]
    assert (method, path) == ("POST", "/api/chat")
    asked = json.loads(body)
    assert asked["model"] == "llama3.2:3b"
    assert asked["stream"] is True
    assert asked["keep_alive"] == "10m"
    assert asked["messages"] == [{"role": "system", "content": "s"}, {"role": "user", "content": "q"}]
    assert asked["options"]["num_ctx"] == 8192


async def test_lines_cut_anywhere_make_the_same_answer() -> None:
    whole = b"".join(WORDS)
    pieces = [whole[i : i + 7] for i in range(0, len(whole), 7)]
    async with provider({"/api/chat": [Reply(pieces)]}) as (made, _):
        assert await heard(made) == ["Naïve ", "line\u2028end", Usage(26, 298)]


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (
            Reply([*WORDS[:1], b'{"error":"an error was encountered while running the model"}\n']),
            "running the model",
        ),
        (Reply(WORDS[:1]), "before it was finished"),
        (Reply(WORDS[:1], breaks=True), "broke off"),
        (Reply([*WORDS[:1], b"<html>\n"]), "no JSON"),
        (Reply([*WORDS[:1], b"[]\n"]), "no object"),
    ],
)
async def test_failure_in_mid_stream_is_raised_after_the_first_words(reply: Reply, words: str) -> None:
    async with provider({"/api/chat": [reply]}) as (made, _):
        stream = made.stream(REQUEST)
        assert await anext(stream) == "Naïve "
        with pytest.raises(Unavailable, match=words):
            await anext(stream)


async def test_missing_model_is_raised_in_the_servers_words() -> None:
    gone = Reply([b'{"error":"model \\"llama3.2:3b\\" not found, try pulling it first"}'], status=404)
    async with provider({"/api/chat": [gone]}) as (made, _):
        with pytest.raises(Unavailable, match="try pulling it first"):
            await heard(made)


async def test_silence_ends_in_an_error() -> None:
    options = replace(OPTIONS, silence_s=0.1)
    async with provider({"/api/chat": [Reply(WORDS[:1], hangs=True)]}, options) as (made, _):
        stream = made.stream(REQUEST)
        await anext(stream)
        with pytest.raises(Unavailable, match="broke off"):
            await anext(stream)


async def test_closing_the_stream_hangs_up() -> None:
    async with provider({"/api/chat": [Reply(WORDS[:1], hangs=True)]}) as (made, server):
        async with aclosing(made.stream(REQUEST)) as stream:
            assert await anext(stream) == "Naïve "
        await asyncio.wait_for(server.left.wait(), 2)


async def test_state_is_ok_when_the_model_is_there() -> None:
    async with provider({"/api/tags": [Reply([TAGS])]}) as (made, server):
        assert (await made.state()).ready
        assert (await made.state()).ready
    assert len(server.asked) == 1, "the state is remembered for a while"


async def test_state_names_the_missing_model_and_pulls_nothing_unasked() -> None:
    async with provider({"/api/tags": [Reply([NO_TAGS])]}) as (made, server):
        state = await made.state()
    assert (state.state, "ollama pull llama3.2:3b" in state.detail) == ("absent", True)
    assert [path for _, path, _ in server.asked] == ["/api/tags"]


async def test_nobody_at_the_address_is_absent() -> None:
    made = OllamaProvider(replace(OPTIONS, url="http://127.0.0.1:9"))
    state = await made.state()
    await made.close()
    assert state.state == "absent"
    assert "does not answer" in state.detail


async def test_missing_model_is_pulled_in_the_background_with_progress() -> None:
    pulling = [
        b'{"status":"pulling manifest"}\n',
        b'{"status":"pulling dde5aa3fc5ff","digest":"sha256:dde5","total":200,"completed":86}\n',
    ]
    replies = {
        "/api/tags": [Reply([NO_TAGS])],
        "/api/pull": [Reply(pulling, hangs=True)],
    }
    async with provider(replies, replace(OPTIONS, pull=True)) as (made, server):
        assert not (await made.state()).ready
        async with asyncio.timeout(5):
            while "43 %" not in (await made.state()).detail:  # noqa: ASYNC110 - nobody tells
                await asyncio.sleep(0.01)
    pulls = [body for _, path, body in server.asked if path == "/api/pull"]
    assert [json.loads(body) for body in pulls] == [{"model": "llama3.2:3b", "stream": True}]


async def test_pulled_model_can_be_asked() -> None:
    replies = {
        "/api/tags": [Reply([NO_TAGS]), Reply([TAGS])],
        "/api/pull": [Reply([b'{"status":"success"}\n'])],
    }
    async with provider(replies, replace(OPTIONS, pull=True)) as (made, _):
        async with asyncio.timeout(5):
            while not (await made.state()).ready:  # noqa: ASYNC110 - nobody tells
                await asyncio.sleep(0.01)


async def test_failed_pull_says_why_and_waits_before_the_next() -> None:
    replies = {
        "/api/tags": [Reply([NO_TAGS])],
        "/api/pull": [Reply([b'{"error":"pull model manifest: file does not exist"}\n'])],
    }
    async with provider(replies, replace(OPTIONS, pull=True)) as (made, server):
        await made.state()
        async with asyncio.timeout(5):
            while made._pull is not None:  # noqa: ASYNC110 - nobody tells
                await asyncio.sleep(0.01)
        assert "file does not exist" in (await made.state()).detail
        await made.state()
    assert sum(path == "/api/pull" for _, path, _ in server.asked) == 1


async def test_pull_that_succeeds_without_giving_the_model_is_not_begun_at_each_look() -> None:
    replies = {"/api/tags": [Reply([NO_TAGS])], "/api/pull": [Reply([b'{"status":"success"}\n'])]}
    async with provider(replies, replace(OPTIONS, pull=True)) as (made, server):
        await made.state()
        async with asyncio.timeout(5):
            while made._pull is not None:  # noqa: ASYNC110 - nobody tells
                await asyncio.sleep(0.01)
        assert not (await made.state()).ready
        await made.state()
    assert sum(path == "/api/pull" for _, path, _ in server.asked) == 1


@pytest.mark.parametrize(("needed", "size"), [(1, 4096), (4096, 4096), (4097, 8192), (100_000, 131_072)])
def test_context_always_fits_what_is_needed(needed: int, size: int) -> None:
    assert context_size(needed) == size
