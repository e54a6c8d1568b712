"""How does a question become a trace, and a trace an answer?"""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

from services.orchestrator.core.config import QueryConfig
from services.orchestrator.core.trace import Trace


@dataclass(frozen=True, slots=True)
class Event:
    """One step of an answer as it is streamed: trace, plan, stage, context, token, answer, done."""

    kind: str
    data: dict[str, Any]


class Engine:
    """Searches, answers and replays."""

    async def start(self) -> None:
        """Begins what runs beside the questions."""

    async def stop(self) -> None:
        """Ends what runs beside the questions."""

    async def search(self, question: str, config: QueryConfig, workspace: str) -> Trace:
        """What was found, stored as a trace."""
        raise NotImplementedError

    def query(
        self, question: str, config: QueryConfig, workspace: str, conversation_id: str | None
    ) -> AsyncIterator[Event]:
        """The events of an answer, ending with `answer` and `done`. Closing it cancels the work behind it."""
        raise NotImplementedError

    async def replay(self, trace_id: str, config: QueryConfig, workspace: str) -> Trace:
        """A stored trace with another configuration, from its recorded lists."""
        raise NotImplementedError

    async def available(self) -> dict[str, Any]:
        """What can be used now, and why the rest cannot."""
        raise NotImplementedError

    async def dependencies(self) -> dict[str, dict[str, str]]:
        """Each dependency's `state` (ok, down, absent) and `detail`."""
        raise NotImplementedError
