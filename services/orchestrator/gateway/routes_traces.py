"""What happened in earlier searches, and what would another configuration have made of them?"""

import asyncio

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response

from services.orchestrator.core.trace import Trace, trace_to_json
from services.orchestrator.gateway.bodies import Limit, Offset, ReplayBody
from services.orchestrator.gateway.bundle_body import BundleBody
from services.orchestrator.gateway.parts import PartsOf, WorkspaceOf
from services.orchestrator.gateway.presence import while_connected
from services.orchestrator.gateway.routes_content import attachment

router = APIRouter(tags=["traces"])


@router.get("/v1/traces")
async def list_traces(
    parts: PartsOf, workspace: WorkspaceOf, offset: Offset = 0, limit: Limit = 50
) -> Response:
    """Lists traces, the newest first, with how many there are."""
    listed = await parts.traces.list(workspace, offset=offset, limit=limit)
    traces = [{"id": summary["trace_id"], **summary} for summary in listed.items]
    return JSONResponse({"traces": traces, "total": listed.total})


@router.post("/v1/traces/bundles", status_code=201)
async def import_bundle(
    body: BundleBody, request: Request, parts: PartsOf, workspace: WorkspaceOf
) -> Response:
    """Stores the trace of a replay bundle, once however often it is sent, and answers with its id here."""
    given = await request.json()  # as it was sent: that is what its digest is of
    trace_id = await parts.engine.adopt(given, workspace, body.trace.config)
    return JSONResponse({"trace_id": trace_id}, status_code=201)


@router.get("/v1/traces/{trace_id}/bundle")
async def get_bundle(trace_id: str, parts: PartsOf, workspace: WorkspaceOf) -> Response:
    """The trace as one file that can be replayed on another stack, with the words of its passages."""
    bundle = await parts.engine.bundle(trace_id, workspace)
    headers = {"Content-Disposition": attachment(f"sightline-{trace_id}.json")}
    return await asyncio.to_thread(JSONResponse, bundle, headers=headers)


@router.get("/v1/traces/{trace_id}")
async def get_trace(trace_id: str, parts: PartsOf, workspace: WorkspaceOf) -> Response:
    """One trace with every stage's list."""
    return JSONResponse(trace_to_json(await parts.traces.get(workspace, trace_id)))


@router.post("/v1/traces/{trace_id}/replay")
async def replay_trace(
    trace_id: str,
    request: Request,
    parts: PartsOf,
    workspace: WorkspaceOf,
    *,
    body: ReplayBody | None = None,
) -> Response:
    """The stored lists under another configuration, without any model or index; answers like a search."""
    config = body.config if body is not None else None

    async def work() -> Trace:
        chosen = config or (await parts.traces.get(workspace, trace_id)).config
        return await parts.engine.replay(trace_id, chosen, workspace)

    return JSONResponse(trace_to_json(await while_connected(request, work)))
