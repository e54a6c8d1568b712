"""What becomes of a suite's documents when its last run is deleted? They go, between two runs."""

import logging
from collections.abc import Awaitable, Callable, Set
from typing import Protocol

from services.orchestrator.core.records import DocumentRecord, Listed
from shared.errors import NotFound

log = logging.getLogger("sightline.evaluation")

PAGE = 200

Empty = Callable[[str], Awaitable[None]]


class Documents(Protocol):
    """Documents by workspace, as ingest has them."""

    async def documents(self, workspace: str, *, offset: int, limit: int) -> Listed[DocumentRecord]: ...

    async def delete_document(self, workspace: str, document_id: str) -> bool: ...


class Erasing(Protocol):
    """Stored traces, as far as words can be taken from them."""

    async def erase_document(self, workspace: str, document_id: str) -> None: ...


class EvalCleaner:
    """Remembers the workspaces that nobody needs; `empty` takes all documents out of one."""

    def __init__(self, empty: Empty) -> None:
        self._empty = empty
        self._abandoned: set[str] = set()

    def abandon(self, workspace: str) -> None:
        """It is emptied with the next `clean`."""
        self._abandoned.add(workspace)

    async def clean(self, needed: Set[str]) -> None:
        """Empties what was abandoned and is not needed again. A failure is logged: what is left stays."""
        while self._abandoned:
            workspace = self._abandoned.pop()
            if workspace in needed:
                continue
            try:
                await self._empty(workspace)
            except Exception as error:  # the edge: runs go on without it
                fields = {"workspace": workspace, "reason": str(error)}
                log.warning("documents of an evaluation were not removed", extra={"fields": fields})


async def emptied(documents: Documents, traces: Erasing, workspace: str) -> None:
    """No document of the workspace is left, nor a word of one in its traces."""
    while True:
        listed = await documents.documents(workspace, offset=0, limit=PAGE)
        gone = 0
        for document in listed.items:
            try:
                await documents.delete_document(workspace, document.id)
                gone += 1
            except NotFound:
                pass
            await traces.erase_document(workspace, document.id)
        if not gone:
            return
