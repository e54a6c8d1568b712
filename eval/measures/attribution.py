"""Which stage lost what a question needed? Each miss belongs to exactly one."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from eval.measures.grading import Grade


class Bucket(StrEnum):
    """Where a miss belongs, in the order in which a passage goes through; `none` is no miss.

    Kept means: within as many ranks as are selected in the end. A stage can lose only what it was given so.
    """

    PARSING = "parsing"  # the parser destroyed the quote
    CHUNKING = "chunking"  # no chunk holds half of it
    RETRIEVAL = "retrieval"  # no list has it
    RETRIEVAL_RANK = "retrieval rank"  # a list has it, none within what is kept, and it stayed below
    FUSION = "fusion"  # a list had it within what is kept, fusion put it lower, and nothing lifted it
    RERANKING = "reranking"  # its input had it within what is kept, the reranker's order did not
    SECOND_FUSION = "second fusion"  # an order that it fuses had it within what is kept, its own did not
    SELECTION = "selection"  # the last order had it within what is kept, and still it was not selected
    GATE = "gate"  # selected, and refused by the gate; or not answerable, and answered
    PACKING = "packing"  # selected, and not put before the answering model
    ANSWERING = "answering"  # before the model, and the answer lacks it, bleeds, cites otherwise or refuses
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


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelLoss:
    """Where one label was lost, its rank at every stage, and the only one of several lists that had it."""

    label: str
    bucket: Bucket
    ranks: Mapping[str, int | None]
    only_list: str | None


@dataclass(frozen=True, slots=True)
class Attribution:
    """Where a question was lost, and each of its labels, those that a right answer did without included."""

    bucket: Bucket
    labels: tuple[LabelLoss, ...]


@dataclass(frozen=True, slots=True)
class _Facts:
    """A label's course reduced to what the rules ask; kept is within as many ranks as are selected."""

    course: LabelCourse
    retrieved: bool
    kept_by_list: bool
    kept_by_first_order: bool
    kept_by_reranker: bool
    kept_by_last_order: bool
    selected: bool
    gate_open: bool


# The first rule that holds names the bucket; a label of which none holds reached the answer.
_RULES: Sequence[tuple[Bucket, Callable[[_Facts], bool]]] = (
    (Bucket.PARSING, lambda f: not f.course.parsed),
    (Bucket.CHUNKING, lambda f: not f.course.chunked),
    (Bucket.RETRIEVAL, lambda f: not f.retrieved),
    (Bucket.SELECTION, lambda f: not f.selected and f.kept_by_last_order),
    (Bucket.RETRIEVAL_RANK, lambda f: not f.selected and not f.kept_by_list),
    (Bucket.SECOND_FUSION, lambda f: not f.selected and f.kept_by_reranker),
    (Bucket.RERANKING, lambda f: not f.selected and f.kept_by_first_order),
    (Bucket.FUSION, lambda f: not f.selected),
    (Bucket.GATE, lambda f: not f.gate_open),
    (Bucket.PACKING, lambda f: f.course.in_context is False),
)


def attribute(question: QuestionCourse) -> Attribution:
    """The one bucket of a question: the earliest among its labels, or what came after them; none if right.

    What verification strikes out is not told apart from answering: no trace says so yet.
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
    return Bucket.ANSWERING if earliest is Bucket.NONE and grade is not None else earliest


def _loss(course: LabelCourse, question: QuestionCourse) -> LabelLoss:
    lists = [stage.id for stage in question.stages if stage.kind == "retrieve"]
    having = [stage_id for stage_id in lists if course.ranks.get(stage_id) is not None]
    select = next((stage for stage in reversed(question.stages) if stage.kind == "select"), None)
    if select is None:
        raise ValueError("no stage of the plan selects")
    rerankers = [stage.id for stage in question.stages if stage.kind == "rerank"]
    facts = _Facts(
        course=course,
        retrieved=bool(having),
        kept_by_list=_within(course, lists, select.limit),
        kept_by_first_order=_within(course, _first_orders(question.stages, select), select.limit),
        kept_by_reranker=_within(course, rerankers, select.limit),
        kept_by_last_order=_within(course, select.inputs, select.limit),
        selected=_within(course, [select.id], select.limit),
        gate_open=question.gate_open,
    )
    return LabelLoss(
        label=course.label,
        bucket=next((bucket for bucket, holds in _RULES if holds(facts)), Bucket.NONE),
        ranks={stage.id: course.ranks.get(stage.id) for stage in question.stages},
        only_list=having[0] if len(having) == 1 < len(lists) else None,
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
