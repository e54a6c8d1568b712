"""How does a document get its next version? Its row and its job, in the transaction of whoever asks."""

import sqlite3
from dataclasses import dataclass

from services.ingest.identity import version_digest
from services.ingest.records import QUEUED, Job


@dataclass(frozen=True, slots=True)
class Contents:
    """The bytes of a version."""

    sha256: str
    size: int
    media_type: str


def queue_version(connection: sqlite3.Connection, job: Job, contents: Contents, config: str) -> None:
    """Keeps a version that is still to be parsed, and the job that will do it."""
    connection.execute(
        "INSERT INTO versions (document_id, version, state, sha256, size, media_type, config_digest,"
        " digest, job_id) VALUES (?, ?, 'pending', ?, ?, ?, ?, ?, ?)",
        (
            job.document_id,
            job.version,
            contents.sha256,
            contents.size,
            contents.media_type,
            config,
            version_digest(contents.sha256, config),
            job.job_id,
        ),
    )
    connection.execute(
        "INSERT INTO jobs (job_id, workspace, document_id, document_name, version, state, stage,"
        " progress, created_ms, updated_ms) VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?, ?)",
        (
            job.job_id,
            job.workspace,
            job.document_id,
            job.document_name,
            job.version,
            QUEUED,
            "parse",
            job.created_ms,
            job.updated_ms,
        ),
    )


def queued_job(job_id: str, workspace: str, document: tuple[str, str], version: int, now_ms: int) -> Job:
    """A job that has not begun; `document` is its id and name."""
    return Job(job_id, workspace, *document, version, QUEUED, "parse", 0.0, None, now_ms, now_ms)


def reconfigure(connection: sqlite3.Connection, job_id: str, sha256: str, config: str) -> None:
    """Lets a version that is still to be parsed be parsed under another configuration."""
    connection.execute(
        "UPDATE versions SET config_digest = ?, digest = ? WHERE job_id = ?",
        (config, version_digest(sha256, config), job_id),
    )
