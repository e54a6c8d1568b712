"""Does a replay bundle give on an empty second stack what it gives on the first?"""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from services.orchestrator.core.config import QueryConfig
from services.orchestrator.core.prompt import SYSTEM
from shared.errors import Unavailable
from shared.stage import StageInfo
from tests.unit.orchestrator.bundle_stacks import QUESTION, Stack, empty_world, resigned, stack
from tests.unit.orchestrator.engine_fakes import TEXTS, FakeProvider, FakeReranker, World

NOW_MS = 1_000_000

CONFIGS: list[dict[str, Any]] = [
    {},
    {"fusion": {"kind": "weighted", "weights": {"lexical": 3}}, "rerank": {"kind": "none"}},
    {"fusion": {"k": 1}, "rerank": {"depth": 1}, "select": {"limit": 2}},
    {"vector": {"enabled": False}, "gate": {"thresholds": {"CROSS_ENCODER": 0.9}}},
]


@pytest.fixture
async def first(tmp_path: Path) -> AsyncIterator[Stack]:
    async with stack(tmp_path / "first") as made:
        yield made


@pytest.fixture
async def second(tmp_path: Path) -> AsyncIterator[Stack]:
    async with stack(tmp_path / "second", empty_world()) as made:
        yield made


def lists(trace: dict[str, Any]) -> list[tuple[str, Any, str | None]]:
    return [(s["id"], s["candidates"], s["error"]) for s in trace["stages"]]


@pytest.mark.parametrize("config", CONFIGS)
async def test_replay_on_an_empty_stack_gives_the_same_lists(
    first: Stack, second: Stack, config: dict[str, Any]
) -> None:
    trace_id = await first.ask()
    here = await first.replay(trace_id, config)
    there = await second.replay(await second.adopted(await first.bundle(trace_id)), config)
    assert lists(there) == lists(here)
    assert there["candidates"] == here["candidates"]
    assert all(c["text"] for c in there["candidates"])


async def test_imported_trace_is_as_it_was_and_says_that_it_was_imported(first: Stack, second: Stack) -> None:
    trace_id = await first.ask()
    before = (await first.client.get(f"/v1/traces/{trace_id}")).json()
    there = await second.adopted(await first.bundle(trace_id))
    after = (await second.client.get(f"/v1/traces/{there}")).json()
    assert after["notes"][0] == f"imported from a bundle of trace {trace_id}, generation 3"
    assert after["trace_id"] == after["answer"]["trace_id"] == there != trace_id
    assert after["conversation_id"] is after["answer"]["conversation_id"] is None
    assert (before["imported"], after["imported"]) == (False, True)
    own = ("trace_id", "notes", "conversation_id", "answer", "imported")
    assert {k: v for k, v in after.items() if k not in own} == {
        k: v for k, v in before.items() if k not in own
    }
    assert after["answer"]["answer"] == before["answer"]["answer"] != ""
    assert await second.traces.turns("default", "cnv_1") == []


async def test_replay_of_an_imported_trace_is_marked_too(first: Stack, second: Stack) -> None:
    bundle = await first.bundle(await first.ask())
    assert "imported" not in bundle["trace"], "an older stack can read it"
    there = await second.adopted(bundle)
    assert (await second.replay(there, {}))["imported"] is True


async def test_trace_from_the_future_is_dated_now(first: Stack, second: Stack) -> None:
    bundle = await first.bundle(await first.ask())
    bundle = resigned(bundle, trace={**bundle["trace"], "created_ms": 10**12})
    there = await second.adopted(bundle)
    assert (await second.client.get(f"/v1/traces/{there}")).json()["created_ms"] == NOW_MS


async def test_importing_twice_stores_one_trace(first: Stack, second: Stack) -> None:
    bundle = await first.bundle(await first.ask())
    assert await second.adopted(bundle) == await second.adopted(bundle)
    assert (await second.client.get("/v1/traces")).json()["total"] == 1


async def test_bundle_can_come_back_to_its_own_stack(first: Stack) -> None:
    trace_id = await first.ask()
    again = await first.adopted(await first.bundle(trace_id))
    assert lists(await first.replay(again, {})) == lists(await first.replay(trace_id, {}))
    third = await first.adopted(await first.bundle(again))
    assert third not in (again, trace_id), "a bundle of the copy is another file"


async def test_bundle_holds_prompt_models_pipeline_and_each_passage_once(first: Stack) -> None:
    reply = await first.client.get(f"/v1/traces/{await first.ask()}/bundle")
    bundle = reply.json()
    assert reply.headers["content-disposition"].startswith('attachment; filename="sightline-trc_1.json"')
    assert reply.headers["content-type"] == "application/json"
    assert bundle["index_generation"] == 3
    assert [m["role"] for m in bundle["prompt"]] == ["system", "user"]
    assert bundle["prompt"][0]["content"] == SYSTEM
    assert QUESTION in bundle["prompt"][1]["content"]
    assert bundle["services"]["rerank"]["model"]["digest"] == "0" * 64
    assert bundle["services"]["lexical"] == {"reached": True, "model": None}
    rerank = next(s for s in bundle["pipeline"]["stages"] if s["id"] == "rerank")
    assert (rerank["inputs"], rerank["when"]) == (["fuse"], {"rerank.kind": "cross_encoder"})
    assert {i: p["text"] for i, p in bundle["passages"].items()} == TEXTS
    assert reply.text.count(TEXTS["chk_b"][:20]) == 2, "in the passages and in the prompt"


async def test_service_that_does_not_answer_is_said_to_be_unreached(tmp_path: Path) -> None:
    class Unreached(FakeReranker):
        @property
        def info(self) -> StageInfo:
            raise Unavailable("not reached yet")

    async with stack(tmp_path, World(reranker=Unreached(failure=Unavailable("gone")))) as made:
        bundle = await made.bundle(await _search(made))
    assert bundle["services"]["rerank"] == {"reached": False, "model": None}


async def test_search_has_neither_prompt_nor_answer(first: Stack, second: Stack) -> None:
    bundle = await first.bundle(await _search(first))
    assert bundle["prompt"] is None
    assert bundle["trace"]["answer"] is None
    await second.adopted(bundle)


async def test_redacted_trace_leaves_as_redacted(first: Stack, second: Stack) -> None:
    trace_id = await first.ask()
    await first.traces.erase_document("default", "doc_a")
    reply = await first.client.get(f"/v1/traces/{trace_id}/bundle")
    assert TEXTS["chk_a"][:20] not in reply.text
    assert reply.json()["trace"]["redacted"] is True
    assert reply.json()["prompt"] is None
    there = (await second.client.get(f"/v1/traces/{await second.adopted(reply.json())}")).json()
    assert there["redacted"] is True
    assert {c["text"] for c in there["candidates"] if c["chunk_id"] == "chk_a"} == {""}


async def test_documents_that_the_second_stack_lacks_are_not_found(first: Stack, second: Stack) -> None:
    there = await second.adopted(await first.bundle(await first.ask()))
    trace = (await second.client.get(f"/v1/traces/{there}")).json()
    document_id = trace["candidates"][0]["span"]["document_id"]
    assert (await second.client.get(f"/v1/documents/{document_id}/text")).status_code == 404


async def test_deleting_a_document_reaches_imported_traces(first: Stack, second: Stack) -> None:
    there = await second.adopted(await first.bundle(await first.ask()))
    await second.traces.erase_document("default", "doc_a")
    trace = (await second.client.get(f"/v1/traces/{there}")).json()
    assert trace["redacted"] is True
    assert trace["answer"]["answer"] == ""


async def test_refusal_and_failed_stage_travel_too(tmp_path: Path, second: Stack) -> None:
    world = World(providers=[FakeProvider()])
    world.vector.failures = [Unavailable("gone")]
    world.reranker.words = {}
    async with stack(tmp_path, world) as made:
        trace_id = await made.ask()
        bundle = await made.bundle(trace_id)
    assert bundle["trace"]["answer"]["refused"] is True
    assert bundle["prompt"] is None
    again = await second.replay(await second.adopted(bundle), {})
    assert [s["error"] for s in again["stages"] if s["id"] == "vector"] == ["nothing was recorded: gone"]


async def test_unknown_trace_has_no_bundle(first: Stack) -> None:
    assert (await first.client.get("/v1/traces/trc_none/bundle")).status_code == 404


async def _search(made: Stack) -> str:
    return (await made.engine.search(QUESTION, QueryConfig(), "default")).trace_id
