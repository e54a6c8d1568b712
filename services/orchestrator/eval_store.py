"""Where are runs of the evaluation kept, with what they measured?"""

import json
import sqlite3
import zlib
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from services.orchestrator.core.eval_runs import EvalRun
from services.orchestrator.core.records import Listed, Reason
from services.orchestrator.database import Database, transaction
from shared.errors import NotFound

SCHEMA = """
CREATE TABLE IF NOT EXISTS runs (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    run_id TEXT NOT NULL UNIQUE,
    finished INTEGER NOT NULL,
    body TEXT NOT NULL,
    result BLOB
);
CREATE TABLE IF NOT EXISTS comparisons (
    run_id TEXT NOT NULL REFERENCES runs (run_id) ON DELETE CASCADE,
    against_id TEXT NOT NULL REFERENCES runs (run_id) ON DELETE CASCADE,
    body BLOB NOT NULL,
    PRIMARY KEY (run_id, against_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS comparisons_against ON comparisons (against_id);
"""


class EvalStore:
    """SQLite in one file; of the runs that are over, the newest `keep` stay."""

    def __init__(self, path: Path, *, keep: int = 200) -> None:
        self._database = Database(path, SCHEMA)
        self._keep = keep

    async def open(self) -> None:
        """Makes the file if there is none. OSError or sqlite3.Error if that cannot be."""
        await self._database.open()

    async def close(self) -> None:
        """Nothing can be read afterwards."""
        await self._database.close()

    async def save(self, run: EvalRun, result: Mapping[str, Any] | None = None) -> None:
        """Keeps a new run, or an old one as it is now; a result that is not given stays as it was."""
        await self._database.do(lambda: self._save(run, result))

    async def get(self, run_id: str) -> EvalRun:
        """Raises NotFound."""
        return await self._database.do(lambda: _run_of(self._row(run_id)[0]))

    async def result(self, run_id: str) -> dict[str, Any] | None:
        """What the run measured; None before it is done. Raises NotFound."""
        return await self._database.do(lambda: _unpacked(self._row(run_id)[1]))

    async def has_suite(self, suite: str) -> bool:
        """Whether there is any run of it."""
        return await self._database.do(lambda: self._has_suite(suite))

    async def list(self, *, offset: int, limit: int) -> Listed[EvalRun]:
        """The newest first."""
        return await self._database.do(lambda: self._list(offset, limit))

    async def delete(self, run_id: str) -> None:
        """With its comparisons. Raises NotFound."""
        await self._database.do(lambda: self._delete(run_id))

    async def end_unfinished(self, reason: Reason, now_ms: int) -> None:
        """Marks as failed what was queued or running."""
        await self._database.do(lambda: self._end_unfinished(reason, now_ms))

    async def comparison(self, run_id: str, against_id: str) -> dict[str, Any] | None:
        """The comparison that was kept, if there is one."""
        return await self._database.do(lambda: self._comparison(run_id, against_id))

    async def keep_comparison(self, run_id: str, against_id: str, body: Mapping[str, Any]) -> None:
        """Keeps it as long as both runs; NotFound if one of them is gone."""
        await self._database.do(lambda: self._keep_comparison(run_id, against_id, body))

    @property
    def _db(self) -> sqlite3.Connection:
        return self._database.connection

    def _save(self, run: EvalRun, result: Mapping[str, Any] | None) -> None:
        with transaction(self._db):
            self._db.execute(
                "INSERT INTO runs (run_id, finished, body, result) VALUES (?, ?, ?, ?) ON CONFLICT (run_id) "
                "DO UPDATE SET finished = excluded.finished, body = excluded.body, "
                "result = coalesce(excluded.result, result)",
                (run.id, run.finished, json.dumps(asdict(run)), _packed(result)),
            )
            self._forget_oldest()

    def _forget_oldest(self) -> None:
        self._db.execute(
            "DELETE FROM runs WHERE finished AND number <= "
            "(SELECT number FROM runs WHERE finished ORDER BY number DESC LIMIT 1 OFFSET ?)",
            (self._keep,),
        )

    def _row(self, run_id: str) -> tuple[str, bytes | None]:
        row: tuple[str, bytes | None] | None = self._db.execute(
            "SELECT body, result FROM runs WHERE run_id = ?", (run_id,)
        ).fetchone()
        if row is None:
            raise NotFound(f"there is no evaluation run {run_id!r}; GET /v1/eval/runs lists them")
        return row

    def _has_suite(self, suite: str) -> bool:
        found = self._db.execute(
            "SELECT 1 FROM runs WHERE json_extract(body, '$.suite') = ? LIMIT 1", (suite,)
        ).fetchone()
        return found is not None

    def _list(self, offset: int, limit: int) -> Listed[EvalRun]:
        (total,) = self._db.execute("SELECT count(*) FROM runs").fetchone()
        rows = self._db.execute(
            "SELECT body FROM runs ORDER BY number DESC LIMIT ? OFFSET ?", (limit, offset)
        )
        return Listed(tuple(_run_of(body) for (body,) in rows), total)

    def _delete(self, run_id: str) -> None:
        self._row(run_id)
        self._db.execute("DELETE FROM runs WHERE run_id = ?", (run_id,))

    def _end_unfinished(self, reason: Reason, now_ms: int) -> None:
        rows = self._db.execute("SELECT body FROM runs WHERE NOT finished").fetchall()
        for run in [_run_of(body) for (body,) in rows]:
            self._save(replace(run, state="failed", reason=reason, finished_ms=now_ms), None)

    def _comparison(self, run_id: str, against_id: str) -> dict[str, Any] | None:
        row = self._db.execute(
            "SELECT body FROM comparisons WHERE run_id = ? AND against_id = ?", (run_id, against_id)
        ).fetchone()
        return _unpacked(row[0] if row is not None else None)

    def _keep_comparison(self, run_id: str, against_id: str, body: Mapping[str, Any]) -> None:
        self._row(run_id)
        self._row(against_id)
        self._db.execute(
            "INSERT OR REPLACE INTO comparisons (run_id, against_id, body) VALUES (?, ?, ?)",
            (run_id, against_id, _packed(body)),
        )


def _run_of(body: str) -> EvalRun:
    values = json.loads(body)
    reason = values.pop("reason")
    return EvalRun(**values, reason=None if reason is None else Reason(**reason))


def _packed(value: Mapping[str, Any] | None) -> bytes | None:
    return None if value is None else zlib.compress(json.dumps(value, allow_nan=False).encode("ascii"), 1)


def _unpacked(data: bytes | None) -> dict[str, Any] | None:
    if data is None:
        return None
    value: dict[str, Any] = json.loads(zlib.decompress(data))
    return value
