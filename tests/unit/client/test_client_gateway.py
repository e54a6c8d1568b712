"""Does the Python client send and read what the contract says?"""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from client.errors import ClientError, InvalidReply, Problem, Unreachable
from client.events import events_of
from client.gateway import Sightline
from client.settings import gateway_url

ENTRY = {
    "id": "doc_1",
    "name": "a.md",
    "status": "queued",
    "duplicate": False,
    "job_id": "job_1",
    "error": None,
}
PROBLEM = {
    "type": "urn:x",
    "title": "No",
    "status": 422,
    "detail": "question: is empty",
    "request_id": "req_1",
}


def client(answer: Callable[[httpx.Request], httpx.Response]) -> Sightline:
    return Sightline("http://gateway.test", transport=httpx.MockTransport(answer))


def problem(status: int, body: dict[str, Any] | None = None) -> httpx.Response:
    return httpx.Response(status, json=body or PROBLEM, headers={"Content-Type": "application/problem+json"})


def test_files_are_sent_as_parts_named_file(tmp_path: Path) -> None:
    path = tmp_path / "Größe.md"
    path.write_bytes(b"# Size")

    def answer(request: httpx.Request) -> httpx.Response:
        body = request.read()
        assert (request.method, request.url.path) == ("POST", "/v1/documents")
        assert 'name="file"; filename="Größe.md"'.encode() in body
        assert b"# Size" in body
        return httpx.Response(202, json={"documents": [{**ENTRY, "later": "field"}]})

    entries = client(answer).add_files([path])
    assert [(e.id, e.job_id) for e in entries] == [("doc_1", "job_1")]


def test_name_of_any_bytes_is_sent_as_utf8(tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(b"a\xff.md")
    path.write_bytes(b"# Size")

    def answer(request: httpx.Request) -> httpx.Response:
        assert b'filename="a?.md"' in request.read()
        return httpx.Response(202, json={"documents": [ENTRY]})

    with client(answer) as gateway:
        assert gateway.add_files([path])[0].job_id == "job_1"


def test_question_that_is_not_utf8_is_refused_in_a_sentence() -> None:
    with client(lambda request: problem(500)) as gateway, pytest.raises(ClientError, match="not UTF-8"):
        gateway.ask("why \udcff")


@pytest.mark.parametrize(
    ("given", "path"), [("../traces", b"..%2Ftraces"), ("a?b#c", b"a%3Fb%23c"), ("\udcff", b"%3F")]
)
def test_id_is_one_segment_of_the_path_whatever_it_holds(given: str, path: bytes) -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        assert request.url.raw_path == b"/v1/documents/" + path
        return httpx.Response(200, json={})

    with client(answer) as gateway:
        gateway.delete(given)


def test_files_that_were_all_refused_are_entries_with_reasons(tmp_path: Path) -> None:
    path = tmp_path / "a.bin"
    path.write_bytes(b"\0")
    refused = {**ENTRY, "id": None, "status": "failed", "job_id": None, "error": {"detail": "no such type"}}
    entries = client(lambda r: problem(415, {**PROBLEM, "documents": [refused]})).add_files([path])
    assert entries[0].status == "failed"
    assert entries[0].error == {"detail": "no such type"}


def test_problem_document_is_raised_with_its_sentence_and_request() -> None:
    with pytest.raises(Problem, match="question: is empty") as raised:
        client(lambda r: problem(422)).search("")
    assert (raised.value.status, raised.value.request_id) == (422, "req_1")


def test_error_that_is_no_problem_document_is_still_a_problem() -> None:
    with pytest.raises(Problem) as raised:
        client(lambda r: httpx.Response(502, text="<html>bad gateway")).document("doc_1")
    assert raised.value.status == 502


def test_gateway_that_is_away_is_said_in_a_sentence() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("connection refused")

    with pytest.raises(Unreachable, match="make up"):
        list(client(answer).documents())


@pytest.mark.parametrize("body", ["<html>", "[]", "{}", '{"documents": [{}]}'])
def test_something_else_at_the_address_is_recognised(body: str) -> None:
    with pytest.raises(InvalidReply):
        list(client(lambda r: httpx.Response(200, text=body)).documents())


def test_documents_are_read_page_by_page_to_the_end() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        offset = int(request.url.params["offset"])
        names = [f"{n}.md" for n in range(offset, min(offset + 2, 5))]
        documents = [{"id": f"doc_{name}", "name": name, "status": "ready"} for name in names]
        return httpx.Response(200, json={"documents": documents, "total": 5})

    assert [d.name for d in client(answer).documents()] == [f"{n}.md" for n in range(5)]


def test_stream_yields_events_and_asks_for_them() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        assert request.headers["accept"] == "text/event-stream"
        assert json.loads(request.read()) == {"question": "why", "config": {"select": {"limit": 3}}}
        body = (
            'event: trace\nid: 1\ndata: {"trace_id": "t"}\n\n: still here\n\nevent: done\nid: 2\ndata: {}\n\n'
        )
        return httpx.Response(200, text=body)

    events = list(client(answer).stream("why", {"select": {"limit": 3}}))
    assert [(e.kind, e.data) for e in events] == [("trace", {"trace_id": "t"}), ("done", {})]


def test_error_in_the_stream_is_raised() -> None:
    body = f"event: trace\ndata: {{}}\n\nevent: error\ndata: {json.dumps(PROBLEM)}\n\n"
    stream = client(lambda r: httpx.Response(200, text=body)).stream("why")
    assert next(stream).kind == "trace"
    with pytest.raises(Problem, match="question"):
        next(stream)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_events_are_the_same_however_the_bytes_are_cut(size: int) -> None:
    text = "a\u2028b\x85c\x0cd 🚚"
    data = f"event: token\r\nid: 1\r\ndata: {json.dumps({'text': text}, ensure_ascii=False)}\r\n\r\n".encode()
    pieces = [data[at : at + size] for at in range(0, len(data), size)]
    assert [(e.kind, e.data) for e in events_of(pieces)] == [("token", {"text": text})]


@pytest.mark.parametrize("url", ["gateway", "ftp://gateway", "http://", "http://[::1", "http://xn--a/"])
def test_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(ClientError, match="is not an address"):
        Sightline(url)


def test_address_is_given_or_of_the_environment_or_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SIGHTLINE_URL", raising=False)
    assert gateway_url(None) == "http://127.0.0.1:8080"
    monkeypatch.setenv("SIGHTLINE_URL", "http://elsewhere:1/")
    assert gateway_url(None) == "http://elsewhere:1"
    assert gateway_url("http://here:2") == "http://here:2"
