"""What are evaluations in the gateway's tests? Jobs of a script that stands for eval."""

import asyncio
import itertools
import os
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from services.orchestrator.core.config import QueryConfig
from services.orchestrator.core.eval_runs import EvalRun
from services.orchestrator.core.trace import config_to_json
from services.orchestrator.eval_child import EvalChild
from services.orchestrator.eval_cleaning import Empty
from services.orchestrator.eval_store import EvalStore
from services.orchestrator.evaluation import EvalLimits, Evaluation

SCRIPT = Path(__file__).resolve().parent / "fake_eval.py"
COMMAND = (sys.executable, "-I", str(SCRIPT))
URL = "http://127.0.0.1:1"  # nobody listens there
PATIENCE_S = 20.0

_numbers = itertools.count(1)


async def left_as_it_is(workspace: str) -> None:
    """Removes nothing."""


def idle_evaluation(
    folder: Path, command: Sequence[str] = COMMAND, *, empty: Empty = left_as_it_is, **limits: Any
) -> Evaluation:
    """An evaluation that was not started; its store is not open."""
    store = EvalStore(folder / "evaluation.sqlite", keep=limits.pop("keep", 200))
    child = EvalChild(command=command, environment=dict(os.environ), cwd=SCRIPT.parent, stop_s=0.5)
    given = EvalLimits(**{"leaving_s": 0.0, **limits})
    return Evaluation(store, child, folder / "runs", time.time, given, empty=empty)


@asynccontextmanager
async def evaluating(
    folder: Path, command: Sequence[str] = COMMAND, **limits: Any
) -> AsyncIterator[Evaluation]:
    """One that works; its process is gone after the block."""
    evaluation = idle_evaluation(folder, command, **limits)
    await evaluation._store.open()
    await evaluation.start()
    try:
        yield evaluation
    finally:
        await evaluation.stop()
        await evaluation._store.close()


def run_of(suite: str = "golden", config: QueryConfig | None = None, **more: Any) -> EvalRun:
    """A run to be submitted."""
    values = {
        "id": f"evl_{next(_numbers)}",
        "suite": suite,
        "split": "development",
        "config": config_to_json(config or QueryConfig()),
        "created_ms": 1,
        **more,
    }
    return EvalRun(**values)


async def ended(evaluation: Evaluation, run_id: str) -> EvalRun:
    """The run when it is over."""
    async with asyncio.timeout(PATIENCE_S):
        async for run in evaluation.watch(run_id):
            if run.finished:
                return run
    raise AssertionError("a watch ends with a finished run")


async def hanging(evaluation: Evaluation, run_id: str) -> tuple[int, int]:
    """The process of a run that hangs, and the one that it has started, once they are there."""
    async with asyncio.timeout(PATIENCE_S):
        async for run in evaluation.watch(run_id):
            if run.stage == "hanging":
                break
    pids = (evaluation._folder / "pids").read_text().split()
    return int(pids[0]), int(pids[1])


def alive(pid: int) -> bool:
    """Whether the process is there and not merely unreaped."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"
