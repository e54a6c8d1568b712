"""How does a document change? Every step of its life is one durable transaction."""

import sqlite3
from collections.abc import Callable, Iterable
from functools import partial

from services.ingest.attaching import FAMILY_BOUNDS, FamilyBounds, attach, tell_parent
from services.ingest.batches import advance, make_live, next_batch
from services.ingest.database import Database
from services.ingest.erasure import Erased, delete_versions, erase_document, erase_left_behind
from services.ingest.identity import document_id
from services.ingest.originals import Originals
from services.ingest.parses import save_parsed
from services.ingest.plans import config_of, plan_of
from services.ingest.records import (
    FAILED,
    RUNNING,
    Accepted,
    Batch,
    Failure,
    Flipped,
    Job,
    ParsedVersion,
    Plan,
    Saved,
    Unparsed,
    Upload,
)
from services.ingest.rows import JOB_COLUMNS, job_of
from services.ingest.versions import Contents, queue_version, queued_job, reconfigure
from shared.errors import NotFound

Clock = Callable[[], float]


class Store:
    """The writing side. `config` is the digest of the ingest configuration in force."""

    def __init__(
        self,
        database: Database,
        originals: Originals,
        *,
        config: str,
        clock: Clock,
        new_id: Callable[[str], str],
        family: FamilyBounds = FAMILY_BOUNDS,
    ) -> None:
        self._database = database
        self._originals = originals
        self._config = config
        self._clock = clock
        self._new_id = new_id
        self._family = family

    async def submit(self, upload: Upload) -> Accepted:
        """Take an upload: its bytes, version and job are durable when this returns, or it is a duplicate."""
        return await self._database.write(lambda connection: self._submit(connection, upload))

    async def save_parsed(self, job: Job, parsed: ParsedVersion, *, ready: bool = True) -> Saved | None:
        """Keep a parse, `ready` to be published or yet to be annotated, and accept the files inside it.

        None if the version is gone.
        """

        def work(connection: sqlite3.Connection) -> Saved | None:
            if not save_parsed(connection, job, parsed, self._now_ms(), ready=ready):
                return None
            accept = partial(self._submit, connection)
            return Saved(attach(connection, job, parsed.attached, self._family, accept))

        return await self._database.write(work)

    async def fail(self, job_id: str, failure: Failure) -> tuple[str, ...]:
        """End a job; its version leaves nothing behind, and neither does a document that has no other.

        Returns the jobs of attachments that ended with it.
        """

        def work(connection: sqlite3.Connection) -> Erased:
            now_ms = self._now_ms()
            row = connection.execute(
                "UPDATE jobs SET state = ?, error_slug = ?, error_detail = ?, updated_ms = ?"
                " WHERE job_id = ? AND state IN ('queued', 'running') RETURNING document_id, version",
                (FAILED, failure.slug, failure.detail, now_ms, job_id),
            ).fetchone()
            if row is None:
                return Erased()
            gone = delete_versions(
                connection, "document_id = ? AND version = ? AND job_id = ?", (*row, job_id)
            )
            tell_parent(connection, row["document_id"], failure)
            erased = erase_left_behind(connection, row["document_id"], now_ms)
            connection.execute(
                "DELETE FROM documents WHERE document_id = ? AND live_version = 0"
                " AND NOT EXISTS (SELECT 1 FROM versions v WHERE v.document_id = documents.document_id)",
                (row["document_id"],),
            )
            erased.contents |= gone
            return erased

        erased = await self._database.write(work)
        await self._sweep(erased.contents)
        return tuple(erased.jobs)

    async def erase(self, workspace: str, document: str) -> tuple[int, tuple[str, ...]]:
        """Remove a document and its attachments at once. Returns its tombstone, which the indexes have yet to
        honour, and the jobs that ended by it. Raises NotFound."""

        def work(connection: sqlite3.Connection) -> Erased:
            found = connection.execute(
                "SELECT 1 FROM documents WHERE workspace = ? AND document_id = ?", (workspace, document)
            ).fetchone()
            if found is None:
                raise NotFound(f"There is no document {document} in this workspace.")
            return erase_document(connection, workspace, document, self._now_ms())

        erased = await self._database.write(work)
        await self._sweep(erased.contents)
        return erased.tombstone, tuple(erased.jobs)

    async def bury(self, workspace: str, documents: Iterable[str]) -> None:
        """Leave tombstones for documents that an index holds and ingest does not know."""
        rows = [(workspace, document) for document in documents]
        await self._database.write(
            lambda connection: connection.executemany(
                "INSERT INTO tombstones (workspace, document_id) VALUES (?, ?)", rows
            )
        )

    async def next_batch(self, workspace: str, max_documents: int, max_chunks: int) -> Batch | None:
        """What waits to be published, fairly chosen; None if nothing does."""
        return await self._database.read(
            lambda connection: next_batch(connection, workspace, max_documents, max_chunks)
        )

    async def flip(self, batch: Batch) -> Flipped:
        """Make the batch visible: generation, versions, jobs and tombstones in one transaction.

        Attachments that a new version no longer holds go with the one before. A version that was erased
        meanwhile is passed over: its tombstone is younger than the batch. Raises Conflict unless the
        workspace is still at the batch's base.
        """

        def work(connection: sqlite3.Connection) -> tuple[tuple[str, ...], Erased]:
            now_ms = self._now_ms()
            advance(connection, batch.workspace, batch.base, batch.base + 1)
            kept = delete_versions(
                connection,
                "state = 'kept' AND document_id IN (SELECT document_id FROM documents WHERE workspace = ?)",
                (batch.workspace,),
            )
            done = [d for d in batch.documents if make_live(connection, d, now_ms)]
            connection.execute(
                "DELETE FROM tombstones WHERE workspace = ? AND seq <= ?",
                (batch.workspace, batch.last_tombstone),
            )
            erased = Erased(contents=kept)
            for document in done:
                erased.add(erase_left_behind(connection, document.version.document_id, now_ms))
            return tuple(document.job_id for document in done), erased

        done, erased = await self._database.write(work)
        await self._sweep(erased.contents)
        return Flipped(done, tuple(erased.jobs))

    async def advance(self, workspace: str, base: int, generation: int) -> None:
        """Move on to a generation that both indexes were rebuilt at. Raises Conflict as `flip` does."""
        await self._database.write(lambda connection: advance(connection, workspace, base, generation))

    async def plan(self, job: Job) -> Plan:
        """What a version is to be parsed under."""
        return await self._database.read(lambda connection: plan_of(connection, job))

    async def unparsed(self, job: Job) -> Unparsed | None:
        """The job, if it is still to be parsed."""

        def work(connection: sqlite3.Connection) -> Unparsed | None:
            row = connection.execute(
                "SELECT sha256, media_type FROM versions WHERE job_id = ? AND state = 'pending'",
                (job.job_id,),
            ).fetchone()
            return Unparsed(job, row["sha256"], row["media_type"]) if row else None

        return await self._database.read(work)

    async def resume(self) -> tuple[list[Unparsed], list[Job]]:
        """After a start: the jobs still to be parsed, oldest first, and those that wait to be published.

        Also drops files that no version refers to: a crash may have come between commit and removal.
        """

        def work(connection: sqlite3.Connection) -> tuple[list[Unparsed], list[Job]]:
            known = {row["sha256"] for row in connection.execute("SELECT sha256 FROM versions")}
            for sha256 in list(self._originals.stored()):
                if sha256 not in known:
                    self._originals.remove(sha256)
            rows = connection.execute(
                f"SELECT {JOB_COLUMNS}, v.sha256, v.media_type, v.state AS version_state FROM jobs j"
                " JOIN versions v ON v.job_id = j.job_id"
                " WHERE j.state IN ('queued', 'running') ORDER BY j.seq"
            ).fetchall()
            unparsed = [
                Unparsed(job_of(row), row["sha256"], row["media_type"])
                for row in rows
                if row["version_state"] == "pending"
            ]
            # They are parsed under the configuration of now, which may be another than when they came.
            workspaces = {u.job.workspace for u in unparsed}
            configs = {w: config_of(connection, w, self._config) for w in workspaces}
            for u in unparsed:
                reconfigure(connection, u.job.job_id, u.sha256, configs[u.job.workspace])
            return unparsed, [job_of(row) for row in rows if row["version_state"] == "parsed"]

        return await self._database.write(work)

    def _submit(self, connection: sqlite3.Connection, upload: Upload) -> Accepted:
        document = upload.document_id or document_id(upload.workspace, upload.name)
        now_ms = self._now_ms()
        latest = connection.execute(
            "SELECT v.version, v.state, v.sha256, v.config_digest, d.live_version, j.state AS job_state"
            " FROM versions v JOIN documents d USING (document_id) LEFT JOIN jobs j ON j.job_id = v.job_id"
            " WHERE v.document_id = ? ORDER BY v.version DESC LIMIT 1",
            (document,),
        ).fetchone()
        config = config_of(connection, upload.workspace, self._config)
        if latest and latest["sha256"] == upload.sha256 and latest["config_digest"] == config:
            status = "ready" if latest["live_version"] else "queued"
            if not latest["live_version"] and latest["job_state"] == RUNNING:
                status = "processing"
            upload.path.unlink(missing_ok=True)
            return Accepted(document, duplicate=True, status=status, job=None)
        self._originals.adopt(upload.path, upload.sha256)
        connection.execute(
            "INSERT INTO documents (document_id, workspace, name, created_ms, updated_ms, parent_id)"
            " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (document_id) DO NOTHING",
            (document, upload.workspace, upload.name, now_ms, now_ms, upload.parent_id),
        )
        version = latest["version"] + 1 if latest else 1
        job = queued_job(self._new_id("job"), upload.workspace, (document, upload.name), version, now_ms)
        contents = Contents(upload.sha256, upload.size, upload.media_type)
        queue_version(connection, job, contents, config)
        return Accepted(document, duplicate=False, status="queued", job=job)

    async def _sweep(self, candidates: set[str]) -> None:
        """Remove originals that nothing refers to; in the writing thread, so no upload comes in between."""
        if not candidates:
            return

        def work(connection: sqlite3.Connection) -> None:
            for sha256 in candidates:
                if not connection.execute("SELECT 1 FROM versions WHERE sha256 = ?", (sha256,)).fetchone():
                    self._originals.remove(sha256)

        await self._database.write(work)

    def _now_ms(self) -> int:
        return int(self._clock() * 1000)
