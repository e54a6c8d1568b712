"""Is it alive, is it ready, what can be configured, what has it counted?"""

import asyncio
import logging

from fastapi import APIRouter
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from pydantic import TypeAdapter
from starlette.responses import JSONResponse, Response

from services.orchestrator.core.config import QueryConfig
from services.orchestrator.core.trace import config_to_json
from services.orchestrator.gateway.metrics import JOBS
from services.orchestrator.gateway.parts import PartsOf, WorkspaceOf
from shared.errors import SightlineError

log = logging.getLogger("sightline.gateway")
router = APIRouter(tags=["system"])

SCRAPE_DEADLINE_S = 1.0


@router.get("/healthz")
async def healthz() -> Response:
    """Whether this process is alive, whatever the others do."""
    return JSONResponse({"status": "ok"})


@router.get("/readyz")
async def readyz(parts: PartsOf) -> Response:
    """200 while a search can be answered, else 503; each dependency's state in either case."""
    dependencies = await parts.engine.dependencies()
    ready = can_search(dependencies)
    return JSONResponse({"ready": ready, "dependencies": dependencies}, status_code=200 if ready else 503)


def can_search(dependencies: dict[str, dict[str, str]]) -> bool:
    """Text can be read, and at least one index can be asked."""
    up = {name for name, found in dependencies.items() if found["state"] == "ok"}
    return "ingest" in up and bool(up & {"lexical-index", "vector-index"})


@router.get("/v1/config")
async def get_config(parts: PartsOf) -> Response:
    """The schema of a question's configuration, its defaults, and what is available now."""
    return JSONResponse(
        {
            "schema": TypeAdapter(QueryConfig).json_schema(),
            "defaults": config_to_json(QueryConfig()),
            "available": await parts.engine.available(),
        }
    )


@router.get("/metrics")
async def metrics(parts: PartsOf, workspace: WorkspaceOf) -> Response:
    """Everything counted here, in Prometheus' text format."""
    try:
        async with asyncio.timeout(SCRAPE_DEADLINE_S):
            JOBS.set((await parts.ingest.jobs(workspace, offset=0, limit=1)).total)
    except (SightlineError, TimeoutError) as error:
        log.warning("jobs not counted", extra={"fields": {"reason": str(error)}})
    return Response(generate_latest(), headers={"Content-Type": CONTENT_TYPE_LATEST})
