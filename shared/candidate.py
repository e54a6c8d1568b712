"""What passes between stages: a candidate passage and the evidence that stages gave for it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum


class ScoreType(StrEnum):
    """What a score means; scores of two types are never compared."""

    BM25 = "BM25"
    COSINE = "COSINE"
    RRF = "RRF"
    WEIGHTED = "WEIGHTED"
    CROSS_ENCODER = "CROSS_ENCODER"
    LLM = "LLM"
    EXACT = "EXACT"


@dataclass(frozen=True, slots=True, order=True)
class TextSpan:
    """A stretch of a document's canonical text: Unicode code points, half-open."""

    document_id: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Part:
    """A labelled share of a score: one BM25 term, one list's contribution to a fusion."""

    label: str
    value: float


@dataclass(frozen=True, slots=True)
class Evidence:
    """What one stage said of a candidate; `rank` is 1-based."""

    stage: str
    rank: int
    score: float
    score_type: ScoreType
    parts: tuple[Part, ...] = ()


@dataclass(frozen=True, slots=True)
class Source:
    """Where a passage comes from, for people; `section` holds headings from the outside in."""

    title: str = ""
    section: tuple[str, ...] = ()
    page_label: str = ""
    page_number: int | None = None
    file_name: str = ""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A passage on its way through the stages. Evidence only grows, oldest first."""

    chunk_id: str
    span: TextSpan
    evidence: tuple[Evidence, ...] = ()
    source: Source = field(default=Source())
    text: str = ""

    @property
    def last(self) -> Evidence:
        """The newest evidence, which is the candidate's rank, score and type. IndexError without any."""
        return self.evidence[-1]

    def evidence_of(self, score_type: ScoreType) -> Evidence | None:
        """The newest evidence of a type, or None."""
        return next((e for e in reversed(self.evidence) if e.score_type is score_type), None)


@dataclass(frozen=True, slots=True)
class Scored:
    """A stage's verdict on one candidate, before ranks are known."""

    candidate: Candidate
    score: float
    parts: tuple[Part, ...] = ()


def ranked(
    stage: str, score_type: ScoreType, scored: Iterable[Scored], limit: int | None = None
) -> list[Candidate]:
    """Candidates by falling score, ties by `chunk_id`, each with this stage's evidence appended.

    At most `limit` (None: all). ValueError if a chunk occurs twice or a score is not finite.
    """
    order = sorted(scored, key=lambda s: (-s.score, s.candidate.chunk_id))
    _require_distinct([s.candidate for s in order])
    if any(s.score - s.score != 0 for s in order):
        raise ValueError(f"stage {stage} gave a score that is not finite")
    return [
        replace(
            s.candidate, evidence=(*s.candidate.evidence, Evidence(stage, rank, s.score, score_type, s.parts))
        )
        for rank, s in enumerate(order[:limit], start=1)
    ]


def left_below(stage: str, head: Sequence[Candidate], tail: Iterable[Candidate]) -> list[Candidate]:
    """`head` followed by `tail`, whose candidates keep their score and type under a rank of this stage."""
    rest = [
        replace(c, evidence=(*c.evidence, replace(c.last, stage=stage, rank=rank, parts=())))
        for rank, c in enumerate(tail, start=len(head) + 1)
    ]
    _require_distinct([*head, *rest])
    return [*head, *rest]


def reranked_shards(
    stage: str, score_type: ScoreType, shards: Iterable[Sequence[Candidate]]
) -> list[Candidate]:
    """One ranking out of shards that a pointwise stage scored apart: the same as if scored together."""
    return ranked(
        stage,
        score_type,
        (
            Scored(replace(c, evidence=c.evidence[:-1]), c.last.score, c.last.parts)
            for shard in shards
            for c in shard
        ),
    )


def merged(lists: Mapping[str, Sequence[Candidate]]) -> dict[str, Candidate]:
    """Every candidate of the lists once, by `chunk_id`, with the evidence of all lists in their order.

    Source and text are taken from the first list that has them.
    """
    union: dict[str, Candidate] = {}
    for candidates in lists.values():
        for candidate in candidates:
            known = union.get(candidate.chunk_id)
            if known is None:
                union[candidate.chunk_id] = candidate
                continue
            added = tuple(e for e in candidate.evidence if e not in known.evidence)
            union[candidate.chunk_id] = replace(
                known,
                evidence=(*known.evidence, *added),
                source=known.source if known.source != Source() else candidate.source,
                text=known.text or candidate.text,
            )
    return union


def _require_distinct(candidates: Sequence[Candidate]) -> None:
    seen: set[str] = set()
    for candidate in candidates:
        if candidate.chunk_id in seen:
            raise ValueError(f"chunk {candidate.chunk_id} occurs twice in one list")
        seen.add(candidate.chunk_id)
