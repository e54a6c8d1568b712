"""What can be run, and how do two results compare? The evaluation itself is asked."""

import asyncio
import json
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from services.orchestrator.core.eval_runs import HELD_OUT, EvalRun, differing, is_suite_name
from services.orchestrator.eval_child import EvalChild
from services.orchestrator.eval_store import EvalStore
from shared.errors import Conflict, InvalidInput, PeerFailed, SightlineError

FAILURE_KEPT_S = 10.0


@dataclass(frozen=True, slots=True)
class Suites:
    """What can be run, as the evaluation describes it; a reason when that cannot be known."""

    suites: tuple[Mapping[str, Any], ...] = ()
    reason: str | None = None
    asked_s: float = 0.0


class EvalAsker:
    """Asks one short question at a time, each at most `ask_s`."""

    def __init__(
        self, store: EvalStore, child: EvalChild, folder: Path, clock: Callable[[], float], ask_s: float
    ) -> None:
        self._store = store
        self._child = child
        self._folder = folder
        self._clock = clock
        self._ask_s = ask_s
        self._one_at_a_time = asyncio.Lock()
        self._suites: Suites | None = None

    async def suites(self) -> Suites:
        """What there is to run: asked once, and again a little after that has failed."""
        async with self._one_at_a_time:
            known = self._suites
            if known is None or (known.reason and self._clock() - known.asked_s > FAILURE_KEPT_S):
                self._suites = known = await self._asked_suites()
            return known

    async def comparison(self, before: EvalRun, after: EvalRun) -> dict[str, Any]:
        """Which settings differ, and what the evaluation says of the difference; asked once for two runs.

        Raises Conflict for a run that is not done, InvalidInput for two that did not measure the same.
        """
        require_comparable(before, after)
        body = await self._store.comparison(after.id, before.id)
        if body is None:
            body = await self._compared(before, after)
            await self._store.keep_comparison(after.id, before.id, body)
        settings = differing(before.config, after.config)
        return {**body, "run_id": after.id, "against_id": before.id, "settings": settings}

    async def _asked_suites(self) -> Suites:
        try:
            body = await self._child.ask(("suites", "--json"), timeout_s=self._ask_s)
        except SightlineError as error:
            return Suites(reason=f"evaluations cannot be run here: {error}", asked_s=self._clock())
        given = body.get("suites") if isinstance(body, dict) else body
        suites = given if isinstance(given, list) else []
        return Suites(tuple(s for s in suites if isinstance(s, dict) and is_suite_name(s.get("name"))))

    async def _compared(self, before: EvalRun, after: EvalRun) -> dict[str, Any]:
        folder = self._folder / f"compare-{after.id}"
        async with self._one_at_a_time:
            try:
                names = []
                for run in (before, after):
                    result = await self._store.result(run.id)
                    names.append(await asyncio.to_thread(written, folder / f"{run.id}.json", result))
                body = await self._child.ask(("compare", "--json", *names), timeout_s=self._ask_s)
            finally:
                await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)
        if not isinstance(body, dict):
            raise PeerFailed("the evaluation compared the runs, but did not answer with a JSON object")
        return body


def require_suite(run: EvalRun, known: Suites) -> None:
    """Raises InvalidInput, naming the field and what there is, for a suite or a split that does not exist."""
    if known.reason:
        raise InvalidInput(f"suite: {known.reason}")
    named = {str(suite["name"]): suite for suite in known.suites}
    if run.suite not in named:
        raise InvalidInput(f"suite: there is no suite {run.suite!r}; there is {', '.join(named) or 'none'}")
    splits = named[run.suite].get("splits")
    if isinstance(splits, list | dict) and splits and run.split not in splits:
        raise InvalidInput(f"split: suite {run.suite} has {', '.join(map(str, splits))}, not {run.split!r}")


def require_comparable(before: EvalRun, after: EvalRun) -> None:
    """Raises InvalidInput for runs that did not measure the same, Conflict for one that is not done."""
    if HELD_OUT in (before.split, after.split):
        raise InvalidInput("against: of the held-out half no single question is told, so no two runs compare")
    if before.id == after.id:
        raise InvalidInput("against: is the run itself; name another one")
    for key in ("suite", "split"):
        was, now = getattr(before, key), getattr(after, key)
        if was != now:
            raise InvalidInput(
                f"against: run {before.id} has {key} {was!r}, run {after.id} has {now!r}; "
                "they measure different questions, so nothing can be compared"
            )
    for run in (before, after):
        if run.state != "done":
            raise Conflict(f"run {run.id} is {run.state}; only runs that are done can be compared")


def written(path: Path, value: Any) -> str:
    """The path of a file that now holds the value as JSON."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")
    return str(path)
