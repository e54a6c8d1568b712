"""Does a replay give the same list under the same configuration, and another one without any model?"""

import pytest

from services.orchestrator.core.config import (
    FusionConfig,
    ListConfig,
    QueryConfig,
    RerankConfig,
    SelectConfig,
)
from shared.candidate import ScoreType
from shared.errors import NotFound, Unavailable
from tests.unit.orchestrator.engine_fakes import World

CONFIG = QueryConfig(rerank=RerankConfig(depth=2))


async def test_same_configuration_gives_the_same_lists() -> None:
    world = World()
    engine = world.engine()
    first = await engine.search("audit", CONFIG, "default")
    again = await engine.replay(first.trace_id, CONFIG, "default")
    assert [s.candidates for s in again.stages] == [s.candidates for s in first.stages]
    assert again.replay_of == first.trace_id != again.trace_id
    assert again.generation == first.generation


async def test_another_configuration_needs_no_service() -> None:
    world = World()
    engine = world.engine()
    first = await engine.search("audit", CONFIG, "default")
    world.lexical.failures = world.vector.failures = [Unavailable("gone")] * 5
    world.reranker.failure = world.texts.failure = Unavailable("gone")
    config = QueryConfig(fusion=FusionConfig(kind="weighted"), rerank=RerankConfig(kind="none"))
    again = await engine.replay(first.trace_id, config, "default")
    fuse = next(s for s in again.stages if s.plan.id == "fuse")
    assert {c.last.score_type for c in fuse.candidates} == {ScoreType.WEIGHTED}
    assert not any(e.stage == "rerank" for c in again.candidates for e in c.evidence)
    assert all(c.text for c in again.candidates)


async def test_deeper_reranking_says_which_scores_are_missing() -> None:
    engine = World().engine()
    first = await engine.search("audit", CONFIG, "default")
    again = await engine.replay(first.trace_id, QueryConfig(rerank=RerankConfig(depth=4)), "default")
    rerank = next(s for s in again.stages if s.plan.id == "rerank")
    assert rerank.notes == ("2 passages have no recorded score and stay below",)
    assert len(rerank.candidates) == 4


async def test_list_that_was_off_is_a_failed_list() -> None:
    engine = World().engine()
    off = QueryConfig(vector=ListConfig(enabled=False))
    first = await engine.search("audit", off, "default")
    again = await engine.replay(first.trace_id, CONFIG, "default")
    vector = next(s for s in again.stages if s.plan.id == "vector")
    assert vector.error == "nothing was recorded: it was switched off"
    assert again.candidates


async def test_longer_list_than_recorded_says_so() -> None:
    engine = World().engine()
    first = await engine.search("audit", QueryConfig(lexical=ListConfig(limit=2)), "default")
    again = await engine.replay(first.trace_id, CONFIG, "default")
    assert again.stages[0].notes == ("only 2 were asked for when this was recorded",)
    short = QueryConfig(lexical=ListConfig(limit=1), select=SelectConfig(limit=1))
    assert len((await engine.replay(first.trace_id, short, "default")).stages[0].candidates) == 1


async def test_replay_of_a_replay_is_the_same_again() -> None:
    engine = World().engine()
    first = await engine.search("audit", CONFIG, "default")
    second = await engine.replay(first.trace_id, CONFIG, "default")
    third = await engine.replay(second.trace_id, CONFIG, "default")
    assert third.candidates == first.candidates


async def test_unknown_trace_is_not_found() -> None:
    with pytest.raises(NotFound):
        await World().engine().replay("trc_none", CONFIG, "default")
