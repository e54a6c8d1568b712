"""What happened while a question was answered, and how is that written down as JSON?"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from services.orchestrator.core.config import QueryConfig
from shared.candidate import Candidate, Evidence, Part, ScoreType, Source, TextSpan


@dataclass(frozen=True, slots=True)
class StagePlan:
    """A stage that will run: `inputs` are ids of stages before it."""

    id: str
    name: str
    label: str
    kind: str
    inputs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class StageTrace:
    """A stage that ran: its list, when it began in the query, how long it took, its notes."""

    plan: StagePlan
    candidates: tuple[Candidate, ...] = ()
    started_ms: float = 0.0
    duration_ms: float = 0.0
    params: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    error: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """One question with everything that was found for it; `answer` is None for a search.

    `imported` means that its words came in a file, whoever wrote it: this stack vouches for none of them.
    """

    trace_id: str
    question: str
    workspace: str
    generation: int
    created_ms: int
    config: QueryConfig
    plan: tuple[StagePlan, ...] = ()
    stages: tuple[StageTrace, ...] = ()
    notes: tuple[str, ...] = ()
    timings_ms: Mapping[str, float] = field(default_factory=dict)
    ledger: Mapping[str, Any] = field(default_factory=dict)
    context: Mapping[str, Any] | None = None
    answer: Mapping[str, Any] | None = None
    conversation_id: str | None = None
    replay_of: str | None = None
    redacted: bool = False
    imported: bool = False

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """The final list: that of the last stage which selects, empty without one."""
        return next((s.candidates for s in reversed(self.stages) if s.plan.kind == "select"), ())


def plan_to_json(plan: Sequence[StagePlan]) -> list[dict[str, Any]]:
    """The stages to come, as the browser draws them before any result is there."""
    return [
        {"id": p.id, "name": p.name, "label": p.label, "kind": p.kind, "inputs": list(p.inputs)} for p in plan
    ]


def candidate_to_json(candidate: Candidate) -> dict[str, Any]:
    """A candidate with rank, score and type of its last evidence beside it."""
    last = candidate.evidence[-1] if candidate.evidence else None
    return {
        "chunk_id": candidate.chunk_id,
        "span": {
            "document_id": candidate.span.document_id,
            "start": candidate.span.start,
            "end": candidate.span.end,
        },
        "rank": last.rank if last else None,
        "score": last.score if last else None,
        "score_type": str(last.score_type) if last else None,
        "evidence": [_evidence_to_json(e) for e in candidate.evidence],
        "source": source_to_json(candidate.source),
        "text": candidate.text,
    }


def source_to_json(source: Source) -> dict[str, Any]:
    """Where a passage comes from; `section` from the outside in."""
    return {
        "title": source.title,
        "section": list(source.section),
        "page_label": source.page_label,
        "page_number": source.page_number,
        "file_name": source.file_name,
    }


def stage_to_json(stage: StageTrace) -> dict[str, Any]:
    """One stage with its list."""
    return {
        "id": stage.plan.id,
        "name": stage.plan.name,
        "label": stage.plan.label,
        "kind": stage.plan.kind,
        "inputs": list(stage.plan.inputs),
        "candidates": [candidate_to_json(c) for c in stage.candidates],
        "started_ms": round(stage.started_ms, 3),
        "duration_ms": round(stage.duration_ms, 3),
        "params": dict(stage.params),
        "notes": list(stage.notes),
        "error": stage.error,
    }


def trace_to_json(trace: Trace) -> dict[str, Any]:
    """The whole trace; `candidates` is the final list."""
    return {
        "trace_id": trace.trace_id,
        "question": trace.question,
        "workspace": trace.workspace,
        "generation": trace.generation,
        "created_ms": trace.created_ms,
        "config": config_to_json(trace.config),
        "plan": plan_to_json(trace.plan),
        "stages": [stage_to_json(s) for s in trace.stages],
        "candidates": [candidate_to_json(c) for c in trace.candidates],
        "notes": list(trace.notes),
        "timings_ms": dict(trace.timings_ms),
        "ledger": dict(trace.ledger),
        "context": None if trace.context is None else dict(trace.context),
        "answer": None if trace.answer is None else dict(trace.answer),
        "conversation_id": trace.conversation_id,
        "replay_of": trace.replay_of,
        "redacted": trace.redacted,
        "imported": trace.imported,
    }


def config_to_json(config: QueryConfig) -> dict[str, Any]:
    """The configuration with every key, as the gateway takes it."""
    body = asdict(config)
    body["gate"]["thresholds"] = {str(kind): value for kind, value in config.gate.thresholds.items()}
    return body


def candidate_from_json(body: Mapping[str, Any]) -> Candidate:
    """The candidate that `candidate_to_json` wrote."""
    span = body["span"]
    return Candidate(
        chunk_id=body["chunk_id"],
        span=TextSpan(span["document_id"], span["start"], span["end"]),
        evidence=tuple(_evidence_from_json(e) for e in body["evidence"]),
        source=source_from_json(body["source"]),
        text=body["text"],
    )


def source_from_json(body: Mapping[str, Any]) -> Source:
    """The source that `source_to_json` wrote."""
    return Source(
        title=body["title"],
        section=tuple(body["section"]),
        page_label=body["page_label"],
        page_number=body["page_number"],
        file_name=body["file_name"],
    )


def _evidence_to_json(evidence: Evidence) -> dict[str, Any]:
    return {
        "stage": evidence.stage,
        "rank": evidence.rank,
        "score": evidence.score,
        "score_type": str(evidence.score_type),
        "parts": [{"label": p.label, "value": p.value} for p in evidence.parts],
    }


def _evidence_from_json(body: Mapping[str, Any]) -> Evidence:
    return Evidence(
        stage=body["stage"],
        rank=body["rank"],
        score=body["score"],
        score_type=ScoreType(body["score_type"]),
        parts=tuple(Part(p["label"], p["value"]) for p in body["parts"]),
    )
