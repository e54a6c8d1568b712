"""Who may put documents into an evaluation's workspace? Only an evaluation that this gateway started."""

from pathlib import Path
from typing import Any

import httpx
import pytest

from services.orchestrator.core.config import QueryConfig
from services.orchestrator.core.trace import Trace
from services.orchestrator.evaluation import Evaluation
from tests.unit.orchestrator.evaluation_fakes import idle_evaluation
from tests.unit.orchestrator.gateway_fakes import FakeEngine, gateway
from tests.unit.orchestrator.gateway_samples import trace

RIGHT = "the right token"


class Recording(FakeEngine):
    """Remembers in which workspace was asked."""

    workspace: str | None = None

    async def search(self, question: str, config: QueryConfig, workspace: str) -> Trace:
        self.workspace = workspace
        return trace()


async def asked(headers: dict[str, Any]) -> tuple[str | None, httpx.Response]:
    """In which workspace was searched, if at all, and the reply."""
    evaluation: Evaluation = idle_evaluation(Path("/nonexistent"))
    made = gateway(evaluation)
    engine = Recording()
    object.__setattr__(made.app.state.parts, "engine", engine)
    sent = {k: evaluation.token if v == RIGHT else v for k, v in headers.items()}
    async with made.client() as client:
        reply = await client.post("/v1/search", json={"question": "why"}, headers=sent)
    return engine.workspace, reply


async def test_evaluation_with_the_token_has_its_own_workspace() -> None:
    headers = {"Sightline-Workspace": "eval-golden", "Sightline-Eval-Token": RIGHT}
    assert (await asked(headers))[0] == "eval-golden"


@pytest.mark.parametrize(
    "headers",
    [
        {"Sightline-Workspace": "eval-golden"},
        {"Sightline-Workspace": "eval-golden", "Sightline-Eval-Token": ""},
        {"Sightline-Workspace": "eval-golden", "Sightline-Eval-Token": "wrong"},
        {"Sightline-Workspace": "eval-golden", "Sightline-Eval-Token": "ü".encode("latin-1")},
        {"Sightline-Workspace": "golden", "Sightline-Eval-Token": RIGHT},
        {"Sightline-Workspace": "eval-", "Sightline-Eval-Token": RIGHT},
        {"Sightline-Workspace": "eval-../default", "Sightline-Eval-Token": RIGHT},
        {"Sightline-Workspace": "Eval-golden", "Sightline-Eval-Token": RIGHT},
        {"Sightline-Eval-Token": RIGHT},
    ],
)
async def test_everybody_else_who_means_such_a_workspace_is_refused(headers: dict[str, Any]) -> None:
    workspace, reply = await asked(headers)
    assert (workspace, reply.status_code) == (None, 403)
    assert reply.headers["content-type"] == "application/problem+json"
    assert "POST /v1/eval/runs" in reply.json()["detail"]


@pytest.mark.parametrize("headers", [{}, {"Sightline-Workspace": "golden"}])
async def test_everybody_else_has_the_default_workspace(headers: dict[str, Any]) -> None:
    assert (await asked(headers))[0] == "default"


async def test_every_gateway_has_another_token() -> None:
    tokens = {idle_evaluation(Path("/nonexistent")).token for _ in range(3)}
    assert len(tokens) == 3
    assert min(len(token) for token in tokens) >= 32
