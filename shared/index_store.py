"""What does an index serve, and how does a batch become a generation? Durable, atomic, never half seen."""

import logging
import sqlite3
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic

from shared.errors import Conflict, InvalidInput, Unavailable, UnknownGeneration
from shared.index_generations import (
    Change,
    Workspace,
    published,
    purged,
    rewrites,
    rewritten,
    rows_to_keep,
    undone,
)
from shared.index_segments import (
    ChunkRow,
    DocumentEntry,
    DocumentVersion,
    IndexedChunk,
    Payload,
    Rows,
    Segment,
    SegmentFormat,
    Snapshot,
    merged_segment,
    segment_of,
    snapshot_of,
)
from shared.index_staging import Batch, Staging
from shared.index_tables import IndexTables

log = logging.getLogger("sightline.index")

# An index that lost its data gets a whole workspace back as one batch. Measured in memory, a staged chunk of
# 448 tokens takes 2 kB as a vector and 6 kB as postings, and about as much again while it is published.
DEFAULT_MAX_STAGED_CHUNKS = 200_000


@dataclass(frozen=True, slots=True)
class Publication:
    """A Publish. `documents` counts those upserted and those deleted, `chunks` what is upserted."""

    workspace: str
    generation: int
    batch_id: str
    documents: int
    chunks: int
    replace_all: bool = False


@dataclass(frozen=True, slots=True)
class WorkspaceManifest:
    """A workspace's latest generation, those that are served, and the documents that the latest sees."""

    workspace: str
    generation: int
    served: tuple[int, ...]
    documents: tuple[DocumentVersion, ...]


class IndexStore(Generic[Payload]):
    """The segments of all workspaces in one file, and in memory as immutable snapshots.

    Reading (`snapshot`, `manifest`) takes no lock and never waits. Staging is brief. `publish` computes and
    writes, so it belongs in an executor; it builds the new state aside and swaps it in when it is on disk.
    """

    def __init__(
        self,
        path: Path,
        layout: SegmentFormat[Payload],
        *,
        max_staged_chunks: int = DEFAULT_MAX_STAGED_CHUNKS,
    ) -> None:
        self._layout = layout
        self._tables = IndexTables(path, layout)
        if self._tables.emptied:
            log.warning(
                "index emptied: the file was written with another format",
                extra={"fields": {"path": str(path)}},
            )
        self._states: dict[str, Workspace[Payload]] = self._tables.load()
        self._next_id = self._tables.next_id()
        self._served: dict[tuple[str, int], Snapshot[Payload]] = {}
        self._staging: Staging[Payload] = Staging(max_staged_chunks)
        self._staging_lock = threading.Lock()
        self._writer = threading.Lock()
        for state in self._states.values():
            self._serve(state)

    def close(self) -> None:
        """Closes the file after what is being published; a later call raises."""
        with self._writer:
            self._tables.close()

    def snapshot(self, workspace: str, generation: int) -> Snapshot[Payload]:
        """What the generation sees; it never changes. UnknownGeneration if it is not served."""
        snapshot = self._served.get((workspace, generation))
        if snapshot is not None:
            return snapshot
        if generation == 0 and workspace not in self._states:
            return Snapshot(workspace, 0, (), 0)
        latest = self._states.get(workspace, Workspace(workspace)).latest
        raise UnknownGeneration(
            f"Generation {generation} of workspace {workspace} is not served here (the latest is {latest}): "
            "read it anew."
        )

    def manifest(self, workspace: str = "") -> list[WorkspaceManifest]:
        """One workspace with its documents, or without a name every workspace without them."""
        states = self._states
        if workspace:
            state = states.get(workspace, Workspace(workspace))
            documents = tuple(e.document for e in state.documents())
            return [WorkspaceManifest(workspace, state.latest, state.served, documents)]
        return [WorkspaceManifest(name, s.latest, s.served, ()) for name, s in sorted(states.items())]

    def payloads(self) -> list[Payload]:
        """Of every segment that is held, of any workspace."""
        return [segment.payload for state in self._states.values() for segment in state.segments]

    def begin(self, workspace: str, batch_id: str) -> None:
        """Makes this the workspace's batch before its chunks are prepared."""
        with self._staging_lock:
            self._staging.begin(workspace, batch_id)

    def upsert(
        self,
        workspace: str,
        batch_id: str,
        document: DocumentVersion,
        chunks: Sequence[IndexedChunk],
        payload: Payload | None,
    ) -> int:
        """Stages chunks with their payload (row i is chunk i; None without chunks).

        Returns how many chunks of the document are staged so far.
        Conflict if another batch has begun meanwhile, TooLarge over the limit.
        """
        with self._staging_lock:
            return self._staging.upsert(workspace, batch_id, document, chunks, payload)

    def delete(self, workspace: str, batch_id: str, document_ids: Sequence[str]) -> None:
        """Stages removals; a document that is not there may be removed too."""
        with self._staging_lock:
            self._staging.begin(workspace, batch_id)
            self._staging.delete(workspace, batch_id, document_ids)

    def publish(self, wanted: Publication) -> None:
        """Makes the batch the latest generation, durably; the same call again changes nothing.

        If the generation is the latest already but of another batch, that one is undone in the same
        transaction. Conflict, and nothing changed, for an unknown batch, other counts, or a base
        generation that is not held.
        """
        if wanted.generation < 1 or not wanted.workspace or not wanted.batch_id:
            raise InvalidInput("Publish needs a workspace, a batch_id and a generation of at least 1.")
        with self._writer:
            state = self._states.get(wanted.workspace, Workspace(wanted.workspace))
            if (state.latest, state.batch_id) == (wanted.generation, wanted.batch_id):
                with self._staging_lock:
                    self._staging.forget(wanted.workspace, wanted.batch_id)
                return
            base = _base(state, wanted)
            counts = {"documents": wanted.documents, "chunks": wanted.chunks}
            with self._staging_lock:
                batch = self._staging.take(
                    wanted.workspace, wanted.batch_id, counts, may_be_empty=wanted.replace_all
                )
            try:
                after = published(base, wanted.generation, self._change(wanted, batch))
                self._commit(state, after)
            except BaseException as error:
                with self._staging_lock:
                    self._staging.put_back(wanted.workspace, batch)
                if isinstance(error, sqlite3.Error):
                    raise Unavailable(
                        f"The index file cannot be written ({error}): nothing was changed."
                    ) from error
                raise
            self._tidy(after)

    def _change(self, wanted: Publication, batch: Batch[Payload]) -> Change[Payload]:
        added: list[DocumentEntry] = []
        rows: list[ChunkRow] = []
        parts: list[tuple[Payload, Rows]] = []
        for staged in batch.documents.values():
            entry = DocumentEntry(self._new_id(), staged.document, wanted.generation)
            added.append(entry)
            for piece, kept in staged.kept():
                parts.append((piece.payload, kept))
                for row in kept.tolist():
                    chunk_id, span = piece.chunks[row]
                    rows.append(ChunkRow(chunk_id, entry.entry_id, span.start, span.end))
        segment = segment_of(self._new_id(), self._layout.merged(parts), rows) if rows else None
        removed = batch.documents.keys() | batch.deleted
        return Change(batch.batch_id, removed, wanted.replace_all, added, segment)

    def _tidy(self, state: Workspace[Payload]) -> None:
        """Purges and merges in a transaction of its own; results stay the same, so a failure may wait."""
        before, state = state, purged(state)
        for group in rewrites(state):
            parts = [(segment, rows_to_keep(state, segment)) for segment in group]
            state = rewritten(state, group, self._merge(parts))
        if state is before:
            return
        try:
            self._commit(before, state)
            self._tables.checkpoint()
        except sqlite3.Error:
            log.exception("index not tidied", extra={"fields": {"workspace": state.name}})

    def _merge(self, parts: Sequence[tuple[Segment[Payload], Rows]]) -> Segment[Payload]:
        return merged_segment(self._new_id(), parts, self._layout)

    def _commit(self, before: Workspace[Payload], after: Workspace[Payload]) -> None:
        self._tables.write(before, after)
        self._serve(after)

    def _serve(self, state: Workspace[Payload]) -> None:
        fresh = {
            (state.name, g): snapshot_of(state.name, g, state.segments, state.entries) for g in state.served
        }
        others = {key: s for key, s in self._served.items() if key[0] != state.name}
        self._served = {**others, **fresh}
        self._states = {**self._states, state.name: state}

    def _new_id(self) -> int:
        self._next_id += 1
        return self._next_id


def _base(state: Workspace[Payload], wanted: Publication) -> Workspace[Payload]:
    """The state that the batch builds on: the latest, or the one before if the latest is to be undone."""
    if state.latest == wanted.generation and state.oldest < state.latest:
        return undone(state)
    if state.latest + 1 == wanted.generation or wanted.replace_all:
        return state
    raise Conflict(
        f"Generation {wanted.generation - 1} of workspace {wanted.workspace} is not the latest here "
        f"({state.latest} is): publish the whole workspace with replace_all."
    )
