"""Does an index hold what ingest says it should? If not, it is written anew from ingest's own rows."""

import logging
from collections.abc import Callable, Sequence

from services.ingest.delivery import BatchChanged, Changes, Delivery, Rejected, Wait
from services.ingest.indexes import Manifest
from services.ingest.metrics import REPAIRS
from services.ingest.reading import Reading
from services.ingest.records import Failure, IndexedVersion
from services.ingest.store import Store
from shared.errors import Conflict

log = logging.getLogger("sightline.ingest.repair")

MAX_REBUILDS = 4


class Repair:
    """Compares and rebuilds; only ever called by the one task that writes a workspace."""

    def __init__(
        self, store: Store, reading: Reading, deliveries: Sequence[Delivery], new_id: Callable[[str], str]
    ) -> None:
        self._store = store
        self._reading = reading
        self._deliveries = deliveries
        self._new_id = new_id

    async def check(self, workspace: str, delivery: Delivery, wait: Wait) -> None:
        """Afterwards the index serves the visible generation, with the documents that belong to it."""
        manifest = await delivery.manifest(workspace, wait)
        # Read after the manifest: what was deleted in between has its tombstone by now.
        generation = await self._reading.generation(workspace)
        expected, buried = await self._reading.served(workspace)
        if holds(manifest, generation, expected, buried):
            return
        log.warning(
            "repairing an index",
            extra={
                "fields": {
                    "index": delivery.name,
                    "workspace": workspace,
                    "generation": generation,
                    "found": manifest.generation,
                    "served": sorted(manifest.served),
                }
            },
        )
        if generation:
            await self._rebuild(workspace, generation, delivery, wait)
            return
        # Ingest knows nothing of what the index holds, and generation 0 cannot be published: both begin at 1.
        for each in self._deliveries:
            await self._rebuild(workspace, 1, each, wait)
        await self._store.advance(workspace, 0, 1)

    async def _rebuild(self, workspace: str, generation: int, delivery: Delivery, wait: Wait) -> None:
        """The whole workspace in one batch. Raises Conflict if the index does not take it."""
        REPAIRS.labels(delivery.name).inc()
        for left in reversed(range(MAX_REBUILDS)):
            served, _ = await self._reading.served(workspace)
            changes = Changes(workspace, generation, self._new_id("bat"), tuple(served), replace_all=True)
            try:
                await delivery.stage(changes, _unobserved, wait)
                return await delivery.publish(changes, wait)
            except BatchChanged:
                continue
            except Rejected as rejected:  # a served document: it cannot fail as an upload does
                failure = Failure(
                    rejected.failure.slug,
                    f"{delivery.name} has to be written anew and refuses the {changes.chunk_count} chunks of "
                    f"workspace {workspace}: {rejected.failure.detail} Until then nothing is published.",
                )
                wait(failure)
                raise Conflict(failure.detail) from rejected
            except Conflict:
                if not left:
                    raise
        raise Conflict(f"Workspace {workspace} changes too fast to be rebuilt; it is tried again.")


def holds(manifest: Manifest, generation: int, expected: Sequence[IndexedVersion], buried: set[str]) -> bool:
    """Whether queries at `generation` find exactly `expected`, but for documents about to be deleted.

    Where the index is one generation ahead (ingest died before it flipped), only that it still serves ours
    can be told: the next batch undoes the other.
    """
    if generation not in manifest.served:
        return False
    if manifest.generation != generation:
        return True
    surplus = manifest.documents - set(expected)
    return manifest.documents.issuperset(expected) and all(v.document_id in buried for v in surplus)


def _unobserved(index: str, document_id: str, staged: int) -> None:
    """A rebuild belongs to no job."""
