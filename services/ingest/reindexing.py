"""How do a workspace's documents come under a new vocabulary or configuration? As their next versions."""

import asyncio
import logging
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from services.ingest.core.document import CODE, FURNITURE
from services.ingest.core.entities import Given
from services.ingest.core.welds_vocabulary import Learner, to_bytes
from services.ingest.database import Database
from services.ingest.entities import give
from services.ingest.layout import decode_blocks
from services.ingest.plans import config_of
from services.ingest.reading import Reading
from services.ingest.records import Unparsed
from services.ingest.versions import Contents, queue_version, queued_job, reconfigure
from services.ingest.vocabularies import in_force, put_in_force
from shared.errors import NotFound

log = logging.getLogger("sightline.ingest.reindexing")

# The latest version of each document that would become other chunks under the configuration of now.
_OUTDATED = (
    "SELECT d.document_id, d.name, v.version, v.state, v.sha256, v.size, v.media_type, v.job_id"
    " FROM documents d JOIN versions v ON v.document_id = d.document_id AND v.version ="
    " (SELECT max(version) FROM versions m WHERE m.document_id = d.document_id)"
    " WHERE d.workspace = ? AND v.config_digest != ? ORDER BY d.seq"
)


@dataclass(frozen=True, slots=True)
class Reindexed:
    """How many documents were queued, and the number of the vocabulary in force."""

    documents: int
    vocabulary: int


class Reindexing:
    """Learns a workspace's words and queues what changes by them, in one transaction.

    Killed before it, nothing has happened; after it, the jobs are durable and are taken up at the next
    start. What is served stays until each new version is ready. `learns` says whether words are learnt.
    """

    def __init__(
        self,
        database: Database,
        reading: Reading,
        *,
        config: str,
        learns: bool,
        clock: Callable[[], float],
        new_id: Callable[[str], str],
        add: Callable[[Unparsed], None],
    ) -> None:
        self._database = database
        self._reading = reading
        self._config = config
        self._learns = learns
        self._clock = clock
        self._new_id = new_id
        self._add = add
        self._one_at_a_time: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)  # by workspace

    async def run(self, workspace: str) -> Reindexed:
        """Afterwards every document is, or will be, what it would be if it were uploaded now."""
        async with self._one_at_a_time[workspace]:
            words = await self._learnt(workspace) if self._learns else None
            return await self._requeue(
                workspace, lambda c: None if words is None else put_in_force(c, workspace, words)
            )

    async def give(self, workspace: str, entities: Sequence[Given]) -> Reindexed:
        """Entities in the place of those given before; the vocabulary stays as it is."""
        async with self._one_at_a_time[workspace]:
            return await self._requeue(workspace, lambda c: give(c, workspace, entities))

    async def _requeue(self, workspace: str, change: Callable[[sqlite3.Connection], object]) -> Reindexed:
        """Makes a change and queues what it outdates, in one transaction."""

        def work(connection: sqlite3.Connection) -> tuple[int, list[Unparsed]]:
            change(connection)
            return self._queue(connection, workspace)

        version, queued = await self._database.write(work)
        for unparsed in queued:
            self._add(unparsed)
        fields = {"workspace": workspace, "documents": len(queued), "vocabulary": version}
        log.info("reindexing", extra={"fields": fields})
        return Reindexed(len(queued), version)

    async def _learnt(self, workspace: str) -> bytes:
        """The words of all served documents, one document in memory at a time, in the order of their ids."""
        served, _ = await self._reading.served(workspace)
        learner = Learner()
        for document, version in sorted((each.document_id, each.version) for each in served):
            try:
                encoded, _ = await self._reading.layout(document, version)
            except NotFound:
                continue  # deleted meanwhile
            blocks = [b for b in decode_blocks(encoded) if b.kind not in (CODE, FURNITURE)]
            text = await self._reading.text(document, version, 0, blocks[-1].end) if blocks else None
            for block in blocks if text is not None else ():
                await asyncio.to_thread(learner.add, text or "", block.start, block.end)
        return to_bytes(await asyncio.to_thread(learner.learnt))

    def _queue(self, connection: sqlite3.Connection, workspace: str) -> tuple[int, list[Unparsed]]:
        config = config_of(connection, workspace, self._config)
        now_ms = int(self._clock() * 1000)
        queued: list[Unparsed] = []
        for row in connection.execute(_OUTDATED, (workspace, config)).fetchall():
            if row["state"] == "pending":  # on its way: it is parsed under what holds now
                reconfigure(connection, row["job_id"], row["sha256"], config)
                continue
            document = (row["document_id"], row["name"])
            job = queued_job(self._new_id("job"), workspace, document, row["version"] + 1, now_ms)
            contents = Contents(row["sha256"], row["size"], row["media_type"])
            queue_version(connection, job, contents, config)
            queued.append(Unparsed(job, contents.sha256, contents.media_type))
        return in_force(connection, workspace).version, queued
