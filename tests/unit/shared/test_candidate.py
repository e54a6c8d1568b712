"""The invariants of Candidate have one author; these are its promises."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.candidate import (
    Candidate,
    Evidence,
    Part,
    Scored,
    ScoreType,
    Source,
    TextSpan,
    left_below,
    merged,
    ranked,
    reranked_shards,
)


def passage(number: int, *evidence: Evidence) -> Candidate:
    return Candidate(f"chk_{number:03d}", TextSpan("doc_a", number * 10, number * 10 + 9), evidence)


def test_ranked_orders_by_score_and_breaks_ties_by_chunk_id() -> None:
    scored = [Scored(passage(2), 1.0), Scored(passage(1), 1.0), Scored(passage(3), 2.0)]
    order = ranked("lexical", ScoreType.BM25, scored)
    assert [c.chunk_id for c in order] == ["chk_003", "chk_001", "chk_002"]
    assert [c.last.rank for c in order] == [1, 2, 3]


def test_ranked_keeps_earlier_evidence_as_a_prefix() -> None:
    earlier = Evidence("lexical", 4, 2.5, ScoreType.BM25, (Part("lock", 2.5),))
    (only,) = ranked("rerank", ScoreType.CROSS_ENCODER, [Scored(passage(1, earlier), 0.9)])
    assert only.evidence == (earlier, Evidence("rerank", 1, 0.9, ScoreType.CROSS_ENCODER))


@pytest.mark.parametrize("score", [float("nan"), float("inf"), float("-inf")])
def test_ranked_refuses_a_score_that_is_not_finite(score: float) -> None:
    with pytest.raises(ValueError, match="finite"):
        ranked("vector", ScoreType.COSINE, [Scored(passage(1), score)])


def test_ranked_refuses_the_same_chunk_twice() -> None:
    with pytest.raises(ValueError, match="occurs twice"):
        ranked("vector", ScoreType.COSINE, [Scored(passage(1), 0.1), Scored(passage(1), 0.2)])


def test_left_below_keeps_score_and_type_of_the_tail_under_new_ranks() -> None:
    tail = passage(2, Evidence("fuse", 2, 0.03, ScoreType.RRF, (Part("lexical", 0.03),)))
    head = ranked("rerank", ScoreType.CROSS_ENCODER, [Scored(passage(1), 0.9)])
    whole = left_below("rerank", head, [tail])
    assert [c.last.rank for c in whole] == [1, 2]
    assert whole[1].last == Evidence("rerank", 2, 0.03, ScoreType.RRF)
    assert whole[1].evidence[0] == tail.evidence[0]


def test_merged_unites_evidence_of_all_lists_in_order() -> None:
    a, b = Evidence("lexical", 1, 3.0, ScoreType.BM25), Evidence("vector", 2, 0.7, ScoreType.COSINE)
    lists = {"lexical": [passage(1, a)], "vector": [passage(2, b), passage(1, b)]}
    union = merged(lists)
    assert union["chk_001"].evidence == (a, b)
    assert union["chk_002"].evidence == (b,)


def test_merged_takes_source_and_text_from_the_list_that_has_them() -> None:
    bare = passage(1)
    full = replace(bare, source=Source(title="Harbour"), text="The lock opens at noon.")
    assert merged({"a": [bare], "b": [full]})["chk_001"] == full


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=40), st.integers(1, 7))
def test_shards_scored_apart_rank_as_if_scored_together(scores: list[float], size: int) -> None:
    scored = [Scored(passage(number), score) for number, score in enumerate(scores)]
    together = ranked("rerank", ScoreType.CROSS_ENCODER, scored)
    shards = [
        ranked("rerank", ScoreType.CROSS_ENCODER, scored[start : start + size])
        for start in range(0, len(scored), size)
    ]
    assert reranked_shards("rerank", ScoreType.CROSS_ENCODER, shards) == together
