"""Is a suite run through the gateway apart from the library, told with its traces, and compared?"""

import json
import time
from collections.abc import Mapping
from typing import Any

import httpx
import pytest

from tests.stack import Stack

pytestmark = [pytest.mark.stack, pytest.mark.models]

DEADLINE_S = 300.0
DOCUMENTS = (
    "funicular-work-sheets.md",
    "guest-notice.md",
    "rope-inspections-2025.csv",
    "season-report-2025.md",
)
OWN = {"lamp.md": b"# Lamp\n\nThe lamp of the north mole burns red."}


def started(stack: Stack, **body: Any) -> dict[str, Any]:
    reply = stack.http.post("/v1/eval/runs", json={"suite": "regression", **body})
    assert reply.status_code == httpx.codes.ACCEPTED, reply.text
    run: dict[str, Any] = reply.json()
    return run


def finished(stack: Stack, run: Mapping[str, Any]) -> dict[str, Any]:
    """The run with its result, once it is over."""
    until = time.monotonic() + DEADLINE_S
    while True:
        found: dict[str, Any] = stack.http.get(f"/v1/eval/runs/{run['id']}").json()
        if found["state"] not in ("queued", "running"):
            assert found["state"] == "done", found["error"]
            return found
        assert time.monotonic() < until, found
        time.sleep(0.5)


def watched(stack: Stack, run: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What the run told of itself until it was over."""
    with stack.http.stream("GET", f"/v1/eval/runs/{run['id']}/events", timeout=DEADLINE_S) as reply:
        assert reply.status_code == httpx.codes.OK
        lines = [line.removeprefix("data: ") for line in reply.iter_lines() if line.startswith("data: ")]
    return [json.loads(line) for line in lines]


def names(stack: Stack) -> list[str]:
    return sorted(
        d["name"] for d in stack.http.get("/v1/documents", params={"limit": 200}).json()["documents"]
    )


@pytest.fixture(scope="module")
def runs(stack: Stack) -> tuple[list[dict[str, Any]], dict[str, Any], dict[str, Any], list[str]]:
    """What the first run told, both runs, and the library before them."""
    stack.add(OWN)
    before = names(stack)
    told = watched(stack, started(stack, name="as shipped"))
    other = started(stack, name="sharper", config={"fusion": {"k": 5}})
    return told, finished(stack, told[-1]), finished(stack, other), before


Runs = tuple[list[dict[str, Any]], dict[str, Any], dict[str, Any], list[str]]


def test_suites_are_offered(stack: Stack) -> None:
    suites = {suite["name"]: suite for suite in stack.http.get("/v1/eval/suites").json()["suites"]}
    assert set(suites) == {"golden", "regression"}
    assert suites["regression"]["documents"] == len(DOCUMENTS)


def test_progress_rises_and_says_what_is_done(runs: Runs) -> None:
    told, *_ = runs
    shares = [run["progress"] for run in told]
    assert shares == sorted(shares)
    assert len(set(shares)) > 5
    assert told[-1]["state"] == "done"
    assert any(run["stage"].startswith("asking ") for run in told)


def test_result_has_metrics_with_intervals_and_every_question(runs: Runs) -> None:
    _, run, _, _ = runs
    for body in (run["metrics"], run["result"]["metrics"]):
        low, mean, high = (body["ndcg@10"][name] for name in ("low", "mean", "high"))
        assert 0 < low <= mean <= high <= 1
    result = run["result"]
    assert (result["suite"], result["documents"]) == ("regression", len(DOCUMENTS))
    assert len({question["id"] for question in result["questions"]}) == len(result["questions"])
    assert sum(result["failures"].values()) == len([q for q in result["questions"] if q["bucket"] != "none"])
    assert {model["name"] for model in result["models"].values()} != set()
    assert result["config"]["answer"]["provider"] == "extractive"


def test_trace_of_every_question_can_be_read_through_its_run_only(stack: Stack, runs: Runs) -> None:
    _, run, other, _ = runs
    for question in run["result"]["questions"]:
        path = f"/v1/eval/runs/{run['id']}/traces/{question['trace_id']}"
        trace = stack.http.get(path).json()
        assert trace["trace_id"] == question["trace_id"]
        assert trace["workspace"] == "eval-regression"
        assert trace["stages"]
    foreign = other["result"]["questions"][0]["trace_id"]
    assert stack.http.get(f"/v1/eval/runs/{run['id']}/traces/{foreign}").status_code == httpx.codes.NOT_FOUND
    assert stack.http.get(f"/v1/traces/{foreign}").status_code == httpx.codes.NOT_FOUND


def test_library_stays_as_it_was(stack: Stack, runs: Runs) -> None:
    *_, before = runs
    assert names(stack) == before
    assert not set(before) & set(DOCUMENTS)
    found = stack.search("when does the funicular run for guests")
    assert not {c["source"]["file_name"] for c in found["candidates"]} & set(DOCUMENTS)
    assert found["workspace"] == "default"


def test_two_runs_are_compared_by_setting_metric_and_question(stack: Stack, runs: Runs) -> None:
    _, run, other, _ = runs
    reply = stack.http.get(f"/v1/eval/runs/{other['id']}/comparison", params={"against": run["id"]})
    assert reply.status_code == httpx.codes.OK, reply.text
    compared = reply.json()
    assert (compared["run_id"], compared["against_id"]) == (other["id"], run["id"])
    assert [setting["key"] for setting in compared["settings"]] == ["fusion.k"]
    metric = compared["metrics"]["ndcg@10"]
    assert metric["before"] == run["result"]["metrics"]["ndcg@10"]["mean"]
    assert metric["after"] == other["result"]["metrics"]["ndcg@10"]["mean"]
    assert metric["verdict"] in ("better", "worse", "same", "within noise", "underpowered")


def test_run_that_nobody_wants_is_deleted(stack: Stack, runs: Runs) -> None:
    _, run, other, _ = runs
    assert stack.http.delete(f"/v1/eval/runs/{other['id']}").status_code == httpx.codes.NO_CONTENT
    assert stack.http.get(f"/v1/eval/runs/{other['id']}").status_code == httpx.codes.NOT_FOUND
    listed = [entry["id"] for entry in stack.http.get("/v1/eval/runs").json()["runs"]]
    assert run["id"] in listed
    assert other["id"] not in listed
