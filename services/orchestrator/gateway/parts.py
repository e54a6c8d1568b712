"""What do the routes work with, and for whom?"""

import hmac
from dataclasses import dataclass
from typing import Annotated, Any, Protocol

from fastapi import Depends, Request
from starlette.exceptions import HTTPException

from services.orchestrator.core.eval_runs import WORKSPACE_PREFIX, is_eval_workspace
from services.orchestrator.core.records import Listed
from services.orchestrator.core.trace import Trace
from services.orchestrator.engine import Engine
from services.orchestrator.evaluation import Evaluation
from services.orchestrator.gateway.admission import Admission
from services.orchestrator.gateway.fetch import Fetcher, FetchLimits
from services.orchestrator.gateway.settings import GatewaySettings, networks_of
from services.orchestrator.ingest_client import IngestClient

DEFAULT_WORKSPACE = "default"
WORKSPACE_HEADER = "Sightline-Workspace"
TOKEN_HEADER = "Sightline-Eval-Token"
REFUSED = (
    f"{WORKSPACE_HEADER}: a workspace of an evaluation is open to the evaluations that this gateway started, "
    f"by their {TOKEN_HEADER}; start one with POST /v1/eval/runs"
)


class Traces(Protocol):
    """Stored traces, as the gateway needs them. NotFound for an id that the workspace does not have."""

    async def get(self, workspace: str, trace_id: str) -> Trace: ...

    async def list(self, workspace: str, *, offset: int, limit: int) -> Listed[dict[str, Any]]:
        """Summaries, the newest first."""
        ...

    async def erase_document(self, workspace: str, document_id: str) -> None:
        """Removes every passage of the document and marks the traces that held one as redacted."""
        ...


@dataclass(frozen=True, slots=True)
class Parts:
    """Everything behind the routes."""

    settings: GatewaySettings
    engine: Engine
    ingest: IngestClient
    traces: Traces
    evaluation: Evaluation
    fetcher: Fetcher
    queries: Admission
    uploads: Admission


def assembled(
    settings: GatewaySettings, engine: Engine, ingest: IngestClient, traces: Traces, evaluation: Evaluation
) -> Parts:
    """The parts, with limits as the settings say."""
    limits = FetchLimits(
        max_bytes=settings.max_upload_bytes,
        timeout_s=settings.fetch_timeout_s,
        max_redirects=settings.fetch_max_redirects,
        allowed_networks=networks_of(settings.fetch_allowed_networks),
    )
    return Parts(
        settings=settings,
        engine=engine,
        ingest=ingest,
        traces=traces,
        evaluation=evaluation,
        fetcher=Fetcher(limits),
        queries=Admission("queries", limit=settings.max_queries, waiting=settings.max_waiting_queries),
        uploads=Admission("uploads", limit=settings.max_uploads, waiting=settings.max_waiting_uploads),
    )


async def parts_of(request: Request) -> Parts:
    """The parts that the app was made with."""
    parts: Parts = request.app.state.parts
    return parts


async def workspace_of(request: Request) -> str:
    """The workspace of a request: the one default, until keys choose.

    An evaluation that this gateway started may name one of its own, so that its documents stay apart. Who
    tries the same without its token is refused, since the documents of a suite are none of the library's.
    """
    parts: Parts = request.app.state.parts
    wanted = request.headers.get(WORKSPACE_HEADER, "")
    given = request.headers.get(TOKEN_HEADER, "").encode()
    if not given and not wanted.casefold().startswith(WORKSPACE_PREFIX):
        return DEFAULT_WORKSPACE
    if is_eval_workspace(wanted) and hmac.compare_digest(given, parts.evaluation.token.encode()):
        return wanted
    raise HTTPException(403, REFUSED)


PartsOf = Annotated[Parts, Depends(parts_of)]
WorkspaceOf = Annotated[str, Depends(workspace_of)]
