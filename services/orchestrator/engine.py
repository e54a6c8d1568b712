"""How does a question become a trace, and a trace an answer?"""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import replace
from typing import Any

from services.orchestrator.availability import availability, states_of
from services.orchestrator.choosing import require_known
from services.orchestrator.core.bundle import bundle_of, trace_of
from services.orchestrator.core.config import QueryConfig
from services.orchestrator.core.trace import Trace
from services.orchestrator.events import Event as Event
from services.orchestrator.events import unheard
from services.orchestrator.replying import Replier
from services.orchestrator.searching import EngineParts, Searcher
from shared.errors import Unavailable
from shared.stage import Stage, StageInfo


class Engine:
    """Searches, answers and replays."""

    def __init__(self, parts: EngineParts) -> None:
        self._parts = parts
        self._searcher = Searcher(parts)
        self._replier = Replier(parts, self._searcher)

    async def start(self) -> None:
        """Looks at the providers once, so that a missing model begins to be fetched."""
        await asyncio.gather(*(provider.state() for provider in self._parts.providers))

    async def stop(self) -> None:
        """Ends what the providers do beside the questions."""
        await asyncio.gather(*(provider.close() for provider in self._parts.providers))

    async def search(self, question: str, config: QueryConfig, workspace: str) -> Trace:
        """What was found, stored as a trace."""
        asked = await self._searcher.begin(question, config, workspace)
        trace = await self._searcher.search(asked, unheard)
        timings = {**trace.timings_ms, "total": round(asked.watch.elapsed_ms(), 3)}
        trace = replace(trace, timings_ms=timings)
        await self._parts.traces.save(trace)
        return trace

    async def query(
        self, question: str, config: QueryConfig, workspace: str, conversation_id: str | None
    ) -> AsyncGenerator[Event, None]:
        """The events of an answer, ending with `answer` and `done`. Closing it cancels the work behind it.

        Nothing is yielded before the question is known to be valid and its documents can be read.
        """
        require_known(config.answer.provider, self._parts.providers)
        asked = await self._searcher.begin(question, config, workspace)
        conversation_id = conversation_id or self._parts.new_id("cnv_")
        asked = replace(asked, trace=replace(asked.trace, conversation_id=conversation_id))
        events: asyncio.Queue[Event | None] = asyncio.Queue()
        working = asyncio.create_task(self._replier.reply(asked, events.put), name=asked.trace.trace_id)
        working.add_done_callback(lambda _: events.put_nowait(None))
        try:
            while (event := await events.get()) is not None:
                yield event
            await working
        finally:
            working.cancel()
            await asyncio.gather(working, return_exceptions=True)

    async def replay(self, trace_id: str, config: QueryConfig, workspace: str) -> Trace:
        """A stored trace with another configuration, from its recorded lists; stored as another trace."""
        recorded = await self._parts.traces.get(workspace, trace_id)
        trace = self._searcher.replay(recorded, config)
        await self._parts.traces.save(trace)
        return trace

    async def bundle(self, trace_id: str, workspace: str) -> dict[str, Any]:
        """A stored trace as a file to be replayed elsewhere, with what the services say of themselves."""
        trace = await self._parts.traces.get(workspace, trace_id)
        await states_of(self._parts.probes, ())  # asks those that were not reached yet
        described = {name: _described(stage) for name, stage in self._parts.stages.items()}
        return await asyncio.to_thread(bundle_of, trace, self._parts.pipeline, described)

    async def adopt(self, bundle: dict[str, Any], workspace: str, config: QueryConfig | None = None) -> str:
        """The id under which a bundle's trace is stored here, once however often it comes. See `trace_of`."""
        trace = await asyncio.to_thread(trace_of, bundle, workspace, config)
        # One from the future would be older than no deletion, and so keep what was deleted.
        now_ms = int(self._parts.clock() * 1000)
        await self._parts.traces.save(replace(trace, created_ms=min(trace.created_ms, now_ms)))
        return trace.trace_id

    def require_possible(self, config: QueryConfig) -> None:
        """Raises InvalidInput, naming the field, for a configuration under which nothing could be asked."""
        self._parts.pipeline.planned(config)
        require_known(config.answer.provider, self._parts.providers)

    async def available(self) -> dict[str, Any]:
        """What can be used now, and why the rest cannot, by path and value of the configuration."""
        return availability(self._parts.pipeline, await self.dependencies(), self._parts.providers)

    async def dependencies(self) -> dict[str, dict[str, str]]:
        """Each dependency's `state` (ok, down, absent) and `detail`."""
        return await states_of(self._parts.probes, self._parts.providers)


def _described(stage: Stage) -> StageInfo | None:
    try:
        return stage.info
    except Unavailable:
        return None
