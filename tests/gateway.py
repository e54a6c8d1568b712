"""How do tests talk to a running Sightline? Over HTTP, as any client does."""

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import httpx

POLL_S = 0.2


@dataclass(frozen=True, slots=True)
class Event:
    """One server-sent event."""

    kind: str
    data: dict[str, Any]


class Gateway:
    """The HTTP face of one stack."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.http = httpx.Client(base_url=url, timeout=60, trust_env=False)

    def close(self) -> None:
        self.http.close()

    def is_ready(self) -> bool:
        try:
            return self.http.get("/readyz", timeout=5).status_code == httpx.codes.OK
        except httpx.HTTPError:
            return False

    def wait_until_ready(self, deadline_s: float = 60) -> None:
        until = time.monotonic() + deadline_s
        while not self.is_ready():
            assert time.monotonic() < until, f"{self.url} was not ready within {deadline_s} s"
            time.sleep(POLL_S)

    def upload(self, files: Mapping[str, bytes]) -> list[dict[str, Any]]:
        """Each file's own entry, in the order of the files."""
        reply = self.http.post("/v1/documents", files=[("file", item) for item in files.items()])
        assert reply.status_code == httpx.codes.ACCEPTED, reply.text
        documents: list[dict[str, Any]] = reply.json()["documents"]
        return documents

    def settle(self, entry: Mapping[str, Any], deadline_s: float = 120) -> dict[str, Any]:
        """The job of an uploaded file once it is over."""
        until = time.monotonic() + deadline_s
        while True:
            job: dict[str, Any] = self.http.get(f"/v1/jobs/{entry['job_id']}").json()
            if job.get("state") in ("done", "failed"):
                return job
            assert time.monotonic() < until, f"job of {entry['name']} not over within {deadline_s} s: {job}"
            time.sleep(POLL_S)

    def add(self, files: Mapping[str, bytes], deadline_s: float = 120) -> dict[str, str]:
        """Document ids by name, once all can be searched."""
        entries = self.upload(files)
        for entry in entries:
            if not entry["duplicate"]:
                job = self.settle(entry, deadline_s)
                assert job["state"] == "done", job
        return {entry["name"]: entry["id"] for entry in entries}

    def search(self, question: str, config: Mapping[str, Any] | None = None) -> dict[str, Any]:
        reply = self.http.post("/v1/search", json={"question": question, "config": config or {}})
        assert reply.status_code == httpx.codes.OK, reply.text
        found: dict[str, Any] = reply.json()
        return found

    def query(self, question: str) -> dict[str, Any]:
        reply = self.http.post("/v1/query", json={"question": question})
        assert reply.status_code == httpx.codes.OK, reply.text
        answer: dict[str, Any] = reply.json()
        return answer

    def events(self, question: str, deadline_s: float = 120) -> list[Event]:
        """All events of one streamed question."""
        with self.http.stream(
            "POST",
            "/v1/query",
            json={"question": question},
            headers={"Accept": "text/event-stream"},
            timeout=deadline_s,
        ) as reply:
            assert reply.status_code == httpx.codes.OK, reply.read()
            return list(_events(reply.iter_bytes()))


def documents_of(candidates: Sequence[Mapping[str, Any]]) -> set[str]:
    """The documents that a ranking names."""
    return {candidate["span"]["document_id"] for candidate in candidates}


def _events(pieces: Iterator[bytes]) -> Iterator[Event]:
    waiting = b""
    for piece in pieces:
        waiting += piece.replace(b"\r\n", b"\n")
        *whole, waiting = waiting.split(b"\n\n")
        for block in whole:
            # cut at \n alone: str.splitlines would also cut at U+2028 inside the JSON
            fields = [line.partition(": ")[::2] for line in block.decode().split("\n")]
            kind = next((value for name, value in fields if name == "event"), "")
            data = "\n".join(value for name, value in fields if name == "data")
            if kind:
                yield Event(kind, json.loads(data))
