"""How is a question searched for at one generation, or over the lists of a recorded trace?"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from services.orchestrator.availability import Probes
from services.orchestrator.budget import Limits, Stopwatch
from services.orchestrator.core.config import QueryConfig
from services.orchestrator.core.ledger import stage_ledger
from services.orchestrator.core.pipeline import Pipeline
from services.orchestrator.core.query import normalised
from services.orchestrator.core.replay import replayed
from services.orchestrator.core.trace import StagePlan, StageTrace, Trace, stage_to_json
from services.orchestrator.events import Emit, Event
from services.orchestrator.execution import Execution, execute
from services.orchestrator.ports import Texts, Traces
from services.orchestrator.providers.provider import ChatProvider
from services.orchestrator.runners import LiveRunners
from shared.errors import UnknownGeneration
from shared.stage import Query, Stage


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineParts:
    """What the engine works with. `stages` are by service name of the pipeline; `probes` by dependency."""

    pipeline: Pipeline
    stages: Mapping[str, Stage]
    texts: Texts
    traces: Traces
    clock: Callable[[], float]
    new_id: Callable[[str], str]
    providers: Sequence[ChatProvider] = ()
    probes: Probes = field(default_factory=dict)
    limits: Limits = field(default_factory=Limits)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question on its way: what is known before anything is found. The trace grows from here."""

    query: Query
    plan: tuple[StagePlan, ...]
    watch: Stopwatch
    trace: Trace


class Searcher:
    """Runs the plan of a question; nothing is stored here."""

    def __init__(self, parts: EngineParts) -> None:
        self._parts = parts

    async def begin(self, question: str, config: QueryConfig, workspace: str) -> Asked:
        """The question made fit, planned, and bound to the visible generation.

        Raises InvalidInput, and Unavailable when ingest does not answer.
        """
        text = normalised(question)
        plan = self._parts.pipeline.planned(config)
        watch = Stopwatch(self._parts.limits.search_s)
        generation = await self._generation(workspace, watch)
        trace = replace(
            self._trace(text, config, workspace, generation),
            plan=plan,
            timings_ms=rounded({"generation": watch.elapsed_ms()}),
        )
        return Asked(Query(text, workspace, generation), plan, watch, trace)

    async def search(self, asked: Asked, emit: Emit) -> Trace:
        """The trace with all stages; a generation that an index does not hold is read anew, once."""
        notes: tuple[str, ...] = ()
        query = asked.query
        try:
            done = await self._executed(asked, query, emit, tolerant=False)
        except UnknownGeneration as error:
            query = replace(query, generation=await self._generation(query.workspace, asked.watch))
            notes = (f"searched once more at generation {query.generation}: {error}",)
            done = await self._executed(asked, query, emit, tolerant=True)
        return replace(
            asked.trace,
            generation=query.generation,
            stages=done.stages,
            notes=(*notes, *degradations(done.stages)),
            timings_ms={**asked.trace.timings_ms, **stage_timings(done.stages)},
            ledger=stage_ledger(done.token_counts),
        )

    def replay(self, recorded: Trace, config: QueryConfig) -> Trace:
        """A recorded trace under another configuration, as a trace of its own."""
        watch = Stopwatch(self._parts.limits.search_s)
        stages = replayed(recorded, self._parts.pipeline, config, watch.elapsed_ms)
        return replace(
            self._trace(recorded.question, config, recorded.workspace, recorded.generation),
            plan=tuple(stage.plan for stage in stages),
            stages=stages,
            notes=degradations(stages),
            timings_ms={**stage_timings(stages), "total": round(watch.elapsed_ms(), 3)},
            replay_of=recorded.trace_id,
            redacted=recorded.redacted,
            imported=recorded.imported,
        )

    async def _executed(self, asked: Asked, query: Query, emit: Emit, *, tolerant: bool) -> Execution:
        async def on_stage(stage: StageTrace) -> None:
            await emit(Event("stage", {**stage_to_json(stage), "round": 0}))

        runners = LiveRunners(
            pipeline=self._parts.pipeline,
            stages=self._parts.stages,
            texts=self._parts.texts,
            config=asked.trace.config,
            query=query,
            watch=asked.watch,
            limits=self._parts.limits,
            tolerant=tolerant,
        )
        return await execute(asked.plan, runners.by_kind(), asked.watch.elapsed_ms, on_stage)

    async def _generation(self, workspace: str, watch: Stopwatch) -> int:
        deadline_s = watch.carve_s(self._parts.limits.read_s)
        return await self._parts.texts.generation(workspace, deadline_s=deadline_s)

    def _trace(self, question: str, config: QueryConfig, workspace: str, generation: int) -> Trace:
        return Trace(
            trace_id=self._parts.new_id("trc_"),
            question=question,
            workspace=workspace,
            generation=generation,
            created_ms=int(self._parts.clock() * 1000),
            config=config,
        )


def degradations(stages: Sequence[StageTrace]) -> tuple[str, ...]:
    """What did not work, in words."""
    return tuple(f"{stage.plan.id}: {stage.error}" for stage in stages if stage.error is not None)


def stage_timings(stages: Sequence[StageTrace]) -> dict[str, float]:
    """How long each stage took, in milliseconds."""
    return rounded({stage.plan.id: stage.duration_ms for stage in stages})


def rounded(timings: Mapping[str, float]) -> dict[str, float]:
    """Milliseconds to the microsecond."""
    return {name: round(value, 3) for name, value in timings.items()}
