"""How is everything that the gateway offers called from Python?"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
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
        self, url: str, *, timeout_s: float = 300.0, transport: httpx.BaseTransport | None = None
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

    def delete(self, document_id: str) -> None:
        """Removes a document everywhere."""
        with self._checked("DELETE", f"/v1/documents/{_segment(document_id)}"):
            pass

    def search(self, question: str, config: Mapping[str, Any] | None = None) -> Found:
        """The passages found, with every stage's list."""
        with self._checked("POST", "/v1/search", json={"question": question, "config": config or {}}) as r:
            return found_from_json(_json(r))

    def ask(self, question: str, config: Mapping[str, Any] | None = None) -> Answer:
        """The answer, when it is complete."""
        with self._checked("POST", "/v1/query", json={"question": question, "config": config or {}}) as r:
            return answer_from_json(_json(r))

    def stream(self, question: str, config: Mapping[str, Any] | None = None) -> Iterator[Event]:
        """The steps of the answer as they happen; an `error` event is raised as Problem."""
        return self._events("POST", "/v1/query", json={"question": question, "config": config or {}})

    def traces(self, limit: int = 20) -> list[dict[str, Any]]:
        """The newest traces, in summary."""
        found: list[dict[str, Any]] = member(self._get("/v1/traces", limit=limit), "traces")
        return found

    def trace(self, trace_id: str) -> dict[str, Any]:
        """One trace with every stage, as JSON."""
        return self._get(f"/v1/traces/{_segment(trace_id)}")

    def _paged(self, path: str, key: str) -> Iterator[dict[str, Any]]:
        offset = 0
        while items := member(self._get(path, offset=offset, limit=PAGE), key):
            yield from items
            offset += len(items)

    def _get(self, path: str, **params: int) -> dict[str, Any]:
        with self._checked("GET", path, params=params) as response:
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
