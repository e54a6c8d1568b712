"""What does ingest answer about documents, texts, chunks and jobs? The reading side of its database."""

import sqlite3
from collections.abc import Sequence

from services.ingest.database import Database
from services.ingest.records import Document, HydratedChunk, IndexedVersion, Job, StoredChunk
from services.ingest.rows import CHUNK_COLUMNS, DOCUMENT_QUERY, JOB_COLUMNS, chunk_of, document_of, job_of
from services.ingest.text_parts import PART_CHARACTERS, part_range
from shared.errors import NotFound


class Reading:
    """Only served versions are read, but for hydration, which also knows those of the generation before."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def document(self, workspace: str, document: str) -> Document:
        """Raises NotFound, also for another workspace's id."""

        def work(connection: sqlite3.Connection) -> sqlite3.Row | None:
            row: sqlite3.Row | None = connection.execute(
                f"{DOCUMENT_QUERY} WHERE d.workspace = ? AND d.document_id = ?", (workspace, document)
            ).fetchone()
            return row

        row = await self._database.read(work)
        if row is None:
            raise NotFound(f"There is no document {document} in this workspace.")
        return document_of(row)

    async def documents(self, workspace: str, offset: int, limit: int) -> tuple[list[Document], int]:
        """A page of the newest first, and how many there are."""

        def work(connection: sqlite3.Connection) -> tuple[list[Document], int]:
            rows = connection.execute(
                f"{DOCUMENT_QUERY} WHERE d.workspace = ? ORDER BY d.seq DESC LIMIT ? OFFSET ?",
                (workspace, limit, offset),
            ).fetchall()
            total = _count(connection, "documents", "workspace = ?", (workspace,))
            return [document_of(row) for row in rows], total

        return await self._database.read(work)

    async def job(self, workspace: str, job_id: str) -> Job:
        """Raises NotFound, also for another workspace's id."""

        def work(connection: sqlite3.Connection) -> sqlite3.Row | None:
            row: sqlite3.Row | None = connection.execute(
                f"SELECT {JOB_COLUMNS} FROM jobs j WHERE j.workspace = ? AND j.job_id = ?",
                (workspace, job_id),
            ).fetchone()
            return row

        row = await self._database.read(work)
        if row is None:
            raise NotFound(f"There is no job {job_id} in this workspace.")
        return job_of(row)

    async def jobs(self, workspace: str, offset: int, limit: int) -> tuple[list[Job], int]:
        """A page of the newest first, and how many there are."""

        def work(connection: sqlite3.Connection) -> tuple[list[Job], int]:
            rows = connection.execute(
                f"SELECT {JOB_COLUMNS} FROM jobs j WHERE j.workspace = ?"
                " ORDER BY j.seq DESC LIMIT ? OFFSET ?",
                (workspace, limit, offset),
            ).fetchall()
            return [job_of(row) for row in rows], _count(connection, "jobs", "workspace = ?", (workspace,))

        return await self._database.read(work)

    async def text(self, document: str, version: int, start: int, end: int) -> str | None:
        """`canonical[start:end]` of any version, or None if it is gone."""
        return await self._database.read(lambda connection: _span(connection, document, version, start, end))

    async def titled(self, document: str, version: int) -> tuple[str, int]:
        """Title and number of chunks of any version; no chunk if it is gone."""

        def work(connection: sqlite3.Connection) -> tuple[str, int]:
            row = connection.execute(
                "SELECT title, chunk_count FROM versions WHERE document_id = ? AND version = ?",
                (document, version),
            ).fetchone()
            return (row["title"], row["chunk_count"]) if row else ("", 0)

        return await self._database.read(work)

    async def layout(self, document: str, version: int) -> tuple[bytes, bytes]:
        """The encoded blocks and words. Raises NotFound."""

        def work(connection: sqlite3.Connection) -> sqlite3.Row | None:
            row: sqlite3.Row | None = connection.execute(
                "SELECT blocks, words FROM layouts WHERE document_id = ? AND version = ?",
                (document, version),
            ).fetchone()
            return row

        row = await self._database.read(work)
        if row is None:
            raise NotFound(f"There is no document {document} in this workspace.")
        return row["blocks"], row["words"]

    async def chunks(
        self, document: str, version: int, offset: int, limit: int
    ) -> tuple[list[StoredChunk], list[str]]:
        """A slice of a version's chunks in order, and their texts; shorter than asked if it is gone."""

        def work(connection: sqlite3.Connection) -> tuple[list[StoredChunk], list[str]]:
            rows = connection.execute(
                f"SELECT {CHUNK_COLUMNS} FROM chunks c WHERE document_id = ? AND version = ?"
                " AND position >= ? ORDER BY position LIMIT ?",
                (document, version, offset, limit),
            ).fetchall()
            chunks = [chunk_of(row) for row in rows]
            return chunks, _texts(connection, document, version, chunks)

        return await self._database.read(work)

    async def hydrate(self, workspace: str, ids: Sequence[str], *, with_text: bool) -> list[HydratedChunk]:
        """The chunks in the order of `ids`; those unknown, deleted or not yet visible are left out."""
        return await self._database.read(lambda connection: _hydrate(connection, workspace, ids, with_text))

    async def generation(self, workspace: str) -> int:
        """The visible generation; 0 for a workspace that is empty or unknown."""

        def work(connection: sqlite3.Connection) -> int:
            row = connection.execute(
                "SELECT generation FROM workspaces WHERE workspace = ?", (workspace,)
            ).fetchone()
            return row["generation"] if row else 0

        return await self._database.read(work)

    async def generations(self) -> dict[str, int]:
        """The visible generation of every workspace that ever had one."""

        def work(connection: sqlite3.Connection) -> dict[str, int]:
            rows = connection.execute("SELECT workspace, generation FROM workspaces")
            return {row["workspace"]: row["generation"] for row in rows}

        return await self._database.read(work)

    async def workspaces(self) -> set[str]:
        """Every workspace that is published, or has something to publish."""

        def work(connection: sqlite3.Connection) -> set[str]:
            rows = connection.execute(
                "SELECT workspace FROM workspaces UNION SELECT workspace FROM documents"
                " UNION SELECT workspace FROM tombstones"
            )
            return {row["workspace"] for row in rows}

        return await self._database.read(work)

    async def served(self, workspace: str) -> tuple[list[IndexedVersion], set[str]]:
        """What the indexes should hold at the visible generation, and the deleted that they still may."""

        def work(connection: sqlite3.Connection) -> tuple[list[IndexedVersion], set[str]]:
            rows = connection.execute(
                "SELECT v.document_id, v.version, v.digest, v.chunk_count FROM versions v"
                " JOIN documents d USING (document_id)"
                " WHERE d.workspace = ? AND v.version = d.live_version ORDER BY d.seq",
                (workspace,),
            ).fetchall()
            buried = connection.execute(
                "SELECT document_id FROM tombstones WHERE workspace = ?", (workspace,)
            )
            return [IndexedVersion(*row) for row in rows], {row["document_id"] for row in buried}

        return await self._database.read(work)

    async def is_buried(self, tombstone: int) -> bool:
        """Whether the indexes have yet to honour a deletion."""
        return bool(
            await self._database.read(
                lambda connection: _count(connection, "tombstones", "seq = ?", (tombstone,))
            )
        )

    async def document_count(self) -> int:
        return await self._database.read(lambda connection: _count(connection, "documents", "1", ()))


def _count(connection: sqlite3.Connection, table: str, where: str, values: tuple[object, ...]) -> int:
    (count,) = connection.execute(f"SELECT count(*) FROM {table} WHERE {where}", values).fetchone()
    return int(count)


def _span(connection: sqlite3.Connection, document: str, version: int, start: int, end: int) -> str | None:
    first, last = part_range(start, end)
    rows = connection.execute(
        "SELECT text FROM texts WHERE document_id = ? AND version = ? AND part BETWEEN ? AND ? ORDER BY part",
        (document, version, first, last),
    ).fetchall()
    if not rows:
        return None
    text = "".join(row["text"].decode() for row in rows)
    return text[start - first * PART_CHARACTERS : end - first * PART_CHARACTERS]


def _texts(
    connection: sqlite3.Connection, document: str, version: int, chunks: Sequence[StoredChunk]
) -> list[str]:
    if not chunks:
        return []
    start, end = min(chunk.start for chunk in chunks), max(chunk.end for chunk in chunks)
    text = _span(connection, document, version, start, end) or ""
    return [text[chunk.start - start : chunk.end - start] for chunk in chunks]


def _hydrate(
    connection: sqlite3.Connection, workspace: str, ids: Sequence[str], with_text: bool
) -> list[HydratedChunk]:
    marks = ", ".join("?" * len(ids))
    rows = connection.execute(
        f"SELECT {CHUNK_COLUMNS}, c.document_id, c.version, v.title, d.name FROM chunks c"
        " JOIN versions v USING (document_id, version) JOIN documents d USING (document_id)"
        f" WHERE c.chunk_id IN ({marks}) AND d.workspace = ? AND v.state IN ('live', 'kept')",
        (*ids, workspace),
    ).fetchall()
    found: dict[str, HydratedChunk] = {}
    for row in rows:
        chunk = chunk_of(row)
        text = ""
        if with_text:
            text = _span(connection, row["document_id"], row["version"], chunk.start, chunk.end) or ""
        found[chunk.chunk_id] = HydratedChunk(row["document_id"], row["name"], row["title"], chunk, text)
    return [found[chunk_id] for chunk_id in ids if chunk_id in found]
