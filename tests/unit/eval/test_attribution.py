"""Does each miss fall into exactly one bucket, the one of the stage that lost it?"""

from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.measures.attribution import (
    Attribution,
    Bucket,
    LabelCourse,
    QuestionCourse,
    StageRun,
    attribute,
    tally,
)
from eval.measures.grading import Grade

STAGES = (
    StageRun("lexical", "retrieve"),
    StageRun("vector", "retrieve"),
    StageRun("fuse", "fuse", ("lexical", "vector")),
    StageRun("rerank", "rerank", ("fuse",), 20),
    StageRun("fuse:2", "fuse", ("fuse", "rerank")),
    StageRun("select", "select", ("fuse:2",), 8),
)
IDS = tuple(stage.id for stage in STAGES)
PASSED = Grade(answerable=True, refused=False, labels_cited=1.0)
WRONG = Grade(answerable=True, refused=False, mentions_missing=("62",))
REFUSED = Grade(answerable=True, refused=True)


def course(*ranks: int | None, label: str = "a", in_context: bool | None = None) -> LabelCourse:
    """Ranks in lexical, vector, fuse, rerank, fuse:2, select."""
    by_stage = dict(zip(IDS, ranks, strict=False))
    return LabelCourse(label=label, parsed=True, chunked=True, ranks=by_stage, in_context=in_context)


def asked(*labels: LabelCourse, grade: Grade | None = WRONG, gate_open: bool = True) -> QuestionCourse:
    return QuestionCourse(answerable=True, stages=STAGES, labels=labels, gate_open=gate_open, grade=grade)


FOUND = course(1, 2, 1, 1, 1, 1, in_context=True)


@pytest.mark.parametrize(
    ("label", "bucket"),
    [
        (replace(FOUND, parsed=False, chunked=False), Bucket.PARSING),
        (replace(FOUND, chunked=False), Bucket.CHUNKING),
        (course(), Bucket.RETRIEVAL),
        (course(40, None), Bucket.RETRIEVAL_RANK),
        (course(9, 12, 8, 12, 10, None), Bucket.RETRIEVAL_RANK),
        (course(9, 12, 12, 3, 9, None), Bucket.RETRIEVAL_RANK),
        (course(8, 12, 9, 10, 11, None), Bucket.FUSION),
        (course(8, None), Bucket.FUSION),
        (course(8, 12, 9, 8, 9, None), Bucket.SECOND_FUSION),
        (course(2, 3, 2, 8, 9, None), Bucket.SECOND_FUSION),
        (course(2, 3, 2, 15, 9, None), Bucket.RERANKING),
        (course(2, 3, 8, 9, 9, None), Bucket.RERANKING),
        (course(2, 3, 2, None, None, None), Bucket.RERANKING),
        (course(2, 3, 2, 1, 1, None), Bucket.SELECTION),
        (course(9, 12, 12, 1, 8, None), Bucket.SELECTION),
        (course(2, 3, 2, 1, 1, 9), Bucket.SELECTION),
        (replace(FOUND, in_context=False), Bucket.PACKING),
        (FOUND, Bucket.ANSWERING),
    ],
)
def test_miss_belongs_to_the_stage_that_lost_it(label: LabelCourse, bucket: Bucket) -> None:
    assert attribute(asked(label)).bucket is bucket


@pytest.mark.parametrize(
    ("ranks", "bucket"),
    [
        # Of real questions: what no list had within the eight that are kept was not lost by fusing.
        ((44, 48, 23, 23, 23), Bucket.RETRIEVAL_RANK),
        ((17, 41, 13, 19, 16), Bucket.RETRIEVAL_RANK),
        ((44, 30, 10, 8, 9), Bucket.RETRIEVAL_RANK),
        ((49, None, 75, 75, 75), Bucket.RETRIEVAL_RANK),
        ((28, None, 55, 55, 55), Bucket.RETRIEVAL_RANK),
        ((17, 21, 20, 13, 18), Bucket.RETRIEVAL_RANK),
        ((None, 18, 36, 36, 36), Bucket.RETRIEVAL_RANK),
        ((22, None, 41, 41, 41), Bucket.RETRIEVAL_RANK),
        ((13, None, 28, 28, 28), Bucket.RETRIEVAL_RANK),
        ((None, 12, 25, 25, 25), Bucket.RETRIEVAL_RANK),
        ((None, 7, 25, 25, 25), Bucket.FUSION),
        ((5, None, 21, 21, 21), Bucket.FUSION),
        ((None, 8, 18, 9, 17), Bucket.FUSION),
        ((None, 3, 18, 5, 11), Bucket.SECOND_FUSION),
        ((4, None, 16, 4, 10), Bucket.SECOND_FUSION),
        ((17, 2, 6, 16, 10), Bucket.RERANKING),
        ((8, 11, 4, 19, 11), Bucket.RERANKING),
    ],
)
def test_stage_can_lose_only_what_it_was_given_within_what_is_kept(
    ranks: tuple[int | None, ...], bucket: Bucket
) -> None:
    assert attribute(asked(course(*ranks))).bucket is bucket


def test_shut_gate_is_blamed_only_for_what_was_selected() -> None:
    packed_out = replace(FOUND, in_context=False)
    assert attribute(asked(packed_out, grade=REFUSED, gate_open=False)).bucket is Bucket.GATE
    assert attribute(asked(course(), grade=REFUSED, gate_open=False)).bucket is Bucket.RETRIEVAL


def test_model_that_refuses_what_lies_before_it_is_answering() -> None:
    assert attribute(asked(FOUND, grade=REFUSED)).bucket is Bucket.ANSWERING


def test_right_answer_is_no_miss_whatever_became_of_its_labels() -> None:
    attribution = attribute(asked(FOUND, course(label="b"), grade=PASSED))
    assert attribution.bucket is Bucket.NONE
    assert [loss.bucket for loss in attribution.labels] == [Bucket.NONE, Bucket.RETRIEVAL]


def test_question_belongs_to_the_earliest_of_its_labels() -> None:
    labels = (course(2, 3, 2, 1, 1, None), course(label="b"), replace(FOUND, label="c"))
    attribution = attribute(asked(*labels))
    assert attribution.bucket is Bucket.RETRIEVAL
    assert {loss.label: loss.bucket for loss in attribution.labels} == {
        "a": Bucket.SELECTION,
        "b": Bucket.RETRIEVAL,
        "c": Bucket.NONE,
    }


def test_search_without_an_answer_is_right_when_labels_are_selected_and_the_gate_is_open() -> None:
    selected = course(1, 2, 1, 1, 1, 8)
    assert attribute(asked(selected, grade=None)).bucket is Bucket.NONE
    assert attribute(asked(selected, grade=None, gate_open=False)).bucket is Bucket.GATE
    assert attribute(asked(course(), grade=None)).bucket is Bucket.RETRIEVAL


@pytest.mark.parametrize(
    ("gate_open", "grade", "bucket"),
    [
        (True, Grade(answerable=False, refused=False), Bucket.GATE),
        (True, Grade(answerable=False, refused=True), Bucket.NONE),
        (False, Grade(answerable=False, refused=True), Bucket.NONE),
        (True, None, Bucket.GATE),
        (False, None, Bucket.NONE),
    ],
)
def test_unanswerable_question_is_the_gates(gate_open: bool, grade: Grade | None, bucket: Bucket) -> None:
    question = replace(asked(grade=grade, gate_open=gate_open), answerable=False)
    assert attribute(question) == Attribution(bucket, ())


def test_ranks_are_given_for_every_stage() -> None:
    (loss,) = attribute(asked(course(40, None, 34))).labels
    assert loss.ranks == dict(zip(IDS, (40, None, 34, None, None, None), strict=True))


@pytest.mark.parametrize(
    ("ranks", "only"),
    [((3, None), "lexical"), ((None, 3), "vector"), ((3, 3), None), ((None, None), None)],
)
def test_only_list_is_the_single_one_that_had_it(ranks: tuple[int | None, ...], only: str | None) -> None:
    assert attribute(asked(course(*ranks))).labels[0].only_list == only


@pytest.mark.parametrize("fuses", [True, False])
@pytest.mark.parametrize(
    ("rank", "bucket"), [(None, Bucket.RETRIEVAL), (12, Bucket.RETRIEVAL_RANK), (8, Bucket.RERANKING)]
)
def test_one_list_is_judged_as_two_are(fuses: bool, rank: int | None, bucket: Bucket) -> None:
    fuse = (StageRun("fuse", "fuse", ("lexical",)),) if fuses else ()
    last = "fuse" if fuses else "lexical"
    stages = (
        StageRun("lexical", "retrieve"),
        *fuse,
        StageRun("rerank", "rerank", (last,), 20),
        StageRun("select", "select", ("rerank",), 8),
    )
    ranks: Mapping[str, int | None] = {"lexical": rank, "fuse": rank, "rerank": 13}
    label = LabelCourse(label="a", parsed=True, chunked=True, ranks=ranks)
    (loss,) = attribute(replace(asked(label), stages=stages)).labels
    assert (loss.bucket, loss.only_list) == (bucket, None)


def test_plan_that_cannot_be_read_is_refused() -> None:
    with pytest.raises(ValueError, match="selects"):
        attribute(replace(asked(FOUND), stages=STAGES[:-1]))
    with pytest.raises(ValueError, match="labels"):
        attribute(asked())


def test_tally_counts_each_question_once_in_the_order_of_stages() -> None:
    counted = tally(attribute(asked(label)) for label in (FOUND, FOUND, course()))
    assert list(counted) == list(Bucket)
    assert {bucket: n for bucket, n in counted.items() if n} == {Bucket.RETRIEVAL: 1, Bucket.ANSWERING: 2}


RANKS = st.none() | st.integers(1, 50)


@given(
    st.lists(st.tuples(*[RANKS] * 6, st.booleans(), st.booleans(), st.booleans()), min_size=1, max_size=3),
    st.booleans(),
    st.sampled_from([None, PASSED, WRONG, REFUSED]),
)
def test_every_wrong_question_has_one_bucket_and_every_right_one_none(
    rows: list[tuple[int | None, ...]], gate_open: bool, grade: Grade | None
) -> None:
    labels = tuple(
        replace(
            course(*row[:6]), label=str(n), parsed=bool(row[6]), chunked=bool(row[7]), in_context=bool(row[8])
        )
        for n, row in enumerate(rows)
    )
    attribution = attribute(asked(*labels, grade=grade, gate_open=gate_open))
    found = [loss.bucket for loss in attribution.labels]
    if grade is PASSED:
        assert attribution.bucket is Bucket.NONE
    elif grade is not None:
        assert attribution.bucket is not Bucket.NONE
    if grade is not PASSED and set(found) != {Bucket.NONE}:
        order = list(Bucket)
        assert attribution.bucket is min(found, key=order.index)
