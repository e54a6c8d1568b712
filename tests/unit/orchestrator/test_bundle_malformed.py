"""Is a replay bundle that is not as it was written refused, with the place named?"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from tests.unit.orchestrator.bundle_stacks import Stack, resigned, stack

Change = Callable[[dict[str, Any]], None]


@pytest.fixture
async def made(tmp_path: Path) -> AsyncIterator[Stack]:
    async with stack(tmp_path) as one:
        yield one


def first_candidate(bundle: dict[str, Any]) -> dict[str, Any]:
    candidate: dict[str, Any] = bundle["trace"]["stages"][0]["candidates"][0]
    return candidate


def at(path: str, value: object) -> Change:
    """Sets the member under a dotted path; `...` takes it away."""

    def change(bundle: dict[str, Any]) -> None:
        *parents, last = path.split(".")
        target: Any = bundle
        for name in parents:
            target = target[int(name)] if isinstance(target, list) else target[name]
        key = int(last) if isinstance(target, list) else last
        if value is ...:
            del target[key]
        else:
            target[key] = value

    return change


def twice_in_one_list(bundle: dict[str, Any]) -> None:
    candidates = bundle["trace"]["stages"][0]["candidates"]
    candidates[1]["chunk_id"] = candidates[0]["chunk_id"]
    candidates[1]["span"] = candidates[0]["span"]


CANDIDATE = "trace.stages.0.candidates.0"
MALFORMED: list[tuple[Change, str]] = [
    (at("format", "something-else"), "format"),
    (at("version", 2), "version"),
    (at("surplus", 1), "surplus"),
    (at("trace.surplus", 1), "trace.surplus"),
    (at(f"{CANDIDATE}.surplus", 1), "trace.stages.0.candidates.0.surplus"),
    (at("trace.question", ...), "trace.question"),
    (at("trace.stages.0.kind", "dance"), "trace.stages.0.kind"),
    (at("trace.stages.0.params", {"limit": "many"}), "trace.stages.0.params"),
    (at("trace.stages.0.label", "Another"), "trace.stages.0.id"),
    (at("trace.stages.0.id", "vector"), "trace.stages.1"),
    (at("trace.plan.0.inputs", ["select"]), "trace.plan.0"),
    (at("trace.config.lexical.limit", 10_000), "trace.config.lexical.limit"),
    (at("trace.config.lexical.surplus", 1), "trace.config.lexical.surplus"),
    (at("trace.generation", "3"), "trace.generation"),
    (at("trace.created_ms", 2**70), "trace.created_ms"),
    (at("trace.context.packed.0.surplus", 1), "trace.context.packed.0.surplus"),
    (at("trace.answer.citations", ...), "trace.answer.citations"),
    (at(f"{CANDIDATE}.evidence", []), "trace.stages.0.candidates.0.evidence"),
    (at(f"{CANDIDATE}.evidence.0.rank", 2), "trace.stages.0.candidates.0.evidence"),
    (at(f"{CANDIDATE}.evidence.0.score", 1e300), "evidence.0.score"),
    (at(f"{CANDIDATE}.evidence.0.score_type", "LUCK"), "evidence.0.score_type"),
    (at(f"{CANDIDATE}.span.end", 0), "trace.stages.0.candidates.0.span"),
    (at("passages.chk_a.text", "shorter"), "has_text"),
    (at("passages.chk_a", ...), "has_text"),
    (at("passages.chk_z", {"source": {}, "text": ""}), "passages.chk_z"),
    (twice_in_one_list, "trace.stages.0.candidates"),
    (at("index_generation", 4), "index_generation"),
]


@pytest.mark.parametrize(("change", "place"), MALFORMED)
async def test_malformed_bundle_is_refused_by_the_place(made: Stack, change: Change, place: str) -> None:
    bundle = json.loads(json.dumps(await made.bundle(await made.ask())))
    change(bundle)
    reply = await made.send(resigned(bundle))
    assert reply.status_code == 422, reply.text
    assert reply.headers["content-type"] == "application/problem+json"
    assert place in reply.json()["detail"]
    assert (await made.client.get("/v1/traces")).json()["total"] == 1


async def test_passage_in_no_list_is_refused(made: Stack) -> None:
    bundle = await made.bundle(await made.ask())
    bundle["passages"]["chk_z"] = bundle["passages"]["chk_a"]
    reply = await made.send(resigned(bundle))
    assert (reply.status_code, reply.json()["detail"]) == (422, "passages.chk_z: is in no list")


async def test_changed_content_does_not_match_its_digest(made: Stack) -> None:
    bundle = await made.bundle(await made.ask())
    bundle["trace"]["question"] += "!"
    reply = await made.send(bundle)
    assert reply.status_code == 422
    assert reply.json()["detail"].startswith("sha256: ")


@pytest.mark.parametrize("value", ["NaN", "Infinity", "1e999", '"\\ud800"'])
async def test_what_json_does_not_have_is_refused(made: Stack, value: str) -> None:
    bundle = await made.bundle(await made.ask())
    bundle["trace"]["ledger"]["odd"] = "ODD"
    content = json.dumps(bundle).replace('"ODD"', value)
    reply = await made.client.post(
        "/v1/traces/bundles", content=content, headers={"Content-Type": "application/json"}
    )
    assert reply.status_code == 422, reply.text


@pytest.mark.parametrize("body", ["", "[]", "{}", "null", "nonsense", "[" * 100_000])
async def test_what_is_no_bundle_at_all_is_refused(made: Stack, body: str) -> None:
    reply = await made.client.post(
        "/v1/traces/bundles", content=body, headers={"Content-Type": "application/json"}
    )
    assert (reply.status_code, reply.json()["status"]) == (422, 422)


async def test_bundle_over_the_limit_is_too_large(tmp_path: Path) -> None:
    async with stack(tmp_path, max_bundle_bytes=1000) as made:
        reply = await made.send(await made.bundle(await made.ask()))
    assert reply.status_code == 413
    assert "max_bundle_bytes" in reply.json()["detail"]


async def test_two_imports_at_once_store_one_trace(made: Stack) -> None:
    bundle = await made.bundle(await made.ask())
    replies = await asyncio.gather(*(made.adopted(bundle) for _ in range(4)))
    assert len(set(replies)) == 1
    assert (await made.client.get("/v1/traces")).json()["total"] == 2
