"""What may a replay bundle hold? Exactly this, and nothing else."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, JsonValue

from services.orchestrator.core.bundle import FORMAT
from services.orchestrator.core.pipeline import KINDS
from services.orchestrator.gateway.bodies import Body, WholeConfig
from shared.candidate import ScoreType

# Larger than any score, rank or time, and far from what arithmetic or SQLite cannot hold.
LARGEST = 10**12


def _with_whole_limit(params: dict[str, JsonValue]) -> dict[str, JsonValue]:
    limit = params.get("limit", 0)
    if isinstance(limit, bool) or not isinstance(limit, int) or not 0 <= limit <= LARGEST:
        raise ValueError("limit must be a whole number")
    return params


def _known_kind(kind: str) -> str:
    if kind not in KINDS:
        raise ValueError(f"is none of {', '.join(KINDS)}")
    return kind


Flag = Annotated[bool, Field(strict=True)]
Whole = Annotated[int, Field(strict=True, ge=0, le=10 * LARGEST)]
Place = Annotated[int, Field(strict=True, ge=1, le=LARGEST)]
Number = Annotated[float, Field(strict=True, ge=-LARGEST, le=LARGEST, allow_inf_nan=False)]
Id = Annotated[str, Field(min_length=1, max_length=200)]
Ids = Annotated[tuple[Id, ...], Field(max_length=64)]
Kind = Annotated[str, AfterValidator(_known_kind)]
Params = Annotated[dict[str, JsonValue], AfterValidator(_with_whole_limit)]
Words = Annotated[tuple[str, ...], Field(max_length=1000)]
Numbers = dict[str, Number]


class SourceBody(Body):
    """Where a passage comes from."""

    title: str
    section: Words
    page_label: str
    page_number: Whole | None
    file_name: str


class PassageBody(Body):
    """A passage's words, once for all lists that hold it."""

    source: SourceBody
    text: str


class SpanBody(Body):
    """Code points, half-open."""

    document_id: Id
    start: Whole
    end: Whole


class PartBody(Body):
    """A share of a score."""

    label: str
    value: Number


class EvidenceBody(Body):
    """What one stage said."""

    stage: Id
    rank: Place
    score: Number
    score_type: ScoreType
    parts: Annotated[tuple[PartBody, ...], Field(max_length=1000)]


class CandidateBody(Body):
    """A passage in a list; its words are in `passages`."""

    chunk_id: Id
    span: SpanBody
    evidence: Annotated[tuple[EvidenceBody, ...], Field(min_length=1, max_length=100)]
    has_text: Flag


class PlanBody(Body):
    """A stage that was to run."""

    id: Id
    name: Id
    label: str
    kind: Kind
    inputs: Ids


class StageBody(PlanBody):
    """A stage that ran."""

    candidates: Annotated[tuple[CandidateBody, ...], Field(max_length=1000)]
    started_ms: Number
    duration_ms: Number
    params: Params
    notes: Words
    error: str | None


class PackedBody(Body):
    """A passage that was put before the answering model."""

    n: Place
    chunk_id: Id
    document_id: Id
    start: Whole
    end: Whole
    tokens: Whole


class LeftOutBody(Body):
    """A passage that was not."""

    chunk_id: Id
    document_id: Id
    tokens: Whole
    reason: str


class GateBody(Body):
    """Whether the question was let through."""

    open: Flag
    reason: str


class ContextBody(Body):
    """What was packed."""

    budget_tokens: Whole
    tokens: Whole
    packed: Annotated[tuple[PackedBody, ...], Field(max_length=1000)]
    left_out: Annotated[tuple[LeftOutBody, ...], Field(max_length=1000)]
    gate: GateBody


class CitationBody(SourceBody):
    """A place that the answer rests on."""

    n: Place
    chunk_id: Id
    document_id: Id
    start: Whole
    end: Whole
    quote: str
    inferred: Flag
    matched_figures: Words


class UsageBody(Body):
    """Tokens, where the provider tells."""

    prompt_tokens: Whole | None
    answer_tokens: Whole | None


class AnswerBody(Body):
    """The answer, or the refusal."""

    trace_id: Id
    conversation_id: str | None
    answer: str
    refused: Flag
    refusal_reason: str | None
    citations: Annotated[tuple[CitationBody, ...], Field(max_length=1000)]
    uncited: Flag
    unsupported: Annotated[tuple[JsonValue, ...], Field(max_length=1000)]
    provider: str
    model: str | None
    usage: UsageBody
    timings_ms: Numbers


class TraceBody(Body):
    """The trace without the words of its passages."""

    trace_id: Id
    question: Annotated[str, Field(max_length=100_000)]
    workspace: Id
    generation: Whole
    created_ms: Whole
    config: WholeConfig
    plan: Annotated[tuple[PlanBody, ...], Field(max_length=64)]
    stages: Annotated[tuple[StageBody, ...], Field(max_length=64)]
    notes: Words
    timings_ms: Numbers
    ledger: dict[str, JsonValue]
    context: ContextBody | None
    answer: AnswerBody | None
    conversation_id: str | None
    replay_of: str | None
    redacted: Flag


class SpecBody(PlanBody):
    """A stage of the pipeline that the trace was made with."""

    service: str
    when: dict[str, JsonValue]
    limit: str
    params: Words


class PipelineBody(Body):
    """That pipeline."""

    stages: Annotated[tuple[SpecBody, ...], Field(max_length=64)]


class ModelBody(Body):
    """A model as its service described it."""

    name: str
    digest: str
    tokenizer_digest: str
    max_tokens: Whole
    dimensions: Whole


class ServiceBody(Body):
    """Whether a service answered when the bundle was written, and its model if it has one."""

    reached: Flag
    model: ModelBody | None


class MessageBody(Body):
    """A message to the chat model."""

    role: Literal["system", "user", "assistant"]
    content: str


class BundleBody(Body):
    """A file that `GET /v1/traces/{id}/bundle` wrote."""

    format: Annotated[str, Field(pattern=f"^{FORMAT}$")]
    version: Literal[1]
    index_generation: Whole
    trace: TraceBody
    passages: Annotated[dict[Id, PassageBody], Field(max_length=10_000)]
    pipeline: PipelineBody
    services: dict[str, ServiceBody]
    prompt: Annotated[tuple[MessageBody, ...], Field(max_length=100)] | None
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
