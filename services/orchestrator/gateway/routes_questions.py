"""How is a question searched for, and how is it answered, at once or event by event?"""

from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response

from services.orchestrator.core.trace import Trace, trace_to_json
from services.orchestrator.gateway.bodies import QueryBody, SearchBody, question_of
from services.orchestrator.gateway.edge import add_log_fields
from services.orchestrator.gateway.metrics import time_stage
from services.orchestrator.gateway.parts import Parts, PartsOf, WorkspaceOf
from services.orchestrator.gateway.presence import while_connected
from services.orchestrator.gateway.sse import EventStream

router = APIRouter(tags=["questions"])

EVENT_STREAM = "text/event-stream"


@router.post("/v1/search")
async def search(body: SearchBody, request: Request, parts: PartsOf, workspace: WorkspaceOf) -> Response:
    """The passages found, with every stage's list; no chat model is called."""
    question = _noted(request, parts, question_of(body, parts.settings.max_question_characters))

    async def work() -> Trace:
        async with parts.queries.place():
            return await parts.engine.search(question, body.config, workspace)

    trace = await while_connected(request, work)
    for stage in trace.stages:
        time_stage(stage.plan.name, stage.duration_ms, failed=stage.error is not None)
    return JSONResponse(trace_to_json(trace))


@router.post("/v1/query", responses={200: {"content": {EVENT_STREAM: {}}}})
async def query(body: QueryBody, request: Request, parts: PartsOf, workspace: WorkspaceOf) -> Response:
    """The answer with its citations; with `Accept: text/event-stream`, every step as it happens."""
    question = _noted(request, parts, question_of(body, parts.settings.max_question_characters))
    events = _events(parts, question, body, workspace)
    if EVENT_STREAM in request.headers.get("accept", "").lower():
        return EventStream(events, heartbeat_s=parts.settings.heartbeat_s)

    async def work() -> Mapping[str, Any]:
        answer: Mapping[str, Any] = {}
        async with aclosing(events):
            async for kind, data in events:
                if kind == "answer":
                    answer = data
        return answer

    return JSONResponse(await while_connected(request, work))


async def _events(
    parts: Parts, question: str, body: QueryBody, workspace: str
) -> AsyncGenerator[tuple[str, Mapping[str, Any]], None]:
    async with parts.queries.place():
        run = parts.engine.query(question, body.config, workspace, body.conversation_id)
        # Closed here and now when the client leaves, not when the garbage collector finds it.
        async with aclosing(run) as events:
            async for event in events:
                if event.kind == "stage":
                    stage = event.data
                    time_stage(stage["name"], stage["duration_ms"], failed=stage.get("error") is not None)
                yield event.kind, event.data


def _noted(request: Request, parts: Parts, question: str) -> str:
    add_log_fields(request, question_characters=len(question))
    if parts.settings.log_questions:
        add_log_fields(request, question=question)
    return question
