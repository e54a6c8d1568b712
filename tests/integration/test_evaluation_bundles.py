"""Is a real trace replayed from its bundle on a stack that has neither its documents nor its models?"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx
import pytest

from eval.commands import main
from tests.stack import Stack

pytestmark = [pytest.mark.stack, pytest.mark.models]

QUESTION = "how heavy is the anchor of the pilot launch"
FILES = {
    "launch.md": b"# Pilot launch\n\nThe anchor of the pilot launch weighs 84 kg.\n\n## Crew\n\nTwo sail.",
    "barge.md": b"# Barge\n\nThe anchor of the barge weighs 610 kg.\n\n## Paint\n\nIt is painted grey.",
    "rules.md": b"# Rules\n\nA launch leaves the quay with its pilot.\n\n## Anchors\n\nAnchors are tested.",
}
OTHER = {"fusion": {"kind": "weighted", "weights": {"lexical": 0.25}}, "rerank": {"kind": "none"}}


@pytest.fixture(scope="module")
def bundle(stack: Stack) -> dict[str, Any]:
    stack.add(FILES)
    answer = stack.query(QUESTION)
    found: dict[str, Any] = stack.http.get(f"/v1/traces/{answer['trace_id']}/bundle").json()
    return found


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """A second stack without documents, whose embedder is another."""
    running = Stack(tmp_path_factory.mktemp("empty") / "data", environment={"SIGHTLINE_EMBEDDER": "hash"})
    try:
        running.wait_until_up()
        yield running
    finally:
        running.stop()


def replayed(stack: Stack, trace_id: str, config: Mapping[str, Any]) -> list[list[tuple[str, float]]]:
    """Passages and scores of every stage after a replay."""
    reply = stack.http.post(f"/v1/traces/{trace_id}/replay", json={"config": config})
    assert reply.status_code == httpx.codes.OK, reply.text
    return [[(c["chunk_id"], c["score"]) for c in stage["candidates"]] for stage in reply.json()["stages"]]


@pytest.mark.parametrize("config", [{}, OTHER], ids=["same", "other"])
def test_replay_elsewhere_is_the_replay_at_home(
    stack: Stack, empty: Stack, bundle: dict[str, Any], config: dict[str, Any]
) -> None:
    assert empty.http.get("/v1/documents").json()["documents"] == []
    reply = empty.http.post("/v1/traces/bundles", json=bundle)
    assert reply.status_code in (httpx.codes.OK, httpx.codes.CREATED), reply.text
    here, home = reply.json()["trace_id"], bundle["trace"]["trace_id"]
    assert replayed(empty, here, config) == replayed(stack, home, config)
    assert replayed(empty, here, OTHER) != replayed(empty, here, {})


def test_evaluation_replays_it_without_any_stack(
    bundle: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bundle.json").write_text(json.dumps(bundle))
    again = tmp_path / "again.json"
    config = json.dumps(OTHER)
    assert main(["replay", str(tmp_path / "bundle.json"), "--config", config, "--out", str(again)]) == 0
    assert QUESTION in capsys.readouterr().out
    assert json.loads(again.read_text())["trace"]["config"]["fusion"]["kind"] == "weighted"
    bundle_changed = {**bundle, "index_generation": bundle["index_generation"] + 1}
    (tmp_path / "bundle.json").write_text(json.dumps(bundle_changed))
    assert main(["replay", str(tmp_path / "bundle.json")]) == 2
    assert "was changed after it was written" in capsys.readouterr().err
