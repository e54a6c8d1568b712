"""What does a stack answer to each question, and what did it find on the way?"""

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from client.gateway import Sightline
from eval.datasets.suite import Question
from eval.runs.progress import Progress
from services.orchestrator.core.trace import Trace
from services.orchestrator.core.trace_reading import trace_from_json

# Answers must not depend on which chat model a machine happens to have.
ASKED_WITH: Mapping[str, Any] = {"answer": {"provider": "extractive"}}


class RunFailed(Exception):
    """A run that cannot be measured, with the question and the stage."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """One answered question: the answer object, the whole trace, and the time as the client saw it."""

    question_id: str
    answer: Mapping[str, Any]
    trace: Trace
    wall_ms: float


def ask_all(
    gateway: Sightline,
    questions: Sequence[Question],
    progress: Progress,
    config: Mapping[str, Any],
) -> dict[str, Recorded]:
    """By id, one question at a time in their order; earlier turns are asked before their question."""
    config = merged_config(ASKED_WITH, config)
    recorded: dict[str, Recorded] = {}
    for number, question in enumerate(questions):
        progress(number / len(questions), f"asking {number + 1} of {len(questions)}")
        conversation_id = None
        for turn in question.history:
            conversation_id = gateway.query(turn, config, conversation_id)["conversation_id"]
        started = time.perf_counter()
        answer = gateway.query(question.text, config, conversation_id)
        wall_ms = (time.perf_counter() - started) * 1000
        trace = trace_from_json(gateway.trace(answer["trace_id"]))
        recorded[question.id] = Recorded(question.id, answer, _sound(question, trace), round(wall_ms, 3))
    return recorded


def search_all(
    gateway: Sightline, questions: Sequence[Question], progress: Progress, config: Mapping[str, Any]
) -> dict[str, Recorded]:
    """Every question searched for without an answer, by its id, one at a time."""
    recorded: dict[str, Recorded] = {}
    for number, question in enumerate(questions):
        progress(number / len(questions), f"searching {number + 1} of {len(questions)}")
        started = time.perf_counter()
        found = gateway.search_json(question.text, config)
        wall_ms = (time.perf_counter() - started) * 1000
        recorded[question.id] = Recorded(
            question.id, {}, _sound(question, trace_from_json(found)), round(wall_ms, 3)
        )
    return recorded


def _sound(question: Question, trace: Trace) -> Trace:
    """The trace, unless a stage failed: what is left then is another configuration than the one asked for."""
    for stage in trace.stages:
        if stage.error is not None:
            raise RunFailed(
                f"{question.id}: stage {stage.plan.id} failed, nothing is measured: {stage.error}"
            )
    return trace


def merged_config(*parts: Mapping[str, Any]) -> dict[str, Any]:
    """Configurations over each other, group by group; the later wins."""
    merged: dict[str, Any] = {}
    for part in parts:
        for group, values in part.items():
            merged[group] = {**merged.get(group, {}), **values}
    return json.loads(json.dumps(merged))  # type: ignore[no-any-return]  # plain data, shared with nobody
