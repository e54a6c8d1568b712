"""What does the engine need of others? The text of chunks, and a place for traces."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from services.orchestrator.core.records import StoredChunk
from services.orchestrator.core.trace import Trace


class Texts(Protocol):
    """The only owner of text."""

    async def generation(self, workspace: str, *, deadline_s: float | None = None) -> int:
        """The visible generation; 0 when the workspace is empty."""
        ...

    async def hydrate(
        self,
        workspace: str,
        chunk_ids: Sequence[str],
        *,
        with_text: bool,
        deadline_s: float | None = None,
    ) -> Mapping[str, StoredChunk]:
        """Chunks by id; those that are not known, or no more, are left out."""
        ...


class Traces(Protocol):
    """Where traces are kept."""

    async def save(self, trace: Trace) -> None:
        """Keeps a trace, and its question and answer as a turn if it belongs to a conversation."""
        ...

    async def get(self, workspace: str, trace_id: str) -> Trace:
        """Raises NotFound for an id that the workspace does not have."""
        ...
