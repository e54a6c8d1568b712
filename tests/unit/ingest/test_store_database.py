"""Does a transaction that fails leave nothing, say why, and leave the next one its way?"""

import sqlite3
from typing import Any

import pytest


async def count_of_workspaces(database: Any) -> int:
    def work(connection: sqlite3.Connection) -> int:
        return int(connection.execute("SELECT count(*) FROM workspaces").fetchone()[0])

    return int(await database.write(work))


async def test_full_disk_is_named_and_undoes_the_transaction(shelf: Any) -> None:
    def fill(connection: sqlite3.Connection) -> None:
        connection.execute("PRAGMA max_page_count = 1")  # SQLite raises it to the pages that there are
        for number in range(1000):
            connection.execute(
                "INSERT INTO workspaces (workspace, generation) VALUES (?, 1)", (f"{number}{'x' * 1000}",)
            )

    with pytest.raises(sqlite3.OperationalError, match="full"):
        await shelf.database.write(fill)
    assert await count_of_workspaces(shelf.database) == 0


async def test_commit_that_fails_leaves_the_next_transaction_its_way(shelf: Any) -> None:
    def orphan(connection: sqlite3.Connection) -> None:
        connection.execute("PRAGMA defer_foreign_keys = ON")  # so that it is the commit that finds out
        connection.execute("INSERT INTO layouts VALUES ('doc_nobody', 1, x'', x'')")

    with pytest.raises(sqlite3.IntegrityError):
        await shelf.database.write(orphan)
    assert await count_of_workspaces(shelf.database) == 0
