"""Which gateway do runs ask in tests? One in memory that keeps what it is sent and says what it is told."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from email import message_from_bytes, policy
from typing import Any

import httpx

from client.gateway import Sightline
from services.orchestrator.core.trace import Trace, trace_to_json

URL = "http://gateway.test"


@dataclass
class FakeGateway:
    """Documents become their own canonical text, in chunks of `chunk` characters.

    `refused` names get an error at once, `failing` ones after their job began, `lost` ones never appear.
    `states` are what listing after listing says of all documents before they are ready. `traces` gives the
    trace of a question, `answers` the answer object.
    """

    traces: Callable[[str], Trace] | None = None
    answers: Callable[[str], Mapping[str, Any]] = lambda question: {}
    chunk: int = 40
    refused: Sequence[str] = ()
    failing: Sequence[str] = ()
    lost: Sequence[str] = ()
    states: list[str] = field(default_factory=list)
    state: str = "ready"
    texts: dict[str, str] = field(default_factory=dict)
    deleted: list[str] = field(default_factory=list)
    uploads: list[list[str]] = field(default_factory=list)
    asked: list[dict[str, Any]] = field(default_factory=list)
    headers: list[httpx.Headers] = field(default_factory=list)
    recorded: dict[str, Trace] = field(default_factory=dict)

    def client(self, url: str = URL, headers: Mapping[str, str] | None = None) -> Sightline:
        return Sightline(url, headers=headers or {}, transport=httpx.MockTransport(self.answer))

    def answer(self, request: httpx.Request) -> httpx.Response:
        self.headers.append(request.headers)
        match request.method, request.url.path.removeprefix("/v1/").split("/"):
            case "POST", ["documents"]:
                return self._take(request)
            case "GET", ["jobs", job_id, "events"]:
                return self._job(job_id)
            case "GET", ["documents"]:
                if request.url.params["offset"] == "0":
                    self.state = self.states.pop(0) if self.states else "ready"
                return _page(request, "documents", [self._document(name) for name in self.texts])
            case "GET", ["documents", document_id, "text"]:
                return httpx.Response(200, json={"text": self._text(document_id)})
            case "GET", ["documents", document_id, "chunks"]:
                return _page(request, "chunks", self._chunks(document_id))
            case "DELETE", ["documents", document_id]:
                self.deleted.append(document_id)
                self.texts = {
                    n: t for n, t in self.texts.items() if f"doc_{n.partition('.')[0]}" != document_id
                }
                return httpx.Response(200, json={"id": document_id, "status": "deleted"})
            case "POST", ["search"]:
                return httpx.Response(200, json=trace_to_json(self._recorded(request)))
            case "POST", ["query"]:
                trace = self._recorded(request)
                ids = {"trace_id": trace.trace_id, "conversation_id": "cnv_1"}
                return httpx.Response(200, json={**self.answers(trace.question), **ids})
            case "GET", ["traces", trace_id]:
                return httpx.Response(200, json=trace_to_json(self.recorded[trace_id]))
            case "GET", ["traces", _, "bundle"]:
                model = {"name": "small", "digest": "d1"}
                services = {"vector": {"reached": True, "model": model}, "lexical": {"model": None}}
                return httpx.Response(200, json={"services": services})
        return httpx.Response(404, json={"title": "Not found", "detail": str(request.url)})

    def _take(self, request: httpx.Request) -> httpx.Response:
        head = f"Content-Type: {request.headers['content-type']}\r\n\r\n".encode()
        parts = list(message_from_bytes(head + request.read(), policy=policy.HTTP).iter_parts())
        names = [str(part.get_filename()) for part in parts]
        self.uploads.append(names)
        for name, part in zip(names, parts, strict=True):
            if name not in (*self.refused, *self.lost):
                payload = part.get_payload(decode=True)
                assert isinstance(payload, bytes)
                self.texts[name] = payload.decode()
        return httpx.Response(202, json={"documents": [self._entry(name) for name in names]})

    def _entry(self, name: str) -> dict[str, Any]:
        error = {"detail": "no extractor for this kind"} if name in self.refused else None
        return {
            "id": f"doc_{name.partition('.')[0]}",
            "name": name,
            "status": "pending",
            "duplicate": False,
            "job_id": None if error else f"job_{name}",
            "error": error,
        }

    def _job(self, job_id: str) -> httpx.Response:
        failed = job_id.removeprefix("job_") in self.failing
        error = {"detail": "the file is damaged"} if failed else None
        states: list[dict[str, Any]] = [
            {"state": "running"},
            {"state": "failed" if failed else "done", "error": error},
        ]
        events = [f"event: job\ndata: {json.dumps({'id': job_id, **state})}\n\n" for state in states]
        return httpx.Response(200, content="".join(events).encode())

    def _document(self, name: str) -> dict[str, Any]:
        document_id = f"doc_{name.partition('.')[0]}"
        chunks = len(self._chunks(document_id))
        return {"id": document_id, "name": name, "status": self.state, "chunk_count": chunks}

    def _chunks(self, document_id: str) -> list[dict[str, Any]]:
        text = self._text(document_id)
        starts = range(0, len(text), self.chunk)
        return [{"start": start, "end": min(start + self.chunk, len(text))} for start in starts]

    def _text(self, document_id: str) -> str:
        return next(
            text for name, text in self.texts.items() if f"doc_{name.partition('.')[0]}" == document_id
        )

    def _recorded(self, request: httpx.Request) -> Trace:
        body = json.loads(request.read())
        self.asked.append(body)
        assert self.traces is not None
        trace_id = f"trc_{len(self.asked)}"
        found = replace(self.traces(body["question"]), trace_id=trace_id, question=body["question"])
        self.recorded[trace_id] = found
        return found


def _page(request: httpx.Request, key: str, items: Sequence[Any]) -> httpx.Response:
    offset, limit = int(request.url.params["offset"]), int(request.url.params["limit"])
    return httpx.Response(200, json={key: items[offset : offset + limit]})
