"""What does an index hold, and what of it does a generation see? Immutable segments and snapshots."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from shared.candidate import Candidate, TextSpan

Rows = NDArray[np.int64]
Arrays = Mapping[str, NDArray[np.generic]]
Payload = TypeVar("Payload")


@dataclass(frozen=True, slots=True)
class DocumentVersion:
    """One version of a document as ingest names it; `digest` covers content and ingest configuration."""

    document_id: str
    version: int
    digest: str
    chunk_count: int


@dataclass(frozen=True, slots=True)
class DocumentEntry:
    """A document version and the generations that see it: `since` and on, but not `until` and on."""

    entry_id: int
    document: DocumentVersion
    since: int
    until: int | None = None

    def visible_at(self, generation: int) -> bool:
        return self.since <= generation and (self.until is None or self.until > generation)


@dataclass(frozen=True, slots=True)
class IndexedChunk:
    """A chunk as ingest sends it; `prefix` is read before the text once and never stored as text.

    `reading` is the text with welded words parted; empty where that changes nothing.
    """

    chunk_id: str
    span: TextSpan
    text: str
    prefix: str = ""
    reading: str = ""


@dataclass(frozen=True, slots=True)
class ChunkRow:
    """A chunk as a row of a segment: its id, its document's entry, its span in the document."""

    chunk_id: str
    entry_id: int
    start: int
    end: int


@dataclass(frozen=True, slots=True, eq=False)
class Segment(Generic[Payload]):
    """Chunks that were written together, and the index's own data on them. Row i of both belongs together.

    `row_entries` is int64[n_rows]: positions in `entry_ids`, the distinct document entries of the rows.
    """

    segment_id: int
    payload: Payload
    rows: tuple[ChunkRow, ...]
    entry_ids: tuple[int, ...]
    row_entries: Rows


@dataclass(frozen=True, slots=True, eq=False)
class SegmentView(Generic[Payload]):
    """A segment as one generation sees it; `live` is bool[n_rows], read-only."""

    segment: Segment[Payload]
    document_ids: Mapping[int, str]  # by entry id
    live: NDArray[np.bool_]
    live_count: int

    def candidate(self, row: int) -> Candidate:
        """The chunk of a row, without evidence, source or text."""
        chunk = self.segment.rows[row]
        return Candidate(chunk.chunk_id, TextSpan(self.document_ids[chunk.entry_id], chunk.start, chunk.end))


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot(Generic[Payload]):
    """Everything that one generation of one workspace sees. Never changes, so any thread may read it."""

    workspace: str
    generation: int
    views: tuple[SegmentView[Payload], ...]  # only segments with a live row
    chunk_count: int


class SegmentFormat(Protocol[Payload]):
    """What an index keeps for each chunk, how it is laid out in a file, and how it is put together.

    `name` stands for everything that the payload depends on (model digest, tokenizer settings). A file
    of another name is emptied when it is opened, and ingest fills it again.
    """

    @property
    def name(self) -> str: ...

    def merged(self, parts: Sequence[tuple[Payload, Rows]]) -> Payload:
        """One payload of the given rows of each part (int64, ascending), one part after another."""
        ...

    def to_arrays(self, payload: Payload) -> Arrays: ...

    def from_arrays(self, arrays: Arrays) -> Payload:
        """The payload again; the arrays are read-only and belong to it."""
        ...


def segment_of(segment_id: int, payload: Payload, rows: Iterable[ChunkRow]) -> Segment[Payload]:
    """A segment of rows in the payload's order."""
    kept = tuple(rows)
    positions: dict[int, int] = {}
    row_entries = np.fromiter(
        (positions.setdefault(row.entry_id, len(positions)) for row in kept), dtype=np.int64, count=len(kept)
    )
    return Segment(segment_id, payload, kept, tuple(positions), row_entries)


def merged_segment(
    segment_id: int, parts: Sequence[tuple[Segment[Payload], Rows]], layout: SegmentFormat[Payload]
) -> Segment[Payload]:
    """One segment of the given rows of each part; what a query finds in it is the same as in the parts."""
    payload = layout.merged([(segment.payload, rows) for segment, rows in parts])
    return segment_of(
        segment_id, payload, (segment.rows[row] for segment, rows in parts for row in rows.tolist())
    )


def rows_of_entries(segment: Segment[Payload], wanted: Iterable[int]) -> Rows:
    """int64[n], ascending: the segment's rows that belong to one of the document entries."""
    entries = set(wanted)
    chosen = np.fromiter(
        (e in entries for e in segment.entry_ids), dtype=np.bool_, count=len(segment.entry_ids)
    )
    return np.flatnonzero(chosen[segment.row_entries]).astype(np.int64)


def snapshot_of(
    workspace: str,
    generation: int,
    segments: Iterable[Segment[Payload]],
    entries: Mapping[int, DocumentEntry],
) -> Snapshot[Payload]:
    """What the generation sees of the segments; an entry that is not listed is seen by none."""
    views = []
    for segment in segments:
        seen = {
            e: entries[e].document.document_id
            for e in segment.entry_ids
            if e in entries and entries[e].visible_at(generation)
        }
        live = np.zeros(len(segment.rows), dtype=np.bool_)
        live[rows_of_entries(segment, seen)] = True
        live.flags.writeable = False
        count = int(np.count_nonzero(live))
        if count:
            views.append(SegmentView(segment, seen, live, count))
    return Snapshot(workspace, generation, tuple(views), sum(view.live_count for view in views))
