"""What would another configuration have made of the lists that were recorded? No model, no index is asked."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from services.orchestrator.core.config import MAX_LIST, QueryConfig
from services.orchestrator.core.fusion import fused
from services.orchestrator.core.outcome import Inputs, Outcome, only, require_a_list, stage_trace
from services.orchestrator.core.pipeline import Pipeline
from services.orchestrator.core.ranking import passed_on, renumbered, reranked
from services.orchestrator.core.trace import StagePlan, StageTrace, Trace
from shared.candidate import Candidate, Scored, ScoreType, ranked


def replayed(
    recorded: Trace, pipeline: Pipeline, config: QueryConfig, elapsed_ms: Callable[[], float] = lambda: 0.0
) -> tuple[StageTrace, ...]:
    """Every stage of the configuration's plan, in its order, over the lists of a recorded trace.

    Raises InvalidInput for a configuration that cannot be planned, Unavailable if no list was recorded.
    """
    runners = _RecordedRunners(pipeline, config, recorded).by_kind()
    done: dict[str, StageTrace] = {}
    for plan in pipeline.planned(config):
        started_ms = elapsed_ms()
        outcome = runners[plan.kind](plan, {stage_id: done[stage_id] for stage_id in plan.inputs})
        done[plan.id] = stage_trace(plan, outcome, started_ms, elapsed_ms())
    return tuple(done.values())


@dataclass(frozen=True, slots=True)
class _RecordedRunners:
    """Runners by kind over a stored trace: lists and reranking scores are read, the rest is done anew."""

    pipeline: Pipeline
    config: QueryConfig
    recorded: Trace

    def by_kind(self) -> dict[str, Callable[[StagePlan, Inputs], Outcome]]:
        return {"retrieve": self.retrieve, "fuse": self.fuse, "rerank": self.rerank, "select": self.select}

    def retrieve(self, plan: StagePlan, inputs: Inputs) -> Outcome:
        """The list as it was recorded, cut to the limit asked for."""
        spec = self.pipeline.spec(plan.id)
        params = spec.params_of(self.config)
        stage = self._stage(plan.id)
        if stage is None or stage.error is not None:
            reason = stage.error if stage is not None else "it was switched off"
            return Outcome(params=params, error=f"nothing was recorded: {reason}")
        limit = spec.limit_of(self.config)
        notes = stage.notes
        if limit > int(stage.params.get("limit", limit)):
            notes = (*notes, f"only {stage.params['limit']} were asked for when this was recorded")
        return Outcome(candidates=stage.candidates[: limit or None], params=params, notes=notes)

    def fuse(self, plan: StagePlan, inputs: Inputs) -> Outcome:
        """Fused anew, with the texts that are stored."""
        require_a_list(inputs)
        lists = {stage_id: trace.candidates for stage_id, trace in inputs.items() if trace.error is None}
        fuse = next((s for s in self.recorded.stages if s.plan.kind == "fuse"), None)
        stored = {c.chunk_id: c for c in (fuse.candidates if fuse is not None else ())}
        one = [
            replace(c, text=stored[c.chunk_id].text, source=stored[c.chunk_id].source)
            for c in fused(plan.id, lists, self.config.fusion, MAX_LIST)
            if c.chunk_id in stored  # as when it was recorded, what had no text then is left out
        ]
        params = self.pipeline.spec(plan.id).params_of(self.config)
        return Outcome(candidates=renumbered(plan.id, one), params=params)

    def rerank(self, plan: StagePlan, inputs: Inputs) -> Outcome:
        """Ordered by the scores that were recorded; passages without one stay below, in their order."""
        spec = self.pipeline.spec(plan.id)
        params = spec.params_of(self.config)
        offered = only(inputs)
        scored = self._scores(plan.id)
        head = offered[: spec.limit_of(self.config)]
        read = [replace(scored[c.chunk_id], candidate=c) for c in head if c.chunk_id in scored]
        notes: tuple[str, ...] = ()
        if len(read) < len(head):
            notes = (f"{len(head) - len(read)} passages have no recorded score and stay below",)
        if not read:
            return Outcome(
                candidates=passed_on(plan.id, offered),
                params=params,
                notes=notes,
                error="nothing was recorded",
            )
        top = ranked(plan.id, ScoreType.CROSS_ENCODER, read)
        return Outcome(candidates=reranked(plan.id, top, offered), params=params, notes=notes)

    def select(self, plan: StagePlan, inputs: Inputs) -> Outcome:
        """The first of the ranking."""
        spec = self.pipeline.spec(plan.id)
        candidates = passed_on(plan.id, only(inputs), spec.limit_of(self.config))
        return Outcome(candidates=candidates, params=spec.params_of(self.config))

    def _stage(self, stage_id: str) -> StageTrace | None:
        return next((s for s in self.recorded.stages if s.plan.id == stage_id), None)

    def _scores(self, stage_id: str) -> dict[str, Scored]:
        stage = self._stage(stage_id)
        scores: dict[str, Scored] = {}
        for candidate in stage.candidates if stage is not None else ():
            if _was_read(candidate, stage_id):
                scores[candidate.chunk_id] = Scored(candidate, candidate.last.score, candidate.last.parts)
        return scores


def _was_read(candidate: Candidate, stage_id: str) -> bool:
    return candidate.last.stage == stage_id and candidate.last.score_type is ScoreType.CROSS_ENCODER
