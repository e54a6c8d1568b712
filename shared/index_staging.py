"""What has ingest sent that is not published yet? One batch a workspace, in memory, bounded."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic

import numpy as np

from shared.candidate import TextSpan
from shared.errors import Conflict, InvalidInput, TooLarge
from shared.index_segments import DocumentVersion, IndexedChunk, Payload, Rows


@dataclass(frozen=True, slots=True)
class Slice(Generic[Payload]):
    """The chunks of one Upsert, prepared: row i of the payload is chunk i."""

    chunks: tuple[tuple[str, TextSpan], ...]
    payload: Payload


@dataclass(slots=True)
class StagedDocument(Generic[Payload]):
    """A document in a batch; of a chunk that was sent twice the later one counts."""

    document: DocumentVersion
    slices: list[Slice[Payload]] = field(default_factory=list)
    where: dict[str, tuple[int, int]] = field(default_factory=dict)  # chunk id -> slice, row

    def add(self, added: Slice[Payload]) -> None:
        for row, (chunk_id, _) in enumerate(added.chunks):
            self.where[chunk_id] = (len(self.slices), row)
        self.slices.append(added)

    def kept(self) -> list[tuple[Slice[Payload], Rows]]:
        """Each slice with the rows of it that count, in the order in which they were sent."""
        rows: list[list[int]] = [[] for _ in self.slices]
        for position, row in self.where.values():
            rows[position].append(row)
        return [(s, np.array(sorted(r), dtype=np.int64)) for s, r in zip(self.slices, rows, strict=True) if r]


@dataclass(slots=True)
class Batch(Generic[Payload]):
    """What is staged under one id: documents to replace and documents to remove."""

    batch_id: str
    documents: dict[str, StagedDocument[Payload]] = field(default_factory=dict)
    deleted: set[str] = field(default_factory=set)
    held_rows: int = 0  # in memory, rows that were sent again included

    def drop(self, document_id: str) -> None:
        dropped = self.documents.pop(document_id, None)
        if dropped is not None:
            self.held_rows -= sum(len(s.chunks) for s in dropped.slices)

    @property
    def document_count(self) -> int:
        """Documents that the batch touches, deletes included: what Publish compares `documents` with."""
        return len(self.documents) + len(self.deleted)

    @property
    def chunk_count(self) -> int:
        return sum(len(d.where) for d in self.documents.values())


class Staging(Generic[Payload]):
    """The batches of all workspaces. Not durable, not thread-safe: one lock around it, or one thread.

    Over `max_chunks` in all, the batch that was touched longest ago goes (its Publish is then a Conflict
    and ingest sends it again); a batch that is too large by itself is TooLarge.
    """

    def __init__(self, max_chunks: int) -> None:
        self._max_chunks = max_chunks
        self._batches: dict[str, Batch[Payload]] = {}  # by workspace, least recently touched first

    def begin(self, workspace: str, batch_id: str) -> None:
        """Makes this the workspace's batch; what another batch staged there is forgotten."""
        if not workspace or not batch_id:
            raise InvalidInput("workspace and batch_id must not be empty.")
        batch = self._batches.pop(workspace, None)
        if batch is None or batch.batch_id != batch_id:
            batch = Batch(batch_id)
        self._batches[workspace] = batch

    def upsert(
        self,
        workspace: str,
        batch_id: str,
        document: DocumentVersion,
        chunks: Sequence[IndexedChunk],
        payload: Payload | None,
    ) -> int:
        """Stages a slice of a document after `begin`; returns how many of its chunks are staged so far."""
        batch = self._current(workspace, batch_id)
        staged = batch.documents.get(document.document_id)
        if staged is None or staged.document != document:
            batch.drop(document.document_id)
            staged = batch.documents[document.document_id] = StagedDocument(document)
        batch.deleted.discard(document.document_id)
        if payload is not None:
            staged.add(Slice(tuple((c.chunk_id, c.span) for c in chunks), payload))
            batch.held_rows += len(chunks)
        self._bound(workspace, batch)
        return len(staged.where)

    def delete(self, workspace: str, batch_id: str, document_ids: Sequence[str]) -> None:
        """Stages removals after `begin`; no removals at all is a batch too."""
        batch = self._current(workspace, batch_id)
        for document_id in document_ids:
            batch.drop(document_id)
            batch.deleted.add(document_id)

    def take(
        self, workspace: str, batch_id: str, counts: Mapping[str, int], *, may_be_empty: bool
    ) -> Batch[Payload]:
        """Takes the batch out, if its `documents` and `chunks` are as told and every document is whole.

        Conflict otherwise: the batch must be staged again from its beginning.
        """
        batch = self._batches.get(workspace)
        if batch is None or batch.batch_id != batch_id:
            if not may_be_empty or any(counts.values()):
                raise Conflict(f"Batch {batch_id} is not staged here: stage the whole batch again.")
            return Batch(batch_id)
        staged = {"documents": batch.document_count, "chunks": batch.chunk_count}
        for name, count in counts.items():
            if staged[name] != count:
                raise Conflict(
                    f"Batch {batch_id} holds {staged[name]} {name}, not {count}: stage the whole batch again."
                )
        for d in batch.documents.values():
            if len(d.where) != d.document.chunk_count:
                raise Conflict(
                    f"Batch {batch_id} has {len(d.where)} of the {d.document.chunk_count} chunks of document "
                    f"{d.document.document_id}: stage the whole batch again."
                )
        return self._batches.pop(workspace)

    def put_back(self, workspace: str, batch: Batch[Payload]) -> None:
        """Returns a batch that could not be published, unless another has begun."""
        self._batches.setdefault(workspace, batch)

    def forget(self, workspace: str, batch_id: str) -> None:
        """Lets go of a batch, if it is still the workspace's."""
        batch = self._batches.get(workspace)
        if batch is not None and batch.batch_id == batch_id:
            del self._batches[workspace]

    def _current(self, workspace: str, batch_id: str) -> Batch[Payload]:
        batch = self._batches.get(workspace)
        if batch is None or batch.batch_id != batch_id:
            raise Conflict(f"Batch {batch_id} is no longer the staged one: stage the whole batch again.")
        return batch

    def _bound(self, workspace: str, batch: Batch[Payload]) -> None:
        if batch.held_rows > self._max_chunks:
            del self._batches[workspace]
            raise TooLarge(
                f"A batch may hold {self._max_chunks} chunks (SIGHTLINE_MAX_STAGED_CHUNKS): "
                "stage smaller ones, or raise it."
            )
        total = sum(b.held_rows for b in self._batches.values())
        for other in [w for w in self._batches if w != workspace]:
            if total <= self._max_chunks:
                break
            total -= self._batches.pop(other).held_rows
