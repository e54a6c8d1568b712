"""Which stage lost what a question needed? Each miss belongs to exactly one."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from eval.measures.grading import Grade


class Bucket(StrEnum):
    """Where a miss belongs, in the order in which a passage goes through; `none` is no miss."""

    PARSING = "parsing"  # the parser destroyed the quote
    CHUNKING = "chunking"  # no chunk holds half of it
    RETRIEVAL = "retrieval"  # no list has it, or the only list searched has it too low
    FUSION = "fusion"  # a list has it, fusion dropped it or put it below what is kept, and nothing lifted it
    RERANKING = "reranking"  # fusion had it within what is kept, a later order pushed it out
    SELECTION = "selection"  # the last order had it within what is kept, and still it was not selected
    GATE = "gate"  # selected, and refused by the gate; or not answerable, and answered
    PACKING = "packing"  # selected, and not put before the answering model
    ANSWERING = "answering"  # before the model, and the answer lacks it, bleeds, cites otherwise or refuses
    VERIFICATION = "verification"  # verification struck out or refused what had been answered
    NONE = "none"


@dataclass(frozen=True, slots=True)
class StageRun:
    """A stage that ran: `kind` as in a trace; `limit` is how many it keeps (select) or reads (rerank)."""

    id: str
    kind: str
    inputs: tuple[str, ...] = ()
    limit: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelCourse:
    """What became of one label: `ranks` by stage id is the best (1-based) of the chunks that hold half of it.

    A stage whose list has no such chunk gives None or is left out. `in_context` is None when nothing was
    packed because no answer was asked for.
    """

    label: str
    parsed: bool
    chunked: bool
    ranks: Mapping[str, int | None]
    in_context: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionCourse:
    """What became of one question; without a `grade` it was only searched for."""

    answerable: bool
    stages: tuple[StageRun, ...]
    labels: tuple[LabelCourse, ...]
    gate_open: bool
    grade: Grade | None = None
    verification_struck: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelLoss:
    """Where one label was lost, its rank at every stage, and the only one of several lists that had it.

    `beyond_depth`: fusion put it where no reranker reads.
    """

    label: str
    bucket: Bucket
    ranks: Mapping[str, int | None]
    only_list: str | None
    beyond_depth: bool


@dataclass(frozen=True, slots=True)
class Attribution:
    """Where a question was lost, and each of its labels, those that a right answer did without included."""

    bucket: Bucket
    labels: tuple[LabelLoss, ...]


@dataclass(frozen=True, slots=True)
class _Facts:
    """A label's course reduced to what the rules ask."""

    course: LabelCourse
    lists: int
    retrieved: bool
    kept_by_first_order: bool
    kept_by_last_order: bool
    selected: bool
    gate_open: bool


# The first rule that holds names the bucket; a label of which none holds reached the answer.
_RULES: Sequence[tuple[Bucket, Callable[[_Facts], bool]]] = (
    (Bucket.PARSING, lambda f: not f.course.parsed),
    (Bucket.CHUNKING, lambda f: not f.course.chunked),
    (Bucket.RETRIEVAL, lambda f: not f.retrieved),
    (Bucket.SELECTION, lambda f: not f.selected and f.kept_by_last_order),
    (Bucket.RERANKING, lambda f: not f.selected and f.kept_by_first_order),
    (Bucket.RETRIEVAL, lambda f: not f.selected and f.lists == 1),
    (Bucket.FUSION, lambda f: not f.selected),
    (Bucket.GATE, lambda f: not f.gate_open),
    (Bucket.PACKING, lambda f: f.course.in_context is False),
)


def attribute(question: QuestionCourse) -> Attribution:
    """The one bucket of a question: the earliest among its labels, or what came after them; none if right.

    ValueError for a plan without a stage that selects, or for an answerable question without labels.
    """
    losses = tuple(_loss(course, question) for course in question.labels)
    return Attribution(_bucket(question, losses), losses)


def tally(attributions: Iterable[Attribution]) -> dict[Bucket, int]:
    """How many questions each bucket has, all buckets, in the order of the stages."""
    buckets = [attribution.bucket for attribution in attributions]
    return {bucket: buckets.count(bucket) for bucket in Bucket}


def _bucket(question: QuestionCourse, losses: Sequence[LabelLoss]) -> Bucket:
    grade = question.grade
    if not question.answerable:
        answered = question.gate_open if grade is None else not grade.refused
        return Bucket.GATE if answered else Bucket.NONE
    if not losses:
        raise ValueError("an answerable question has labels")
    if grade is not None and grade.passed:
        return Bucket.NONE
    order = list(Bucket)
    earliest = min((loss.bucket for loss in losses), key=order.index)
    if earliest is not Bucket.NONE or grade is None:
        return earliest
    return Bucket.VERIFICATION if question.verification_struck else Bucket.ANSWERING


def _loss(course: LabelCourse, question: QuestionCourse) -> LabelLoss:
    lists = [stage.id for stage in question.stages if stage.kind == "retrieve"]
    having = [stage_id for stage_id in lists if course.ranks.get(stage_id) is not None]
    select = next((stage for stage in reversed(question.stages) if stage.kind == "select"), None)
    if select is None:
        raise ValueError("no stage of the plan selects")
    first = _first_orders(question.stages, select)
    facts = _Facts(
        course=course,
        lists=len(lists),
        retrieved=bool(having),
        kept_by_first_order=_within(course, first, select.limit),
        kept_by_last_order=_within(course, select.inputs, select.limit),
        selected=_within(course, [select.id], select.limit),
        gate_open=question.gate_open,
    )
    depths = [stage.limit for stage in question.stages if stage.kind == "rerank" and stage.limit is not None]
    return LabelLoss(
        label=course.label,
        bucket=next((bucket for bucket, holds in _RULES if holds(facts)), Bucket.NONE),
        ranks={stage.id: course.ranks.get(stage.id) for stage in question.stages},
        only_list=having[0] if len(having) == 1 < len(lists) else None,
        beyond_depth=bool(having and depths) and not _within(course, first, max(depths, default=0)),
    )


def _within(course: LabelCourse, stage_ids: Iterable[str], limit: int | None) -> bool:
    ranks = [rank for stage_id in stage_ids if (rank := course.ranks.get(stage_id)) is not None]
    return bool(ranks) and (limit is None or min(ranks) <= limit)


def _first_orders(stages: Sequence[StageRun], select: StageRun) -> list[str]:
    """The first orders of what was retrieved: fusions of lists alone, or without any the lists themselves."""
    by_id = {stage.id: stage for stage in stages}
    before: set[str] = set()
    ahead = list(select.inputs)
    while ahead:
        stage_id = ahead.pop()
        if stage_id not in before:
            before.add(stage_id)
            ahead += by_id[stage_id].inputs
    reached = [stage for stage in stages if stage.id in before]
    fusions = [
        stage.id
        for stage in reached
        if stage.kind == "fuse" and all(by_id[i].kind == "retrieve" for i in stage.inputs)
    ]
    return fusions or [stage.id for stage in reached if stage.kind == "retrieve"]
