"""What are a stack that has a trace, and an empty second one, in the tests of replay bundles?"""

import contextlib
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from services.orchestrator.core.bundle import digest_of
from services.orchestrator.core.config import QueryConfig
from services.orchestrator.engine import Engine
from services.orchestrator.gateway.app import create_app
from services.orchestrator.gateway.parts import assembled
from services.orchestrator.gateway.settings import GatewaySettings
from services.orchestrator.traces import TraceStore
from shared.errors import Unavailable
from tests.unit.orchestrator.engine_fakes import FakeProvider, FakeTexts, World
from tests.unit.orchestrator.evaluation_fakes import idle_evaluation
from tests.unit.orchestrator.gateway_fakes import FakeIngest

QUESTION = "How long are audit records kept?"


@dataclass
class Stack:
    """A gateway over a real engine and a real trace store."""

    client: httpx.AsyncClient
    engine: Engine
    traces: TraceStore

    async def bundle(self, trace_id: str) -> dict[str, Any]:
        reply = await self.client.get(f"/v1/traces/{trace_id}/bundle")
        assert reply.status_code == 200, reply.text
        body: dict[str, Any] = reply.json()
        return body

    async def send(self, bundle: object) -> httpx.Response:
        return await self.client.post("/v1/traces/bundles", json=bundle)

    async def adopted(self, bundle: object) -> str:
        reply = await self.send(bundle)
        assert reply.status_code == 201, reply.text
        return str(reply.json()["trace_id"])

    async def replay(self, trace_id: str, config: dict[str, Any]) -> dict[str, Any]:
        reply = await self.client.post(f"/v1/traces/{trace_id}/replay", json={"config": config})
        assert reply.status_code == 200, reply.text
        body: dict[str, Any] = reply.json()
        return body

    async def ask(self) -> str:
        """The id of an answered question's trace."""
        events = [e async for e in self.engine.query(QUESTION, QueryConfig(), "default", "cnv_1")]
        return str(events[0].data["trace_id"])


@asynccontextmanager
async def stack(folder: Path, world: World | None = None, **settings: Any) -> AsyncIterator[Stack]:
    """One stack with its own trace store; the world's own fake store is not used."""
    world = world or World(providers=[FakeProvider()])
    store = TraceStore(folder / "traces.sqlite", lambda: 2000.0)
    await store.open()
    world.traces = store  # type: ignore[assignment]
    engine = world.engine()
    given = {"ui_dist": Path("/nonexistent"), **settings}
    evaluation = idle_evaluation(folder)
    app = create_app(assembled(GatewaySettings(**given), engine, FakeIngest(), store, evaluation))
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with contextlib.AsyncExitStack() as leaving:
        leaving.push_async_callback(store.close)
        client = await leaving.enter_async_context(
            httpx.AsyncClient(transport=transport, base_url="http://test")
        )
        yield Stack(client, engine, store)


def empty_world() -> World:
    """A stack whose services do not answer and whose library is empty."""
    world = World(texts=FakeTexts(texts={}, failure=Unavailable("gone")))
    world.lexical.failures = world.vector.failures = [Unavailable("gone")] * 50
    world.reranker.failure = Unavailable("gone")
    return world


def resigned(bundle: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """A copy with other members, and the digest that belongs to them."""
    changed = {**json.loads(json.dumps(bundle)), **changes}
    return {**changed, "sha256": digest_of(changed)}
