"""How is one SQLite file worked on beside the event loop? By one thread, one piece of work after another."""

import asyncio
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

Result = TypeVar("Result")

PRAGMAS = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = NORMAL",
    "PRAGMA foreign_keys = ON",
    "PRAGMA busy_timeout = 5000",
    # What is deleted is overwritten, not merely unlinked.
    "PRAGMA secure_delete = ON",
)


class Database:
    """A file with a schema, made when it is opened."""

    def __init__(self, path: Path, schema: str) -> None:
        self._path = path
        self._schema = schema
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=path.stem)
        self._connection: sqlite3.Connection | None = None

    async def open(self) -> None:
        """Makes the file if there is none. OSError or sqlite3.Error if that cannot be."""
        await self.do(self._open)

    async def close(self) -> None:
        """Ends the thread; nothing can be read afterwards."""
        await self.do(self._close)
        self._thread.shutdown()

    async def do(self, work: Callable[[], Result]) -> Result:
        """What the work returns or raises, once everything before it is done."""
        # Shielded, as a thread cannot be cancelled: whoever comes next would meet it half-way.
        return await asyncio.shield(asyncio.get_running_loop().run_in_executor(self._thread, work))

    @property
    def connection(self) -> sqlite3.Connection:
        """For work of this file's thread."""
        if self._connection is None:
            raise RuntimeError(f"{self._path.name} is not open")
        return self._connection

    def _open(self) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._connection = sqlite3.connect(self._path, isolation_level=None, check_same_thread=False)
        for pragma in PRAGMAS:
            self._connection.execute(pragma)
        self._connection.executescript(self._schema)

    def _close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


class transaction:
    """BEGIN IMMEDIATE, then COMMIT, or ROLLBACK if the block raises."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def __enter__(self) -> None:
        self._connection.execute("BEGIN IMMEDIATE")

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._connection.execute("COMMIT" if kind is None else "ROLLBACK")
