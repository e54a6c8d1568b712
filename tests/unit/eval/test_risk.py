"""Is a signal's worth for refusing measured right, ties and missing scores included?"""

import itertools
import math
import random

import numpy as np
import pytest
from scipy import stats

from eval.measures.risk import (
    RiskCase,
    aurc,
    auroc,
    best_threshold,
    profile,
    profiles,
    threshold_errors,
)
from eval.measures.statistics import proportion_interval


def case(name: str, score: float | None, right: bool, answerable: bool = True) -> RiskCase:
    return RiskCase(
        id=name, signals={} if score is None else {"s": score}, answerable=answerable, right=right
    )


CASES = (
    case("a", 0.9, True),
    case("b", 0.8, True),
    case("c", 0.8, False),
    case("d", 0.4, True),
    case("e", 0.3, False, answerable=False),
    case("f", None, False, answerable=False),
)


def many(seed: int, n: int = 120) -> list[RiskCase]:
    """A signal that tells, one that tells less, and one of chance."""
    source = random.Random(seed)
    cases = []
    for i in range(n):
        answerable = source.random() < 0.7
        right = answerable and source.random() < 0.8
        signals = {
            "good": right + source.gauss(0, 0.4),
            "fair": right + source.gauss(0, 1.5),
            "noise": source.random(),
        }
        cases.append(RiskCase(id=f"q{i:03}", signals=signals, answerable=answerable, right=right))
    return cases


def test_points_fall_by_threshold_with_equal_scores_together() -> None:
    points = profile(CASES, "s", seed=1).points
    assert [p.threshold for p in points] == [0.9, 0.8, 0.4, 0.3]
    assert [p.coverage for p in points] == pytest.approx([1 / 6, 3 / 6, 4 / 6, 5 / 6])
    assert [p.risk.mean for p in points] == pytest.approx([0, 1 / 3, 1 / 4, 2 / 5])
    assert [p.risk for p in points] == [
        proportion_interval(k, n) for k, n in ((0, 1), (1, 3), (1, 4), (2, 5))
    ]


def test_no_wrong_answer_among_few_is_no_proof_that_none_will_be() -> None:
    assert profile(CASES, "s", seed=1).points[0].risk.high > 0.7


def test_missing_score_is_never_answered() -> None:
    measured = profile(CASES, "s", seed=1)
    assert measured.missing == 1
    assert threshold_errors(CASES, "s", -1e9).coverage == pytest.approx(5 / 6)


def test_area_is_the_mean_over_every_order_of_ties() -> None:
    scores = np.array([3.0, 2.0, 2.0, 2.0, 1.0])
    right = np.array([True, False, True, True, False])
    areas = []
    for tied in itertools.permutations([1, 2, 3]):
        wrong = np.cumsum(~right[[0, *tied, 4]])
        areas.append(np.mean(wrong / np.arange(1, 6)))
    assert aurc(scores, right) == pytest.approx(np.mean(areas))


def test_area_is_least_for_the_perfect_order_and_largest_for_its_reverse() -> None:
    right = np.array([True] * 6 + [False] * 4)
    perfect = aurc(np.arange(10, 0, -1.0), right)
    assert perfect == pytest.approx(sum(k / (6 + k) for k in range(1, 5)) / 10)
    assert perfect < aurc(np.zeros(10), right) < aurc(np.arange(10.0), right)
    assert aurc(np.zeros(10), right) == pytest.approx(0.4)


@pytest.mark.parametrize("digits", [0, 1, 6])
def test_auroc_is_mann_whitneys(digits: int) -> None:
    source = np.random.default_rng(digits)
    scores, positive = source.normal(size=80).round(digits), source.random(80) < 0.4
    u = stats.mannwhitneyu(scores[positive], scores[~positive]).statistic
    assert auroc(scores, positive) == pytest.approx(u / (positive.sum() * (~positive).sum()))


def test_auroc_counts_a_missing_score_as_the_lowest() -> None:
    scores, positive = np.array([0.1, -math.inf]), np.array([True, False])
    assert auroc(scores, positive) == 1.0


def test_best_threshold_parts_what_can_be_parted_and_lies_between() -> None:
    scores = np.array([0.2, 0.4, 0.8, 0.9])
    parted, mixed = np.array([False, False, True, True]), np.array([False, True, False, True])
    assert best_threshold(scores, parted) == pytest.approx(0.6)
    assert best_threshold(scores, mixed) == pytest.approx(0.3)


def test_best_threshold_is_the_best_of_all() -> None:
    cases = many(3)
    scores = np.array([c.signals["good"] for c in cases])
    answerable = np.array([c.answerable for c in cases])
    threshold = best_threshold(scores, answerable)
    assert threshold is not None
    every = [(scores[answerable] >= t).mean() - (scores[~answerable] >= t).mean() for t in scores]
    here = (scores[answerable] >= threshold).mean() - (scores[~answerable] >= threshold).mean()
    assert here == pytest.approx(max(every))


def test_without_both_sorts_of_questions_nothing_is_parted() -> None:
    measured = profile(CASES[:4], "s", seed=1)
    assert (measured.auroc, measured.best_threshold) == (None, None)


def test_errors_of_a_threshold_are_over_the_questions_they_are_about() -> None:
    errors = threshold_errors(CASES, "s", 0.35)
    assert errors.false_refusals == proportion_interval(0, 4)
    assert errors.false_answers == proportion_interval(0, 2)
    assert errors.wrong_answers is not None
    assert errors.wrong_answers.mean == 0.25
    strict = threshold_errors(CASES, "s", 0.85)
    assert strict.false_refusals is not None
    assert strict.false_refusals.mean == 0.75
    assert strict.false_refusals.low < 0.75 < strict.false_refusals.high


def test_errors_are_none_where_there_is_no_question_to_err_on() -> None:
    errors = threshold_errors(CASES[:4], "s", 2.0)
    assert (errors.false_answers, errors.wrong_answers, errors.coverage) == (None, None, 0.0)


def test_signals_are_told_apart_beyond_chance() -> None:
    cases = many(1)
    measured = profiles(cases, seed=5, resamples=300)
    assert list(measured) == ["fair", "good", "noise"]
    assert measured["good"].aurc.mean < measured["fair"].aurc.mean < measured["noise"].aurc.mean
    good, noise = measured["good"].auroc, measured["noise"].auroc
    assert good is not None
    assert noise is not None
    assert good.low > noise.high


def test_profiles_depend_on_the_seed_and_not_on_the_order_of_questions() -> None:
    cases = many(2, n=40)
    forwards = profiles(cases, seed=5, resamples=50)
    assert forwards == profiles(cases[::-1], seed=5, resamples=50)
    assert forwards != profiles(cases, seed=6, resamples=50)


def test_cases_that_contradict_themselves_are_refused() -> None:
    with pytest.raises(ValueError, match="q: no answer"):
        case("q", 0.5, True, answerable=False)
    with pytest.raises(ValueError, match="not finite"):
        case("q", math.nan, True)
    with pytest.raises(ValueError, match="no questions"):
        profile([], "s", seed=1)
