"""Which entities does a workspace know, and which did people give it?"""

import hashlib
import json
import sqlite3
from collections.abc import Sequence

from services.ingest.core.entities import Entity, Given
from services.ingest.database import Database

# Of the versions that are served; an entity of several documents is one, with the aliases of all.
_SERVED = (
    "FROM entities e JOIN documents d ON d.document_id = e.document_id AND d.live_version = e.version"
    " WHERE d.workspace = ? AND (? = '' OR d.document_id = ?)"
)


def given_to(connection: sqlite3.Connection, workspace: str) -> tuple[Given, ...]:
    """What people gave the workspace, by name."""
    rows = connection.execute(
        "SELECT name, kind, aliases FROM given_entities WHERE workspace = ? ORDER BY name", (workspace,)
    )
    return tuple(Given(row["name"], row["kind"], tuple(json.loads(row["aliases"]))) for row in rows)


def give(connection: sqlite3.Connection, workspace: str, entities: Sequence[Given]) -> None:
    """Replaces what people gave before; documents know of it once they are read again."""
    connection.execute("DELETE FROM given_entities WHERE workspace = ?", (workspace,))
    connection.executemany(
        "INSERT OR REPLACE INTO given_entities (workspace, name, kind, aliases) VALUES (?, ?, ?, ?)",
        [(workspace, e.name, e.kind, json.dumps(e.aliases)) for e in entities],
    )


def given_digest(connection: sqlite3.Connection, workspace: str) -> str:
    """Changes with what people gave; empty if they gave nothing."""
    given = [(e.name, e.kind, e.aliases) for e in given_to(connection, workspace)]
    return hashlib.sha256(json.dumps(given).encode()).hexdigest() if given else ""


class Entities:
    """Reads what parses found."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def listed(
        self, workspace: str, document: str, offset: int, limit: int
    ) -> tuple[list[tuple[Entity, int]], int]:
        """A page of the entities of one document, or of all for an empty id, each with the number of its
        documents; most mentions first, then by name. And how many there are."""
        where = (workspace, document, document)

        def work(connection: sqlite3.Connection) -> tuple[list[tuple[Entity, int]], int]:
            rows = connection.execute(
                "SELECT e.name, min(e.kind) AS kind, json_group_array(e.aliases) AS aliases,"
                f" sum(e.mentions) AS mentions, count(*) AS documents {_SERVED}"
                " GROUP BY e.name ORDER BY mentions DESC, e.name LIMIT ? OFFSET ?",
                (*where, limit, offset),
            ).fetchall()
            (total,) = connection.execute(f"SELECT count(DISTINCT e.name) {_SERVED}", where).fetchone()
            return [(_entity(row), row["documents"]) for row in rows], total

        return await self._database.read(work)


def _entity(row: sqlite3.Row) -> Entity:
    aliases = {alias for each in json.loads(row["aliases"]) for alias in json.loads(each)}
    return Entity(row["name"], row["kind"], tuple(sorted(aliases)), row["mentions"])
