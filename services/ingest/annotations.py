"""How are annotations kept, so that none is asked for twice and a killed job goes on where it was?"""

import sqlite3
from collections.abc import Callable, Mapping, Sequence

from services.ingest.database import Database
from services.ingest.records import Job
from services.ingest.rows import JOB_COLUMNS, job_of

Annotated = Mapping[
    int, tuple[str, int]
]  # by position of the chunk: annotation, and the chunk's tokens with it


class Annotations:
    """The cache, by digest of what an annotation is made from, and the step that gives them to a version."""

    def __init__(self, database: Database, clock: Callable[[], float]) -> None:
        self._database = database
        self._clock = clock

    async def waiting(self) -> list[Job]:
        """The jobs whose versions are parsed and not yet annotated, oldest first."""

        def work(connection: sqlite3.Connection) -> list[Job]:
            rows = connection.execute(
                f"SELECT {JOB_COLUMNS} FROM jobs j JOIN versions v ON v.job_id = j.job_id"
                " WHERE v.state = 'parsed' AND NOT v.ready ORDER BY j.seq"
            )
            return [job_of(row) for row in rows]

        return await self._database.read(work)

    async def forgo(self) -> None:
        """Whatever waits for annotations is published without them."""
        await self._database.write(
            lambda connection: connection.execute("UPDATE versions SET ready = 1 WHERE NOT ready")
        )

    async def known(self, digests: Sequence[str]) -> dict[str, str]:
        """Those that were made before, by digest."""

        def work(connection: sqlite3.Connection) -> dict[str, str]:
            marks = ", ".join("?" * len(digests))
            rows = connection.execute(
                f"SELECT digest, annotation FROM annotations WHERE digest IN ({marks})", tuple(digests)
            )
            return {row["digest"]: row["annotation"] for row in rows}

        return await self._database.read(work)

    async def keep(self, digest: str, annotation: str, document: str) -> None:
        """Durable when this returns, until the document is deleted; nothing is kept of one that is."""
        values = (digest, annotation, int(self._clock() * 1000), document)
        await self._database.write(
            lambda connection: connection.execute(
                "INSERT OR REPLACE INTO annotations (digest, annotation, created_ms, document_id)"
                " SELECT ?, ?, ?, document_id FROM documents WHERE document_id = ?",
                values,
            )
        )

    async def give(self, job: Job, annotated: Annotated, warning: str = "") -> None:
        """The version has its annotations and may be published, all in one transaction."""
        key = (job.document_id, job.version)

        def work(connection: sqlite3.Connection) -> None:
            connection.executemany(
                "UPDATE chunks SET annotation = ?, tokens = ?"
                " WHERE document_id = ? AND version = ? AND position = ?",
                [
                    (annotation, tokens, *key, position)
                    for position, (annotation, tokens) in annotated.items()
                ],
            )
            connection.execute(
                "UPDATE versions SET ready = 1, warnings = CASE WHEN ? = '' THEN warnings"
                " ELSE json_insert(warnings, '$[#]', ?) END"
                " WHERE document_id = ? AND version = ? AND job_id = ?",
                (warning, warning, *key, job.job_id),
            )

        await self._database.write(work)
