"""How do parsed documents become visible? Staged on both indexes, published on both, then flipped here."""

import asyncio
import logging
import sqlite3
import time
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any

from services.ingest.delivery import BatchChanged, Changes, Delivery, Rejected, Wait
from services.ingest.jobs import INDEX, PUBLISH, JobBoard
from services.ingest.metrics import DOCUMENTS, PUBLISH_SECONDS
from services.ingest.reading import Reading
from services.ingest.records import Batch, Failure
from services.ingest.repair import Repair
from services.ingest.store import Store
from shared.errors import Conflict, SightlineError

log = logging.getLogger("sightline.ingest.publisher")

MAX_PUBLISHES = 4


@dataclass(frozen=True, slots=True)
class PublishOptions:
    """Bounds of a batch, how often the indexes are looked at, and the pause after a failure."""

    max_documents: int
    max_chunks: int
    check_every_s: float
    pause_s: float


class Lane:
    """What one workspace's task is told: that there may be work, and which indexes to compare first."""

    def __init__(self, unchecked: Sequence[Delivery]) -> None:
        self.wake = asyncio.Event()
        self.wake.set()
        self.unchecked: set[Delivery] = set(unchecked)


class Publisher:
    """The only writer of the indexes: one task a workspace, so that batches of one never overlap."""

    def __init__(
        self,
        store: Store,
        reading: Reading,
        board: JobBoard,
        deliveries: Sequence[Delivery],
        *,
        options: PublishOptions,
        new_id: Callable[[str], str],
        checkpoint: Callable[[str], None],
    ) -> None:
        self._store = store
        self._reading = reading
        self._board = board
        self._deliveries = deliveries
        self._options = options
        self._new_id = new_id
        self._checkpoint = checkpoint
        self._repair = Repair(store, reading, deliveries, new_id)
        self._lanes: dict[str, Lane] = {}
        self._group: asyncio.TaskGroup | None = None
        self._flipped = asyncio.Event()

    async def run(self) -> None:
        """Publish until cancelled, beginning with whatever an earlier run left."""
        known = await self._reading.workspaces()
        async with asyncio.TaskGroup() as group:
            for workspace, lane in self._lanes.items():
                group.create_task(self._serve(workspace, lane))
            self._group = group
            for workspace in sorted(known):
                self.wake(workspace)
            group.create_task(self._watch_indexes())

    def wake(self, workspace: str) -> None:
        """There is, or may be, something to publish."""
        lane = self._lanes.get(workspace)
        if lane is not None:
            lane.wake.set()
            return
        lane = self._lanes[workspace] = Lane(self._deliveries)
        if self._group is not None:
            self._group.create_task(self._serve(workspace, lane))

    async def is_gone(self, tombstone: int, wait_s: float) -> bool:
        """Whether the indexes have honoured a deletion within `wait_s`."""
        try:
            async with asyncio.timeout(wait_s):
                while True:
                    flipped = self._flipped
                    if not await self._reading.is_buried(tombstone):
                        return True
                    await flipped.wait()
        except TimeoutError:
            return False

    async def _serve(self, workspace: str, lane: Lane) -> None:
        while True:
            await lane.wake.wait()
            lane.wake.clear()
            try:
                await self._catch_up(workspace, lane)
            except Exception as error:  # the edge of a background task: nothing may stop publishing for good
                expected = isinstance(error, SightlineError | BatchChanged | Rejected)
                log.log(
                    logging.WARNING if expected else logging.ERROR,
                    "publishing failed; it is tried again",
                    exc_info=None if expected else error,
                    extra={"fields": {"workspace": workspace, "reason": str(error)}},
                )
                lane.unchecked.update(self._deliveries)
                lane.wake.set()
                await asyncio.sleep(self._options.pause_s)

    async def _catch_up(self, workspace: str, lane: Lane) -> None:
        options = self._options
        while True:
            while lane.unchecked:
                # Taken out first: an index that is lost again meanwhile is put in again.
                await self._repair.check(workspace, lane.unchecked.pop(), self._waiting(workspace))
            batch = await self._store.next_batch(workspace, options.max_documents, options.max_chunks)
            if batch is None:
                return
            try:
                await self._publish(batch)
            except BatchChanged:
                continue
            except Rejected as rejected:
                await self._give_up(batch, rejected)

    async def _publish(self, batch: Batch) -> None:
        started = time.monotonic()
        versions = tuple(document.version for document in batch.documents)
        changes = Changes(
            batch.workspace, batch.base + 1, self._new_id("bat"), versions, deleted=batch.deleted
        )
        job_ids = [document.job_id for document in batch.documents]

        def wait(failure: Failure) -> None:
            self._board.note(job_ids, failure)

        progress = self._progress(batch)
        await concurrently([each.stage(changes, progress, wait) for each in self._deliveries])
        self._checkpoint("staged")
        for job_id in job_ids:
            self._board.advance(job_id, PUBLISH)
        await concurrently([self._publish_on(each, changes, wait) for each in self._deliveries])
        self._checkpoint("published")
        flipped = await self._store.flip(batch)
        self._checkpoint("flipped")
        for job_id in [*job_ids, *flipped.ended]:
            self._board.close(job_id)
        self._announce()
        DOCUMENTS.labels("done").inc(len(flipped.done))
        PUBLISH_SECONDS.observe(time.monotonic() - started)
        log.info(
            "published",
            extra={
                "fields": {
                    "workspace": batch.workspace,
                    "generation": changes.generation,
                    "documents": len(flipped.done),
                    "deleted": len(batch.deleted),
                    "chunks": batch.chunk_count,
                    "elapsed_ms": round((time.monotonic() - started) * 1000),
                }
            },
        )

    async def _publish_on(self, delivery: Delivery, changes: Changes, wait: Wait) -> None:
        for left in reversed(range(MAX_PUBLISHES)):
            try:
                return await delivery.publish(changes, wait)
            except Conflict as conflict:
                if not left:
                    raise
                log.warning(
                    "not published; staging again",
                    extra={"fields": {"index": delivery.name, "reason": str(conflict)}},
                )
                await self._repair.check(changes.workspace, delivery, wait)
                await delivery.stage(changes, lambda *_: None, wait)
        return None

    def _progress(self, batch: Batch) -> Callable[[str, str, int], None]:
        """Reports a document's share that every index has staged by now."""
        staged = {
            document.version.document_id: dict.fromkeys((d.name for d in self._deliveries), 0)
            for document in batch.documents
        }
        documents = {document.version.document_id: document for document in batch.documents}

        def progress(index: str, document_id: str, chunks: int) -> None:
            document = documents[document_id]
            staged[document_id][index] = chunks
            share = min(staged[document_id].values()) / document.version.chunk_count
            self._board.advance(document.job_id, INDEX, share)

        return progress

    async def _give_up(self, batch: Batch, rejected: Rejected) -> None:
        for document in batch.documents:
            if document.version.document_id == rejected.document_id:
                ended = await self._store.fail(document.job_id, rejected.failure)
                for job_id in (document.job_id, *ended):
                    self._board.close(job_id)
                DOCUMENTS.labels("failed").inc()

    def _waiting(self, workspace: str) -> Wait:
        return lambda failure: self._board.note(self._board.parsed(workspace), failure)

    def _announce(self) -> None:
        self._flipped.set()
        self._flipped = asyncio.Event()

    async def _watch_indexes(self) -> None:
        """Compare again whatever came back, or lost the visible generation while it was up."""
        down: set[Delivery] = set()
        while True:
            await asyncio.sleep(self._options.check_every_s)
            for delivery in self._deliveries:
                try:
                    served = await delivery.served()
                    visible = await self._reading.generations()
                except (SightlineError, sqlite3.Error) as error:  # nothing may stop the watch for good
                    if delivery not in down:
                        log.warning(
                            "index not compared",
                            extra={"fields": {"index": delivery.name, "reason": str(error)}},
                        )
                    down.add(delivery)
                    continue
                returned = delivery in down
                down.discard(delivery)
                for workspace in sorted(visible.keys() | served.keys()):
                    generation = visible.get(workspace, 0)
                    if returned or generation not in served.get(workspace, frozenset({0})):
                        self.wake(workspace)
                        self._lanes[workspace].unchecked.add(delivery)


async def concurrently(work: Sequence[Coroutine[Any, Any, None]]) -> None:
    """Run all; the first failure ends the others and is raised as it is."""
    try:
        async with asyncio.TaskGroup() as group:
            for each in work:
                group.create_task(each)
    except BaseExceptionGroup as failures:
        raise failure_in(failures) from failures


def failure_in(failures: BaseExceptionGroup[BaseException]) -> BaseException:
    """The first failure, whatever groups it is wrapped in."""
    first: BaseException = failures
    while isinstance(first, BaseExceptionGroup):
        first = first.exceptions[0]
    return first
