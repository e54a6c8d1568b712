"""Where are traces and conversations kept, and what is left of them when a document is deleted?"""

import json
import sqlite3
import zlib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from services.orchestrator.core.records import Listed
from services.orchestrator.core.redaction import Passages, joined, parted, without_document
from services.orchestrator.core.trace import Trace, trace_to_json
from services.orchestrator.core.trace_reading import trace_from_json
from services.orchestrator.database import Database, transaction
from shared.errors import NotFound

SCHEMA = """
CREATE TABLE IF NOT EXISTS traces (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    trace_id TEXT NOT NULL UNIQUE,
    workspace TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    summary TEXT NOT NULL,
    body BLOB NOT NULL
);
CREATE INDEX IF NOT EXISTS traces_of_workspace ON traces (workspace, number);
CREATE TABLE IF NOT EXISTS passages (
    trace_id TEXT NOT NULL REFERENCES traces (trace_id) ON DELETE CASCADE,
    document_id TEXT NOT NULL,
    body BLOB NOT NULL,
    PRIMARY KEY (trace_id, document_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS passages_of_document ON passages (document_id);
CREATE TABLE IF NOT EXISTS turns (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    conversation_id TEXT NOT NULL,
    workspace TEXT NOT NULL,
    trace_id TEXT NOT NULL,
    question TEXT NOT NULL,
    answer TEXT NOT NULL,
    created_ms INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS turns_of_conversation ON turns (workspace, conversation_id, number);
CREATE INDEX IF NOT EXISTS turns_of_trace ON turns (trace_id);
CREATE TABLE IF NOT EXISTS erased (
    workspace TEXT NOT NULL,
    document_id TEXT NOT NULL,
    erased_ms INTEGER NOT NULL,
    PRIMARY KEY (workspace, document_id)
) WITHOUT ROWID;
"""


class TraceStore:
    """SQLite in one file, worked on by one thread; the newest `keep` traces of each workspace stay."""

    def __init__(self, path: Path, clock: Callable[[], float], *, keep: int = 2000) -> None:
        self._database = Database(path, SCHEMA)
        self._clock = clock
        self._keep = keep

    async def open(self) -> None:
        """Makes the file if there is none. OSError or sqlite3.Error if that cannot be."""
        await self._database.open()

    async def close(self) -> None:
        """Ends the thread; nothing can be read afterwards."""
        await self._database.close()

    async def save(self, trace: Trace) -> None:
        """Keeps a trace, and its turn if it belongs to a conversation and has an answer.

        A trace whose id is there already is left as it is.
        """
        await self._database.do(lambda: self._save(trace))

    async def get(self, workspace: str, trace_id: str) -> Trace:
        """Raises NotFound for an id that the workspace does not have."""
        return await self._database.do(lambda: self._get(workspace, trace_id))

    async def list(self, workspace: str, *, offset: int, limit: int) -> Listed[dict[str, Any]]:
        """Summaries, the newest first."""
        return await self._database.do(lambda: self._list(workspace, offset, limit))

    async def turns(self, workspace: str, conversation_id: str) -> Sequence[dict[str, Any]]:
        """Questions and answers of a conversation, the oldest first."""
        return await self._database.do(lambda: self._turns(workspace, conversation_id))

    async def erase_document(self, workspace: str, document_id: str) -> None:
        """Removes every word of the document, and answers that may have been drawn from it.

        Also from traces of questions that began before and are saved after.
        """
        await self._database.do(lambda: self._erase(workspace, document_id))

    @property
    def _db(self) -> sqlite3.Connection:
        return self._database.connection

    def _save(self, trace: Trace) -> None:
        body, passages = parted(trace_to_json(trace))
        for document_id in self._erased_since(trace, tuple(passages)):
            del passages[document_id]
            body = without_document(body, document_id)
        row = (trace.trace_id, trace.workspace, trace.created_ms, _dumped(_summary(body)), _packed(body))
        rows = [(trace.trace_id, document_id, _packed(kept)) for document_id, kept in passages.items()]
        with transaction(self._db):
            added = self._db.execute(
                "INSERT INTO traces (trace_id, workspace, created_ms, summary, body) VALUES (?, ?, ?, ?, ?) "
                "ON CONFLICT (trace_id) DO NOTHING",
                row,
            )
            if not added.rowcount:
                return
            self._db.executemany("INSERT INTO passages (trace_id, document_id, body) VALUES (?, ?, ?)", rows)
            if trace.conversation_id is not None and body["answer"] is not None:
                self._db.execute(
                    "INSERT INTO turns (conversation_id, workspace, trace_id, question, answer, created_ms) "
                    "VALUES (?, ?, ?, ?, ?, ?)",
                    (
                        trace.conversation_id,
                        trace.workspace,
                        trace.trace_id,
                        trace.question,
                        body["answer"]["answer"],
                        trace.created_ms,
                    ),
                )
            self._forget_oldest(trace.workspace)

    def _erased_since(self, trace: Trace, document_ids: Iterable[str]) -> Sequence[str]:
        rows = self._db.execute(
            "SELECT document_id FROM erased WHERE workspace = ? AND erased_ms >= ?",
            (trace.workspace, trace.created_ms),
        )
        gone = {document_id for (document_id,) in rows}
        return [document_id for document_id in document_ids if document_id in gone]

    def _forget_oldest(self, workspace: str) -> None:
        self._db.execute(
            "DELETE FROM traces WHERE workspace = ? AND number <= "
            "(SELECT number FROM traces WHERE workspace = ? ORDER BY number DESC LIMIT 1 OFFSET ?)",
            (workspace, workspace, self._keep),
        )

    def _get(self, workspace: str, trace_id: str) -> Trace:
        row = self._db.execute(
            "SELECT body FROM traces WHERE workspace = ? AND trace_id = ?", (workspace, trace_id)
        ).fetchone()
        if row is None:
            raise NotFound(f"there is no trace {trace_id!r} in this workspace")
        passages: dict[str, Passages] = {
            document_id: _unpacked(kept)
            for document_id, kept in self._db.execute(
                "SELECT document_id, body FROM passages WHERE trace_id = ?", (trace_id,)
            )
        }
        return trace_from_json(joined(_unpacked(row[0]), passages))

    def _list(self, workspace: str, offset: int, limit: int) -> Listed[dict[str, Any]]:
        (total,) = self._db.execute(
            "SELECT count(*) FROM traces WHERE workspace = ?", (workspace,)
        ).fetchone()
        rows = self._db.execute(
            "SELECT summary FROM traces WHERE workspace = ? ORDER BY number DESC LIMIT ? OFFSET ?",
            (workspace, limit, offset),
        )
        return Listed(tuple(json.loads(summary) for (summary,) in rows), total)

    def _turns(self, workspace: str, conversation_id: str) -> Sequence[dict[str, Any]]:
        rows = self._db.execute(
            "SELECT trace_id, question, answer, created_ms FROM turns "
            "WHERE workspace = ? AND conversation_id = ? ORDER BY number",
            (workspace, conversation_id),
        )
        names = ("trace_id", "question", "answer", "created_ms")
        return [dict(zip(names, row, strict=True)) for row in rows]

    def _erase(self, workspace: str, document_id: str) -> None:
        erased_ms = int(self._clock() * 1000)
        with transaction(self._db):
            self._db.execute(
                "INSERT OR REPLACE INTO erased (workspace, document_id, erased_ms) VALUES (?, ?, ?)",
                (workspace, document_id, erased_ms),
            )
            touched = self._db.execute(
                "SELECT t.trace_id, t.body FROM traces t JOIN passages p ON p.trace_id = t.trace_id "
                "WHERE t.workspace = ? AND p.document_id = ?",
                (workspace, document_id),
            ).fetchall()
            for trace_id, packed in touched:
                body = without_document(_unpacked(packed), document_id)
                self._db.execute(
                    "UPDATE traces SET body = ?, summary = ? WHERE trace_id = ?",
                    (_packed(body), _dumped(_summary(body)), trace_id),
                )
                if body["answer"] is not None:
                    self._db.execute(
                        "UPDATE turns SET answer = ? WHERE trace_id = ?", (body["answer"]["answer"], trace_id)
                    )
                self._db.execute(
                    "DELETE FROM passages WHERE trace_id = ? AND document_id = ?", (trace_id, document_id)
                )
        # The log still holds the pages as they were.
        self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def _summary(body: dict[str, Any]) -> dict[str, Any]:
    answer = body["answer"] or {}
    kind = "replay" if body["replay_of"] else "query" if body["answer"] is not None else "search"
    return {
        "trace_id": body["trace_id"],
        "kind": kind,
        "question": body["question"],
        "created_ms": body["created_ms"],
        "conversation_id": body["conversation_id"],
        "stages": [s["id"] for s in body["stages"]],
        "total_ms": body["timings_ms"].get("total"),
        "refused": answer.get("refused"),
        "provider": answer.get("provider"),
        "degraded": any(s["error"] is not None for s in body["stages"]),
        "redacted": body["redacted"],
    }


def _dumped(value: Any) -> str:
    return json.dumps(value, ensure_ascii=True, separators=(",", ":"))


def _packed(value: Any) -> bytes:
    return zlib.compress(_dumped(value).encode("ascii"), 1)


def _unpacked(data: bytes) -> Any:
    return json.loads(zlib.decompress(data))
