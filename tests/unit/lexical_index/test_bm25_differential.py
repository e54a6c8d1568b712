"""Do independent implementations agree with our BM25? bm25s (Lucene) and SQLite FTS5 with its own idf."""

import sqlite3
from collections import Counter

import bm25s
import numpy as np
import pytest

from services.lexical_index.core.bm25 import Weighting, best, fts5_idf, lucene_idf
from tests.unit.lexical_index.bm25_reference import random_chunks, snapshot_in_segments

QUESTIONS = (["w1"], ["w3", "w20"], ["w1", "w2", "w3", "w40", "w55"], ["w7", "w7", "w30"], ["w59", "nowhere"])


def ours(chunks: dict[str, list[str]], question: list[str], weighting: Weighting) -> dict[str, float]:
    snapshot = snapshot_in_segments(chunks, [40, 3])
    return {
        s.candidate.chunk_id: s.score for s in best(snapshot, Counter(question), weighting, limit=len(chunks))
    }


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("question", QUESTIONS)
def test_scores_and_ranking_are_those_of_bm25s_lucene(seed: int, question: list[str]) -> None:
    chunks = random_chunks(seed, 250)
    peer = bm25s.BM25(method="lucene", k1=1.2, b=0.75, dtype="float64")
    peer.index(list(chunks.values()), show_progress=False)
    scores = peer.get_scores(question)
    found = ours(chunks, question, Weighting(idf=lucene_idf))
    expected = {c: float(s) for c, s in zip(chunks, scores, strict=True) if s > 0}
    assert found.keys() == expected.keys()
    assert found == pytest.approx(expected, rel=1e-5)
    _agree_in_order(found, expected)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("question", QUESTIONS)
def test_scores_and_ranking_are_those_of_fts5_with_its_own_idf(seed: int, question: list[str]) -> None:
    chunks = random_chunks(seed, 250)
    database = sqlite3.connect(":memory:")
    database.execute("CREATE VIRTUAL TABLE passages USING fts5(chunk_id UNINDEXED, terms)")
    database.executemany("INSERT INTO passages VALUES (?, ?)", [(c, " ".join(t)) for c, t in chunks.items()])
    match = " OR ".join(question)
    rows = database.execute(
        "SELECT chunk_id, -bm25(passages) FROM passages WHERE passages MATCH ? ORDER BY rank", (match,)
    ).fetchall()
    database.close()
    # FTS5 keeps the constant factor k1 + 1, which Lucene leaves out.
    found = {c: s * 2.2 for c, s in ours(chunks, question, Weighting(idf=fts5_idf)).items()}
    expected = dict(rows)
    assert found.keys() == expected.keys()
    assert found == pytest.approx(expected, rel=1e-9)
    _agree_in_order(found, expected)


def test_fts5_idf_ranks_otherwise_than_lucene_where_a_term_is_in_most_chunks() -> None:
    chunks = {f"c{n}": ["everywhere"] * 5 + ["sea"] * n for n in range(6)} | {
        "rare": ["seldom"] + ["sea"] * 5
    }
    question = ["everywhere", "seldom"]
    lucene, fts5 = (ours(chunks, question, Weighting(idf=idf)) for idf in (lucene_idf, fts5_idf))
    assert fts5["c0"] < 1e-5 < lucene["c0"]


def _agree_in_order(found: dict[str, float], expected: dict[str, float]) -> None:
    """Falling scores of the one fall in the other too, apart from ties within rounding."""
    order = sorted(found, key=lambda c: (-found[c], c))
    theirs = np.array([expected[c] for c in order])
    assert (np.diff(theirs) <= 1e-5 * theirs[:-1]).all()
