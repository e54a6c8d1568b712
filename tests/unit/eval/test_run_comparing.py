"""Is the difference of two runs told metric by metric, with who moved?"""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from eval.reporting import tables
from eval.reporting.cells import plain
from eval.runs.ablation import KEPT
from eval.runs.comparing import compared
from eval.runs.gates import NotComparable


def run(values: Mapping[str, float | None], **head: str) -> dict[str, Any]:
    """A run of one configuration; a question without a value is not answerable."""
    return {
        "suite": "golden",
        "split": "development",
        "corpus_digest": "abc",
        "questions_digest": "q",
        "questions": [
            {"id": i, "metrics": {} if value is None else dict.fromkeys(KEPT, value)}
            for i, value in values.items()
        ],
        **head,
    }


WAS = {f"q{n}": 0.0 if n < 9 else 1.0 for n in range(12)}
NOW = {
    i: 1.0 if i in ("q0", "q1", "q2", "q3", "q4", "q5", "q6", "q7", "q8") else value
    for i, value in WAS.items()
}


def test_difference_is_told_with_interval_p_and_verdict() -> None:
    metric = compared(run(WAS), run(NOW))["metrics"]["ndcg@10"]
    assert (metric["before"], metric["after"], metric["difference"]) == (0.25, 1.0, 0.75)
    assert metric["low"] < 0.75 < metric["high"]
    assert (metric["p"], metric["verdict"]) == (2 / 512, "better")
    assert metric["p_adjusted"] == pytest.approx(len(KEPT) * 2 / 512)
    assert set(metric) == {
        *("before", "after", "difference", "low", "high", "p", "p_adjusted", "mde", "verdict"),
    }


def test_every_metric_is_compared_and_can_be_shown() -> None:
    found = compared(run(WAS), run(NOW))
    assert tuple(found["metrics"]) == KEPT
    shown = plain(tables.comparison(json.loads(json.dumps(found))))
    assert "ndcg@10" in shown
    assert "+0.750 [+0." in shown


def test_loss_has_a_falling_sign() -> None:
    metric = compared(run(NOW), run(WAS))["metrics"]["recall@5"]
    assert (metric["difference"], metric["verdict"]) == (-0.75, "worse")


def test_each_metric_is_its_own() -> None:
    before, after = run(WAS), run(WAS)
    for one in (before, after):
        one["questions"][0]["metrics"]["recall@5"] = 1.0
    after["questions"][0]["metrics"]["recall@1"] = 1.0
    metrics = compared(before, after)["metrics"]
    moved = {name: metric["difference"] for name, metric in metrics.items() if metric["difference"]}
    assert moved == {"recall@1": pytest.approx(1 / 12)}
    assert (metrics["recall@1"]["before"], metrics["recall@5"]["before"]) == (0.25, pytest.approx(1 / 3))


def test_difference_of_a_few_questions_is_json_too() -> None:
    few = compared(run({"q0": 0.0, "q1": 1.0}), run({"q0": 1.0, "q1": 0.5}))
    assert json.loads(json.dumps(few, allow_nan=False))["metrics"]["mrr@10"]["mde"] is None


def test_questions_that_moved_are_named() -> None:
    moved = {**WAS, "q3": 0.5, "q11": 0.0}
    assert compared(run(WAS), run(moved))["questions"] == [
        {"id": "q11", "before": 1.0, "after": 0.0},
        {"id": "q3", "before": 0.0, "after": 0.5},
    ]


def test_question_that_nothing_answers_is_in_no_metric() -> None:
    found = compared(run({**WAS, "moon": None}), run({**NOW, "moon": None}))
    assert found == compared(run(WAS), run(NOW))


def test_runs_of_something_else_are_not_compared() -> None:
    with pytest.raises(NotComparable, match="the split is held_out"):
        compared(run(WAS), run(WAS, split="held_out"))
    with pytest.raises(NotComparable, match="questions of the two runs differ"):
        compared(run(WAS), run({"q0": 1.0}))


def test_ablation_is_no_run_of_one_configuration() -> None:
    with pytest.raises(NotComparable, match="no run of one configuration"):
        compared(run(WAS), {**run(WAS), "questions": 12})
