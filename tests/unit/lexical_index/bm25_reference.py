"""BM25 without an index: every chunk read for every question, to compare ours with."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from services.lexical_index.core import postings
from services.lexical_index.core.postings import Postings
from shared.index_segments import (
    ChunkRow,
    DocumentEntry,
    DocumentVersion,
    Segment,
    Snapshot,
    segment_of,
    snapshot_of,
)


def reference_scores(
    chunks: Mapping[str, Sequence[str]], question: Sequence[str], *, k1: float = 1.2, b: float = 0.75
) -> dict[str, float]:
    """Chunk id to score, of the chunks that hold a term; the terms' shares are added in code point order."""
    average = sum(len(terms) for terms in chunks.values()) / max(len(chunks), 1)
    scores: dict[str, float] = {}
    for term, repeated in sorted(Counter(question).items()):
        holders = [c for c, terms in chunks.items() if term in terms]
        idf = math.log(1 + (len(chunks) - len(holders) + 0.5) / (len(holders) + 0.5))
        for chunk_id in holders:
            tf = list(chunks[chunk_id]).count(term)
            norm = k1 * ((1 - b) + b * float(len(chunks[chunk_id])) / average)
            scores[chunk_id] = scores.get(chunk_id, 0.0) + repeated * idf * (tf / (tf + norm))
    return scores


def reference_ranking(
    chunks: Mapping[str, Sequence[str]], question: Sequence[str], limit: int
) -> list[tuple[str, float]]:
    scores = reference_scores(chunks, question)
    return sorted(scores.items(), key=lambda item: (-item[1], item[0]))[:limit]


def snapshot_in_segments(
    chunks: Mapping[str, Sequence[str]],
    sizes: Sequence[int],
    *,
    dead: Mapping[str, Sequence[str]] | None = None,
) -> Snapshot[Postings]:
    """The chunks spread over segments of the given sizes (the last one takes the rest).

    `dead` chunks stand among them in the first segment, of a document that the generation does not see.
    """
    entries = {
        1: DocumentEntry(1, DocumentVersion("doc", 1, "d", len(chunks)), 1),
        2: DocumentEntry(2, DocumentVersion("gone", 1, "d", 0), 1, until=2),
    }
    rest = [(chunk_id, 1, terms) for chunk_id, terms in chunks.items()]
    segments: list[Segment[Postings]] = []
    for number, size in enumerate([*sizes, len(rest)]):
        taken, rest = rest[:size], rest[size:]
        if number == 0:
            taken = [*((c, 2, terms) for c, terms in (dead or {}).items()), *taken]
        rows = [ChunkRow(chunk_id, entry_id, 0, 1) for chunk_id, entry_id, _ in taken]
        segments.append(segment_of(number, postings.build(terms for _, _, terms in taken), rows))
    return snapshot_of("w", 2, segments, entries)


def random_chunks(seed: int, count: int, *, words: int = 60, longest: int = 40) -> dict[str, list[str]]:
    """Chunks of words w0, w1, ... of which the early ones are common."""
    chance = np.random.default_rng(seed)
    chunks = {}
    for n in range(count):
        length = int(chance.integers(1, longest))
        drawn = np.minimum(chance.geometric(0.08, size=length), words)
        chunks[f"chk_{n:04d}"] = [f"w{word}" for word in drawn.tolist()]
    return chunks
