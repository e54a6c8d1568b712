"""How are planned stages run? Each as soon as those that it reads are done."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass

from services.orchestrator.core.outcome import Inputs, Outcome, stage_trace
from services.orchestrator.core.trace import StagePlan, StageTrace
from shared.stage import TokenCount

Runner = Callable[[StagePlan, Inputs], Awaitable[Outcome]]


@dataclass(frozen=True, slots=True)
class Execution:
    """Every stage in the plan's order, and the tokens that each read."""

    stages: tuple[StageTrace, ...]
    token_counts: Mapping[str, tuple[TokenCount, ...]]


async def execute(
    plan: Sequence[StagePlan],
    runners: Mapping[str, Runner],
    elapsed_ms: Callable[[], float],
    on_stage: Callable[[StageTrace], Awaitable[None]],
) -> Execution:
    """Runs every stage by the runner of its kind, together where none waits for the other.

    What a runner raises ends everything and is raised here: the first one, if there are several.
    """
    counts: dict[str, tuple[TokenCount, ...]] = {}
    tasks: dict[str, asyncio.Task[StageTrace]] = {}

    async def run(stage: StagePlan) -> StageTrace:
        inputs = {name: await asyncio.shield(tasks[name]) for name in stage.inputs}
        started_ms = elapsed_ms()
        outcome = await runners[stage.kind](stage, inputs)
        trace = stage_trace(stage, outcome, started_ms, elapsed_ms())
        counts[stage.id] = outcome.token_counts
        await on_stage(trace)
        return trace

    try:
        async with asyncio.TaskGroup() as group:
            for stage in plan:
                tasks[stage.id] = group.create_task(run(stage))
    except BaseExceptionGroup as failures:  # the first failure speaks for all
        raise failures.exceptions[0] from failures
    return Execution(tuple(tasks[stage.id].result() for stage in plan), counts)
