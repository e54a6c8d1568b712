"""What is left of a run that cannot be kept, of the held-out half, and of a suite without runs?"""

import asyncio
import logging
import sqlite3
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from services.orchestrator.core.eval_runs import EvalRun
from services.orchestrator.core.records import Listed
from services.orchestrator.eval_asking import require_comparable
from services.orchestrator.eval_cleaning import EvalCleaner, emptied
from shared.errors import InvalidInput, NotFound, Overloaded
from tests.unit.orchestrator.evaluation_fakes import PATIENCE_S, URL, ended, evaluating, hanging, run_of
from tests.unit.orchestrator.gateway_fakes import FakeTraces
from tests.unit.orchestrator.gateway_samples import document


async def test_result_that_cannot_be_kept_fails_its_run_and_is_logged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with evaluating(tmp_path) as evaluation:
        kept = evaluation._store.save

        async def save(run: EvalRun, result: dict[str, Any] | None = None) -> None:
            if result is not None:
                raise sqlite3.OperationalError("database or disk is full")
            await kept(run, result)

        monkeypatch.setattr(evaluation._store, "save", save)
        with caplog.at_level(logging.ERROR, "sightline.evaluation"):
            run = await ended(evaluation, (await evaluation.submit(run_of(), URL)).id)
        assert (run.state, run.metrics, (await evaluation.get(run.id)).state) == ("failed", {}, "failed")
        assert run.reason is not None
        assert "could not be kept" in run.reason.detail
        assert "disk is full" in caplog.text
        failed = await ended(evaluation, (await evaluation.submit(run_of("fails"), URL)).id)
        assert failed.state == "failed", "the next one is worked on"


async def test_one_runs_where_none_may_wait(tmp_path: Path) -> None:
    async with evaluating(tmp_path, max_waiting=0) as evaluation:
        first = await evaluation.submit(run_of("hangs"), URL)
        with pytest.raises(Overloaded):
            await evaluation.submit(run_of(), URL)
        await hanging(evaluation, first.id)
        with pytest.raises(Overloaded):
            await evaluation.submit(run_of(), URL)
        await evaluation.delete(first.id)
        assert (await ended(evaluation, (await evaluation.submit(run_of(), URL)).id)).state == "done"


async def test_of_the_held_out_half_no_trace_is_told_and_nothing_compared(tmp_path: Path) -> None:
    async with evaluating(tmp_path) as evaluation:
        run = run_of("noisy", split="held_out")
        done = await ended(evaluation, (await evaluation.submit(run, URL)).id)
        with pytest.raises(NotFound, match="held-out"):
            await evaluation.workspace_of_trace(done.id, "trc_1")
        with pytest.raises(InvalidInput, match="held-out"):
            require_comparable(done, run_of("noisy", split="held_out"))


async def test_with_the_last_run_of_a_suite_its_documents_go(tmp_path: Path) -> None:
    told: list[str] = []
    emptying = asyncio.Event()

    async def empty(workspace: str) -> None:
        told.append(workspace)
        emptying.set()

    async with evaluating(tmp_path, empty=empty) as evaluation:
        runs = [await evaluation.submit(run_of(suite), URL) for suite in ("golden", "golden", "noisy")]
        for run in runs:
            await ended(evaluation, run.id)
        await evaluation.delete(runs[0].id)
        await asyncio.sleep(0.05)
        assert told == []
        await evaluation.delete(runs[1].id)
        async with asyncio.timeout(PATIENCE_S):
            await emptying.wait()
        assert told == ["eval-golden"]


async def test_workspace_that_is_needed_again_is_left_and_a_failure_ends_nothing() -> None:
    tried: list[str] = []

    async def empty(workspace: str) -> None:
        tried.append(workspace)
        raise sqlite3.OperationalError("locked")

    cleaner = EvalCleaner(empty)
    cleaner.abandon("eval-golden")
    await cleaner.clean({"eval-golden"})
    assert tried == []
    cleaner.abandon("eval-other")
    await cleaner.clean(set())
    assert tried == ["eval-other"]


async def test_emptied_workspace_holds_no_document_and_no_word_of_one() -> None:
    class Library:
        def __init__(self) -> None:
            self.ids = [f"doc_{n}" for n in range(450)]

        async def documents(self, workspace: str, *, offset: int, limit: int) -> Listed[Any]:
            found = [replace(document(), id=i) for i in self.ids[offset : offset + limit]]
            return Listed(tuple(found), len(self.ids))

        async def delete_document(self, workspace: str, document_id: str) -> bool:
            self.ids.remove(document_id)
            if document_id == "doc_7":
                raise NotFound("somebody else was quicker")
            return True

    library, traces = Library(), FakeTraces()
    await emptied(library, traces, "eval-golden")
    assert (library.ids, len(traces.erased)) == ([], 450)
