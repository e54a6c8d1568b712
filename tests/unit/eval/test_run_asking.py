"""Is a question measured only as it was meant, whatever fails on the way?"""

import json
from dataclasses import replace

import httpx

from client.gateway import Sightline
from eval.datasets.suite import Question
from eval.runs.asking import ATTEMPTS, search_all
from services.orchestrator.core.trace import Trace, trace_to_json
from tests.unit.eval.run_samples import trace

QUESTION = Question(id="tugs-pull", kind="out_of_scope", text="What does it say?")
SOUND = trace({"chk_0": 2.0}, {"chk_1": 0.5}, {"chk_0": 0.9, "chk_1": 0.1})
DEGRADED = replace(
    SOUND, stages=(replace(SOUND.stages[0], error="it did not answer in time"), *SOUND.stages[1:])
)


def gateway(*answers: Trace) -> Sightline:
    """One that finds these traces, one after the other, the last one again and again."""
    left = list(answers)

    def search(request: httpx.Request) -> httpx.Response:
        found = left.pop(0) if len(left) > 1 else left[0]
        return httpx.Response(200, json=json.loads(json.dumps(trace_to_json(found))))

    return Sightline("http://127.0.0.1:1", transport=httpx.MockTransport(search))


def test_question_is_asked_again_when_a_stage_failed() -> None:
    answers = [DEGRADED] * (ATTEMPTS - 1) + [SOUND]
    found = search_all(gateway(*answers), [QUESTION], lambda share, words: None, {})
    assert all(stage.error is None for stage in found["tugs-pull"].trace.stages)
