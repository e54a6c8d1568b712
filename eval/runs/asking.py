"""What does a stack answer to each question, and what did it find on the way?"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from client.gateway import Sightline
from eval.datasets.suite import Question
from eval.runs.progress import Progress
from services.orchestrator.core.trace import Trace
from services.orchestrator.core.trace_reading import trace_from_json

# Answers must not depend on which chat model a machine happens to have.
ASKED_WITH: Mapping[str, Any] = {"answer": {"provider": "extractive"}}


ATTEMPTS = 3  # a stack may be busy; what fails each time is broken


class RunFailed(Exception):
    """A run that cannot be measured, with the question and the stage."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """One question: the answer object, empty if it was only searched for, and the whole trace."""

    question_id: str
    answer: Mapping[str, Any]
    trace: Trace


def ask_all(
    gateway: Sightline, questions: Sequence[Question], progress: Progress, config: Mapping[str, Any]
) -> dict[str, Recorded]:
    """By id, one question at a time in their order; earlier turns are asked before their question.

    RunFailed, naming question and stage, when a stage fails again and again.
    """
    config = merged_config(ASKED_WITH, config)

    def ask(question: Question) -> Recorded:
        conversation_id = None
        for turn in question.history:
            conversation_id = gateway.query(turn, config, conversation_id)["conversation_id"]
        answer = gateway.query(question.text, config, conversation_id)
        return Recorded(question.id, answer, trace_from_json(gateway.trace(answer["trace_id"])))

    return _each(questions, progress, "asking", ask)


def search_all(
    gateway: Sightline, questions: Sequence[Question], progress: Progress, config: Mapping[str, Any]
) -> dict[str, Recorded]:
    """Every question searched for without an answer, by its id, one at a time. RunFailed as above."""

    def search(question: Question) -> Recorded:
        return Recorded(question.id, {}, trace_from_json(gateway.search_json(question.text, config)))

    return _each(questions, progress, "searching", search)


def _each(
    questions: Sequence[Question], progress: Progress, doing: str, ask: Callable[[Question], Recorded]
) -> dict[str, Recorded]:
    recorded: dict[str, Recorded] = {}
    for number, question in enumerate(questions, start=1):
        progress((number - 1) / len(questions), f"{doing} {number} of {len(questions)}")
        for attempt in range(ATTEMPTS):
            found = ask(question)
            failed = next((stage for stage in found.trace.stages if stage.error is not None), None)
            if failed is None:
                break
            # What is left without the stage is another configuration than the one asked for.
            if attempt == ATTEMPTS - 1:
                raise RunFailed(f"{question.id}: stage {failed.plan.id} failed: {failed.error}")
        recorded[question.id] = found
    return recorded


def merged_config(*parts: Mapping[str, Any]) -> dict[str, Any]:
    """Configurations over each other, group by group; the later wins."""
    merged: dict[str, Any] = {}
    for part in parts:
        for group, values in part.items():
            merged[group] = {**merged.get(group, {}), **values}
    return json.loads(json.dumps(merged))  # type: ignore[no-any-return]  # plain data, shared with nobody
