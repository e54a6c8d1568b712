"""Does the client send and read what the evaluation needs of the gateway?"""

import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from client.errors import InvalidReply, Problem
from client.gateway import Sightline


def client(answer: Callable[[httpx.Request], httpx.Response]) -> Sightline:
    return Sightline(
        "http://gateway.test",
        headers={"Sightline-Workspace": "eval-golden"},
        transport=httpx.MockTransport(answer),
    )


def test_headers_are_sent_with_every_request() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        assert request.headers["sightline-workspace"] == "eval-golden"
        return httpx.Response(200, json={"defaults": {}})

    assert client(answer).config() == {"defaults": {}}


def test_question_of_a_conversation_names_it() -> None:
    sent: list[dict[str, Any]] = []

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(json.loads(request.read()))
        return httpx.Response(200, json={"answer": "16 t", "later": "field"})

    assert client(answer).query("why", {"select": {"limit": 3}}, "cnv_1")["later"] == "field"
    client(answer).query("why")
    assert sent == [
        {"question": "why", "config": {"select": {"limit": 3}}, "conversation_id": "cnv_1"},
        {"question": "why", "config": {}},
    ]


@pytest.mark.parametrize(("method", "key"), [("chunks", "chunks"), ("blocks", "blocks")])
def test_content_is_read_page_by_page(method: str, key: str) -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        assert request.url.path == f"/v1/documents/doc_1/{key}"
        offset = int(request.url.params["offset"])
        return httpx.Response(200, json={key: [{"n": n} for n in range(offset, min(offset + 2, 3))]})

    assert list(getattr(client(answer), method)("doc_1")) == [{"n": 0}, {"n": 1}, {"n": 2}]


def test_bundle_goes_from_one_gateway_to_the_other() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        if request.method == "GET":
            assert request.url.path == "/v1/traces/trc_1/bundle"
            return httpx.Response(200, json={"format": 1})
        assert (request.url.path, json.loads(request.read())) == ("/v1/traces/bundles", {"format": 1})
        return httpx.Response(201, json={"trace_id": "trc_9"})

    assert client(answer).import_bundle(client(answer).bundle("trc_1")) == "trc_9"


def test_replay_without_a_configuration_sends_none() -> None:
    sent: list[Any] = []

    def answer(request: httpx.Request) -> httpx.Response:
        assert request.url.path == "/v1/traces/trc_1/replay"
        sent.append(json.loads(request.read()))
        return httpx.Response(200, json={"trace_id": "trc_2"})

    client(answer).replay("trc_1")
    assert client(answer).replay("trc_1", {"fusion": {"k": 1}})["trace_id"] == "trc_2"
    assert sent == [{}, {"config": {"fusion": {"k": 1}}}]


def test_gateway_that_is_not_ready_says_what_is_missing() -> None:
    body = {"ready": False, "dependencies": {"ingest": {"state": "down", "detail": ""}}}
    assert client(lambda r: httpx.Response(503, json=body)).ready() == body


def test_what_is_no_readiness_is_a_problem() -> None:
    with pytest.raises(Problem):
        client(lambda r: httpx.Response(503, json={"title": "No", "detail": "draining"})).ready()


def test_search_without_passages_is_no_reply_of_sightline() -> None:
    with pytest.raises(InvalidReply):
        client(lambda r: httpx.Response(200, json={"trace_id": "t"})).search("why")
