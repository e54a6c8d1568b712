"""Do runs and comparisons come back as they were, and is there a bound to what is kept?"""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from services.orchestrator.core.eval_runs import EvalRun, differing, is_eval_workspace, trace_ids_of
from services.orchestrator.core.records import Reason
from services.orchestrator.eval_store import EvalStore
from shared.errors import NotFound
from tests.unit.orchestrator.evaluation_fakes import run_of

REASON = Reason("unavailable", "Away", 503, "the gateway was restarted")


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[EvalStore]:
    made = EvalStore(tmp_path / "evaluation.sqlite", keep=2)
    await made.open()
    yield made
    await made.close()


def done(run: EvalRun) -> EvalRun:
    return replace(run, state="done", finished_ms=9)


async def test_run_comes_back_with_its_result(store: EvalStore) -> None:
    run = replace(run_of(), reason=REASON, metrics={"mrr": {"mean": 0.5}}, started_ms=3)
    await store.save(run)
    assert await store.get(run.id) == run
    assert await store.result(run.id) is None
    await store.save(done(run), {"questions": [1]})
    await store.save(replace(done(run), name="later"))
    assert (await store.get(run.id)).name == "later"
    assert await store.result(run.id) == {"questions": [1]}, "what is not given stays"


async def test_unknown_run_is_not_found(store: EvalStore) -> None:
    for work in (store.get, store.result, store.delete):
        with pytest.raises(NotFound, match="evl_none"):
            await work("evl_none")


async def test_oldest_finished_runs_go_first_and_unfinished_ones_stay(store: EvalStore) -> None:
    waiting = run_of()
    await store.save(waiting)
    finished = [done(run_of()) for _ in range(4)]
    for run in finished:
        await store.save(run, {})
    listed = await store.list(offset=0, limit=10)
    assert [r.id for r in listed.items] == [finished[3].id, finished[2].id, waiting.id]
    assert listed.total == 3


async def test_unfinished_runs_are_ended_and_others_left(store: EvalStore) -> None:
    one, two, three = done(run_of()), run_of(), replace(run_of(), state="running", progress=0.5)
    for run in (one, two, three):
        await store.save(run)
    await store.end_unfinished(REASON, 77)
    listed = await store.list(offset=0, limit=1)
    assert listed.items == (replace(three, state="failed", reason=REASON, finished_ms=77),)


async def test_comparison_is_kept_as_long_as_both_runs(store: EvalStore) -> None:
    one, two = done(run_of()), done(run_of())
    await store.save(one, {})
    await store.save(two, {})
    await store.keep_comparison(one.id, two.id, {"metrics": {}})
    assert await store.comparison(one.id, two.id) == {"metrics": {}}
    assert await store.comparison(two.id, one.id) is None
    await store.delete(two.id)
    assert await store.comparison(one.id, two.id) is None
    with pytest.raises(NotFound):
        await store.keep_comparison(one.id, two.id, {})


def test_differing_settings_have_dotted_keys() -> None:
    before = {"a": {"b": 1, "c": 2}, "d": True, "w": {}}
    after = {"a": {"b": 1, "c": 3}, "d": True, "w": {"x": 1}}
    assert differing(before, after) == [
        {"key": "a.c", "before": 2, "after": 3},
        {"key": "w.x", "before": None, "after": 1},
    ]


def test_traces_are_found_wherever_a_question_names_them() -> None:
    result = {
        "trace_id": "trc_0",
        "questions": [{"trace_id": "trc_1", "trace_ids": ["trc_2", 3]}, {"history": [{"trace_id": "trc_4"}]}],
    }
    assert trace_ids_of(result) == {"trc_1", "trc_2", "trc_4"}
    assert trace_ids_of({"questions": 7}) == frozenset()


@pytest.mark.parametrize(
    ("name", "allowed"),
    [("eval-golden", True), ("eval-b.e_ir-2", True), ("eval--x", False), ("eval-a/b", False)],
)
def test_workspaces_of_evaluations_have_plain_names(name: str, allowed: bool) -> None:
    assert is_eval_workspace(name) is allowed
