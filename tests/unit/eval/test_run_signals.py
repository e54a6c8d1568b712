"""Which numbers could decide a refusal, and are they read from the right scores?"""

import pytest

from eval.measures.latency import latency_of, quantiles
from eval.runs.signals import signals_of
from tests.unit.eval.run_samples import PASSAGES, trace


def test_signals_are_the_best_scores_and_their_distance_to_the_next() -> None:
    read = {"chk_0": 0.2, "chk_1": 0.9, "chk_2": 0.1}
    signals = signals_of(trace({"chk_0": 9.0, "chk_1": 4.0}, {"chk_2": 0.8, "chk_0": 0.7}, read))
    assert signals == pytest.approx(
        {
            "cross-encoder": 0.9,
            "cross-encoder gap": 0.7,
            "cosine": 0.8,
            "cosine gap": 0.1,
            "BM25": 9.0,
            "BM25 gap": 5.0,
            "agreement": 1 / 3,
        }
    )


def test_single_passage_is_as_far_from_the_next_as_from_nothing() -> None:
    signals = signals_of(trace({"chk_0": 9.0}, {"chk_0": 0.8}, {"chk_0": 0.5}))
    assert (signals["BM25 gap"], signals["agreement"]) == (9.0, 1.0)


def test_type_that_no_stage_scored_is_left_out() -> None:
    signals = signals_of(trace({}, {"chk_0": 0.8}, {"chk_0": 0.5}))
    assert "BM25" not in signals
    assert signals["agreement"] == 0.0


def test_lists_agree_by_their_heads_only() -> None:
    falling = {chunk_id: 9.0 - n for n, chunk_id in enumerate(PASSAGES)}
    rising = {chunk_id: float(n) for n, chunk_id in enumerate(PASSAGES)}
    assert signals_of(trace(falling, rising, falling))["agreement"] == 1.0


def test_quantiles_lie_between_the_values() -> None:
    assert quantiles([float(n) for n in range(101)]) == {"p50": 50.0, "p95": 95.0, "p99": 99.0, "n": 101}
    assert quantiles([1.0, 2.0]) == {"p50": 1.5, "p95": 1.95, "p99": 1.99, "n": 2}
    assert quantiles([7.0]) == {"p50": 7.0, "p95": 7.0, "p99": 7.0, "n": 1}


def test_latency_is_told_for_every_stage_that_was_timed() -> None:
    found = trace({"chk_0": 9.0}, {}, {"chk_0": 0.5})
    assert latency_of([found, found]) == {
        "lexical": {"p50": 2.0, "p95": 2.0, "p99": 2.0, "n": 2},
        "total": {"p50": 10.0, "p95": 10.0, "p99": 10.0, "n": 2},
    }
    assert latency_of([]) == {}
