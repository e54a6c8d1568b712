"""How is the search measured: which suites are there, which runs, and what sets two of them apart?"""

import asyncio
import uuid
from collections.abc import AsyncGenerator, Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.responses import JSONResponse, Response

from services.orchestrator.core.eval_runs import EvalRun
from services.orchestrator.core.trace import config_to_json, trace_to_json
from services.orchestrator.gateway.bodies import EvalBody, Limit, Offset
from services.orchestrator.gateway.parts import PartsOf
from services.orchestrator.gateway.presence import while_connected
from services.orchestrator.gateway.problems import reason_to_json
from services.orchestrator.gateway.settings import GatewaySettings
from services.orchestrator.gateway.sse import EventStream

router = APIRouter(tags=["evaluation"])

EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}

Against = Annotated[str, Query(description="id of the run to compare with")]


@router.get("/v1/eval/suites")
async def list_suites(parts: PartsOf) -> Response:
    """The suites that can be run; none, with a `reason`, where evaluations cannot be run."""
    known = await parts.evaluation.suites()
    body: dict[str, Any] = {"suites": [dict(suite) for suite in known.suites]}
    return JSONResponse(body if known.reason is None else {**body, "reason": known.reason})


@router.post("/v1/eval/runs", status_code=202)
async def start_run(body: EvalBody, request: Request, parts: PartsOf) -> Response:
    """Queues a run of a suite; one at a time is worked on."""
    parts.engine.require_possible(body.config)
    run = EvalRun(
        id=f"evl_{uuid.uuid4().hex[:20]}",
        suite=body.suite,
        split=body.split,
        config=config_to_json(body.config),
        created_ms=parts.evaluation.now_ms(),
        name=body.name,
        every=body.questions,
    )
    queued = await parts.evaluation.submit(run, _own_url(request, parts.settings))
    return JSONResponse(run_to_json(queued), status_code=202)


@router.get("/v1/eval/runs")
async def list_runs(parts: PartsOf, offset: Offset = 0, limit: Limit = 50) -> Response:
    """Lists runs in summary, the newest first, with how many there are."""
    listed = await parts.evaluation.list(offset=offset, limit=limit)
    return JSONResponse({"runs": [run_to_json(run) for run in listed.items], "total": listed.total})


@router.get("/v1/eval/runs/{run_id}")
async def get_run(run_id: str, parts: PartsOf) -> Response:
    """One run with its configuration and, when it is done, all that it measured."""
    run = await parts.evaluation.get(run_id)
    result = await parts.evaluation.result(run_id)
    body = {**run_to_json(run), "config": dict(run.config), "result": result}
    return await asyncio.to_thread(JSONResponse, body)  # a result may be large


@router.delete("/v1/eval/runs/{run_id}", status_code=204)
async def delete_run(run_id: str, parts: PartsOf) -> Response:
    """Removes a run; one that waits or is worked on is cancelled first."""
    await parts.evaluation.delete(run_id)
    return Response(status_code=204)


@router.get("/v1/eval/runs/{run_id}/events", responses={200: {"content": {"text/event-stream": {}}}})
async def watch_run(run_id: str, parts: PartsOf) -> Response:
    """The run in summary as `run` events: now, at every change, and a last time when it is over."""

    async def events() -> AsyncGenerator[tuple[str, Mapping[str, Any]], None]:
        async for run in parts.evaluation.watch(run_id):
            yield "run", run_to_json(run)

    return EventStream(events(), heartbeat_s=parts.settings.heartbeat_s)


@router.get("/v1/eval/runs/{run_id}/comparison")
async def compare_runs(run_id: str, against: Against, request: Request, parts: PartsOf) -> Response:
    """Which settings differ from the run `against` to this one, and what that changed."""
    return JSONResponse(await while_connected(request, lambda: parts.evaluation.comparison(run_id, against)))


@router.get("/v1/eval/runs/{run_id}/traces/{trace_id}")
async def get_run_trace(run_id: str, trace_id: str, parts: PartsOf) -> Response:
    """One trace of a run, which is in the evaluation's own workspace."""
    workspace = await parts.evaluation.workspace_of_trace(run_id, trace_id)
    return JSONResponse(trace_to_json(await parts.traces.get(workspace, trace_id)))


def run_to_json(run: EvalRun) -> dict[str, Any]:
    """A run in summary; `questions` 3 means that every third question is asked."""
    return {
        "id": run.id,
        "name": run.name,
        "suite": run.suite,
        "split": run.split,
        "questions": run.every,
        "state": run.state,
        "progress": run.progress,
        "stage": run.stage,
        "error": reason_to_json(run.reason),
        "metrics": dict(run.metrics),
        "created_ms": run.created_ms,
        "started_ms": run.started_ms,
        "finished_ms": run.finished_ms,
    }


def _own_url(request: Request, settings: GatewaySettings) -> str:
    """Where this gateway is reached from this machine, on the port that it was really given."""
    server = request.scope.get("server") or (None, None)
    host = EVERYWHERE.get(settings.http_host, settings.http_host)
    port = server[1] or settings.http_port
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
