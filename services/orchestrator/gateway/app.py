"""What is served over HTTP? The routes of the contract, behind one edge."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from services.orchestrator.gateway import (
    problems,
    routes_content,
    routes_documents,
    routes_entities,
    routes_evaluation,
    routes_jobs,
    routes_questions,
    routes_system,
    routes_traces,
)
from services.orchestrator.gateway.edge import Edge
from services.orchestrator.gateway.page import page_router
from services.orchestrator.gateway.parts import Parts
from services.orchestrator.gateway.reference import add_reference
from shared.errors import SightlineError

PROBLEM_SCHEMA = {
    "type": "object",
    "required": ["type", "title", "status", "detail", "request_id"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "request_id": {"type": "string"},
    },
}
RESPONSES: dict[int | str, dict[str, Any]] = {
    "default": {
        "description": "A problem document (RFC 9457)",
        "content": {problems.MEDIA_TYPE: {"schema": PROBLEM_SCHEMA}},
    }
}


def create_app(parts: Parts) -> FastAPI:
    """The ASGI application over these parts; it starts and stops the engine with itself."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        await parts.engine.start()
        try:
            yield
        finally:
            await parts.engine.stop()

    app = FastAPI(
        title="Sightline",
        version="0.1.0",
        summary="Answers from your documents, with every stage of the search in view",
        lifespan=lifespan,
        # Their pages load scripts from elsewhere.
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        responses=RESPONSES,
    )
    app.state.parts = parts
    app.add_middleware(Edge, settings=parts.settings)
    app.add_exception_handler(SightlineError, problems.on_sightline_error)
    app.add_exception_handler(HTTPException, problems.on_http_error)
    app.add_exception_handler(RequestValidationError, problems.on_invalid_request)
    for routes in (
        routes_documents,
        routes_content,
        routes_entities,
        routes_jobs,
        routes_questions,
        routes_traces,
        routes_evaluation,
        routes_system,
    ):
        app.include_router(routes.router)
    add_reference(app)
    app.include_router(page_router(parts.settings.ui_dist))
    return app
