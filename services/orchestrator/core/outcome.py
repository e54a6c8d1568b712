"""What does a stage make of the lists that it reads?"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from services.orchestrator.core.trace import StagePlan, StageTrace
from shared.candidate import Candidate
from shared.errors import Unavailable
from shared.stage import TokenCount

Inputs = Mapping[str, StageTrace]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a runner made of its inputs; `error` says in words why it could not do its work."""

    candidates: tuple[Candidate, ...] = ()
    params: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    error: str | None = None
    token_counts: tuple[TokenCount, ...] = ()


def stage_trace(plan: StagePlan, outcome: Outcome, started_ms: float, ended_ms: float) -> StageTrace:
    """A stage that ran, as its trace has it."""
    return StageTrace(
        plan=plan,
        candidates=outcome.candidates,
        started_ms=started_ms,
        duration_ms=ended_ms - started_ms,
        params=outcome.params,
        notes=outcome.notes,
        error=outcome.error,
    )


def require_a_list(inputs: Inputs) -> None:
    """Raises Unavailable if all lists failed."""
    errors = {stage_id: trace.error for stage_id, trace in inputs.items() if trace.error is not None}
    if len(errors) < len(inputs):
        return
    words = "; ".join(f"{stage_id}: {error}" for stage_id, error in errors.items())
    raise Unavailable(f"no list could be searched ({words}); try again in a moment")


def only(inputs: Inputs) -> tuple[Candidate, ...]:
    """The list of the single stage that a stage reads, or of the first of them."""
    return next(iter(inputs.values())).candidates if inputs else ()
