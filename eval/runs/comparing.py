"""What differs between two runs of one configuration each, and by more than chance?"""

from collections.abc import Mapping
from typing import Any

from eval.measures.statistics import Pair, compare
from eval.runs.ablation import DECISIVE, KEPT, SEED, comparison_to_json
from eval.runs.gates import NotComparable, require_alike

Run = Mapping[str, Any]


def compared(before: Run, after: Run) -> dict[str, Any]:
    """Each metric's difference with interval, p over all metrics (Holm) and verdict, and who moved.

    NotComparable for runs of other questions or documents, or of several configurations.
    """
    require_alike(after, before)
    was, now = _metrics(before), _metrics(after)
    if was.keys() != now.keys():
        raise NotComparable("the questions of the two runs differ")
    ids = sorted(was)
    pairs = {name: Pair([now[q][name] for q in ids], [was[q][name] for q in ids]) for name in KEPT}
    found = compare(pairs, metric="each", seed=SEED)
    return {
        "metrics": {name: _metric(comparison_to_json(comparison)) for name, comparison in found.items()},
        "questions": [
            {"id": q, "before": was[q][DECISIVE], "after": now[q][DECISIVE]}
            for q in ids
            if was[q][DECISIVE] != now[q][DECISIVE]
        ],
    }


def _metric(comparison: Mapping[str, Any]) -> dict[str, Any]:
    difference = comparison["difference"]
    return {
        "before": comparison["baseline"],
        "after": comparison["value"],
        "difference": difference["mean"],
        "low": difference["low"],
        "high": difference["high"],
        **{name: comparison[name] for name in ("p", "p_adjusted", "mde", "verdict")},
    }


def _metrics(run: Run) -> dict[str, Mapping[str, float]]:
    questions = run.get("questions")
    if not isinstance(questions, list):
        raise NotComparable("this is no run of one configuration; an ablation compares its own rows")
    return {question["id"]: question["metrics"] for question in questions if question["metrics"]}
