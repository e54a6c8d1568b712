"""How far is the ingestion of a file?"""

from collections.abc import AsyncGenerator, Mapping
from typing import Any

from fastapi import APIRouter
from starlette.responses import JSONResponse, Response

from services.orchestrator.gateway.bodies import Limit, Offset
from services.orchestrator.gateway.parts import PartsOf, WorkspaceOf
from services.orchestrator.gateway.representations import job_to_json
from services.orchestrator.gateway.sse import EventStream

router = APIRouter(tags=["jobs"])


@router.get("/v1/jobs")
async def list_jobs(
    parts: PartsOf, workspace: WorkspaceOf, offset: Offset = 0, limit: Limit = 50
) -> Response:
    """Lists jobs, the newest first, with how many there are."""
    listed = await parts.ingest.jobs(workspace, offset=offset, limit=limit)
    return JSONResponse({"jobs": [job_to_json(job) for job in listed.items], "total": listed.total})


@router.post("/v1/reindex", status_code=202)
async def reindex(parts: PartsOf, workspace: WorkspaceOf) -> Response:
    """Learns the library's vocabulary anew and queues the documents that become other passages by it, or by
    settings changed since: how many, and the vocabulary's number. They are served as they are until then."""
    done = await parts.ingest.reindex(workspace)
    return JSONResponse({"documents": done.documents, "vocabulary": done.vocabulary}, status_code=202)


@router.get("/v1/jobs/{job_id}")
async def get_job(job_id: str, parts: PartsOf, workspace: WorkspaceOf) -> Response:
    """One job: state, stage, progress from 0 to 1, and the reason if it failed."""
    return JSONResponse(job_to_json(await parts.ingest.job(workspace, job_id)))


@router.get("/v1/jobs/{job_id}/events", responses={200: {"content": {"text/event-stream": {}}}})
async def watch_job(job_id: str, parts: PartsOf, workspace: WorkspaceOf) -> Response:
    """The job as `job` events: now, at every change, and a last time when it is over."""

    async def events() -> AsyncGenerator[tuple[str, Mapping[str, Any]], None]:
        async for job in parts.ingest.watch_job(workspace, job_id):
            yield "job", job_to_json(job)
            if job.finished:
                return

    return EventStream(events(), heartbeat_s=parts.settings.heartbeat_s)
