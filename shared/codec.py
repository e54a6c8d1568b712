"""How do our types travel? Dataclass <-> protobuf; the only file that knows both sides."""

from collections.abc import Iterable, Sequence

from shared.candidate import Candidate, Evidence, Part, ScoreType, Source, TextSpan
from shared.errors import InvalidInput
from shared.pb import candidate_pb2, stage_pb2
from shared.stage import ModelInfo, Query, Ranking, StageInfo, TokenCount


def score_type_to_pb(score_type: ScoreType) -> candidate_pb2.ScoreType.ValueType:
    return candidate_pb2.ScoreType.Value(score_type.value)


def score_type_from_pb(number: candidate_pb2.ScoreType.ValueType) -> ScoreType:
    """InvalidInput for a number that names no score type."""
    try:
        return ScoreType(candidate_pb2.ScoreType.Name(number))
    except ValueError as error:
        raise InvalidInput(f"score type {number} is unknown: are both services of one version?") from error


def span_to_pb(span: TextSpan) -> candidate_pb2.TextSpan:
    return candidate_pb2.TextSpan(document_id=span.document_id, start=span.start, end=span.end)


def span_from_pb(message: candidate_pb2.TextSpan) -> TextSpan:
    return TextSpan(message.document_id, message.start, message.end)


def source_to_pb(source: Source) -> candidate_pb2.Source:
    return candidate_pb2.Source(
        title=source.title,
        section=source.section,
        page_label=source.page_label,
        page_number=source.page_number,
        file_name=source.file_name,
    )


def source_from_pb(message: candidate_pb2.Source) -> Source:
    return Source(
        title=message.title,
        section=tuple(message.section),
        page_label=message.page_label,
        page_number=message.page_number if message.HasField("page_number") else None,
        file_name=message.file_name,
    )


def candidate_to_pb(candidate: Candidate) -> candidate_pb2.Candidate:
    return candidate_pb2.Candidate(
        chunk_id=candidate.chunk_id,
        span=span_to_pb(candidate.span),
        evidence=[_evidence_to_pb(e) for e in candidate.evidence],
        source=source_to_pb(candidate.source) if candidate.source != Source() else None,
        text=candidate.text,
    )


def candidate_from_pb(message: candidate_pb2.Candidate) -> Candidate:
    return Candidate(
        chunk_id=message.chunk_id,
        span=span_from_pb(message.span),
        evidence=tuple(_evidence_from_pb(e) for e in message.evidence),
        source=source_from_pb(message.source) if message.HasField("source") else Source(),
        text=message.text,
    )


def candidates_to_pb(candidates: Iterable[Candidate]) -> list[candidate_pb2.Candidate]:
    return [candidate_to_pb(c) for c in candidates]


def candidates_from_pb(messages: Iterable[candidate_pb2.Candidate]) -> tuple[Candidate, ...]:
    return tuple(candidate_from_pb(m) for m in messages)


def _evidence_to_pb(evidence: Evidence) -> candidate_pb2.Evidence:
    return candidate_pb2.Evidence(
        stage=evidence.stage,
        rank=evidence.rank,
        score=evidence.score,
        score_type=score_type_to_pb(evidence.score_type),
        parts=[candidate_pb2.Part(label=p.label, value=p.value) for p in evidence.parts],
    )


def _evidence_from_pb(message: candidate_pb2.Evidence) -> Evidence:
    return Evidence(
        stage=message.stage,
        rank=message.rank,
        score=message.score,
        score_type=score_type_from_pb(message.score_type),
        parts=tuple(Part(p.label, p.value) for p in message.parts),
    )


def query_to_pb(query: Query) -> stage_pb2.Query:
    return stage_pb2.Query(text=query.text, workspace=query.workspace, generation=query.generation)


def query_from_pb(message: stage_pb2.Query) -> Query:
    return Query(message.text, message.workspace, message.generation)


def stage_info_to_pb(info: StageInfo) -> stage_pb2.StageInfo:
    return stage_pb2.StageInfo(
        name=info.name,
        label=info.label,
        kind=info.kind,
        score_type=score_type_to_pb(info.score_type),
        max_candidates=info.max_candidates,
        max_query_characters=info.max_query_characters,
        model=None
        if info.model is None
        else stage_pb2.ModelInfo(
            name=info.model.name,
            digest=info.model.digest,
            tokenizer_digest=info.model.tokenizer_digest,
            max_tokens=info.model.max_tokens,
            dimensions=info.model.dimensions,
        ),
        pointwise=info.pointwise,
    )


def stage_info_from_pb(message: stage_pb2.StageInfo) -> StageInfo:
    model = message.model
    return StageInfo(
        name=message.name,
        label=message.label,
        kind=message.kind,
        score_type=score_type_from_pb(message.score_type),
        max_candidates=message.max_candidates,
        max_query_characters=message.max_query_characters,
        model=ModelInfo(model.name, model.digest, model.tokenizer_digest, model.max_tokens, model.dimensions)
        if message.HasField("model")
        else None,
        pointwise=message.pointwise,
    )


def ranking_to_pb(ranking: Ranking) -> stage_pb2.RunReply:
    return stage_pb2.RunReply(
        candidates=candidates_to_pb(ranking.candidates),
        notes=ranking.notes,
        token_counts=[
            stage_pb2.TokenCount(chunk_id=t.chunk_id, present=t.present, read=t.read)
            for t in ranking.token_counts
        ],
    )


def ranking_from_pb(message: stage_pb2.RunReply) -> Ranking:
    return Ranking(
        candidates=candidates_from_pb(message.candidates),
        notes=tuple(message.notes),
        token_counts=tuple(TokenCount(t.chunk_id, t.present, t.read) for t in message.token_counts),
    )


def run_request(
    stage: str, query: Query, candidates: Sequence[Candidate], *, limit: int, params: dict[str, str]
) -> stage_pb2.RunRequest:
    return stage_pb2.RunRequest(
        stage=stage,
        query=query_to_pb(query),
        candidates=candidates_to_pb(candidates),
        limit=limit,
        params=params,
    )
