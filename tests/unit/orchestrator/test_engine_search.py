"""Is a search right when everything works, and honest when something does not?"""

import asyncio
from dataclasses import replace

import pytest

from services.orchestrator.budget import Limits
from services.orchestrator.core.config import ListConfig, QueryConfig, RerankConfig, SelectConfig
from services.orchestrator.core.trace import Trace
from shared.candidate import ScoreType
from shared.errors import DeadlineExceeded, InvalidInput, Unavailable, UnknownGeneration
from tests.unit.orchestrator.engine_fakes import World

CONFIG = QueryConfig()
NO_RERANK = QueryConfig(rerank=RerankConfig(kind="none"))


def ids(trace: Trace, stage: str) -> list[str]:
    return [c.chunk_id for s in trace.stages if s.plan.id == stage for c in s.candidates]


async def test_search_runs_every_stage_in_order() -> None:
    world = World()
    trace = await world.engine().search("  how long are  audit records kept? ", CONFIG, "default")
    assert [s.plan.id for s in trace.stages] == ["lexical", "vector", "fuse", "rerank", "fuse:2", "select"]
    assert trace.question == "how long are audit records kept?"
    assert ids(trace, "select") == ["chk_a", "chk_b", "chk_c", "chk_d"]
    assert trace.candidates[0].text.startswith("Audit records")
    assert trace.candidates[0].source.title == "Handbook"
    assert world.traces.kept[trace.trace_id] == trace
    assert world.lexical.queries[0].generation == trace.generation == 3


async def test_evidence_only_grows_from_stage_to_stage() -> None:
    trace = await World().engine().search("audit", CONFIG, "default")
    by_id = {s.plan.id: s for s in trace.stages}
    for stage in trace.stages:
        before = {c.chunk_id: c.evidence for i in stage.plan.inputs for c in by_id[i].candidates}
        for candidate in stage.candidates:
            assert set(before.get(candidate.chunk_id, ())) <= set(candidate.evidence)
            assert candidate.last.stage == stage.plan.id
        assert [c.last.rank for c in stage.candidates] == list(range(1, len(stage.candidates) + 1))


async def test_lists_run_concurrently() -> None:
    world = World()
    world.lexical.gate = asyncio.Event()
    searching = asyncio.create_task(world.engine().search("audit", CONFIG, "default"))
    await asyncio.wait_for(world.vector.began.wait(), 2)
    await asyncio.wait_for(world.lexical.began.wait(), 2)
    assert not searching.done()
    world.lexical.gate.set()
    assert (await searching).candidates


@pytest.mark.parametrize("failing", ["lexical", "vector"])
async def test_failing_list_is_named_and_the_other_carries_on(failing: str) -> None:
    world = World()
    getattr(world, failing).failures = [Unavailable("it is down")]
    trace = await world.engine().search("audit", CONFIG, "default")
    failed = next(s for s in trace.stages if s.plan.id == failing)
    assert failed.error == "it is down"
    assert failed.candidates == ()
    assert trace.candidates
    assert trace.notes == (f"{failing}: it is down",)
    assert f"{failing} failed: the other lists carry on" in trace.stages[2].notes


async def test_both_lists_failing_is_unavailable_and_names_both() -> None:
    world = World()
    world.lexical.failures = [Unavailable("gone")]
    world.vector.failures = [DeadlineExceeded("slow")]
    with pytest.raises(Unavailable, match=r"lexical: gone; vector: slow"):
        await world.engine().search("audit", CONFIG, "default")


async def test_failing_reranker_leaves_the_fused_order_and_says_so() -> None:
    world = World()
    world.reranker.failure = Unavailable("no replica")
    trace = await world.engine().search("audit", CONFIG, "default")
    assert ids(trace, "select") == ids(trace, "rerank") == ids(trace, "fuse")
    assert trace.notes == ("rerank: no replica",)
    assert trace.candidates[0].last.score_type is ScoreType.RRF


async def test_unknown_generation_is_read_anew_once() -> None:
    world = World()
    world.texts.generations = [3, 5]
    world.lexical.failures = [UnknownGeneration("3 is not held")]
    trace = await world.engine().search("audit", CONFIG, "default")
    assert trace.generation == 5
    assert [q.generation for q in world.lexical.queries] == [3, 5]
    assert [q.generation for q in world.vector.queries][-1] == 5
    assert trace.stages[0].error is None
    assert "searched once more at generation 5" in trace.notes[0]


async def test_unknown_generation_twice_is_a_failed_list() -> None:
    world = World()
    world.lexical.failures = [UnknownGeneration("not held"), UnknownGeneration("still not held")]
    trace = await world.engine().search("audit", CONFIG, "default")
    assert trace.stages[0].error == "still not held"
    assert trace.candidates


async def test_ingest_being_down_is_unavailable() -> None:
    world = World()
    world.texts.failure = Unavailable("ingest is down")
    with pytest.raises(Unavailable, match="ingest is down"):
        await world.engine().search("audit", CONFIG, "default")


async def test_deleted_passage_is_in_no_list() -> None:
    world = World()
    del world.texts.texts["chk_a"]
    trace = await world.engine().search("audit", CONFIG, "default")
    assert all("chk_a" not in ids(trace, s.plan.id) for s in trace.stages)
    assert all(
        [c.last.rank for c in s.candidates] == list(range(1, len(s.candidates) + 1)) for s in trace.stages
    )
    assert "1 passages were left out" in trace.stages[0].notes[0]


async def test_text_that_does_not_fit_its_span_is_not_trusted() -> None:
    world = World()
    world.texts.texts["chk_a"] += " more"
    trace = await world.engine().search("audit", CONFIG, "default")
    assert "chk_a" not in ids(trace, "fuse")


async def test_empty_workspace_asks_no_index() -> None:
    world = World()
    world.texts.generations = [0]
    trace = await world.engine().search("audit", CONFIG, "default")
    assert trace.candidates == ()
    assert world.lexical.queries == []
    assert trace.stages[0].notes == ("the workspace is empty",)


async def test_rerank_stops_at_its_depth_and_leaves_the_rest_below() -> None:
    world = World()
    config = QueryConfig(rerank=RerankConfig(depth=2), select=SelectConfig(limit=3))
    trace = await world.engine().search("audit", config, "default")
    assert world.reranker.sizes == [2]
    reranked = trace.stages[3].candidates
    assert [c.last.score_type for c in reranked] == [ScoreType.CROSS_ENCODER] * 2 + [ScoreType.RRF] * 2
    assert len(trace.candidates) == 3


async def test_switched_off_stages_leave_no_evidence() -> None:
    world = World()
    config = QueryConfig(vector=ListConfig(enabled=False), rerank=RerankConfig(kind="none"))
    trace = await world.engine().search("audit", config, "default")
    assert [s.plan.id for s in trace.stages] == ["lexical", "fuse", "select"]
    assert {e.stage for c in trace.candidates for e in c.evidence} == {"lexical", "fuse", "select"}
    assert world.vector.queries == []


async def test_truncation_is_in_the_ledger_and_in_words() -> None:
    world = World()
    world.reranker.truncates = True
    trace = await world.engine().search("audit", CONFIG, "default")
    assert trace.ledger["rerank"]["present"] == 36
    assert trace.ledger["rerank"]["read"] == 20
    assert len(trace.ledger["rerank"]["truncated"]) == 4
    assert "4 of 4 texts were longer than the model reads" in trace.stages[3].notes[0]


async def test_critical_path_adds_up_to_the_total() -> None:
    world = World()
    world.vector.gate = asyncio.Event()
    asyncio.get_running_loop().call_later(0.15, world.vector.gate.set)
    trace = await world.engine().search("audit", CONFIG, "default")
    path = sum(s.duration_ms for s in trace.stages if s.plan.id != "lexical") + trace.timings_ms["generation"]
    assert path == pytest.approx(trace.timings_ms["total"], rel=0.1)


async def test_exhausted_budget_is_deadline_exceeded() -> None:
    world = World(limits=replace(Limits(), search_s=0.0))
    with pytest.raises(DeadlineExceeded):
        await world.engine().search("audit", CONFIG, "default")


@pytest.mark.parametrize("question", ["", "  \n\t ", "\x00\x01"])
async def test_question_without_anything_visible_is_invalid(question: str) -> None:
    with pytest.raises(InvalidInput, match="question"):
        await World().engine().search(question, CONFIG, "default")


async def test_invalid_query_for_a_list_is_the_askers_error() -> None:
    world = World()
    world.lexical.failures = [InvalidInput("too long")]
    with pytest.raises(InvalidInput, match="too long"):
        await world.engine().search("audit", CONFIG, "default")
