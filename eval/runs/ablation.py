"""What does each decision change? Every row over the same questions, and against the row before it."""

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from client.gateway import Sightline
from eval.datasets.suite import Question
from eval.measures.metrics import METRICS, measured
from eval.measures.statistics import Comparison, Pair, bootstrap_interval, compare
from eval.runs.asking import Recorded, search_all
from eval.runs.collection import Label
from eval.runs.judging import judged, list_of, stages_under
from eval.runs.progress import Progress
from eval.runs.rows import Row
from services.orchestrator.core.pipeline import Pipeline

SEED = 20_261_130
KEPT = tuple(METRICS)
DECISIVE = "ndcg@10"  # the metric whose differences are put to the test

Values = Mapping[str, Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class Asked:
    """What one stack recorded of the questions that have an answer, and where their labels stand in it."""

    questions: tuple[Question, ...]
    labels: Mapping[str, tuple[Label, ...]]
    recorded: Mapping[str, Recorded]


def values_of(row: Row, asked: Asked, pipeline: Pipeline) -> dict[str, dict[str, float]]:
    """Every metric of every answerable question under a row, by question id."""
    values: dict[str, dict[str, float]] = {}
    for question in asked.questions:
        if not question.answerable:
            continue
        stages = stages_under(asked.recorded[question.id].trace, pipeline, row.config)
        ranking = judged(list_of(stages, row.stage), asked.labels[question.id])
        values[question.id] = measured(ranking)
    return values


def orders_of(row: Row, asked: Asked, pipeline: Pipeline) -> dict[str, str]:
    """A digest of each question's whole ranking under a row, to tell whether one rank has moved."""
    orders: dict[str, str] = {}
    for question in asked.questions:
        stages = stages_under(asked.recorded[question.id].trace, pipeline, row.config)
        places = " ".join(
            f"{c.source.file_name}:{c.span.start}-{c.span.end}" for c in list_of(stages, row.stage)
        )
        orders[question.id] = hashlib.sha256(places.encode()).hexdigest()[:12]
    return orders


def asked_live(gateway: Sightline, row: Row, asked: Asked, progress: Progress) -> Asked:
    """The same questions asked anew under a row's own configuration."""
    questions = tuple(question for question in asked.questions if question.answerable)
    recorded = search_all(gateway, questions, progress, row.config)
    return Asked(questions, asked.labels, recorded)


def table(
    rows: Sequence[Row], values: Mapping[str, Values], kinds: Mapping[str, str]
) -> list[dict[str, Any]]:
    """Each row with its metrics and intervals, its comparison, and its metrics by kind of question.

    `values` are by row and question; `kinds` by question. p is adjusted over all compared rows (Holm).
    """
    pairs = {
        row.name: Pair(_column(values[row.name], DECISIVE), _column(values[row.against], DECISIVE))
        for row in rows
        if row.against
    }
    comparisons = compare(pairs, metric=DECISIVE, seed=SEED) if pairs else {}
    return [
        {
            "name": row.name,
            "words": row.words,
            "against": row.against,
            "config": dict(row.config),
            "ingest": asdict(row.ingest),
            "stage": row.stage,
            "metrics": metrics_of(values[row.name]),
            "comparison": comparison_to_json(comparisons[row.name]) if row.name in comparisons else None,
            "kinds": _by_kind(values[row.name], kinds),
            "values": values[row.name],
        }
        for row in rows
    ]


def comparison_to_json(comparison: Comparison) -> dict[str, Any]:
    """A comparison as JSON has it: `mde` is null where no difference could have shown."""
    return {**asdict(comparison), "mde": comparison.mde if math.isfinite(comparison.mde) else None}


def metrics_of(values: Values) -> dict[str, dict[str, float]]:
    """Mean and interval of each metric over the questions."""
    return {name: asdict(bootstrap_interval(_column(values, name), seed=SEED)) for name in KEPT}


def _by_kind(values: Values, kinds: Mapping[str, str]) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for kind in sorted({kinds[question_id] for question_id in values}):
        of_kind = [value for question_id, value in values.items() if kinds[question_id] == kind]
        found[kind] = {"n": len(of_kind)} | {
            name: sum(value[name] for value in of_kind) / len(of_kind) for name in (DECISIVE, "recall@5")
        }
    return found


def _column(values: Values, metric: str) -> list[float]:
    return [values[question_id][metric] for question_id in sorted(values)]
