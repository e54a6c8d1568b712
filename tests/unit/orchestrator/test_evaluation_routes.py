"""Do the routes of evaluations answer as the contract says?"""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from services.orchestrator.core.trace import Trace
from services.orchestrator.evaluation import Evaluation
from shared.errors import NotFound
from tests.unit.orchestrator.evaluation_fakes import ended, evaluating, hanging
from tests.unit.orchestrator.gateway_fakes import Gateway, gateway
from tests.unit.orchestrator.gateway_samples import trace

RUNS = "/v1/eval/runs"


@pytest.fixture
async def evaluation(tmp_path: Path) -> AsyncIterator[Evaluation]:
    async with evaluating(tmp_path, max_waiting=1) as made:
        yield made


@pytest.fixture
def behind(evaluation: Evaluation) -> Gateway:
    return gateway(evaluation, http_host="0.0.0.0", http_port=8123)


@pytest.fixture
async def client(behind: Gateway) -> AsyncIterator[httpx.AsyncClient]:
    async with behind.client() as made:
        yield made


async def start(client: httpx.AsyncClient, **body: Any) -> str:
    reply = await client.post(RUNS, json={"suite": "golden", **body})
    assert reply.status_code == 202, reply.text
    return str(reply.json()["id"])


async def test_suites_are_listed(client: httpx.AsyncClient) -> None:
    body = (await client.get("/v1/eval/suites")).json()
    assert body["suites"][0] == {
        "name": "golden",
        "title": "Golden",
        "questions": 4,
        "documents": 2,
        "splits": ["development"],
    }
    assert "reason" not in body


async def test_without_an_evaluation_the_list_is_empty_with_a_reason(tmp_path: Path) -> None:
    async with evaluating(tmp_path, ("/no/such/program",)) as nothing, gateway(nothing).client() as client:
        listed = await client.get("/v1/eval/suites")
        started = await client.post(RUNS, json={"suite": "golden"})
    assert (listed.status_code, listed.json()["suites"]) == (200, [])
    assert "cannot be started" in listed.json()["reason"]
    assert (started.status_code, "cannot be started" in started.json()["detail"]) == (422, True)


async def test_run_is_queued_then_done_with_its_result(
    client: httpx.AsyncClient, evaluation: Evaluation
) -> None:
    reply = await client.post(
        RUNS, json={"suite": "golden", "name": "small", "questions": 2, "config": {"select": {"limit": 3}}}
    )
    queued = reply.json()
    assert reply.status_code == 202
    assert (queued["state"], queued["progress"], queued["name"]) == ("queued", 0.0, "small")
    await ended(evaluation, queued["id"])
    run = (await client.get(f"{RUNS}/{queued['id']}")).json()
    assert (run["state"], run["error"], run["questions"], run["split"]) == ("done", None, 2, "development")
    assert run["config"]["select"]["limit"] == 3
    assert run["config"]["lexical"]["limit"] == 50, "with every default"
    assert run["created_ms"] <= run["started_ms"] <= run["finished_ms"]
    assert run["result"]["questions"] == [{"id": "q1", "trace_id": "trc_1", "metrics": {}}]
    assert run["result"]["seen"]["options"]["url"] == "http://127.0.0.1:8123"
    listed = (await client.get(RUNS)).json()
    assert (listed["total"], listed["runs"][0]["metrics"]["ndcg@10"]["mean"]) == (1, 0.5)
    assert "result" not in listed["runs"][0]


async def test_runs_are_listed_newest_first_and_paged(
    client: httpx.AsyncClient, evaluation: Evaluation
) -> None:
    ids = []
    for _ in range(3):
        ids.append(await start(client))
        await ended(evaluation, ids[-1])
    page = (await client.get(RUNS, params={"offset": 1, "limit": 1})).json()
    assert ([r["id"] for r in page["runs"]], page["total"]) == ([ids[1]], 3)


async def test_failed_run_carries_a_problem(client: httpx.AsyncClient, evaluation: Evaluation) -> None:
    run_id = await start(client, suite="fails")
    await ended(evaluation, run_id)
    error = (await client.get(f"{RUNS}/{run_id}")).json()["error"]
    assert set(error) == {"type", "title", "status", "detail"}
    assert "q1 occurs twice" in error["detail"]


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ({}, "suite"),
        ({"suite": "unknown"}, "suite: there is no suite 'unknown'; there is golden"),
        ({"suite": "../golden"}, "suite"),
        ({"suite": "golden", "split": "test"}, "split"),
        ({"suite": "golden", "split": "held_out"}, "split"),
        ({"suite": "golden", "questions": 0}, "questions"),
        ({"suite": "golden", "surplus": 1}, "surplus"),
        ({"suite": "golden", "config": {"select": {"limit": 0}}}, "config.select.limit"),
        ({"suite": "golden", "config": {"surplus": 1}}, "config.surplus"),
        ({"suite": "golden", "config": {"facets": {"enabled": True}}}, "config.facets.enabled"),
        ({"suite": "golden", "config": {"fusion": {"weights": {"x": 1}}}}, "config.fusion.weights"),
    ],
)
async def test_what_cannot_be_run_is_refused_by_its_field(
    client: httpx.AsyncClient, body: dict[str, Any], place: str
) -> None:
    reply = await client.post(RUNS, json=body)
    assert reply.status_code == 422, reply.text
    assert place in reply.json()["detail"]
    assert (await client.get(RUNS)).json()["total"] == 0


async def test_too_many_waiting_runs_are_turned_away(
    client: httpx.AsyncClient, evaluation: Evaluation
) -> None:
    await hanging(evaluation, await start(client, suite="hangs"))
    await start(client)
    reply = await client.post(RUNS, json={"suite": "golden"})
    assert reply.status_code == 503
    assert "retry-after" in reply.headers


async def test_events_tell_the_progress_to_the_end(client: httpx.AsyncClient) -> None:
    run_id = await start(client)
    reply = await client.get(f"{RUNS}/{run_id}/events")
    assert reply.headers["content-type"].startswith("text/event-stream")
    assert reply.text.startswith("event: run\nid: 1\ndata: {")
    assert '"stage": "asking 3 of 4"' in reply.text
    assert reply.text.count('"state": "done"') == 1


async def test_deleted_run_is_unknown(client: httpx.AsyncClient, evaluation: Evaluation) -> None:
    run_id = await start(client, suite="hangs")
    await hanging(evaluation, run_id)
    assert (await client.delete(f"{RUNS}/{run_id}")).status_code == 204
    for reply in (
        await client.get(f"{RUNS}/{run_id}"),
        await client.delete(f"{RUNS}/{run_id}"),
        await client.get(f"{RUNS}/{run_id}/events"),
        await client.get(f"{RUNS}/{run_id}/comparison", params={"against": run_id}),
        await client.get(f"{RUNS}/{run_id}/traces/trc_1"),
    ):
        assert (reply.status_code, reply.json()["status"]) == (404, 404)


async def test_two_runs_are_compared_by_setting_and_by_figure(
    client: httpx.AsyncClient, evaluation: Evaluation
) -> None:
    config = {"select": {"limit": 3}, "fusion": {"weights": {"lexical": 2}}}
    before, after = await start(client), ""
    await ended(evaluation, before)
    after = await start(client, config=config)
    await ended(evaluation, after)
    wanted = {
        "run_id": after,
        "against_id": before,
        "settings": [
            {"key": "fusion.weights.lexical", "before": None, "after": 2.0},
            {"key": "select.limit", "before": 8, "after": 3},
        ],
        "metrics": {"ndcg@10": {"difference": -5}},
        "questions": [],
    }
    for _ in range(2):
        reply = await client.get(f"{RUNS}/{after}/comparison", params={"against": before})
        assert (reply.status_code, reply.json()) == (200, wanted)
        evaluation._asker._child = replace(evaluation._child, command=("/no/such/program",))


async def test_runs_that_cannot_be_compared_are_refused(
    client: httpx.AsyncClient, evaluation: Evaluation
) -> None:
    done = await start(client)
    await ended(evaluation, done)
    other = await start(client, suite="noisy")
    await ended(evaluation, other)
    failed = await start(client, suite="fails")
    await ended(evaluation, failed)

    async def status(run_id: str, against: str | None) -> int:
        params = {} if against is None else {"against": against}
        reply = await client.get(f"{RUNS}/{run_id}/comparison", params=params)
        assert reply.headers["content-type"] == "application/problem+json"
        return reply.status_code

    assert await status(done, other) == 422
    assert await status(done, done) == 422
    assert await status(done, None) == 422
    assert await status(done, "evl_none") == 404
    hangs = await start(client, suite="hangs")
    await hanging(evaluation, hangs)
    waiting = await start(client)
    assert await status(done, waiting) == 409
    assert await status(waiting, done) == 409


async def test_trace_of_a_run_is_read_from_its_workspace(
    behind: Gateway, client: httpx.AsyncClient, evaluation: Evaluation
) -> None:
    class Kept:
        async def get(self, workspace: str, trace_id: str) -> Trace:
            if workspace != "eval-golden":
                raise NotFound(f"no trace in {workspace}")
            return replace(trace(trace_id), workspace=workspace)

    behind.app.state.parts = replace(behind.app.state.parts, traces=Kept())
    run_id = await start(client)
    await ended(evaluation, run_id)
    reply = await client.get(f"{RUNS}/{run_id}/traces/trc_1")
    assert (reply.status_code, reply.json()["workspace"]) == (200, "eval-golden")
    assert (await client.get(f"{RUNS}/{run_id}/traces/trc_2")).status_code == 404
    assert (await client.get("/v1/traces/trc_1")).status_code == 404
