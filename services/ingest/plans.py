"""What decides which chunks a document becomes: the configuration, and what its workspace knows?"""

import sqlite3

from services.ingest.entities import given_digest, given_to
from services.ingest.identity import workspace_config
from services.ingest.records import Job, Plan
from services.ingest.vocabularies import in_force, words_in_force


def config_of(connection: sqlite3.Connection, workspace: str, config: str) -> str:
    """The digest of all that decides what a document of this workspace becomes."""
    return workspace_config(
        config, in_force(connection, workspace).digest, given_digest(connection, workspace)
    )


def plan_of(connection: sqlite3.Connection, job: Job) -> Plan:
    """What the job's version is to be parsed under; without a digest if it is gone."""
    row = connection.execute("SELECT config_digest FROM versions WHERE job_id = ?", (job.job_id,)).fetchone()
    return Plan(
        row["config_digest"] if row else "",
        words_in_force(connection, job.workspace),
        given_to(connection, job.workspace),
    )
