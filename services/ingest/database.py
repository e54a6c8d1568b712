"""How is SQLite used without blocking the event loop? One writing thread, a few reading ones."""

import asyncio
import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from services.ingest.schema import MIGRATIONS
from shared.errors import Conflict

Result = TypeVar("Result")

READERS = 3
BUSY_TIMEOUT_MS = 10_000


class Database:
    """Transactions over one file. Writes are serialised by their thread, so they may also move files."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="ingest-write")
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="ingest-read")
        self._local = threading.local()
        self._connections: list[sqlite3.Connection] = []
        self._lock = threading.Lock()

    async def open(self) -> None:
        """Create or upgrade the file. Raises Conflict if a newer Sightline wrote it."""
        await asyncio.get_running_loop().run_in_executor(self._writer, self._migrate)

    async def write(self, work: Callable[[sqlite3.Connection], Result]) -> Result:
        """The result of `work` in one immediate transaction: durable when this returns, or undone."""
        return await asyncio.get_running_loop().run_in_executor(self._writer, self._run, work, "IMMEDIATE")

    async def read(self, work: Callable[[sqlite3.Connection], Result]) -> Result:
        """The result of `work` over one snapshot."""
        return await asyncio.get_running_loop().run_in_executor(self._readers, self._run, work, "DEFERRED")

    async def close(self) -> None:
        await asyncio.to_thread(self._close)

    def _close(self) -> None:
        self._writer.shutdown(wait=True)
        self._readers.shutdown(wait=True)
        for connection in self._connections:
            connection.close()
        self._connections.clear()

    def _run(self, work: Callable[[sqlite3.Connection], Result], mode: str) -> Result:
        connection = self._connection()
        connection.execute(f"BEGIN {mode}")
        try:
            result = work(connection)
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:  # a full disk has rolled back by itself
                connection.execute("ROLLBACK")
            raise
        return result

    def _connection(self) -> sqlite3.Connection:
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = sqlite3.connect(self._path, isolation_level=None, check_same_thread=False)
            connection.row_factory = sqlite3.Row
            connection.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")
            connection.execute("PRAGMA journal_mode = WAL")
            # FULL: an acknowledged upload outlives a power cut, at one fsync of the log a commit.
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA foreign_keys = ON")
            self._local.connection = connection
            with self._lock:
                self._connections.append(connection)
        return connection

    def _migrate(self) -> None:
        connection = self._connection()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version > len(MIGRATIONS):
            raise Conflict(
                f"{self._path} has schema {version}, this program knows {len(MIGRATIONS)}: start a newer one."
            )
        for number, script in enumerate(MIGRATIONS[version:], start=version + 1):
            connection.executescript(f"BEGIN IMMEDIATE; {script}; PRAGMA user_version = {number}; COMMIT;")
