"""How well does a chunk match the question's terms? BM25 from the formula, over what one generation sees."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from services.lexical_index.core.postings import Postings
from shared.candidate import Part, Scored
from shared.index_segments import SegmentView, Snapshot

Idf = Callable[[int, int], float]
Float64: TypeAlias = NDArray[np.float64]


def lucene_idf(doc_count: int, doc_freq: int) -> float:
    """ln(1 + (N - df + 0.5) / (df + 0.5)), never negative: Lucene's BM25Similarity."""
    return math.log(1 + (doc_count - doc_freq + 0.5) / (doc_freq + 0.5))


def fts5_idf(doc_count: int, doc_freq: int) -> float:
    """ln((N - df + 0.5) / (df + 0.5)), at least 1e-6: SQLite's fts5_aux.c, after Robertson."""
    return max(math.log((doc_count - doc_freq + 0.5) / (doc_freq + 0.5)), 1e-6)


IDFS: Mapping[str, Idf] = {"lucene": lucene_idf, "fts5": fts5_idf}


@dataclass(frozen=True, slots=True)
class Weighting:
    """How fast a repeated term saturates (k1), how much length counts (b), and which idf is used."""

    k1: float = 1.2
    b: float = 0.75
    idf: Idf = lucene_idf


@dataclass(frozen=True, slots=True)
class _Term:
    """A term of the question in one generation: its weight, and its live postings in each view."""

    label: str
    weight: float  # idf times the frequency in the question
    postings: tuple[tuple[NDArray[np.int32], NDArray[np.int32]], ...]


def best(
    snapshot: Snapshot[Postings], frequencies: Mapping[str, int], weighting: Weighting, *, limit: int
) -> list[Scored]:
    """At most `limit` chunks that hold a term, by falling score, ties by chunk id; scores are above 0.

    score = sum over terms of qtf * idf * tf / (tf + k1 * (1 - b + b * doc_len / avg_doc_len)), as Lucene
    (and bm25s's method of that name) has it: the constant factor k1 + 1 is left out, and a term that the
    question repeats counts as often. N, df and avg_doc_len count the generation's live chunks only.

    Shares are added in float64 in the terms' order, chunk by chunk, and counts are integers, so that a
    score is the same to the last bit however chunks are spread over segments.
    """
    terms = _terms(snapshot, frequencies, weighting)
    norms = _norms(snapshot, weighting)
    scores = [_scores(i, view, terms, norms[i]) for i, view in enumerate(snapshot.views)]
    floor = _kth_best(scores, limit)
    hits = [
        (-float(scores[i][row]), view.segment.rows[row].chunk_id, i, row)
        for i, view in enumerate(snapshot.views)
        for row in np.flatnonzero(scores[i] >= floor).tolist()
    ]
    hits.sort()
    parts: dict[tuple[int, int], list[Part]] = {(i, row): [] for _, _, i, row in hits[:limit]}
    for i in {i for i, _ in parts}:
        _share_out(i, terms, norms[i], parts)
    return [
        Scored(snapshot.views[i].candidate(row), -negative, tuple(parts[i, row]))
        for negative, _, i, row in hits[:limit]
    ]


def _terms(snapshot: Snapshot[Postings], frequencies: Mapping[str, int], weighting: Weighting) -> list[_Term]:
    terms = []
    for term, frequency in sorted(frequencies.items()):
        postings = tuple(_live_postings(view, term) for view in snapshot.views)
        doc_freq = sum(len(rows) for rows, _ in postings)
        if doc_freq:
            weight = frequency * weighting.idf(snapshot.chunk_count, doc_freq)
            terms.append(_Term(term, weight, postings))
    return terms


def _live_postings(view: SegmentView[Postings], term: str) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    rows, tf = view.segment.payload.of(term)
    if view.live_count == len(view.live):
        return rows, tf
    live = view.live[rows]
    return rows[live], tf[live]


def _norms(snapshot: Snapshot[Postings], weighting: Weighting) -> list[Float64]:
    """For each view float64[n_rows]: k1 * (1 - b + b * doc_len / avg_doc_len)."""
    lengths = [view.segment.payload.doc_len for view in snapshot.views]
    total = sum(
        int(doc_len[view.live].sum(dtype=np.int64))
        for doc_len, view in zip(lengths, snapshot.views, strict=True)
    )
    avg_doc_len = total / snapshot.chunk_count if total else 1.0
    k1, b = weighting.k1, weighting.b
    return [k1 * ((1 - b) + b * doc_len.astype(np.float64) / avg_doc_len) for doc_len in lengths]


def _scores(i: int, view: SegmentView[Postings], terms: Sequence[_Term], norms: Float64) -> Float64:
    """float64[n_rows]; 0 where a row holds no term or is not live."""
    scores = np.zeros(len(view.live), dtype=np.float64)
    for term in terms:
        rows, tf = term.postings[i]
        scores[rows] += term.weight * (tf / (tf + norms[rows]))
    return scores


def _share_out(
    i: int, terms: Sequence[_Term], norms: Float64, parts: dict[tuple[int, int], list[Part]]
) -> None:
    """Adds each term's share to the rows of view i that are asked for; summed in order they are the score."""
    wanted = np.array(sorted(row for view, row in parts if view == i), dtype=np.int32)
    for term in terms:
        rows, tf = term.postings[i]
        at = np.searchsorted(rows, wanted)
        at = at[at < len(rows)]  # the rest lies beyond the term's last row
        held = at[rows[at] == wanted[: len(at)]]
        shares = term.weight * (tf[held] / (tf[held] + norms[rows[held]]))
        for row, share in zip(rows[held].tolist(), shares.tolist(), strict=True):
            parts[i, row].append(Part(term.label, share))


def _kth_best(scores: Sequence[Float64], k: int) -> float:
    """The k-th largest score above 0, or the least positive number if there are fewer."""
    positive = np.concatenate([s[s > 0] for s in scores]) if scores else np.empty(0)
    if len(positive) <= k:
        return math.ulp(0.0)
    return float(np.partition(positive, len(positive) - k)[len(positive) - k])
