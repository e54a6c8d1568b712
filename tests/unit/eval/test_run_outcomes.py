"""Is each question blamed on one stage, and each answer graded, from what was recorded?"""

import json
from typing import Any

import pytest

from eval.measures.attribution import Bucket
from eval.runs.ablation import Asked
from eval.runs.outcomes import outcome_rows, outcomes_of, rates_of, risk_of
from services.orchestrator.core.trace import Trace
from tests.unit.eval.run_samples import PASSAGES, answer, asked, context, label, question, trace

ALL = dict.fromkeys(PASSAGES, 0.5)
SAYS = "It holds 62 tonnes [1]."
RIGHT = answer(SAYS, "chk_0")
Q = question("q", "exact", "62", forbidden=["58"])


def found(*, packed: tuple[str, ...] = ("chk_0",), open: bool = True) -> Trace:
    return trace({"chk_0": 9.0, "chk_1": 8.0}, {"chk_0": 0.9}, ALL, context=context(*packed, open=open))


def bucket(case: Asked) -> str:
    (row,) = outcome_rows(case)
    return str(row["bucket"])


@pytest.mark.parametrize(
    ("changes", "packed", "open", "said", "expected"),
    [
        ({}, ("chk_0",), True, RIGHT, Bucket.NONE),
        ({"places": (), "chunked": False}, (), True, answer("58", "chk_1"), Bucket.PARSING),
        ({"chunked": False}, (), True, answer("58", "chk_1"), Bucket.CHUNKING),
        ({}, ("chk_0",), False, answer("", refused=True), Bucket.GATE),
        ({}, ("chk_1",), True, answer("It is 58 [1].", "chk_1"), Bucket.PACKING),
        ({}, ("chk_0",), True, answer("It is 58 [1].", "chk_0"), Bucket.ANSWERING),
        ({}, ("chk_0",), True, answer("It holds 62 tonnes, not 58 [1].", "chk_0"), Bucket.ANSWERING),
        ({}, ("chk_0",), True, answer(SAYS, "chk_1"), Bucket.ANSWERING),
        ({}, ("chk_0",), True, answer("", refused=True), Bucket.ANSWERING),
    ],
)
def test_question_belongs_to_the_stage_that_lost_it(
    changes: dict[str, Any], packed: tuple[str, ...], open: bool, said: dict[str, Any], expected: Bucket
) -> None:
    case = (Q, [label("q", "chk_0", **changes)], found(packed=packed, open=open), said)
    assert bucket(asked(case)) == expected


def test_passage_that_no_list_has_is_retrievals() -> None:
    case = (Q, [label("q", "chk_5")], found(), answer("58", "chk_0"))
    assert bucket(asked(case)) == Bucket.RETRIEVAL


def test_unanswerable_question_that_is_answered_is_the_gates() -> None:
    near = question("near", "near_miss")
    assert bucket(asked((near, [], found(), RIGHT))) == Bucket.GATE
    assert bucket(asked((near, [], found(open=False), answer("", refused=True)))) == Bucket.NONE


def test_outcome_names_trace_ranks_and_what_is_wrong() -> None:
    case = (Q, [label("q", "chk_1")], found(), answer("It is 58 [1].", "chk_0"))
    (row,) = outcome_rows(asked(case))
    assert row == {
        "id": "q",
        "kind": "exact",
        "bucket": "packing",
        "refused": False,
        "missing": ["62"],
        "bleed": ["58"],
        "labels": [
            {
                "label": "q#chk_1",
                "bucket": "packing",
                "ranks": {"lexical": 2, "vector": None, "fuse": 2, "rerank": 2, "fuse:2": 2, "select": 2},
            }
        ],
        "trace_id": "trc_1",
    }


def several() -> Asked:
    unfit = found(open=False)
    return asked(
        (question("a", "exact", "62"), [label("a", "chk_0")], found(), RIGHT),
        (question("b", "exact", "62"), [label("b", "chk_1")], found(), answer("58 [1]", "chk_0")),
        (question("c", "exact", "62"), [label("c", "chk_0")], unfit, answer("", refused=True)),
        (question("d", "near_miss"), [], found(), RIGHT),
        (question("e", "out_of_scope"), [], unfit, answer("", refused=True)),
    )


def test_counts_are_of_every_question_that_was_lost_once() -> None:
    outcomes = outcomes_of(several())
    assert {name: n for name, n in outcomes["failures"].items() if n} == {"gate": 2, "packing": 1}
    assert "none" not in outcomes["failures"]
    assert [lost["id"] for lost in outcomes["failed"]] == ["b", "c", "d"]
    assert outcomes["only_list"] == {"lexical": 1}


def test_rates_are_over_the_questions_that_they_are_about() -> None:
    rates = rates_of(several())
    assert {name: (rate["mean"], rate["n"]) for name, rate in rates.items()} == {
        "found_and_open": (2 / 3, 3),
        "passed": (0.4, 5),
        "false_refusals": (1 / 3, 3),
        "false_answers": (0.5, 2),
        "mentions_complete": (0.5, 2),
        "complete_of_answerable": (1 / 3, 3),
        "labels_cited": (0.5, 2),
        "cited_of_answerable": (1 / 3, 3),
        "figures_unsupported": (0.0, 3),
        "uncited": (0.0, 3),
    }
    assert rates == outcomes_of(several())["answers"]


def test_rate_that_is_about_no_question_is_left_out() -> None:
    rates = rates_of(asked((question("d", "near_miss"), [], found(), RIGHT)))
    assert set(rates) == {"passed", "false_answers", "figures_unsupported", "uncited"}


def test_found_and_open_wants_a_label_among_what_is_selected() -> None:
    missed = (question("m", "exact", "62"), [label("m", "chk_5")], found(), RIGHT)
    (rate,) = [rates_of(asked(missed))["found_and_open"]]
    assert (rate["mean"], rate["n"]) == (0.0, 1)


def test_each_signal_is_weighed_and_all_of_it_is_json() -> None:
    risk = risk_of(several())
    assert {"BM25", "cosine", "cross-encoder", "agreement", "BM25 gap"} <= set(risk)
    assert set(risk["cosine"]) >= {"auroc", "aurc", "curve", "threshold", "false_refusals", "false_answers"}
    assert json.loads(json.dumps(outcomes_of(several()), allow_nan=False))["risk"].keys() == risk.keys()


def test_signal_that_a_question_lacks_is_json_too() -> None:
    bare = trace({}, {"chk_0": 0.9}, ALL, context=context("chk_0"))
    case = (question("f", "exact", "62"), [label("f", "chk_0")], bare, RIGHT)
    both = several()
    one = asked(case)
    mixed = Asked(
        (*both.questions, *one.questions), {**both.labels, **one.labels}, {**both.recorded, **one.recorded}
    )
    risk = json.loads(json.dumps(risk_of(mixed), allow_nan=False))
    assert (risk["BM25"]["missing"], risk["cosine"]["missing"]) == (1, 0)


def test_without_unanswerable_questions_no_threshold_is_named() -> None:
    risk = risk_of(asked((Q, [label("q", "chk_0")], found(), RIGHT)))
    assert risk["cosine"]["threshold"] is None
    assert risk["cosine"]["auroc"] is None
