"""Is a suite asked on a running gateway as a client would, and told so that two runs can be compared?"""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from eval.datasets.prepared import Prepared, prepared
from eval.datasets.suite import Question, SuiteError
from eval.runs import on_gateway
from eval.runs.asking import ask_all, merged_config, search_all
from eval.runs.comparing import compared
from services.orchestrator.core.trace import Trace
from tests.unit.eval.fake_gateway import URL, FakeGateway
from tests.unit.eval.run_samples import PASSAGES, answer, context, trace
from tests.unit.eval.suite_samples import MOON, PULL, written

READ = dict.fromkeys(PASSAGES, 0.5)
FOLLOWED = """[[question]]
id = "follow"
kind = "multi_turn"
text = "And what did it pull?"
history = ["Which tug was tried?", "When?"]
quotes = [ { document = "tug-trials.md", text = "bollard pull of 62 tonnes" } ]
"""


def recorded(question: str) -> Trace:
    return trace({"chk_0": 9.0}, {"chk_0": 0.9, "chk_1": 0.8}, READ, context=context("chk_0"))


def gateway(answers: Callable[[str], Mapping[str, Any]] | None = None) -> FakeGateway:
    return FakeGateway(
        traces=recorded, answers=answers or (lambda question: answer("62 tonnes [1]", "chk_0"))
    )


@pytest.fixture
def ready(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Prepared:
    written(monkeypatch, tmp_path, {"development/tugs.toml": PULL + MOON})
    return prepared("tugs", "development")


def run(
    monkeypatch: pytest.MonkeyPatch, fake: FakeGateway, ready: Prepared, config: Mapping[str, Any]
) -> dict[str, Any]:
    monkeypatch.setattr(on_gateway, "Sightline", fake.client)
    return on_gateway.run_on(URL, ready, config, lambda *_: None, into_library=True)


def test_run_tells_metrics_questions_and_what_made_them(
    monkeypatch: pytest.MonkeyPatch, ready: Prepared
) -> None:
    result = run(monkeypatch, gateway(), ready, {"fusion": {"k": 10}})
    assert json.loads(json.dumps(result, allow_nan=False)) == result
    assert (result["suite"], result["split"], result["documents"]) == ("tugs", "development", 2)
    assert result["chunks"] > 2
    assert set(result["metrics"]["ndcg@10"]) == {"mean", "low", "high"}
    moon, pull = result["questions"]
    assert (moon["id"], moon["metrics"], moon["bucket"]) == ("moon", {}, "gate")
    assert (pull["id"], pull["kind"], set(pull["metrics"]) >= {"recall@5"}) == ("pull", "exact", True)
    assert [moon["trace_id"], pull["trace_id"]] == ["trc_1", "trc_2"]
    assert {"failures", "answers", "risk", "latency_ms", "models", "versions", "machine"} <= set(result)


def test_every_question_is_asked_with_the_configuration(
    monkeypatch: pytest.MonkeyPatch, ready: Prepared
) -> None:
    fake = gateway()
    result = run(monkeypatch, fake, ready, {"fusion": {"k": 10}})
    asked_with = {"fusion": {"k": 10}, "answer": {"provider": "extractive"}}
    assert result["config"] == asked_with
    assert [body["config"] for body in fake.asked] == [asked_with, asked_with]


@pytest.mark.parametrize(("given", "asked"), [("auto", "extractive"), ("ollama", "ollama")])
def test_who_answers_is_never_left_to_the_machine(
    given: str, asked: str, monkeypatch: pytest.MonkeyPatch, ready: Prepared
) -> None:
    fake = gateway()
    run(monkeypatch, fake, ready, {"answer": {"provider": given}})
    assert {body["config"]["answer"]["provider"] for body in fake.asked} == {asked}


def test_documents_go_to_a_workspace_apart_if_the_gateway_started_the_run(
    monkeypatch: pytest.MonkeyPatch, ready: Prepared
) -> None:
    monkeypatch.setenv("SIGHTLINE_EVAL_TOKEN", "secret")
    fake = gateway()
    run(monkeypatch, fake, ready, {})
    assert {head["sightline-workspace"] for head in fake.headers} == {"eval-tugs"}
    assert {head["sightline-eval-token"] for head in fake.headers} == {"secret"}


def test_what_an_earlier_suite_left_in_the_workspace_is_removed_before_asking(
    monkeypatch: pytest.MonkeyPatch, ready: Prepared
) -> None:
    monkeypatch.setenv("SIGHTLINE_EVAL_TOKEN", "secret")
    fake = gateway()
    fake.texts = {"renamed.md": "Old words.", "tug-trials.md": "Older words."}
    run(monkeypatch, fake, ready, {})
    assert fake.deleted == ["doc_renamed"]
    assert sorted(fake.texts) == sorted(document.name for document in ready.documents)


def test_library_of_the_gateway_is_used_where_that_is_meant_and_nothing_removed_from_it(
    monkeypatch: pytest.MonkeyPatch, ready: Prepared
) -> None:
    monkeypatch.delenv("SIGHTLINE_EVAL_TOKEN", raising=False)
    fake = gateway()
    fake.texts = {"own.md": "The user's words."}
    run(monkeypatch, fake, ready, {})
    assert not any("sightline-workspace" in head for head in fake.headers)
    assert (fake.deleted, "own.md" in fake.texts) == ([], True)


def test_library_is_not_touched_unless_that_is_meant(
    monkeypatch: pytest.MonkeyPatch, ready: Prepared
) -> None:
    monkeypatch.delenv("SIGHTLINE_EVAL_TOKEN", raising=False)
    fake = gateway()
    monkeypatch.setattr(on_gateway, "Sightline", fake.client)
    with pytest.raises(SuiteError, match="--into-library"):
        on_gateway.run_on(URL, ready, {}, lambda *_: None)
    assert fake.headers == []


def test_of_the_held_out_half_nothing_is_told_of_a_single_question(
    monkeypatch: pytest.MonkeyPatch, ready: Prepared
) -> None:
    open_half = run(monkeypatch, gateway(), ready, {})
    held_out = run(monkeypatch, gateway(), replace(ready, split="held_out"), {})
    assert open_half["failed"]
    assert held_out["metrics"] == open_half["metrics"]
    assert (held_out["failures"], held_out["questions"]) == (open_half["failures"], [])
    told = json.dumps(held_out)
    assert not any(word in told for word in ("moon", "pull", "trc_"))


def test_two_runs_can_be_compared(monkeypatch: pytest.MonkeyPatch, ready: Prepared) -> None:
    before = run(monkeypatch, gateway(), ready, {})
    after = run(monkeypatch, gateway(), ready, {"fusion": {"k": 10}})
    assert compared(before, after)["metrics"]["ndcg@10"]["verdict"] == "same"


def test_earlier_turns_are_asked_first_in_the_same_conversation(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    written(monkeypatch, tmp_path, {"development/tugs.toml": FOLLOWED + PULL})
    fake = gateway()
    found = ask_all(fake.client(), prepared("tugs", "development").questions, lambda *_: None, {})
    assert [(body["question"], body.get("conversation_id")) for body in fake.asked] == [
        ("Which tug was tried?", None),
        ("When?", "cnv_1"),
        ("And what did it pull?", "cnv_1"),
        ("What bollard pull was recorded for the tug Havørn?", None),
    ]
    assert found["follow"].trace.trace_id == "trc_3"
    assert found["follow"].answer["answer"] == "62 tonnes [1]"


def test_search_asks_each_question_once_without_an_answer() -> None:
    fake = gateway()
    one = Question(id="one", kind="exact", text="What?", history=("Which?",))
    shares: list[float] = []
    found = search_all(
        fake.client(), [one, one], lambda share, words: shares.append(share), {"fusion": {"k": 1}}
    )
    assert [body["question"] for body in fake.asked] == ["What?", "What?"]
    assert (found["one"].answer, shares) == ({}, [0.0, 0.5])


def test_configurations_lie_over_each_other_by_group() -> None:
    one = {"fusion": {"k": 60, "kind": "rrf"}, "select": {"limit": 8}}
    merged = merged_config(one, {"fusion": {"k": 10}}, {"answer": {"provider": "extractive"}})
    assert merged == {
        "fusion": {"k": 10, "kind": "rrf"},
        "select": {"limit": 8},
        "answer": {"provider": "extractive"},
    }
    merged["select"]["limit"] = 1
    assert one["select"] == {"limit": 8}
