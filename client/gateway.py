"""How is everything that the gateway offers called from Python?"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import quote

import httpx

from client.errors import ClientError, InvalidReply, Problem, Unreachable
from client.events import events_of
from client.replies import (
    Answer,
    Document,
    Event,
    Found,
    Job,
    UploadEntry,
    answer_from_json,
    found_from_json,
    member,
    reply_from_json,
)

PAGE = 200
LOOPBACK = ("127.0.0.1", "localhost", "::1")
EVENT_STREAM = {"Accept": "text/event-stream"}


class Sightline:
    """A gateway at an address. Every method raises Problem, Unreachable or InvalidReply."""

    def __init__(
        self,
        url: str,
        *,
        headers: Mapping[str, str] = MappingProxyType({}),
        timeout_s: float = 300.0,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        try:
            base = httpx.URL(url)
            host = base.host  # decoded only here, so that a malformed `xn--` name fails here
        except (httpx.InvalidURL, ValueError) as error:
            raise ClientError(f"{url} is not an address: {error}") from error
        if base.scheme not in ("http", "https") or not host:
            raise ClientError(f"{url} is not an address such as http://127.0.0.1:8080")
        self._url = url
        self._http = httpx.Client(
            base_url=base,
            headers=dict(headers),
            timeout=httpx.Timeout(timeout_s, connect=5.0),
            transport=transport,
            # A proxy of the environment cannot reach this very machine.
            trust_env=host not in LOOPBACK,
        )

    def __enter__(self) -> "Sightline":
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    def close(self) -> None:
        """Gives the connections back."""
        self._http.close()

    def add_files(self, paths: Sequence[Path]) -> list[UploadEntry]:
        """What became of each file, in their order, refused ones included. OSError if one is unreadable."""
        with ExitStack() as open_files:
            parts = [
                ("file", (_sendable(path.name), open_files.enter_context(path.open("rb")))) for path in paths
            ]
            return self._added(files=parts)

    def add_url(self, url: str) -> UploadEntry:
        """What became of a web page or file."""
        return self._added(json={"url": url})[0]

    def _added(self, **body: Any) -> list[UploadEntry]:
        with self._answered("POST", "/v1/documents", **body) as response:
            given = _json(response)
            # A problem document lists the files too when every one of them was refused.
            if response.is_error and not given.get("documents"):
                raise _problem(response)
            return [reply_from_json(UploadEntry, entry) for entry in member(given, "documents")]

    def job(self, job_id: str) -> Job:
        """The state of a job now."""
        return reply_from_json(Job, self._get(f"/v1/jobs/{_segment(job_id)}"))

    def watch_job(self, job_id: str) -> Iterator[Job]:
        """The job at every change, until it is over."""
        for event in self._events("GET", f"/v1/jobs/{_segment(job_id)}/events"):
            if event.kind == "job":
                yield reply_from_json(Job, event.data)

    def documents(self) -> Iterator[Document]:
        """Every document of the library."""
        for body in self._paged("/v1/documents", "documents"):
            yield reply_from_json(Document, {"warnings": [], **body})

    def document(self, document_id: str) -> dict[str, Any]:
        """One document with its pages, as JSON."""
        return self._get(f"/v1/documents/{_segment(document_id)}")

    def text(self, document_id: str) -> str:
        """The canonical text of a document."""
        return str(member(self._get(f"/v1/documents/{_segment(document_id)}/text"), "text"))

    def chunks(self, document_id: str) -> Iterator[dict[str, Any]]:
        """Every passage of a document that is searched, in the order of the text, as JSON."""
        return self._paged(f"/v1/documents/{_segment(document_id)}/chunks", "chunks")

    def blocks(self, document_id: str) -> Iterator[dict[str, Any]]:
        """Every parsed block of a document, in the order of the text, as JSON."""
        return self._paged(f"/v1/documents/{_segment(document_id)}/blocks", "blocks")

    def delete(self, document_id: str) -> None:
        """Removes a document everywhere."""
        with self._checked("DELETE", f"/v1/documents/{_segment(document_id)}"):
            pass

    def reindex(self) -> tuple[int, int]:
        """How many documents are read again, and the number of the vocabulary that is in force."""
        done = self._post("/v1/reindex", {})
        return int(member(done, "documents")), int(member(done, "vocabulary"))

    def search(self, question: str, config: Mapping[str, Any] | None = None) -> Found:
        """The passages found, with every stage's list."""
        return found_from_json(self.search_json(question, config))

    def search_json(self, question: str, config: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """The whole trace of a search, as JSON."""
        return self._post("/v1/search", _asked(question, config))

    def ask(
        self, question: str, config: Mapping[str, Any] | None = None, conversation_id: str | None = None
    ) -> Answer:
        """The answer, when it is complete."""
        return answer_from_json(self.query(question, config, conversation_id))

    def query(
        self, question: str, config: Mapping[str, Any] | None = None, conversation_id: str | None = None
    ) -> dict[str, Any]:
        """The whole answer object, as JSON."""
        return self._post("/v1/query", _asked(question, config, conversation_id))

    def stream(self, question: str, config: Mapping[str, Any] | None = None) -> Iterator[Event]:
        """The steps of the answer as they happen; an `error` event is raised as Problem."""
        return self._events("POST", "/v1/query", json=_asked(question, config))

    def traces(self, limit: int = 20) -> list[dict[str, Any]]:
        """The newest traces, in summary."""
        found: list[dict[str, Any]] = member(self._get("/v1/traces", limit=limit), "traces")
        return found

    def trace(self, trace_id: str) -> dict[str, Any]:
        """One trace with every stage, as JSON."""
        return self._get(f"/v1/traces/{_segment(trace_id)}")

    def replay(self, trace_id: str, config: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """The stored lists under another configuration (none: its own), as a trace in JSON."""
        body = {} if config is None else {"config": config}
        return self._post(f"/v1/traces/{_segment(trace_id)}/replay", body)

    def bundle(self, trace_id: str) -> dict[str, Any]:
        """A trace with everything that replaying it elsewhere needs, as JSON."""
        return self._get(f"/v1/traces/{_segment(trace_id)}/bundle")

    def import_bundle(self, body: Mapping[str, Any]) -> str:
        """The id of the trace that a bundle has become here; the same one, however often it is sent."""
        return str(member(self._post("/v1/traces/bundles", body), "trace_id"))

    def config(self) -> dict[str, Any]:
        """The schema of a question's configuration, its defaults, and what is available now."""
        return self._get("/v1/config")

    def ready(self) -> dict[str, Any]:
        """Whether a search can be answered (`ready`), and each dependency's state; no Problem if not."""
        with self._answered("GET", "/readyz") as response:
            body = _json(response)
            if "ready" not in body:
                raise _problem(response)
            return body

    def _paged(self, path: str, key: str) -> Iterator[dict[str, Any]]:
        offset = 0
        while items := member(self._get(path, offset=offset, limit=PAGE), key):
            yield from items
            offset += len(items)

    def _get(self, path: str, **params: int) -> dict[str, Any]:
        with self._checked("GET", path, params=params) as response:
            return _json(response)

    def _post(self, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
        with self._checked("POST", path, json=body) as response:
            return _json(response)

    def _events(self, method: str, path: str, **body: Any) -> Iterator[Event]:
        with self._checked(method, path, headers=EVENT_STREAM, **body) as response:
            for event in events_of(response.iter_bytes()):
                if event.kind == "error":
                    raise _problem_of(event.data, int(event.data.get("status", 500)))
                yield event

    @contextmanager
    def _checked(self, method: str, path: str, **more: Any) -> Iterator[httpx.Response]:
        with self._answered(method, path, **more) as response:
            if response.is_error:
                raise _problem(response)
            yield response

    @contextmanager
    def _answered(self, method: str, path: str, **more: Any) -> Iterator[httpx.Response]:
        try:
            with self._http.stream(method, path, **more) as response:
                yield response
        except httpx.TransportError as error:
            said = (
                f"Sightline does not answer at {self._url} ({error}); start it with `make up`, or give --url"
            )
            raise Unreachable(said) from error
        except UnicodeEncodeError as error:
            raise ClientError(
                "what is asked holds bytes that are not UTF-8; write whole characters"
            ) from error


def _sendable(name: str) -> str:
    """A file's name as UTF-8 can carry it: the system's may hold any bytes."""
    return name.encode("utf-8", "replace").decode("utf-8")


def _asked(
    question: str, config: Mapping[str, Any] | None, conversation_id: str | None = None
) -> dict[str, Any]:
    """The body of a question; a conversation only where there is one."""
    body = {"question": question, "config": config or {}}
    return body if conversation_id is None else {**body, "conversation_id": conversation_id}


def _segment(identifier: str) -> str:
    """An id as one segment of a path."""
    return quote(_sendable(identifier), safe="")


def _json(response: httpx.Response) -> dict[str, Any]:
    response.read()
    try:
        body = response.json()
    except ValueError as error:
        raise InvalidReply(f"{response.url} answers, but not with JSON; is it Sightline?") from error
    if not isinstance(body, dict):
        raise InvalidReply(f"{response.url} answers, but not as Sightline does")
    return body


def _problem(response: httpx.Response) -> Problem:
    try:
        return _problem_of(_json(response), response.status_code)
    except InvalidReply:
        return Problem(
            response.status_code, response.reason_phrase, f"{response.url}: {response.status_code}"
        )


def _problem_of(body: Mapping[str, Any], status: int) -> Problem:
    return Problem(
        status,
        str(body.get("title", "")),
        str(body.get("detail", "")),
        kind=str(body.get("type", "")),
        request_id=str(body.get("request_id", "")),
    )
