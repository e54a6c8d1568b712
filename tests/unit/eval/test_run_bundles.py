"""Is a recorded question replayed from a file without a model, and a damaged file refused?"""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from eval.datasets.suite import SuiteError
from eval.runs.bundles import moved, read_bundle, replay, write_bundle
from eval.runs.judging import read_pipeline
from services.orchestrator.core.bundle import bundle_of, digest_of
from services.orchestrator.core.trace import Trace, candidate_to_json
from services.orchestrator.gateway.bundle_body import BundleBody
from tests.unit.eval.run_samples import PASSAGES, trace

LEXICAL = {chunk_id: 9.0 - n for n, chunk_id in enumerate(PASSAGES)}
VECTOR = {chunk_id: float(n) / 10 for n, chunk_id in enumerate(PASSAGES)}
KEYWORDS = {"vector": {"enabled": False}, "rerank": {"kind": "none"}}


def found() -> Trace:
    return trace(LEXICAL, VECTOR, VECTOR)


def bundle(path: Path) -> dict[str, Any]:
    body: dict[str, Any] = json.loads(json.dumps(bundle_of(found(), read_pipeline(), {})))
    path.write_text(json.dumps(body))
    return body


def ids(trace: Trace) -> list[str]:
    return [candidate.chunk_id for candidate in trace.candidates]


def test_bundle_is_read_with_every_list_and_its_texts(tmp_path: Path) -> None:
    bundle(tmp_path / "b.json")
    read = read_bundle(tmp_path / "b.json")
    assert [[candidate_to_json(c) for c in stage.candidates] for stage in read.stages] == [
        [candidate_to_json(c) for c in stage.candidates] for stage in found().stages
    ]
    assert read.notes[0].startswith("imported from a bundle of trace trc_1")


def test_replay_under_the_same_configuration_moves_nothing(tmp_path: Path) -> None:
    bundle(tmp_path / "b.json")
    before = read_bundle(tmp_path / "b.json")
    after = replay(before, {})
    assert [stage.candidates for stage in after.stages] == [stage.candidates for stage in before.stages]
    assert [row[:2] for row in moved(before, after)[1:]] == [(str(n), str(n)) for n in range(1, 7)]


def test_replay_under_another_configuration_plans_ranks_and_gates_anew() -> None:
    after = replay(found(), {**KEYWORDS, "select": {"limit": 2}, "gate": {"thresholds": {"BM25": 10.0}}})
    assert [plan.id for plan in after.plan] == ["lexical", "fuse", "select"]
    assert ids(after) == ["chk_0", "chk_1"]
    assert after.replay_of == "trc_1"
    assert after.context is not None
    assert after.context["gate"]["open"] is False
    assert "BM25 score is 9" in after.context["gate"]["reason"]
    assert [passage["reason"] for passage in after.context["left_out"]] == ["the gate is shut"] * 2
    through = replay(found(), {**KEYWORDS, "gate": {"enabled": False}}).context
    assert through is not None
    assert through["gate"] == {"open": True, "reason": "the gate is switched off"}
    assert [passage["chunk_id"] for passage in through["packed"]] == list(PASSAGES)


def test_replay_is_written_and_read_again(tmp_path: Path) -> None:
    after = replay(found(), KEYWORDS)
    write_bundle(tmp_path / "again.json", after)
    read = read_bundle(tmp_path / "again.json")
    assert (ids(read), read.config, read.replay_of) == (ids(after), after.config, "trc_1")
    assert replay(read, KEYWORDS).stages == after.stages


def test_written_replay_has_the_shape_that_a_gateway_takes(tmp_path: Path) -> None:
    path = tmp_path / "again.json"
    for config in ({}, KEYWORDS, {"gate": {"thresholds": {"CROSS_ENCODER": 10.0}}}):
        write_bundle(path, replay(found(), config))
        BundleBody.model_validate_json(path.read_bytes())


def test_replay_is_a_trace_of_its_own_that_tells_nothing_of_the_recorded_run() -> None:
    recorded = replace(found(), ledger={"prompt": {}}, notes=("slow",), conversation_id="cnv_1")
    after, again, other = replay(recorded, KEYWORDS), replay(recorded, KEYWORDS), replay(recorded, {})
    assert len({recorded.trace_id, after.trace_id, other.trace_id}) == 3
    assert (again.trace_id, after.replay_of) == (after.trace_id, recorded.trace_id)
    assert (after.ledger, after.timings_ms, after.notes) == ({}, {}, ())
    assert (after.conversation_id, after.answer) == (None, None)


def test_moves_are_told_with_the_rank_before() -> None:
    cut = replay(found(), {**KEYWORDS, "select": {"limit": 2}})
    rows = moved(cut, replay(found(), {"lexical": {"enabled": False}, "rerank": {"kind": "none"}}), most=5)
    assert rows[0] == ("now", "before", "document", "passage")
    assert [row[:3] for row in rows[1:]] == [
        ("1", "-", "Handbook"),
        ("2", "-", "Handbook"),
        ("3", "-", "Handbook"),
        ("4", "-", "Handbook"),
        ("5", "2", "Handbook"),
    ]


@pytest.mark.parametrize(
    "config",
    [
        {"fusion": {"kk": 1}},
        {"fusion": {"k": "many"}},
        {"fusion": {"weights": {"smell": 1.0}}},
        {"lexical": {"enabled": False}, "vector": {"enabled": False}},
        {"tables": {"enabled": True}},
        [],
        {"fusion": 3},
    ],
)
def test_configuration_that_cannot_be_planned_is_refused_in_words(config: Any) -> None:
    with pytest.raises(SuiteError, match=r"\w+ \w+"):
        replay(found(), config)


def tampered(body: dict[str, Any]) -> Any:
    body["trace"]["question"] = "Another?"
    return body


def contradictory(body: dict[str, Any]) -> Any:
    del body["passages"]["chk_0"]
    return {**body, "sha256": digest_of(body)}


def halved(body: dict[str, Any]) -> Any:
    del body["trace"]
    return {**body, "sha256": digest_of(body)}


@pytest.mark.parametrize("damage", [tampered, contradictory, halved, lambda body: [body], lambda body: {}])
def test_damaged_bundle_is_refused_with_its_name(damage: Callable[[Any], Any], tmp_path: Path) -> None:
    path = tmp_path / "b.json"
    path.write_text(json.dumps(damage(bundle(path))))
    with pytest.raises(SuiteError, match=r"b\.json is no replay bundle that can be read: \S"):
        read_bundle(path)


@pytest.mark.parametrize("data", [b"", b"{", b"\xff\xfe", b"null"])
def test_file_that_is_no_json_is_refused(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "b.json").write_bytes(data)
    with pytest.raises(SuiteError, match=r"b\.json is no replay bundle"):
        read_bundle(tmp_path / "b.json")
    with pytest.raises(SuiteError, match=r"gone\.json is no replay bundle"):
        read_bundle(tmp_path / "gone.json")
