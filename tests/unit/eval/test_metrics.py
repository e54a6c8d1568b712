"""Do the metrics count labels as they say, where one candidate may hold several and several one?"""

import math

import pytest

from eval.measures.metrics import (
    METRICS,
    Judged,
    answerable_success_at,
    first_ranks,
    measured,
    ndcg_at,
    precision_at,
    recall_at,
    reciprocal_rank,
    success_at,
)


def judged(*covered: str, grades: dict[str, float] | None = None) -> Judged:
    """One word a rank, one letter a label: "ab" holds both, "" none."""
    return Judged(tuple(map(frozenset, covered)), grades or {"a": 1.0, "b": 1.0})


def test_recall_counts_each_label_once_however_many_hold_it() -> None:
    ranking = judged("", "a", "a", "ab")
    assert [recall_at(ranking, k) for k in (1, 2, 3, 4, 10)] == [0, 0.5, 0.5, 1, 1]


def test_precision_counts_candidates_and_keeps_k_below_the_line() -> None:
    ranking = judged("ab", "", "a")
    assert precision_at(ranking, 1) == 1
    assert precision_at(ranking, 2) == 0.5
    assert precision_at(ranking, 5) == 0.4


def test_reciprocal_rank_is_zero_beyond_the_cut() -> None:
    ranking = judged("", "", "b", "a")
    assert reciprocal_rank(ranking) == pytest.approx(1 / 3)
    assert reciprocal_rank(ranking, 3) == pytest.approx(1 / 3)
    assert reciprocal_rank(ranking, 2) == 0


def test_success_needs_any_label() -> None:
    ranking = judged("", "b")
    assert (success_at(ranking, 1), success_at(ranking, 2)) == (0, 1)
    assert answerable_success_at(ranking, 2, gate_open=True) == 1
    assert answerable_success_at(ranking, 2, gate_open=False) == 0


def test_ndcg_gives_a_label_its_gain_at_its_first_candidate_only() -> None:
    once = judged("", "a", "", grades={"a": 3.0, "b": 1.0})
    twice = judged("", "a", "a", grades={"a": 3.0, "b": 1.0})
    expected = (3 / math.log2(3)) / (3 + 1 / math.log2(3))
    assert ndcg_at(once, 10) == ndcg_at(twice, 10) == pytest.approx(expected)


def test_ndcg_is_one_in_the_ideal_order_and_less_in_another() -> None:
    grades = {"a": 2.0, "b": 1.0}
    assert ndcg_at(judged("a", "b", grades=grades), 10) == pytest.approx(1)
    assert ndcg_at(judged("b", "a", grades=grades), 10) < 0.9


def test_ndcg_counts_all_labels_of_one_candidate_and_is_capped() -> None:
    assert ndcg_at(judged("ab"), 10) == 1
    late = judged("", "", "ab")
    assert ndcg_at(late, 10) == pytest.approx((2 / math.log2(4)) / (1 + 1 / math.log2(3)))


def test_ndcg_ideal_is_cut_at_k_too() -> None:
    assert ndcg_at(judged("a"), 1) == 1


def test_first_ranks_leave_out_labels_that_none_holds() -> None:
    assert first_ranks(judged("", "b", "b")) == {"b": 2}


def test_nothing_retrieved_is_zero_in_every_metric() -> None:
    assert set(measured(judged()).values()) == {0.0}
    assert set(measured(judged("", "")).values()) == {0.0}


def test_every_metric_is_one_for_a_list_full_of_labels() -> None:
    grades = {f"l{n}": 1.0 for n in range(10)}
    ranking = Judged(tuple(frozenset({label}) for label in grades), grades)
    shares = {"recall@1": 0.1, "recall@5": 0.5}
    assert {name: pytest.approx(value) for name, value in measured(ranking).items()} == {
        name: shares.get(name, 1.0) for name in METRICS
    }


def test_names_tell_the_cut() -> None:
    ranking = judged("", "", "", "", "", "ab")
    values = measured(ranking)
    assert (values["recall@5"], values["recall@10"]) == (0, 1)
    assert values["success@5"] == 0
    assert values["mrr@10"] == pytest.approx(1 / 6)
    assert values["precision@5"] == 0


def test_order_of_labels_changes_no_number() -> None:
    grades = {"a": 0.1, "b": 0.7, "c": 0.2}
    backwards = dict(reversed(grades.items()))
    covered = (frozenset("bc"), frozenset("a"))
    assert measured(Judged(covered, grades)) == measured(Judged(covered, backwards))


@pytest.mark.parametrize(
    ("covered", "grades", "says"),
    [
        ((), {}, "without labels"),
        ((), {"a": 0.0}, "above 0"),
        ((frozenset({"z"}),), {"a": 1.0}, "lacks: z"),
    ],
)
def test_what_cannot_be_judged_is_refused(
    covered: tuple[frozenset[str], ...], grades: dict[str, float], says: str
) -> None:
    with pytest.raises(ValueError, match=says):
        Judged(covered, grades)
