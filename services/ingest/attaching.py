"""How do the files inside a file become documents? In the transaction that keeps the file's parse."""

import json
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from services.ingest.enclosed import JOINED_BY, refused
from services.ingest.records import Accepted, AttachedFile, Failure, Job, Unparsed, Upload

# Down from a document to all that is in it, however deep; of one parent's files only those that it has now.
_FAMILY = (
    "WITH RECURSIVE family (id) AS (SELECT ? UNION ALL SELECT d.document_id FROM documents d"
    " JOIN family ON d.parent_id = family.id"
    " WHERE d.parent_id != ? OR d.document_id IN (SELECT value FROM json_each(?))) SELECT id FROM family"
)
# Up from a document to the upload that brought it, which is none of its files' file.
_ANCESTORS = (
    "WITH RECURSIVE line (id, depth) AS (SELECT ?, 0 UNION ALL SELECT d.parent_id, depth + 1 FROM documents d"
    " JOIN line ON d.document_id = line.id WHERE d.parent_id != '')"
    " SELECT id, depth FROM line ORDER BY depth DESC LIMIT 1"
)


@dataclass(frozen=True, slots=True)
class FamilyBounds:
    """How deep files in files are taken, and how many that one upload brought."""

    max_depth: int = 3
    max_files: int = 500


FAMILY_BOUNDS = FamilyBounds()


def attach(
    connection: sqlite3.Connection,
    parent: Job,
    files: Sequence[AttachedFile],
    bounds: FamilyBounds,
    accept: Callable[[Upload], Accepted],
) -> tuple[Unparsed, ...]:
    """Accepts the files of a parent's version as documents. Returns those that are still to be parsed.

    What is out of bounds becomes a warning of the version.
    """
    if not files:
        return ()
    root, depth = connection.execute(_ANCESTORS, (parent.document_id,)).fetchone()
    # What the version before it brought is there already, and stays: only what is new may be too much.
    own = json.dumps([file.document_id for file in files])
    rows = connection.execute(_FAMILY, (root, parent.document_id, own))
    family = {row["id"] for row in rows} - {root}
    taken: list[AttachedFile] = []
    unparsed: list[Unparsed] = []
    warnings: list[str] = []
    for file in files:
        if depth >= bounds.max_depth:
            reason = f"It lies more than {bounds.max_depth} files deep (SIGHTLINE_MAX_ATTACHMENT_DEPTH)."
            warnings.append(refused(own_name(file.name, parent.document_name), reason))
            continue
        if file.document_id not in family and len(family) >= bounds.max_files:
            reason = f"One upload brings at most {bounds.max_files} files (SIGHTLINE_MAX_UPLOAD_FILES)."
            warnings.append(refused(own_name(file.name, parent.document_name), reason))
            continue
        accepted = accept(
            Upload(
                parent.workspace,
                file.name,
                file.media_type,
                file.size,
                file.sha256,
                file.path,
                document_id=file.document_id,
                parent_id=parent.document_id,
            )
        )
        taken.append(file)
        family.add(file.document_id)
        if accepted.job is not None:
            unparsed.append(Unparsed(accepted.job, file.sha256, file.media_type))
    connection.execute(
        "UPDATE versions SET attached = ? WHERE document_id = ? AND version = ?",
        (json.dumps([file.document_id for file in taken]), parent.document_id, parent.version),
    )
    for warning in warnings:
        _warn(connection, parent.document_id, parent.version, warning)
    return tuple(unparsed)


def tell_parent(connection: sqlite3.Connection, document: str, failure: Failure) -> None:
    """Lets a document that failed, if it was attached to another one, be a warning of that one's versions."""
    child = connection.execute(
        "SELECT d.name, p.document_id AS parent, p.name AS parent_name FROM documents d"
        " JOIN documents p ON p.document_id = d.parent_id WHERE d.document_id = ?",
        (document,),
    ).fetchone()
    if child is None:
        return
    warning = refused(own_name(child["name"], child["parent_name"]), failure.detail)
    versions = connection.execute(
        "SELECT version, attached FROM versions WHERE document_id = ? AND state != 'kept'", (child["parent"],)
    ).fetchall()
    for row in versions:
        if document in json.loads(row["attached"]):
            _warn(connection, child["parent"], row["version"], warning)


def own_name(name: str, parent_name: str) -> str:
    """What an attachment is called inside its parent."""
    return name.removeprefix(f"{parent_name}{JOINED_BY}")


def _warn(connection: sqlite3.Connection, document: str, version: int, warning: str) -> None:
    connection.execute(
        "UPDATE versions SET warnings = json_insert(warnings, '$[#]', ?)"
        " WHERE document_id = ? AND version = ?",
        (warning, document, version),
    )
