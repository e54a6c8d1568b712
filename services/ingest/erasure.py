"""What goes when a document goes, and when a file is no longer in the file that brought it?"""

import json
import sqlite3
from dataclasses import dataclass, field

from services.ingest.records import FAILED, Failure

DELETED = Failure("not-found", "The document was deleted before its job was finished.")


@dataclass(slots=True)
class Erased:
    """What has to follow a transaction: jobs that ended, contents whose originals may be unreferenced.

    `tombstone` is the last one left; the indexes honour a document's no sooner than those of its attachments.
    """

    jobs: list[str] = field(default_factory=list)
    contents: set[str] = field(default_factory=set)
    tombstone: int = 0

    def add(self, other: "Erased") -> None:
        self.jobs += other.jobs
        self.contents |= other.contents
        self.tombstone = max(self.tombstone, other.tombstone)


def delete_versions(connection: sqlite3.Connection, where: str, values: tuple[object, ...]) -> set[str]:
    """The digests of the contents whose versions went; their originals may now be unreferenced."""
    rows = connection.execute(f"DELETE FROM versions WHERE {where} RETURNING sha256", values).fetchall()
    return {row["sha256"] for row in rows}


def erase_document(connection: sqlite3.Connection, workspace: str, document: str, now_ms: int) -> Erased:
    """Removes a document with its versions, jobs and attachments, a tombstone left for each."""
    erased = Erased(contents=delete_versions(connection, "document_id = ?", (document,)))
    erased.add(erase_left_behind(connection, document, now_ms))
    connection.execute("DELETE FROM documents WHERE document_id = ?", (document,))
    ended = connection.execute(
        "UPDATE jobs SET state = ?, error_slug = ?, error_detail = ?, updated_ms = ?"
        " WHERE document_id = ? AND state IN ('queued', 'running') RETURNING job_id",
        (FAILED, DELETED.slug, DELETED.detail, now_ms, document),
    ).fetchall()
    erased.jobs += [row["job_id"] for row in ended]
    tombstone = connection.execute(
        "INSERT INTO tombstones (workspace, document_id) VALUES (?, ?)", (workspace, document)
    ).lastrowid
    erased.tombstone = tombstone or 0
    return erased


def erase_left_behind(connection: sqlite3.Connection, parent: str, now_ms: int) -> Erased:
    """Removes the attachments of a document that no version of it holds, but one that is only kept."""
    rows = connection.execute(
        "SELECT attached FROM versions WHERE document_id = ? AND state != 'kept'", (parent,)
    )
    held = {document for row in rows for document in json.loads(row["attached"])}
    children = connection.execute(
        "SELECT workspace, document_id FROM documents WHERE parent_id = ?", (parent,)
    ).fetchall()
    erased = Erased()
    for child in children:
        if child["document_id"] not in held:
            erased.add(erase_document(connection, child["workspace"], child["document_id"], now_ms))
    return erased
