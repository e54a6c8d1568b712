"""How does a row of SQLite become a record?"""

import json
import sqlite3

from services.ingest.records import Document, Failure, Job, StoredChunk

JOB_COLUMNS = (
    "j.job_id, j.workspace, j.document_id, j.document_name, j.version, j.state, j.stage, j.progress,"
    " j.error_slug, j.error_detail, j.created_ms, j.updated_ms"
)

# The served version, or the latest one on its way for a document that has none yet.
DOCUMENT_QUERY = (
    "SELECT d.document_id, d.workspace, d.name, d.live_version, d.created_ms, d.updated_ms, d.parent_id,"
    " v.version, v.sha256, v.size, v.media_type, v.job_id, v.title, v.characters, v.chunk_count, v.pages,"
    " v.warnings"
    " FROM documents d JOIN versions v ON v.document_id = d.document_id AND v.version ="
    " CASE WHEN d.live_version THEN d.live_version"
    " ELSE (SELECT max(version) FROM versions m WHERE m.document_id = d.document_id) END"
)

CHUNK_COLUMNS = (
    "c.chunk_id, c.position, c.start, c.end, c.tokens, c.prefix, c.section, c.page_number, c.page_label,"
    " c.reading, c.annotation, c.defines, c.mentions"
)


def job_of(row: sqlite3.Row) -> Job:
    return Job(
        job_id=row["job_id"],
        workspace=row["workspace"],
        document_id=row["document_id"],
        document_name=row["document_name"],
        version=row["version"],
        state=row["state"],
        stage=row["stage"],
        progress=row["progress"],
        failure=Failure(row["error_slug"], row["error_detail"]) if row["error_slug"] else None,
        created_ms=row["created_ms"],
        updated_ms=row["updated_ms"],
    )


def document_of(row: sqlite3.Row) -> Document:
    return Document(
        document_id=row["document_id"],
        workspace=row["workspace"],
        name=row["name"],
        live_version=row["live_version"],
        version=row["version"],
        sha256=row["sha256"],
        size=row["size"],
        media_type=row["media_type"],
        job_id=row["job_id"],
        title=row["title"],
        characters=row["characters"],
        chunk_count=row["chunk_count"],
        pages=row["pages"],
        warnings=tuple(json.loads(row["warnings"])),
        created_ms=row["created_ms"],
        updated_ms=row["updated_ms"],
        parent_id=row["parent_id"],
    )


def chunk_of(row: sqlite3.Row) -> StoredChunk:
    return StoredChunk(
        chunk_id=row["chunk_id"],
        position=row["position"],
        start=row["start"],
        end=row["end"],
        tokens=row["tokens"],
        prefix=row["prefix"],
        section=tuple(json.loads(row["section"])),
        page_number=row["page_number"],
        page_label=row["page_label"],
        reading=row["reading"],
        annotation=row["annotation"],
        defines=tuple(json.loads(row["defines"])),
        mentions=tuple(json.loads(row["mentions"])),
    )
