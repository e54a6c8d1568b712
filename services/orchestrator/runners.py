"""What does a stage of each kind do in a live search, and what becomes of it when a service fails?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from services.orchestrator.budget import Limits, Stopwatch
from services.orchestrator.core.config import MAX_LIST, QueryConfig
from services.orchestrator.core.fusion import fused
from services.orchestrator.core.ledger import truncation_notes
from services.orchestrator.core.outcome import Inputs, Outcome, only, require_a_list
from services.orchestrator.core.pipeline import Pipeline
from services.orchestrator.core.ranking import passed_on, renumbered, reranked
from services.orchestrator.core.records import StoredChunk
from services.orchestrator.core.trace import StagePlan
from services.orchestrator.execution import Runner
from services.orchestrator.ports import Texts
from shared.candidate import Candidate
from shared.errors import InvalidInput, SightlineError, Unavailable, UnknownGeneration
from shared.stage import Query, Ranking, RunOptions, Stage


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveRunners:
    """Runners by kind, for one question at one generation.

    With `tolerant` a list that does not hold the generation is a failed list; without, UnknownGeneration
    is raised, so that the generation can be read anew.
    """

    pipeline: Pipeline
    stages: Mapping[str, Stage]
    texts: Texts
    config: QueryConfig
    query: Query
    watch: Stopwatch
    limits: Limits
    tolerant: bool = False

    def by_kind(self) -> Mapping[str, Runner]:
        """As `execute` takes them."""
        return {"retrieve": self.retrieve, "fuse": self.fuse, "rerank": self.rerank, "select": self.select}

    async def retrieve(self, plan: StagePlan, inputs: Inputs) -> Outcome:
        """The list of a service with its sources, or an error and no list; InvalidInput is the asker's."""
        params = self.pipeline.spec(plan.id).params_of(self.config)
        if self.query.generation == 0:
            return Outcome(params=params, notes=("the workspace is empty",))
        try:
            ranking = await self._run(plan, (), self.limits.retrieve_s)
        except UnknownGeneration as error:
            if not self.tolerant:
                raise
            return Outcome(params=params, error=str(error))
        except InvalidInput:
            raise
        except SightlineError as error:
            return Outcome(params=params, error=str(error))
        candidates, notes = await self._with_sources(plan, ranking.candidates)
        return Outcome(candidates=candidates, params=params, notes=(*ranking.notes, *notes))

    async def fuse(self, plan: StagePlan, inputs: Inputs) -> Outcome:
        """One list of all, with its texts. Raises if every list failed, or if the texts cannot be had."""
        require_a_list(inputs)
        params = self.pipeline.spec(plan.id).params_of(self.config)
        lists = {stage_id: trace.candidates for stage_id, trace in inputs.items() if trace.error is None}
        one = fused(plan.id, lists, self.config.fusion, MAX_LIST)
        notes = tuple(
            f"{i} failed: the other lists carry on" for i, t in inputs.items() if t.error is not None
        )
        if all(c.text for c in one):  # a later fusion, of lists that have their texts
            return Outcome(candidates=tuple(one), params=params, notes=notes)
        known = await self.texts.hydrate(
            self.query.workspace,
            [c.chunk_id for c in one],
            with_text=True,
            deadline_s=self.watch.carve_s(self.limits.read_s),
        )
        candidates = _hydrated(plan.id, one, known)
        return Outcome(candidates=candidates, params=params, notes=(*notes, *_lost(one, candidates)))

    async def rerank(self, plan: StagePlan, inputs: Inputs) -> Outcome:
        """The head read again and the rest below it; the order as it was, with an error, if that fails."""
        spec = self.pipeline.spec(plan.id)
        params = spec.params_of(self.config)
        offered = only(inputs)
        if not offered:
            return Outcome(params=params)
        try:
            ranking = await self._run(plan, offered[: spec.limit_of(self.config)], self.limits.rerank_s)
        except SightlineError as error:
            notes = ("not reranked: the fused order stands",)
            return Outcome(
                candidates=passed_on(plan.id, offered), params=params, notes=notes, error=str(error)
            )
        return Outcome(
            candidates=reranked(plan.id, ranking.candidates, offered),
            params=params,
            notes=(*ranking.notes, *truncation_notes(ranking.token_counts)),
            token_counts=ranking.token_counts,
        )

    async def select(self, plan: StagePlan, inputs: Inputs) -> Outcome:
        """The first of the ranking."""
        spec = self.pipeline.spec(plan.id)
        candidates = passed_on(plan.id, only(inputs), spec.limit_of(self.config))
        return Outcome(candidates=candidates, params=spec.params_of(self.config))

    async def _run(self, plan: StagePlan, candidates: Sequence[Candidate], most_s: float) -> Ranking:
        spec = self.pipeline.spec(plan.id)
        stage = self.stages.get(spec.service)
        if stage is None:
            raise Unavailable(f"no service is known for stage {plan.id}")
        limit = 0 if candidates else spec.limit_of(self.config)
        options = RunOptions(limit=limit, deadline_s=self.watch.carve_s(most_s))
        return await stage.run(self.query, candidates, options)

    async def _with_sources(
        self, plan: StagePlan, candidates: Sequence[Candidate]
    ) -> tuple[tuple[Candidate, ...], tuple[str, ...]]:
        try:
            known = await self.texts.hydrate(
                self.query.workspace,
                [c.chunk_id for c in candidates],
                with_text=False,
                deadline_s=self.watch.carve_s(self.limits.read_s),
            )
        except SightlineError as error:
            return renumbered(plan.id, candidates), (f"sources could not be read: {error}",)
        kept = [replace(c, source=known[c.chunk_id].source) for c in candidates if c.chunk_id in known]
        return renumbered(plan.id, kept), _lost(candidates, kept)


def _hydrated(
    stage: str, candidates: Sequence[Candidate], known: Mapping[str, StoredChunk]
) -> tuple[Candidate, ...]:
    """Those that are known, with source and text; a text that is not as long as its span is not trusted."""
    kept = []
    for c in candidates:
        chunk = known.get(c.chunk_id)
        if chunk is not None and len(chunk.text) == c.span.end - c.span.start:
            kept.append(replace(c, source=chunk.source, text=chunk.text))
    return renumbered(stage, kept)


def _lost(before: Sequence[Candidate], after: Sequence[Candidate]) -> tuple[str, ...]:
    lost = len(before) - len(after)
    return (f"{lost} passages were left out, as their document is gone or changed",) if lost else ()
