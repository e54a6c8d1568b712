"""Is a gate shut by what is worse, and by nothing else?"""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from eval.runs.gates import NotComparable, exact, kept, statistical
from eval.runs.rows import SHIPPED

IDS = [f"q{n:03}" for n in range(60)]


def result(rows: Mapping[str, Sequence[float]], **head: str) -> dict[str, Any]:
    """A result whose rows have these values, and an order of their own for each value."""
    return {
        "suite": "golden",
        "split": "development",
        "corpus_digest": "abc",
        "questions_digest": "q",
        "rows": [
            {
                "name": name,
                "values": {i: {"ndcg@10": value} for i, value in zip(IDS, values, strict=False)},
                "orders": {i: f"{value}" for i, value in zip(IDS, values, strict=False)},
            }
            for name, values in rows.items()
        ],
        **head,
    }


STEADY = [0.5] * 60
LOSS = [0.3] * 20 + [0.5] * 40
NOISE = [0.49, 0.51] * 30


def test_significant_loss_shuts_the_gate_and_says_so() -> None:
    judgement = statistical(result({"rrf": LOSS}), result({"rrf": STEADY}))
    assert not judgement.passed
    (line,) = judgement.lines
    assert line.startswith("rrf: 0.5000 -> 0.4333 (-0.0667 [-0.")
    assert "0 up, 20 down, one-sided p 0.000): LOST; a change of " in line


@pytest.mark.parametrize(
    ("values", "words"),
    [
        (NOISE, "within noise; a change of"),
        (STEADY, "0.5000, no question moved"),
        ([0.8] * 60, "60 up, 0 down"),
    ],
)
def test_anything_but_a_loss_leaves_it_open(values: Sequence[float], words: str) -> None:
    judgement = statistical(result({"rrf": values}), result({"rrf": STEADY}))
    assert judgement.passed
    assert words in judgement.lines[0]


def test_set_that_could_not_have_shown_a_loss_is_called_underpowered_and_passes() -> None:
    judgement = statistical(result({"rrf": [0.0, 1.0, 0.2]}), result({"rrf": [1.0, 0.5, 0.4]}))
    assert judgement.passed
    assert judgement.lines[0].endswith(": underpowered")
    noisy = statistical(result({"rrf": [0.2, 0.9] * 30}), result({"rrf": [0.9, 0.2] * 30}))
    assert noisy.passed
    assert "underpowered; a change of 0." in noisy.lines[0]


def test_one_lost_row_among_many_is_enough() -> None:
    rows = {f"row{n}": STEADY for n in range(8)}
    judgement = statistical(result({**rows, "rrf": LOSS}), result({**rows, "rrf": STEADY}))
    assert not judgement.passed
    assert [line.partition(":")[0] for line in judgement.lines if "LOST" in line] == ["rrf"]


def test_row_of_the_defaults_is_asked_first_and_alone() -> None:
    rows = {f"row{n}": STEADY for n in range(19)}
    lost = [0.0] * 5 + [0.5] * 55
    assert statistical(result({**rows, "rrf": lost}), result({**rows, "rrf": STEADY})).passed
    shipped = statistical(result({**rows, SHIPPED: lost}), result({**rows, SHIPPED: STEADY}))
    assert not shipped.passed
    assert shipped.lines[0].startswith(f"{SHIPPED}: ")


def test_loss_of_one_row_in_twenty_by_chance_passes_when_corrected() -> None:
    barely = [0.0] * 6 + [0.5] * 54
    assert not statistical(result({"rrf": barely}), result({"rrf": STEADY})).passed
    rows = {f"row{n}": STEADY for n in range(19)}
    assert statistical(result({**rows, "rrf": barely}), result({**rows, "rrf": STEADY})).passed


def test_new_row_is_held_against_nothing_and_a_lost_one_shuts_the_gate() -> None:
    both, one = result({"rrf": STEADY, "weighted": LOSS}), result({"rrf": STEADY})
    assert statistical(both, one).passed
    judgement = statistical(one, both)
    assert not judgement.passed
    assert judgement.lines[-1] == "weighted: is missing"


def graded(values: Sequence[float]) -> dict[str, Any]:
    return {**result({"rrf": STEADY}), "graded": dict(zip(IDS, values, strict=False))}


def test_answers_that_pass_less_often_shut_the_statistical_gate() -> None:
    fewer = statistical(graded([0.0] * 10 + [1.0] * 50), graded([1.0] * 60))
    assert not fewer.passed
    assert fewer.lines[0].startswith("answers that pass: 1.0000 -> 0.8333 ")
    assert statistical(graded([1.0] * 60), graded([0.0] * 10 + [1.0] * 50)).passed
    for now, before in ((graded(STEADY), result({"rrf": STEADY})), (result({"rrf": STEADY}), graded(STEADY))):
        with pytest.raises(NotComparable, match="the questions differ"):
            statistical(now, before)


def test_refusals_are_held_by_themselves() -> None:
    before = {**graded([1.0] * 60), "turned_away": dict.fromkeys(IDS[:8], 1.0)}
    now = {**graded([1.0] * 60), "turned_away": dict.fromkeys(IDS[:8], 0.0)}
    judgement = statistical(now, before)
    assert not judgement.passed
    assert "unanswerable questions turned away: 1.0000 -> 0.0000" in judgement.lines[-2]


def test_gate_of_past_failures_is_shut_by_one_that_returns() -> None:
    before = graded([1.0, 1.0, 0.0])
    assert kept(graded([1.0, 1.0, 1.0]), before).passed
    assert kept(before, before).lines == ("what was right is right: 2 of 3",)
    judgement = kept(graded([1.0, 0.0, 1.0]), before)
    assert (judgement.passed, judgement.lines) == (False, ("q001: was right, and is no longer",))
    with pytest.raises(NotComparable, match="the questions differ: q002"):
        kept(graded([1.0, 1.0]), before)


def test_equal_bits_leave_the_exact_gate_open() -> None:
    judgement = exact(result({"rrf": NOISE}), result({"rrf": NOISE}))
    assert (judgement.passed, judgement.lines) == (
        True,
        ("every ranking is what it was, to the last rank",),
    )


@pytest.mark.parametrize("member", ["values", "orders"])
def test_one_moved_rank_is_named_with_its_row_and_question(member: str) -> None:
    now, before = result({"rrf": NOISE, "vectors": NOISE}), result({"rrf": NOISE, "vectors": NOISE})
    moved = now["rows"][1][member]["q007"]
    now["rows"][1][member]["q007"] = f"{moved} " if member == "orders" else {"ndcg@10": 0.51 + 1e-16 * 2}
    judgement = exact(now, before)
    assert not judgement.passed
    assert judgement.lines == ("vectors: q007 is ranked otherwise than before",)


def test_better_is_another_ranking_to_the_exact_gate() -> None:
    assert not exact(result({"rrf": [0.8] * 60}), result({"rrf": STEADY})).passed


def test_exact_gate_wants_the_same_rows() -> None:
    both, one = result({"rrf": NOISE, "weighted": NOISE}), result({"rrf": NOISE})
    assert exact(both, one).lines == ("weighted: is not in the committed result",)
    assert exact(one, both).lines == ("weighted: is missing",)
    assert not exact(both, one).passed
    assert not exact(one, both).passed


@pytest.mark.parametrize("gate", [exact, statistical])
@pytest.mark.parametrize(
    ("head", "words"),
    [
        ({"suite": "regression"}, "the suite is regression, in the committed result golden"),
        ({"split": "held_out"}, "the split is held_out"),
        ({"corpus_digest": "abd", "questions_digest": "q"}, "the corpus digest is abd"),
    ],
)
def test_results_of_something_else_are_not_compared(gate: Any, head: dict[str, str], words: str) -> None:
    with pytest.raises(NotComparable, match=words):
        gate(result({"rrf": STEADY}, **head), result({"rrf": STEADY}))


@pytest.mark.parametrize("gate", [exact, statistical])
def test_results_of_other_questions_are_not_compared(gate: Any) -> None:
    few, many = result({"rrf": STEADY[:58]}), result({"rrf": STEADY})
    for now, before in ((few, many), (many, few)):
        with pytest.raises(NotComparable, match="the questions differ: q058, q059"):
            gate(now, before)


@pytest.mark.parametrize("gate", [exact, statistical])
def test_what_is_no_result_is_not_compared(gate: Any) -> None:
    with pytest.raises(NotComparable, match="no result of a suite"):
        gate({"rows": []}, result({"rrf": STEADY}))
