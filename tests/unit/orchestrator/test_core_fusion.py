"""Does fusion add up what the lists say, whatever their scores look like?"""

import math
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.orchestrator.core.config import FusionConfig
from services.orchestrator.core.fusion import fused
from shared.candidate import Candidate, Scored, ScoreType, TextSpan, left_below, ranked

RRF = FusionConfig()
WEIGHTED = FusionConfig(kind="weighted")


def list_of(stage: str, scores: dict[str, float]) -> list[Candidate]:
    spans = {i: TextSpan("doc_1", n, n + 1) for n, i in enumerate(sorted(scores))}
    return ranked(stage, ScoreType.BM25, [Scored(Candidate(i, spans[i]), s) for i, s in scores.items()])


def test_rrf_adds_reciprocal_ranks_and_keeps_the_shares() -> None:
    lists = {
        "lexical": list_of("lexical", {"a": 9, "b": 8}),
        "vector": list_of("vector", {"b": 0.9, "c": 0.8}),
    }
    one = fused("fuse", lists, RRF)
    assert [c.chunk_id for c in one] == ["b", "a", "c"]
    assert one[0].last.score == pytest.approx(1 / 62 + 1 / 61)
    assert {p.label: p.value for p in one[0].last.parts} == {
        "lexical": pytest.approx(1 / 62),
        "vector": pytest.approx(1 / 61),
    }
    assert [e.stage for e in one[0].evidence] == ["lexical", "vector", "fuse"]
    assert one[0].last.score_type is ScoreType.RRF


def test_weights_apply_by_name_of_the_list_and_of_its_variants() -> None:
    lists = {"lexical": list_of("lexical", {"a": 9}), "vector:2": list_of("vector:2", {"b": 9})}
    one = fused("fuse", lists, FusionConfig(weights={"vector": 2.0}))
    assert [c.chunk_id for c in one] == ["b", "a"]


def test_weighted_scales_each_list_to_one() -> None:
    lists = {
        "lexical": list_of("lexical", {"a": 30, "b": 20, "c": 10}),
        "vector": list_of("vector", {"c": 0.9, "b": 0.8}),
    }
    scores = {c.chunk_id: c.last.score for c in fused("fuse", lists, WEIGHTED)}
    assert scores == {"a": pytest.approx(1.0), "b": pytest.approx(0.5), "c": pytest.approx(1.0)}


def test_weighted_list_of_equal_scores_counts_fully() -> None:
    one = fused("fuse", {"lexical": list_of("lexical", {"a": 5, "b": 5})}, WEIGHTED)
    assert [c.last.score for c in one] == [1.0, 1.0]


@pytest.mark.parametrize("config", [RRF, WEIGHTED])
def test_ties_break_by_chunk_id_and_the_limit_holds(config: FusionConfig) -> None:
    lists = {"lexical": list_of("lexical", {"z": 1.0}), "vector": list_of("vector", {"a": 1.0})}
    assert [c.chunk_id for c in fused("fuse", lists, config)] == ["a", "z"]
    assert [c.chunk_id for c in fused("fuse", lists, config, 1)] == ["a"]


@pytest.mark.parametrize("config", [RRF, WEIGHTED])
def test_no_candidates_make_no_list(config: FusionConfig) -> None:
    assert fused("fuse", {"lexical": [], "vector": []}, config) == []


Scores = st.dictionaries(st.sampled_from("abcdefgh"), st.integers(-1000, 1000), max_size=8)


@given(Scores, Scores, st.sampled_from([lambda x: 3 * x + 7, lambda x: x**3, math.atan, lambda x: x / 9]))
def test_rrf_is_invariant_under_any_monotone_change_of_scores(
    lexical: dict[str, int], vector: dict[str, int], change: Callable[[float], float]
) -> None:
    def order(changed: Callable[[float], float]) -> list[tuple[str, float]]:
        lists = {
            "lexical": list_of("lexical", {i: changed(s) for i, s in lexical.items()}),
            "vector": list_of("vector", {i: float(s) for i, s in vector.items()}),
        }
        return [(c.chunk_id, c.last.score) for c in fused("fuse", lists, RRF)]

    assert order(float) == order(change)


def test_ranks_decide_where_a_list_holds_scores_of_several_types() -> None:
    before = list_of("fuse", {"a": 9, "b": 8, "c": 7})
    head = ranked("rerank", ScoreType.CROSS_ENCODER, [Scored(before[0], 0.1), Scored(before[1], 0.9)])
    reranked = left_below("rerank", head, before[2:])
    one = fused("fuse:2", {"fuse": before, "rerank": reranked}, WEIGHTED)
    assert {c.last.score_type for c in one} == {ScoreType.RRF}
    assert [c.chunk_id for c in one] == ["a", "b", "c"]  # a and b change places in one list each: a tie
    assert [e.stage for e in one[0].evidence] == ["fuse", "rerank", "fuse:2"]
