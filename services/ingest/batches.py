"""Which versions make the next generation, and what changes when it becomes the visible one?"""

import sqlite3

from services.ingest.fairness import Waiting, choose
from services.ingest.records import DONE, Batch, BatchDocument, IndexedVersion
from shared.errors import Conflict


def advance(connection: sqlite3.Connection, workspace: str, base: int, generation: int) -> None:
    row = connection.execute("SELECT generation FROM workspaces WHERE workspace = ?", (workspace,)).fetchone()
    held = row["generation"] if row else 0
    if held != base:
        raise Conflict(f"Workspace {workspace} is at generation {held}, not {base}.")
    connection.execute(
        "INSERT INTO workspaces (workspace, generation) VALUES (?, ?)"
        " ON CONFLICT (workspace) DO UPDATE SET generation = excluded.generation",
        (workspace, generation),
    )


def make_live(connection: sqlite3.Connection, document: BatchDocument, now_ms: int) -> bool:
    """False if the version is gone, or is no longer the one that was staged."""
    version = document.version
    staged = connection.execute(
        "SELECT 1 FROM versions WHERE document_id = ? AND version = ? AND job_id = ? AND state = 'parsed'",
        (version.document_id, version.version, document.job_id),
    ).fetchone()
    if staged is None:
        return False
    connection.execute(
        "UPDATE versions SET state = 'kept' WHERE document_id = ? AND state = 'live'", (version.document_id,)
    )
    connection.execute(
        "UPDATE versions SET state = 'live' WHERE document_id = ? AND version = ?",
        (version.document_id, version.version),
    )
    connection.execute(
        "UPDATE documents SET live_version = ?, updated_ms = ? WHERE document_id = ?",
        (version.version, now_ms, version.document_id),
    )
    connection.execute(
        "UPDATE jobs SET state = ?, stage = 'publish', progress = 1, updated_ms = ? WHERE job_id = ?",
        (DONE, now_ms, document.job_id),
    )
    return True


def next_batch(
    connection: sqlite3.Connection, workspace: str, max_documents: int, max_chunks: int
) -> Batch | None:
    row = connection.execute("SELECT generation FROM workspaces WHERE workspace = ?", (workspace,)).fetchone()
    parsed = connection.execute(
        # A later version waits for an earlier one of its document, whichever was parsed first.
        "SELECT v.document_id, v.version, v.digest, v.chunk_count, v.job_id FROM versions v"
        " JOIN jobs j ON j.job_id = v.job_id WHERE v.state = 'parsed' AND v.ready AND j.workspace = ?"
        " AND NOT EXISTS (SELECT 1 FROM versions e WHERE e.document_id = v.document_id"
        "   AND e.version < v.version AND e.state IN ('pending', 'parsed'))"
        " ORDER BY j.seq",
        (workspace,),
    ).fetchall()
    tombstones = connection.execute(
        "SELECT seq, document_id FROM tombstones WHERE workspace = ? ORDER BY seq", (workspace,)
    ).fetchall()
    if not parsed and not tombstones:
        return None
    waiting = [Waiting(position, row["chunk_count"]) for position, row in enumerate(parsed)]
    chosen = [parsed[position] for position in choose(waiting, max_documents, max_chunks)]
    documents = tuple(
        BatchDocument(
            IndexedVersion(row["document_id"], row["version"], row["digest"], row["chunk_count"]),
            row["job_id"],
        )
        for row in chosen
    )
    staged = {document.version.document_id for document in documents}
    return Batch(
        workspace=workspace,
        base=row["generation"] if row else 0,
        documents=documents,
        # What is uploaded anew replaces what was deleted.
        deleted=tuple(dict.fromkeys(t["document_id"] for t in tombstones if t["document_id"] not in staged)),
        last_tombstone=tombstones[-1]["seq"] if tombstones else 0,
    )
