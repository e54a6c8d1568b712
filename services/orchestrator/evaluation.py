"""How are evaluations run as jobs, one after the other?"""

import asyncio
import logging
import secrets
import shutil
from collections import deque
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from services.orchestrator.core.eval_runs import HELD_OUT, EvalRun, reason_for, trace_ids_of
from services.orchestrator.core.records import Listed
from services.orchestrator.eval_asking import EvalAsker, Suites, require_suite, written
from services.orchestrator.eval_child import EvalChild, result_in
from services.orchestrator.eval_cleaning import Empty, EvalCleaner
from services.orchestrator.eval_store import EvalStore
from shared.errors import (
    Conflict,
    DeadlineExceeded,
    NotFound,
    Overloaded,
    PeerFailed,
    SightlineError,
    Unavailable,
)

log = logging.getLogger("sightline.evaluation")

RESTARTED = "the gateway was restarted"
LONGEST_STAGE = 200
CONNECT_S = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalLimits:
    """How many runs may wait; how long one, and a short question to the evaluation, may take.

    A run whose gateway cannot be reached any more stays open for `leaving_s`: the gateway may be stopping.
    """

    max_waiting: int = 4
    run_s: float = 7200.0
    ask_s: float = 120.0
    leaving_s: float = 12.0


class Evaluation:
    """Runs in the order in which they were asked for. What they measure is eval's affair."""

    def __init__(
        self,
        store: EvalStore,
        child: EvalChild,
        folder: Path,
        clock: Callable[[], float],
        limits: EvalLimits,
        *,
        empty: Empty,
    ) -> None:
        self.token = secrets.token_urlsafe(32)
        self._store = store
        self._child = replace(child, environment={**child.environment, "SIGHTLINE_EVAL_TOKEN": self.token})
        self._folder = folder.absolute()
        self._clock = clock
        self._limits = limits
        self._asker = EvalAsker(store, self._child, self._folder, clock, limits.ask_s)
        self._cleaner = EvalCleaner(empty)
        self._live: dict[str, EvalRun] = {}
        self._waiting: deque[tuple[str, str]] = deque()
        self._running: tuple[str, asyncio.Task[None]] | None = None
        self._changed = asyncio.Event()
        self._worker: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Ends what an earlier gateway left unfinished, and begins to work."""
        await self._store.end_unfinished(reason_for(Unavailable(RESTARTED)), self.now_ms())
        await asyncio.to_thread(shutil.rmtree, self._folder, ignore_errors=True)
        self._worker = asyncio.create_task(self._work(), name="evaluation")

    async def stop(self) -> None:
        """Ends the process under way. Its run is left unfinished, for the next start to say so."""
        if self._worker is not None:
            self._worker.cancel()
            await asyncio.gather(self._worker, return_exceptions=True)

    async def suites(self) -> Suites:
        """What can be run."""
        return await self._asker.suites()

    def now_ms(self) -> int:
        """Milliseconds since 1970."""
        return int(self._clock() * 1000)

    async def submit(self, run: EvalRun, url: str) -> EvalRun:
        """The run, queued to be measured over the gateway at `url`.

        Raises InvalidInput for a suite or split that does not exist, Overloaded when too many wait.
        """
        require_suite(run, await self._asker.suites())
        if sum(not r.finished for r in self._live.values()) > self._limits.max_waiting:  # one of them runs
            raise Overloaded(
                f"{self._limits.max_waiting} evaluations are waiting already (setting max_waiting_runs); "
                "try again when one is over, or delete one"
            )
        self._live[run.id] = run
        try:
            await self._store.save(run)
        except BaseException:
            self._live.pop(run.id, None)
            raise
        self._waiting.append((run.id, url))
        self._tell()
        return run

    async def get(self, run_id: str) -> EvalRun:
        """The run as it is now. Raises NotFound."""
        return self._live.get(run_id) or await self._store.get(run_id)

    async def result(self, run_id: str) -> dict[str, Any] | None:
        """What it measured; None before it is done. Raises NotFound."""
        return await self._store.result(run_id)

    async def list(self, *, offset: int, limit: int) -> Listed[EvalRun]:
        """The newest first."""
        listed = await self._store.list(offset=offset, limit=limit)
        return Listed(tuple(self._live.get(run.id, run) for run in listed.items), listed.total)

    async def watch(self, run_id: str) -> AsyncGenerator[EvalRun, None]:
        """The run now, at every change, and a last time when it is over. Raises NotFound."""
        seen: EvalRun | None = None
        while True:
            changed = self._changed
            try:
                run = await self.get(run_id)
            except NotFound:
                if seen is None:
                    raise
                run = replace(seen, state="cancelled")
            if run != seen:
                yield run
                seen = run
            if run.finished:
                return
            await changed.wait()

    async def delete(self, run_id: str) -> None:
        """The run is unknown afterwards; one that waits or runs is cancelled first. Raises NotFound.

        With the last run of a suite its documents go, as soon as no run is worked on.
        """
        run = await self.get(run_id)
        live = self._live.pop(run_id, None)
        if live is not None and self._running is not None and self._running[0] == run_id:
            self._running[1].cancel()
            await asyncio.gather(self._running[1], return_exceptions=True)
        try:
            await self._store.delete(run_id)
            if not await self._store.has_suite(run.suite):
                self._cleaner.abandon(run.workspace)
        finally:
            self._tell()

    async def comparison(self, run_id: str, against_id: str) -> dict[str, Any]:
        """What differs from `against_id` to `run_id`. Raises NotFound, and as `EvalAsker.comparison`."""
        after, before = await self.get(run_id), await self.get(against_id)
        return await self._asker.comparison(before, after)

    async def workspace_of_trace(self, run_id: str, trace_id: str) -> str:
        """Where a trace of this run is. Raises Conflict before it is done, NotFound for another's trace.

        And for any trace of the held-out half.
        """
        run = await self.get(run_id)
        if run.split == HELD_OUT:
            raise NotFound(f"run {run_id} is of the held-out half, of which no single question is told")
        result = await self._store.result(run_id)
        if result is None:
            raise Conflict(f"run {run_id} is {run.state}; its traces are known when it is done")
        if trace_id not in trace_ids_of(result):
            raise NotFound(f"run {run_id} has no trace {trace_id!r}; its result names those that it has")
        return run.workspace

    async def _work(self) -> None:
        while True:
            changed = self._changed
            await self._cleaner.clean({run.workspace for run in self._live.values()})
            while self._waiting:
                run_id, url = self._waiting.popleft()
                if run_id in self._live:  # else it was deleted while it waited
                    self._running = (run_id, asyncio.create_task(self._one(run_id, url), name=run_id))
                    await asyncio.gather(self._running[1], return_exceptions=True)
                    self._running = None
            await changed.wait()

    async def _one(self, run_id: str, url: str) -> None:
        folder = self._folder / run_id
        self._move(run_id, state="running", started_ms=self.now_ms())
        try:
            await self._store.save(self._live[run_id])
            result = await self._measured(self._live[run_id], url, folder)
        except SightlineError as error:
            await self._end(run_id, error)
        except Exception as error:  # the edge: one run that fails ends neither the others nor the gateway
            log.error("unexpected error in an evaluation", exc_info=error)
            await self._end(run_id, PeerFailed("an internal error; the log has the details"))
        else:
            await self._end(run_id, None, result)
        finally:
            await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)

    async def _measured(self, run: EvalRun, url: str, folder: Path) -> dict[str, Any]:
        def heard(message: Mapping[str, Any]) -> None:
            self._move(run.id, **_progress_of(message, self._live.get(run.id, run)))

        config = await asyncio.to_thread(written, folder / "config.json", run.config)
        out = folder / "result.json"
        arguments = ["run", "--url", url, "--suite", run.suite, "--split", run.split, "--config", config]
        arguments += ["--out", str(out), "--progress"]
        if run.every > 1:
            arguments += ["--every", str(run.every)]
        try:
            await self._child.follow(arguments, heard, timeout_s=self._limits.run_s)
        except PeerFailed:
            if not await _listens(url):
                await asyncio.sleep(self._limits.leaving_s)
            raise
        except DeadlineExceeded as error:
            raise DeadlineExceeded(f"{error} (setting eval_timeout_s)") from error
        return await asyncio.to_thread(result_in, out)

    async def _end(
        self, run_id: str, error: SightlineError | None, result: dict[str, Any] | None = None
    ) -> None:
        run = replace(self._live[run_id], finished_ms=self.now_ms())
        if error is not None:
            log.warning("an evaluation failed", extra=_about(run, reason=str(error)))
            run = replace(run, state="failed", reason=reason_for(error))
        else:
            metrics = (result or {}).get("metrics")
            metrics = metrics if isinstance(metrics, dict) else {}
            run = replace(run, state="done", progress=1.0, stage="", metrics=metrics)
        await self._close(run, result)

    async def _close(self, run: EvalRun, result: dict[str, Any] | None) -> None:
        """Keeps a run that is over; what cannot be kept has failed, and is known until the next start."""
        try:
            await self._store.save(run, result)
        except Exception as error:  # the edge: a full disk must not leave anybody waiting for this run
            log.error("a finished evaluation could not be kept", exc_info=error, extra=_about(run))
            unkept = reason_for(PeerFailed("its result could not be kept; the log has the details"))
            run = replace(run, state="failed", reason=unkept, metrics={})
            if run.id in self._live:
                self._live[run.id] = run
        else:
            self._live.pop(run.id, None)
        finally:
            self._tell()

    def _move(self, run_id: str, **changes: Any) -> None:
        run = self._live.get(run_id)
        if run is not None and replace(run, **changes) != run:
            self._live[run_id] = replace(run, **changes)
            self._tell()

    def _tell(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()


def _progress_of(message: Mapping[str, Any], run: EvalRun) -> dict[str, Any]:
    """What a line of the evaluation changes; progress never goes back."""
    changes: dict[str, Any] = {}
    progress, stage = message.get("progress"), message.get("stage")
    if isinstance(progress, int | float) and progress == progress:
        changes["progress"] = float(max(run.progress, min(1.0, progress)))
    if isinstance(stage, str):
        changes["stage"] = stage.encode("utf-8", "replace").decode()[:LONGEST_STAGE]
    return changes


def _about(run: EvalRun, **more: str) -> dict[str, Any]:
    """What the log says beside an event."""
    return {"fields": {"run": run.id, **more}}


async def _listens(url: str) -> bool:
    address = urlsplit(url)
    with suppress(OSError, TimeoutError):
        async with asyncio.timeout(CONNECT_S):
            _, writer = await asyncio.open_connection(address.hostname, address.port)
        writer.close()
        return True
    return False
