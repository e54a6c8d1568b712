"""Which words does a workspace know? Frozen under a number that only reindexing raises."""

import hashlib
import sqlite3
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class InForce:
    """A workspace's vocabulary: its number, 0 for the empty one, and the digest of its words."""

    version: int
    digest: str


NONE = InForce(0, "")


def in_force(connection: sqlite3.Connection, workspace: str) -> InForce:
    row = connection.execute(
        "SELECT v.version, v.digest FROM workspaces w JOIN vocabularies v"
        " ON v.workspace = w.workspace AND v.version = w.vocabulary WHERE w.workspace = ?",
        (workspace,),
    ).fetchone()
    return InForce(row["version"], row["digest"]) if row else NONE


def words_in_force(connection: sqlite3.Connection, workspace: str) -> bytes:
    """The words as `welds_vocabulary.to_bytes` gave them; empty under number 0."""
    row = connection.execute(
        "SELECT v.words FROM workspaces w JOIN vocabularies v"
        " ON v.workspace = w.workspace AND v.version = w.vocabulary WHERE w.workspace = ?",
        (workspace,),
    ).fetchone()
    return row["words"] if row else b""


def put_in_force(connection: sqlite3.Connection, workspace: str, words: bytes) -> InForce:
    """Makes these the workspace's words; the same ones keep their number. Older ones are forgotten."""
    before = in_force(connection, workspace)
    digest = hashlib.sha256(words).hexdigest() if words else ""
    if digest == before.digest:
        return before
    after = InForce(before.version + 1, digest)
    connection.execute("DELETE FROM vocabularies WHERE workspace = ?", (workspace,))
    connection.execute(
        "INSERT INTO vocabularies (workspace, version, digest, words) VALUES (?, ?, ?, ?)",
        (workspace, after.version, digest, words),
    )
    connection.execute(
        "INSERT INTO workspaces (workspace, generation, vocabulary) VALUES (?, 0, ?)"
        " ON CONFLICT (workspace) DO UPDATE SET vocabulary = excluded.vocabulary",
        (workspace, after.version),
    )
    return after
