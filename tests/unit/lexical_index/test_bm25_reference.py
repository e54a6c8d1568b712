"""Is BM25 over the inverted index the formula, to the last bit and however chunks are stored?"""

import math
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.lexical_index.core.bm25 import Weighting, best, fts5_idf, lucene_idf
from services.lexical_index.core.postings import Postings
from shared.index_segments import Snapshot
from tests.unit.lexical_index.bm25_reference import (
    random_chunks,
    reference_ranking,
    reference_scores,
    snapshot_in_segments,
)

WORDS = ("a", "b", "c", "d", "e")
term_lists = st.lists(st.sampled_from(WORDS), max_size=8)


def ranking(snapshot: Snapshot[Postings], question: list[str], limit: int) -> list[tuple[str, float]]:
    scored = best(snapshot, Counter(question), Weighting(), limit=limit)
    return [(s.candidate.chunk_id, s.score) for s in scored]


def test_score_of_one_term_is_the_formula_worked_by_hand() -> None:
    snapshot = snapshot_in_segments({"x": ["lock", "lock", "gate"], "y": ["gate"], "z": ["quay", "quay"]}, [])
    (found,) = best(snapshot, Counter(["lock"]), Weighting(), limit=10)
    idf = math.log(1 + (3 - 1 + 0.5) / (1 + 0.5))
    assert found.score == pytest.approx(idf * 2 / (2 + 1.2 * (1 - 0.75 + 0.75 * 3 / 2)), rel=1e-15)
    assert found.candidate.chunk_id == "x"


@settings(max_examples=200, deadline=None)
@given(
    st.lists(term_lists, max_size=12),
    term_lists,
    st.lists(st.integers(0, 4), max_size=4),
    st.integers(1, 6),
    st.lists(term_lists, max_size=3),
)
def test_ranking_is_the_reference_to_the_last_bit_however_chunks_are_spread(
    texts: list[list[str]], question: list[str], sizes: list[int], limit: int, gone: list[list[str]]
) -> None:
    chunks = {f"chk_{n}": terms for n, terms in enumerate(texts)}
    dead = {f"gone_{n}": terms for n, terms in enumerate(gone)}
    snapshot = snapshot_in_segments(chunks, sizes, dead=dead)
    assert ranking(snapshot, question, limit) == reference_ranking(chunks, question, limit)


@pytest.mark.parametrize("seed", range(5))
def test_ranking_is_the_reference_over_hundreds_of_chunks(seed: int) -> None:
    chunks = random_chunks(seed, 300)
    snapshot = snapshot_in_segments(chunks, [7, 100, 1, 50])
    for question in (["w1"], ["w1", "w30", "w59"], ["w2", "w2", "w17", "nowhere"]):
        for limit in (1, 10, 1000):
            assert ranking(snapshot, question, limit) == reference_ranking(chunks, question, limit)


def test_equal_scores_are_ordered_by_chunk_id_over_segments_and_at_the_limit() -> None:
    chunks = {name: ["lock"] for name in ("c", "a", "d", "b")}
    snapshot = snapshot_in_segments(chunks, [1, 2])
    assert [name for name, _ in ranking(snapshot, ["lock"], 3)] == ["a", "b", "c"]


def test_parts_add_up_to_the_score_exactly_in_term_order() -> None:
    chunks = random_chunks(11, 200)
    for found in best(
        snapshot_in_segments(chunks, [50]), Counter(["w1", "w2", "w2", "w9"]), Weighting(), limit=100
    ):
        total = 0.0
        for part in found.parts:
            total += part.value
        assert total == found.score
        assert [p.label for p in found.parts] == [
            t for t in ("w1", "w2", "w9") if t in chunks[found.candidate.chunk_id]
        ]


def test_repeated_term_of_the_question_counts_as_often() -> None:
    chunks = {"x": ["lock", "gate"], "y": ["gate", "quay"]}
    once = reference_scores(chunks, ["lock"])["x"]
    assert ranking(snapshot_in_segments(chunks, []), ["lock", "lock"], 5) == [("x", 2 * once)]


@pytest.mark.parametrize("question", [[], ["nowhere"]])
def test_question_without_known_terms_finds_nothing(question: list[str]) -> None:
    assert ranking(snapshot_in_segments({"x": ["lock"]}, []), question, 5) == []


def test_empty_generation_finds_nothing() -> None:
    assert ranking(snapshot_in_segments({}, []), ["lock"], 5) == []


@pytest.mark.parametrize(("k1", "b", "better"), [(1.2, 1.0, "short"), (1.2, 0.0, "long"), (0.0, 1.0, "long")])
def test_b_weighs_length_and_k1_saturates(k1: float, b: float, better: str) -> None:
    chunks = {"long": ["lock", "lock", *["sea"] * 40], "short": ["lock", "sea"]}
    found = best(snapshot_in_segments(chunks, []), Counter(["lock"]), Weighting(k1, b), limit=1)
    assert found[0].candidate.chunk_id == better


def test_idf_of_lucene_is_above_0_for_a_term_of_every_chunk_and_that_of_fts5_is_clamped() -> None:
    assert lucene_idf(10, 10) > 0
    assert fts5_idf(10, 10) == 1e-6
    assert fts5_idf(10, 2) == math.log(8.5 / 2.5)
