"""Does the command line show what happens, and fail with one sentence?"""

import json
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest

from client.__main__ import parser, run
from client.commands import COMMANDS
from client.errors import ClientError
from client.gateway import Sightline

STAGE = {"id": "lexical", "name": "lexical", "label": "Keywords", "candidates": [{}, {}], "duration_ms": 12.4}
CITATION = {
    "n": 1,
    "document_id": "doc_1",
    "title": "Handbook",
    "section": ["Handbook", "Rates"],
    "page_number": 3,
    "page_label": "K-83",
    "start": 0,
    "end": 5,
    "quote": "It takes\x1b[2J 47 minutes.",
}
ANSWER = {
    "trace_id": "trc_1",
    "answer": "47 minutes [1].",
    "refused": False,
    "refusal_reason": None,
    "citations": [CITATION],
    "provider": "extractive",
    "model": None,
}


def command(line: list[str], answer: Callable[[httpx.Request], httpx.Response]) -> int:
    options = parser().parse_args(line)
    with Sightline("http://gateway.test", transport=httpx.MockTransport(answer)) as gateway:
        return COMMANDS[options.command](gateway, options)


def stream_of(*events: tuple[str, dict[str, Any]]) -> Callable[[httpx.Request], httpx.Response]:
    body = "".join(f"event: {kind}\nid: 1\ndata: {json.dumps(data)}\n\n" for kind, data in events)
    return lambda request: httpx.Response(200, text=body)


def test_ask_shows_stages_then_the_answer_then_citations(capsys: pytest.CaptureFixture[str]) -> None:
    answer = stream_of(
        ("trace", {"trace_id": "trc_1"}),
        ("stage", STAGE),
        ("token", {"text": "47 ", "round": 0}),
        ("token", {"text": "minutes [1].", "round": 0}),
        ("answer", ANSWER),
        ("done", {}),
    )
    assert command(["ask", "how long"], answer) == 0
    out, err = capsys.readouterr()
    assert "Keywords" in err
    assert "2 passages" in err
    assert out.count("47 minutes [1].") == 1
    assert out.index("47 minutes [1].") < out.index("[1] Handbook › Rates › page K-83 (3)")
    assert "\x1b" not in out


def test_ask_shows_the_answer_when_no_tokens_came(capsys: pytest.CaptureFixture[str]) -> None:
    assert command(["ask", "how long"], stream_of(("answer", ANSWER), ("done", {}))) == 0
    assert "47 minutes [1]." in capsys.readouterr().out


def test_ask_says_why_there_is_no_answer(capsys: pytest.CaptureFixture[str]) -> None:
    refused = {
        **ANSWER,
        "answer": "",
        "refused": True,
        "refusal_reason": "nothing is about it",
        "citations": [],
    }
    assert command(["ask", "how long"], stream_of(("answer", refused), ("done", {}))) == 0
    assert "No answer: nothing is about it" in capsys.readouterr().out


def test_ask_fails_when_the_stream_breaks_off() -> None:
    with pytest.raises(ClientError, match="without an answer"):
        command(["ask", "how long"], stream_of(("stage", STAGE)))


def test_add_follows_each_file_to_its_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("a.md", "b.bin", "c.md", "d.md"):
        (tmp_path / name).write_text(name)
    entries = [
        {"id": "1", "name": "a.md", "status": "queued", "duplicate": False, "job_id": "j1", "error": None},
        {
            "id": None,
            "name": "b.bin",
            "status": "failed",
            "duplicate": False,
            "job_id": None,
            "error": {"detail": "no"},
        },
        {"id": "3", "name": "c.md", "status": "ready", "duplicate": True, "job_id": None, "error": None},
        {"id": "4", "name": "d.md", "status": "queued", "duplicate": False, "job_id": "j4", "error": None},
    ]
    states: dict[str, list[dict[str, Any]]] = {
        "/v1/jobs/j1": [{"state": "running", "stage": "parse", "progress": 0.25}, {"state": "done"}],
        "/v1/jobs/j4": [{"state": "failed", "error": {"detail": "no header row"}}],
    }

    def answer(request: httpx.Request) -> httpx.Response:
        if request.method == "POST":
            return httpx.Response(202, json={"documents": entries})
        return httpx.Response(200, json={"id": "j", **states[request.url.path].pop(0)})

    assert command(["add", str(tmp_path)], answer) == 1
    lines = [line.split(maxsplit=1) for line in capsys.readouterr().err.splitlines()]
    assert lines == [
        ["a.md", "queued"],
        ["b.bin", "refused: no"],
        ["c.md", "already there"],
        ["d.md", "queued"],
        ["a.md", "running parse 25%"],
        ["d.md", "failed: no header row"],
        ["a.md", "ready"],
    ]


def test_add_takes_urls_beside_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.md").write_text("a")
    asked: list[bytes] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request.read())
        if b"example.org" in asked[-1]:
            return httpx.Response(422, json={"title": "No", "detail": "url: is not public"})
        entry = {"id": "1", "name": "a.md", "status": "ready", "duplicate": True, "job_id": None}
        return httpx.Response(202, json={"documents": [entry]})

    assert command(["add", "https://example.org/", str(tmp_path / "a.md")], answer) == 1
    err = capsys.readouterr().err
    assert "refused: url: is not public" in err
    assert "already there" in err
    assert json.loads(asked[1]) == {"url": "https://example.org/"}


def test_add_of_a_missing_file_uploads_nothing() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        raise AssertionError(request.url)

    with pytest.raises(ClientError, match=r"missing\.md is neither"):
        command(["add", "missing.md"], answer)


def test_search_lists_passages_with_their_scores(capsys: pytest.CaptureFixture[str]) -> None:
    candidate = {
        "chunk_id": "c",
        "rank": 1,
        "score": 0.5,
        "score_type": "RRF",
        "span": {},
        "source": {"title": "Handbook", "file_name": "h.md", "section": [], "page_number": None},
        "text": "one\ntwo",
    }

    def answer(request: httpx.Request) -> httpx.Response:
        assert json.loads(request.read())["config"] == {"fusion": {"k": 10}, "select": {"limit": 3}}
        return httpx.Response(200, json={"trace_id": "t", "stages": [STAGE], "candidates": [candidate]})

    line = ["search", "--limit", "3", "--config", '{"fusion": {"k": 10}}', "why"]
    assert command(line, answer) == 0
    out = capsys.readouterr().out
    assert "1. Handbook  (RRF 0.5000)" in out
    assert "one two" in out


def test_docs_and_traces_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/v1/traces":
            return httpx.Response(200, json={"traces": [{"id": "trc_1", "question": "why", "created_ms": 0}]})
        documents = [{"id": "doc_1", "name": "a\x1b[31m.md", "status": "ready", "chunk_count": 3}]
        return httpx.Response(
            200, json={"documents": documents if request.url.params["offset"] == "0" else []}
        )

    assert command(["docs"], answer) == 0
    assert command(["traces"], answer) == 0
    out = capsys.readouterr().out
    assert "doc_1  ready" in out
    assert "\x1b" not in out
    assert "trc_1" in out


def test_delete_goes_on_after_an_unknown_id(capsys: pytest.CaptureFixture[str]) -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("nope"):
            return httpx.Response(404, json={"title": "Not found", "detail": "there is no document nope"})
        return httpx.Response(202, json={"id": "doc_1", "status": "deleting"})

    assert command(["delete", "nope", "doc_1"], answer) == 1
    out, err = capsys.readouterr()
    assert "there is no document nope" in err
    assert "doc_1 is deleted" in out


def test_run_says_in_one_sentence_that_nothing_answers(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--url", "http://127.0.0.1:1", "docs"]) == 1
    err = capsys.readouterr().err
    assert err.startswith("sightline: Sightline does not answer at http://127.0.0.1:1")
    assert len(err.splitlines()) == 1


def test_run_ends_quietly_when_its_reader_has_gone() -> None:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = json.dumps({"traces": [{"trace_id": "t" * 100, "question": "why", "created_ms": 0}] * 500})
            self.send_response(200)
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, format: str, *arguments: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    with server, ThreadPoolExecutor() as threads:
        threads.submit(server.handle_request)
        line = [sys.executable, "-m", "client", "--url", f"http://127.0.0.1:{server.server_port}", "traces"]
        with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            assert process.stdout is not None
            assert process.stderr is not None
            process.stdout.close()
            assert process.stderr.read() == b""
            assert process.wait() == 0


@pytest.mark.parametrize(
    "line", [["ask"], ["ask", "x", "--config", "{"], ["ask", "x", "--config", "[]"], ["sing"]]
)
def test_wrong_usage_is_refused(line: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        run(line)
    assert "usage:" in capsys.readouterr().err
