"""Does the stack come through the sudden death of any of its processes while it is used?"""

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.stack import SERVICES, Stack

pytestmark = [pytest.mark.stack, pytest.mark.models]

QUESTION = "which berth takes ships of 210 metres"
BERTHS = {
    f"berth-{n}.md": (
        f"# Berth {n}\n\nBerth {n} takes ships of up to {200 + n} metres. Its crane lifts {n * 3} tonnes, "
        f"and it is dredged every {n} months after the spring survey of the inner basin.\n"
    ).encode()
    for n in range(1, 13)
}
# While one of these is away, a search still gives something: the other list, the order before reranking.
SPARED = ("lexical-index", "vector-index", "rerank")


@pytest.fixture(scope="module")
def harbour(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """A stack with twelve documents, whose processes may be killed."""
    running = Stack(tmp_path_factory.mktemp("harbour") / "data")
    try:
        running.wait_until_up()
        running.add(BERTHS)
        yield running
    finally:
        running.stop()


def lists(stack: Stack) -> dict[str, list[tuple[str, float]]]:
    """Chunk and score of every stage's list."""
    found = stack.search(QUESTION)
    assert not [s["error"] for s in found["stages"] if s["error"]], found["stages"]
    return {s["id"]: [(c["chunk_id"], c["score"]) for c in s["candidates"]] for s in found["stages"]}


class Searches:
    """Searches one after the other in a thread of its own, until closed."""

    def __init__(self, url: str) -> None:
        self.statuses: list[int] = []  # 0: no connection
        self._url = url
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def close(self) -> None:
        self._over.set()
        self._thread.join()

    def _run(self) -> None:
        with httpx.Client(base_url=self._url, timeout=30, trust_env=False) as http:
            while not self._over.is_set():
                try:
                    self.statuses.append(http.post("/v1/search", json={"question": QUESTION}).status_code)
                except httpx.TransportError:
                    self.statuses.append(0)
                time.sleep(0.05)


@pytest.mark.parametrize("service", SERVICES)
def test_killed_service_comes_back_with_the_same_lists(harbour: Stack, service: str) -> None:
    before = lists(harbour)
    searches = Searches(harbour.url)
    try:
        harbour.wait_until_replaced(service, harbour.kill(service))
    finally:
        searches.close()
    assert _settled_lists(harbour, before) == before
    allowed = {200} if service in SPARED else {200, 503} if service == "ingest" else {200, 503, 0}
    assert set(searches.statuses) <= allowed
    assert len(searches.statuses) > 1


def test_killed_ingestion_finishes_its_jobs(harbour: Stack) -> None:
    files = {
        f"tide-{n}.md": f"# Tide {n}\n\nThe tide table of pier {n} begins at {n} o'clock.\n".encode()
        for n in range(40)
    }
    entries = harbour.upload(files)
    harbour.wait_until_replaced("ingest", harbour.kill("ingest"))
    assert {harbour.settle(entry)["state"] for entry in entries} == {"done"}
    listed = harbour.http.get("/v1/documents", params={"limit": 200}).json()
    assert {d["name"] for d in listed["documents"] if d["status"] == "ready"} == {*files, *BERTHS}
    found = harbour.search("tide table of pier 17", {"select": {"limit": 3}})
    assert "tide-17.md" in {c["source"]["file_name"] for c in found["candidates"]}


def test_nothing_is_lost_over_a_stop_and_a_start(tmp_path: Path) -> None:
    first = Stack(tmp_path / "data")
    try:
        first.wait_until_up()
        first.add(BERTHS)
        before, trace_id = lists(first), first.search(QUESTION)["trace_id"]
    finally:
        first.stop()
    second = Stack(tmp_path / "data")
    try:
        second.wait_until_up()
        assert lists(second) == before
        assert second.http.get(f"/v1/traces/{trace_id}").status_code == 200
    finally:
        second.stop()


def _settled_lists(stack: Stack, wanted: Any, deadline_s: float = 20) -> Any:
    """The lists once they are as wanted or the time is over: channels need a moment to connect again."""
    until = time.monotonic() + deadline_s
    while True:
        found = stack.search(QUESTION)["stages"]
        now = {s["id"]: [(c["chunk_id"], c["score"]) for c in s["candidates"]] for s in found}
        if now == wanted or time.monotonic() > until:
            return now
        time.sleep(0.2)
