"""An index of numbers to test the shared store with: each chunk's payload is one float64."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from shared.candidate import TextSpan
from shared.index_segments import Arrays, DocumentVersion, IndexedChunk, Rows, Snapshot
from shared.index_store import IndexStore, Publication

Numbers = NDArray[np.float64]
WORKSPACE = "harbour"


class NumberFormat:
    def __init__(self, name: str = "numbers/1") -> None:
        self._name = name

    @property
    def name(self) -> str:
        return self._name

    def merged(self, parts: Sequence[tuple[Numbers, Rows]]) -> Numbers:
        return np.concatenate([numbers[rows] for numbers, rows in parts])

    def to_arrays(self, payload: Numbers) -> Arrays:
        return {"numbers": payload}

    def from_arrays(self, arrays: Arrays) -> Numbers:
        return arrays["numbers"].astype(np.float64, copy=False)


class NumberIndexing:
    """A chunk's number is the length of its text."""

    def read_tokens(self, prepared: Numbers) -> tuple[int, ...]:
        return ()

    async def prepare(self, chunks: Sequence[IndexedChunk]) -> Numbers:
        return np.array([len(c.text) for c in chunks], dtype=np.float64)


def open_numbers(
    folder: Path, *, name: str = "numbers/1", max_staged_chunks: int = 1000
) -> IndexStore[Numbers]:
    return IndexStore(folder / "index.sqlite", NumberFormat(name), max_staged_chunks=max_staged_chunks)


def stage(
    store: IndexStore[Numbers], batch_id: str, document_id: str, numbers: Sequence[float], *, version: int = 1
) -> None:
    """Stages one document of WORKSPACE with a chunk for each number."""
    stage_in(WORKSPACE, store, batch_id, document_id, numbers, version=version)


def stage_in(
    workspace: str,
    store: IndexStore[Numbers],
    batch_id: str,
    document_id: str,
    numbers: Sequence[float],
    *,
    version: int = 1,
) -> None:
    document = DocumentVersion(document_id, version, f"digest-{version}", len(numbers))
    chunks = [
        IndexedChunk(f"{document_id}.{version}.{n}", TextSpan(document_id, n, n + 1), "text")
        for n in range(len(numbers))
    ]
    store.begin(workspace, batch_id)
    payload = np.array(numbers, dtype=np.float64) if chunks else None
    store.upsert(workspace, batch_id, document, chunks, payload)


def publish(
    store: IndexStore[Numbers],
    generation: int,
    batch_id: str,
    documents: Mapping[str, Sequence[float]],
    *,
    deleted: Sequence[str] = (),
    replace_all: bool = False,
) -> None:
    """Stages and publishes whole documents; a document's version is the generation."""
    for document_id, numbers in documents.items():
        stage(store, batch_id, document_id, numbers, version=generation)
    if deleted:
        store.delete(WORKSPACE, batch_id, deleted)
    chunks = sum(len(numbers) for numbers in documents.values())
    store.publish(
        Publication(WORKSPACE, generation, batch_id, len(documents) + len(deleted), chunks, replace_all)
    )


def seen(snapshot: Snapshot[Numbers]) -> dict[str, float]:
    """Chunk id to number, of all that the snapshot sees."""
    found: dict[str, float] = {}
    for view in snapshot.views:
        for row in np.flatnonzero(view.live).tolist():
            candidate = view.candidate(row)
            assert candidate.chunk_id not in found
            assert candidate.chunk_id.startswith(candidate.span.document_id + ".")
            found[candidate.chunk_id] = float(view.segment.payload[row])
    assert len(found) == snapshot.chunk_count
    return found


def numbers_at(store: IndexStore[Numbers], generation: int, workspace: str = WORKSPACE) -> list[float]:
    """The numbers that a generation sees, sorted."""
    return sorted(seen(store.snapshot(workspace, generation)).values())
