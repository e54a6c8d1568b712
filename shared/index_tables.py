"""How are an index's states kept in one SQLite file? Each transition is one transaction."""

import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Generic

import numpy as np

from shared.errors import Unavailable
from shared.index_generations import Workspace
from shared.index_segments import (
    Arrays,
    ChunkRow,
    DocumentEntry,
    DocumentVersion,
    Payload,
    Segment,
    SegmentFormat,
    segment_of,
)

SCHEMA_VERSION = 1
SCHEMA = """
CREATE TABLE format (name TEXT NOT NULL);
CREATE TABLE workspaces (
  name TEXT PRIMARY KEY, latest INTEGER NOT NULL, oldest INTEGER NOT NULL, batch_id TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE documents (
  entry_id INTEGER PRIMARY KEY, workspace TEXT NOT NULL, document_id TEXT NOT NULL, version INTEGER NOT NULL,
  digest TEXT NOT NULL, chunk_count INTEGER NOT NULL, since INTEGER NOT NULL, until INTEGER
);
CREATE TABLE segments (segment_id INTEGER PRIMARY KEY, workspace TEXT NOT NULL);
CREATE TABLE chunks (
  segment_id INTEGER NOT NULL, row INTEGER NOT NULL, chunk_id TEXT NOT NULL, entry_id INTEGER NOT NULL,
  start INTEGER NOT NULL, "end" INTEGER NOT NULL, PRIMARY KEY (segment_id, row)
) WITHOUT ROWID;
CREATE TABLE arrays (
  segment_id INTEGER NOT NULL, name TEXT NOT NULL, dtype TEXT NOT NULL, shape TEXT NOT NULL,
  data BLOB NOT NULL, PRIMARY KEY (segment_id, name)
);
"""
TABLES = ("format", "workspaces", "documents", "segments", "chunks", "arrays")


class IndexTables(Generic[Payload]):
    """The file of one index, held alone by this process. One thread at a time.

    Opening it raises Unavailable when another process holds it or it is damaged. What a file of another
    format holds is dropped (`emptied`): it is derived, and ingest sends it again.
    """

    def __init__(self, path: Path, layout: SegmentFormat[Payload], *, lock_wait_s: float = 5.0) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path = path
        self._layout = layout
        self.emptied = False
        self._db = sqlite3.connect(path, timeout=lock_wait_s, isolation_level=None, check_same_thread=False)
        try:
            self._db.execute("PRAGMA locking_mode = EXCLUSIVE")
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = FULL")
            self._db.execute("PRAGMA secure_delete = ON")  # a deleted document leaves no words in free pages
            self._db.execute("BEGIN IMMEDIATE")
            self._create()
            self._db.execute("COMMIT")
        except sqlite3.OperationalError as error:
            self._db.close()
            raise Unavailable(
                f"The index file {path} cannot be opened ({error}): is it used already?"
            ) from error
        except sqlite3.DatabaseError as error:
            raise self._damaged(error) from error

    def close(self) -> None:
        self._db.close()

    def load(self) -> dict[str, Workspace[Payload]]:
        """Every workspace as it was last written, by name. Unavailable if the file is damaged."""
        try:
            return self._load()
        except (sqlite3.DatabaseError, LookupError, ValueError) as error:
            raise self._damaged(error) from error

    def _load(self) -> dict[str, Workspace[Payload]]:
        entries: dict[str, dict[int, DocumentEntry]] = {}
        for row in self._db.execute(
            "SELECT workspace, entry_id, document_id, version, digest, chunk_count, since, until"
            " FROM documents"
        ):
            document = DocumentVersion(*row[2:6])
            entries.setdefault(row[0], {})[row[1]] = DocumentEntry(row[1], document, row[6], row[7])
        segments: dict[str, list[Segment[Payload]]] = {}
        for segment_id, workspace in self._db.execute(
            "SELECT segment_id, workspace FROM segments ORDER BY segment_id"
        ).fetchall():
            segments.setdefault(workspace, []).append(self._segment(segment_id))
        return {
            name: Workspace(
                name, latest, oldest, batch_id, entries.get(name, {}), tuple(segments.get(name, ()))
            )
            for name, latest, oldest, batch_id in self._db.execute(
                "SELECT name, latest, oldest, batch_id FROM workspaces"
            )
        }

    def next_id(self) -> int:
        """An id above every entry and segment in the file."""
        row = self._db.execute(
            "SELECT max((SELECT coalesce(max(entry_id), 0) FROM documents),"
            " (SELECT coalesce(max(segment_id), 0) FROM segments),"
            " (SELECT coalesce(max(entry_id), 0) FROM chunks))"
        ).fetchone()
        return int(row[0]) + 1

    def write(self, before: Workspace[Payload], after: Workspace[Payload]) -> None:
        """Puts `after` in the place of `before`, in one transaction. sqlite3.Error leaves `before`."""
        old, new = ({s.segment_id: s for s in state.segments} for state in (before, after))
        changed = [e for i, e in after.entries.items() if before.entries.get(i) is not e]
        self._db.execute("BEGIN IMMEDIATE")
        try:
            self._forget_segments(old.keys() - new.keys())
            for segment_id in sorted(new.keys() - old.keys()):
                self._insert_segment(after.name, new[segment_id])
            self._db.executemany(
                "DELETE FROM documents WHERE entry_id = ?",
                [(i,) for i in before.entries.keys() - after.entries.keys()],
            )
            self._db.executemany(
                "INSERT OR REPLACE INTO documents VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                [_document_row(after.name, e) for e in changed],
            )
            self._db.execute(
                "INSERT OR REPLACE INTO workspaces VALUES (?, ?, ?, ?)",
                (after.name, after.latest, after.oldest, after.batch_id),
            )
            self._db.execute("COMMIT")
        except BaseException:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise

    def checkpoint(self) -> None:
        """Moves the log into the file and empties it, so that what was deleted is in neither."""
        self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def _damaged(self, error: Exception) -> Unavailable:
        self._db.close()
        return Unavailable(
            f"The index file {self._path} is damaged ({error}): remove it and start again, ingest fills it."
        )

    def _create(self) -> None:
        version = int(self._db.execute("PRAGMA user_version").fetchone()[0])
        if version:
            named = self._db.execute("SELECT name FROM format").fetchone()
            if version == SCHEMA_VERSION and named == (self._layout.name,):
                return
            self.emptied = True
        for table in TABLES:
            self._db.execute(f"DROP TABLE IF EXISTS {table}")
        for statement in SCHEMA.split(";"):
            self._db.execute(statement)
        self._db.execute("INSERT INTO format VALUES (?)", (self._layout.name,))
        self._db.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")

    def _segment(self, segment_id: int) -> Segment[Payload]:
        rows = self._db.execute(
            'SELECT chunk_id, entry_id, start, "end" FROM chunks WHERE segment_id = ? ORDER BY row',
            (segment_id,),
        )
        arrays: Arrays = {
            name: np.frombuffer(data, dtype=np.dtype(dtype)).reshape(_shape(shape))
            for name, dtype, shape, data in self._db.execute(
                "SELECT name, dtype, shape, data FROM arrays WHERE segment_id = ?", (segment_id,)
            )
        }
        return segment_of(segment_id, self._layout.from_arrays(arrays), (ChunkRow(*row) for row in rows))

    def _insert_segment(self, workspace: str, segment: Segment[Payload]) -> None:
        segment_id = segment.segment_id
        self._db.execute("INSERT INTO segments VALUES (?, ?)", (segment_id, workspace))
        self._db.executemany(
            "INSERT INTO chunks VALUES (?, ?, ?, ?, ?, ?)",
            ((segment_id, row, c.chunk_id, c.entry_id, c.start, c.end) for row, c in enumerate(segment.rows)),
        )
        self._db.executemany(
            "INSERT INTO arrays VALUES (?, ?, ?, ?, ?)",
            (
                (segment_id, name, array.dtype.str, " ".join(map(str, array.shape)), array.tobytes())
                for name, array in self._layout.to_arrays(segment.payload).items()
            ),
        )

    def _forget_segments(self, segment_ids: Iterable[int]) -> None:
        for segment_id in segment_ids:
            for table in ("chunks", "arrays", "segments"):
                self._db.execute(f"DELETE FROM {table} WHERE segment_id = ?", (segment_id,))


def _document_row(workspace: str, entry: DocumentEntry) -> tuple[int | str | None, ...]:
    d = entry.document
    return (
        entry.entry_id,
        workspace,
        d.document_id,
        d.version,
        d.digest,
        d.chunk_count,
        entry.since,
        entry.until,
    )


def _shape(text: str) -> tuple[int, ...]:
    return tuple(int(size) for size in text.split())
