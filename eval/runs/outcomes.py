"""What became of each question: its grade, where it was lost, and how sure each signal was?"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from eval.datasets.suite import Question
from eval.measures.attribution import (
    Attribution,
    Bucket,
    LabelCourse,
    QuestionCourse,
    StageRun,
    attribute,
    tally,
)
from eval.measures.grading import Expected, Grade, grade, rate_values
from eval.measures.metrics import answerable_success_at, first_ranks
from eval.measures.risk import RiskCase, SignalProfile, profiles, threshold_errors
from eval.measures.statistics import rate_interval
from eval.runs.ablation import SEED, Asked
from eval.runs.asking import Recorded
from eval.runs.collection import Label
from eval.runs.judging import judged
from eval.runs.signals import signals_of
from services.orchestrator.core.trace import Trace
from shared.candidate import TextSpan

CURVE_POINTS = 40  # of a risk-coverage curve that are written down


def outcomes_of(asked: Asked) -> dict[str, Any]:
    """Counts by where questions were lost, those that were, rates of the answers, and each signal's worth."""
    outcomes = _each(asked)
    grades = {question.id: given for question, given, _ in outcomes}
    attributions = [attribution for _, _, attribution in outcomes]
    counts = tally(attributions)
    return {
        "failures": {str(bucket): n for bucket, n in counts.items() if bucket is not Bucket.NONE},
        "only_list": _only_lists(attributions),
        "failed": [
            _lost(question, attribution, given)
            for question, given, attribution in outcomes
            if attribution.bucket is not Bucket.NONE
        ],
        "answers": _rates(asked, grades.values()),
        "graded": {i: float(given.passed) for i, given in grades.items()},
        "let_through": {i: float(not given.refused) for i, given in grades.items() if given.answerable},
        "turned_away": {i: float(given.refused) for i, given in grades.items() if not given.answerable},
        "risk": risk_of(asked),
    }


def rates_of(asked: Asked) -> dict[str, Any]:
    """What the answers are worth: each rate with its interval and over how many questions."""
    return _rates(asked, [_grade(question, asked) for question in asked.questions])


def _rates(asked: Asked, grades: Iterable[Grade]) -> dict[str, Any]:
    found = {"found_and_open": _found_and_open(asked), **rate_values(list(grades))}
    return {
        name: {**asdict(rate_interval(values, seed=SEED)), "n": len(values)}
        for name, values in found.items()
        if values
    }


def _found_and_open(asked: Asked) -> list[float]:
    """For each answerable question whether what was selected holds a label of it, and the gate was open."""
    values = []
    for question in asked.questions:
        if question.answerable:
            trace = asked.recorded[question.id].trace
            ranking = judged(trace.candidates, asked.labels[question.id])
            k = len(trace.candidates)
            values.append(answerable_success_at(ranking, k, gate_open=_gate_open(trace)))
    return values


def _gate_open(trace: Trace) -> bool:
    return bool((trace.context or {}).get("gate", {}).get("open", True))


def _only_lists(attributions: Iterable[Attribution]) -> dict[str, int]:
    """How many labels were found by one list alone, by that list."""
    return dict(Counter(loss.only_list for a in attributions for loss in a.labels if loss.only_list))


def outcome_rows(asked: Asked) -> list[dict[str, Any]]:
    """Each question with its trace, where it was lost, and its rank at every stage."""
    return [
        {**_lost(question, attribution, given), "trace_id": asked.recorded[question.id].trace.trace_id}
        for question, given, attribution in _each(asked)
    ]


def risk_of(asked: Asked) -> dict[str, Any]:
    """For each signal the risk-coverage curve, its area, and what its best threshold costs."""
    cases = [
        RiskCase(
            id=question.id,
            signals=signals_of(asked.recorded[question.id].trace),
            answerable=question.answerable,
            right=question.answerable
            and _all_selected(asked.recorded[question.id], asked.labels[question.id]),
        )
        for question in asked.questions
    ]
    return {name: _signal(found, cases) for name, found in profiles(cases, seed=SEED).items()}


def _signal(profile: SignalProfile, cases: Sequence[RiskCase]) -> dict[str, Any]:
    step = max(1, len(profile.points) // CURVE_POINTS)
    found: dict[str, Any] = {
        "auroc": asdict(profile.auroc) if profile.auroc else None,
        "aurc": asdict(profile.aurc),
        "missing": profile.missing,
        "threshold": profile.best_threshold,
        "curve": [
            {"threshold": p.threshold, "coverage": p.coverage, "risk": asdict(p.risk)}
            for p in profile.points[::step]
        ],
    }
    if profile.best_threshold is not None:
        errors = threshold_errors(cases, profile.signal, profile.best_threshold)
        found |= {name: value for name, value in asdict(errors).items() if isinstance(value, Mapping)}
    return found


def _each(asked: Asked) -> list[tuple[Question, Grade, Attribution]]:
    grades = [(question, _grade(question, asked)) for question in asked.questions]
    return [(question, given, _attribution(question, asked, given)) for question, given in grades]


def _grade(question: Question, asked: Asked) -> Grade:
    return grade(
        asked.recorded[question.id].answer,
        Expected(
            answerable=question.answerable,
            mentions=question.mentions,
            forbidden=question.forbidden,
            labels={
                label.id: tuple(TextSpan(label.document_id, p.start, p.end) for p in label.places)
                for label in asked.labels[question.id]
            },
        ),
    )


def _attribution(question: Question, asked: Asked, given: Grade) -> Attribution:
    trace = asked.recorded[question.id].trace
    ranks = {
        stage.plan.id: first_ranks(judged(stage.candidates, asked.labels[question.id]))
        for stage in trace.stages
        if asked.labels[question.id]
    }
    packed = _packed(trace)
    return attribute(
        QuestionCourse(
            answerable=question.answerable,
            stages=tuple(
                StageRun(s.plan.id, s.plan.kind, s.plan.inputs, s.params.get("limit", s.params.get("depth")))
                for s in trace.stages
            ),
            labels=tuple(
                LabelCourse(
                    label=label.id,
                    parsed=bool(label.places),
                    chunked=label.chunked,
                    ranks={stage_id: of_stage.get(label.id) for stage_id, of_stage in ranks.items()},
                    in_context=any(label.held_by_span(span) for span in packed),
                )
                for label in asked.labels[question.id]
            ),
            gate_open=_gate_open(trace),
            grade=given,
        )
    )


def _packed(trace: Trace) -> list[TextSpan]:
    ids = {passage["chunk_id"] for passage in (trace.context or {}).get("packed", ())}
    return [c.span for c in trace.candidates if c.chunk_id in ids]


def _all_selected(recorded: Recorded, labels: Sequence[Label]) -> bool:
    return all(any(label.held_by_span(c.span) for c in recorded.trace.candidates) for label in labels)


def _lost(question: Question, attribution: Attribution, given: Grade) -> dict[str, Any]:
    return {
        "id": question.id,
        "kind": question.kind,
        "bucket": str(attribution.bucket),
        "refused": given.refused,
        "missing": list(given.mentions_missing),
        "bleed": list(given.bleed),
        "labels": [
            {"label": loss.label, "bucket": str(loss.bucket), "ranks": dict(loss.ranks)}
            for loss in attribution.labels
        ],
    }
