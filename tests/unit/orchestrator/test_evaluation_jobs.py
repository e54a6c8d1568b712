"""Are evaluations run one after the other, with progress, and ended for good when they must be?"""

import asyncio
import sys
from pathlib import Path

import pytest

from services.orchestrator.core.config import QueryConfig, SelectConfig
from shared.errors import Conflict, InvalidInput, NotFound, Overloaded
from tests.unit.orchestrator.evaluation_fakes import (
    COMMAND,
    URL,
    alive,
    ended,
    evaluating,
    hanging,
    idle_evaluation,
    run_of,
)


async def test_run_is_measured_under_its_configuration_with_the_token(tmp_path: Path) -> None:
    async with evaluating(tmp_path) as evaluation:
        config = QueryConfig(select=SelectConfig(limit=3))
        run = await evaluation.submit(run_of(config=config, every=5), URL)
        assert run.state == "queued"
        done = await ended(evaluation, run.id)
        result = await evaluation.result(run.id)
    assert (done.state, done.progress, done.reason) == ("done", 1.0, None)
    assert done.metrics == {"ndcg@10": {"mean": 0.5, "low": 0.4, "high": 0.6, "n": 4}}
    assert result is not None
    seen = result["seen"]
    assert seen["config"] == run.config
    assert seen["token"] == evaluation.token != ""
    given = {k: v for k, v in seen["options"].items() if k not in ("config", "out")}
    assert given == {"url": URL, "suite": "golden", "split": "development", "progress": "", "every": "5"}
    assert not list((tmp_path / "runs").iterdir()), "its files are gone"


async def test_watch_tells_every_change_and_ends(tmp_path: Path) -> None:
    async with evaluating(tmp_path) as evaluation:
        run = await evaluation.submit(run_of("paced"), URL)
        seen = []
        async for now in evaluation.watch(run.id):
            seen.append((now.state, now.progress, now.stage))
            if now.stage == "asking 1 of 4":
                (tmp_path / "runs" / "seen").touch()
        later = [r.state async for r in evaluation.watch(run.id)]
    assert seen[0] == ("queued", 0.0, "")
    assert ("running", 0.25, "asking 1 of 4") in seen
    assert [progress for _, progress, _ in seen] == sorted(progress for _, progress, _ in seen)
    assert seen[-1] == ("done", 1.0, "")
    assert later == ["done"]


async def test_failure_says_its_last_words(tmp_path: Path) -> None:
    async with evaluating(tmp_path) as evaluation:
        failed = await ended(evaluation, (await evaluation.submit(run_of("fails"), URL)).id)
        assert await evaluation.result(failed.id) is None
    assert (failed.state, failed.progress) == ("failed", 0.25)
    assert failed.reason is not None
    assert failed.reason.detail == "Traceback:\nsomething\nSuiteError: quote of q1 occurs twice[0m"


@pytest.mark.parametrize(("suite", "words"), [("empty", "without a result"), ("odd", "not JSON")])
async def test_success_without_a_result_is_a_failure(tmp_path: Path, suite: str, words: str) -> None:
    async with evaluating(tmp_path) as evaluation:
        failed = await ended(evaluation, (await evaluation.submit(run_of(suite), URL)).id)
    assert failed.reason is not None
    assert words in failed.reason.detail


async def test_whatever_else_is_printed_does_no_harm(tmp_path: Path) -> None:
    async with evaluating(tmp_path) as evaluation:
        run = await evaluation.submit(run_of("noisy"), URL)
        seen = [r async for r in evaluation.watch(run.id)]
    assert seen[-1].state == "done"
    progress = [r.progress for r in seen]
    assert progress == sorted(progress)
    assert max(len(r.stage) for r in seen) <= 200


async def test_one_runs_and_the_others_wait_within_bounds(tmp_path: Path) -> None:
    async with evaluating(tmp_path, max_waiting=1) as evaluation:
        first = await evaluation.submit(run_of("hangs"), URL)
        await hanging(evaluation, first.id)
        second = await evaluation.submit(run_of(), URL)
        with pytest.raises(Overloaded, match="max_waiting_runs"):
            await evaluation.submit(run_of(), URL)
        assert (await evaluation.get(second.id)).state == "queued"
        assert (await evaluation.list(offset=0, limit=10)).total == 2
        await evaluation.delete(first.id)
        assert (await ended(evaluation, second.id)).state == "done"


async def test_deleting_a_running_run_ends_all_its_processes(tmp_path: Path) -> None:
    async with evaluating(tmp_path) as evaluation:
        run = await evaluation.submit(run_of("stubborn"), URL)
        pids = await hanging(evaluation, run.id)
        assert [alive(pid) for pid in pids] == [True, True]
        watching = asyncio.create_task(_states(evaluation.watch(run.id)))
        await asyncio.sleep(0)
        await evaluation.delete(run.id)
        assert [alive(pid) for pid in pids] == [False, False]
        assert (await watching)[-1] == "cancelled"
        with pytest.raises(NotFound):
            await evaluation.get(run.id)


async def test_deleted_while_waiting_it_is_never_run(tmp_path: Path) -> None:
    async with evaluating(tmp_path) as evaluation:
        first = await evaluation.submit(run_of("hangs"), URL)
        second = await evaluation.submit(run_of(), URL)
        await evaluation.delete(second.id)
        await hanging(evaluation, first.id)
        await evaluation.delete(first.id)
        third = await evaluation.submit(run_of(), URL)
        assert (await ended(evaluation, third.id)).state == "done"
        assert [r.id for r in (await evaluation.list(offset=0, limit=9)).items] == [third.id]
        for run_id in (second.id, "evl_none"):
            with pytest.raises(NotFound):
                await evaluation.delete(run_id)


async def test_run_that_takes_too_long_is_ended(tmp_path: Path) -> None:
    async with evaluating(tmp_path, run_s=1.5) as evaluation:
        run = await evaluation.submit(run_of("hangs"), URL)
        pids = await hanging(evaluation, run.id)
        failed = await ended(evaluation, run.id)
    assert failed.reason is not None
    assert (failed.reason.slug, "eval_timeout_s" in failed.reason.detail) == ("deadline-exceeded", True)
    assert not any(alive(pid) for pid in pids)


async def test_what_was_unfinished_has_failed_after_a_restart(tmp_path: Path) -> None:
    async with evaluating(tmp_path) as evaluation:
        running = await evaluation.submit(run_of("hangs"), URL)
        pids = await hanging(evaluation, running.id)
        queued = await evaluation.submit(run_of(), URL)
    assert not any(alive(pid) for pid in pids), "it ends with the gateway"
    async with evaluating(tmp_path) as again:
        assert again.token != evaluation.token
        for run_id in (running.id, queued.id):
            run = await again.get(run_id)
            assert run.state == "failed"
            assert run.reason is not None
            assert run.reason.detail == "the gateway was restarted"


async def test_run_that_lost_its_gateway_is_left_for_the_restart(tmp_path: Path) -> None:
    async with evaluating(tmp_path, leaving_s=60) as evaluation:
        run = await evaluation.submit(run_of("fails"), URL)
        async for seen in evaluation.watch(run.id):
            if seen.progress == 0.25:
                break
        await asyncio.sleep(0.3)
        assert (await evaluation.get(run.id)).state == "running"
    async with evaluating(tmp_path) as again:
        reason = (await again.get(run.id)).reason
    assert reason is not None
    assert reason.detail == "the gateway was restarted"


async def test_suites_are_asked_once(tmp_path: Path) -> None:
    counted = tmp_path / "count"
    script = f"import pathlib; p = pathlib.Path({str(counted)!r}); p.open('a').write('x'); print('[]')"
    evaluation = idle_evaluation(tmp_path, (sys.executable, "-W", "ignore", "-c", script))
    for _ in range(3):
        assert (await evaluation.suites()).suites == ()
    assert counted.read_text() == "x"


async def test_suites_whose_name_could_be_no_workspace_are_left_out(tmp_path: Path) -> None:
    names = [s["name"] for s in (await idle_evaluation(tmp_path).suites()).suites]
    assert names[0] == "golden"
    assert "not a name" not in names


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ((sys.executable, "-m", "no_such_module"), "No module named no_such_module"),
        (("/no/such/program",), "cannot be started"),
        ((sys.executable, "-c", "print('{')"), "not JSON"),
        ((sys.executable, "-c", "raise SystemExit(3)"), "code 3"),
    ],
)
async def test_without_an_evaluation_there_is_a_reason(
    tmp_path: Path, command: tuple[str, ...], words: str
) -> None:
    known = await idle_evaluation(tmp_path, command).suites()
    assert known.suites == ()
    assert known.reason is not None
    assert words in known.reason


@pytest.mark.parametrize(
    ("run", "words"),
    [
        (run_of("unknown"), "suite: there is no suite 'unknown'; there is golden"),
        (run_of(split="held_out"), "split: suite golden has development"),
    ],
)
async def test_what_does_not_exist_cannot_be_run(tmp_path: Path, run: object, words: str) -> None:
    async with evaluating(tmp_path) as evaluation:
        with pytest.raises(InvalidInput, match=words):
            await evaluation.submit(run, URL)  # type: ignore[arg-type]
        assert (await evaluation.list(offset=0, limit=1)).total == 0


async def test_traces_are_those_that_the_result_names(tmp_path: Path) -> None:
    async with evaluating(tmp_path) as evaluation:
        run = await evaluation.submit(run_of(), URL)
        with pytest.raises(Conflict):
            await evaluation.workspace_of_trace(run.id, "trc_1")
        await ended(evaluation, run.id)
        assert await evaluation.workspace_of_trace(run.id, "trc_1") == "eval-golden"
        with pytest.raises(NotFound):
            await evaluation.workspace_of_trace(run.id, "trc_2")
        with pytest.raises(NotFound):
            await evaluation.workspace_of_trace("evl_none", "trc_1")


async def test_command_is_looked_for_once_more_a_little_later(tmp_path: Path) -> None:
    evaluation = idle_evaluation(tmp_path, ("/no/such/program",))
    now = 100.0
    evaluation._asker._clock = lambda: now
    assert (await evaluation.suites()).reason is not None
    evaluation._asker._child = idle_evaluation(tmp_path, COMMAND)._child
    assert (await evaluation.suites()).reason is not None
    now = 111.0
    assert (await evaluation.suites()).reason is None


async def _states(runs: object) -> list[str]:
    return [run.state async for run in runs]  # type: ignore[attr-defined]
