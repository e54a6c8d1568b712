"""Are intervals, p values and verdicts those of the textbooks, and the same whatever the order?"""

import math
from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from scipy import stats

from eval.measures.statistics import (
    Interval,
    Pair,
    Verdict,
    bootstrap_interval,
    compare,
    differences_of,
    holm,
    minimum_detectable_effect,
    paired_permutation,
    proportion_interval,
    rate_interval,
    verdict,
)


def drawn(seed: int, n: int, *, mean: float = 0.0, sd: float = 1.0) -> list[float]:
    return [float(x) for x in np.random.default_rng(seed).normal(mean, sd, n)]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_bootstrap_agrees_with_scipy(seed: int) -> None:
    values = [x**2 for x in drawn(seed, 80)]
    ours = bootstrap_interval(values, seed=seed)
    theirs = stats.bootstrap(
        (np.array(values),), np.mean, n_resamples=10_000, method="percentile", rng=np.random.default_rng(9)
    ).confidence_interval
    spread = theirs.high - theirs.low
    assert ours.mean == pytest.approx(np.mean(values))
    assert ours.low == pytest.approx(theirs.low, abs=0.05 * spread)
    assert ours.high == pytest.approx(theirs.high, abs=0.05 * spread)


def test_bootstrap_covers_the_true_mean_about_as_often_as_it_says() -> None:
    intervals = [bootstrap_interval(drawn(s, 60, mean=0.4), resamples=600, seed=s) for s in range(300)]
    assert 0.90 <= np.mean([i.low <= 0.4 <= i.high for i in intervals]) <= 0.98


def test_bootstrap_widens_with_the_level() -> None:
    values = drawn(4, 50)
    narrow, wide = (bootstrap_interval(values, level=level, seed=1) for level in (0.5, 0.99))
    assert wide.low < narrow.low < narrow.mean < narrow.high < wide.high


def test_bootstrap_of_equal_values_has_no_width() -> None:
    assert bootstrap_interval([0.25] * 7, seed=1) == Interval(0.25, 0.25, 0.25)


def test_bootstrap_does_not_depend_on_order_but_on_the_seed() -> None:
    values = drawn(5, 40)
    assert bootstrap_interval(values, seed=1) == bootstrap_interval(values[::-1], seed=1)
    assert bootstrap_interval(values, seed=1) != bootstrap_interval(values, seed=2)


@pytest.mark.parametrize("values", [[], [1.0, math.nan]])
def test_bootstrap_of_nothing_measured_is_refused(values: list[float]) -> None:
    with pytest.raises(ValueError, match=r"no values|not finite"):
        bootstrap_interval(values, seed=1)


@pytest.mark.parametrize(("count", "n"), [(0, 115), (115, 115), (1, 20), (7, 11), (12, 20)])
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_interval_of_a_share_is_wilsons(count: int, n: int, level: float) -> None:
    theirs = stats.binomtest(count, n).proportion_ci(confidence_level=level, method="wilson")
    ours = proportion_interval(count, n, level=level)
    assert (ours.mean, ours.low, ours.high) == pytest.approx((count / n, theirs.low, theirs.high), abs=1e-12)
    assert 0 <= ours.low <= ours.mean <= ours.high <= 1


def test_rate_of_nothing_but_zeros_may_still_be_above_zero() -> None:
    assert rate_interval([0.0] * 115, seed=1) == proportion_interval(0, 115)
    assert rate_interval([0.0] * 115, seed=1).high == pytest.approx(0.0323, abs=1e-4)


def test_rate_of_shares_is_bootstrapped() -> None:
    values = [0.0, 0.5, 1.0, 1.0]
    assert rate_interval(values, seed=3) == bootstrap_interval(values, seed=3)


@pytest.mark.parametrize(("count", "n"), [(0, 0), (3, 2), (-1, 2)])
def test_what_is_no_share_is_refused(count: int, n: int) -> None:
    with pytest.raises(ValueError, match="no share"):
        proportion_interval(count, n)


def test_rate_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="no values"):
        rate_interval([], seed=1)


@pytest.mark.parametrize("n", [3, 8, 12])
def test_permutation_enumerated_is_scipys_exact_p(n: int) -> None:
    a, b = drawn(n, n, mean=0.4), drawn(n + 50, n)
    theirs = stats.permutation_test(
        (a, b), lambda x, y: np.mean(np.subtract(x, y)), permutation_type="samples", n_resamples=np.inf
    ).pvalue
    assert paired_permutation(a, b, seed=0) == pytest.approx(theirs)


def test_permutation_sampled_is_close_to_scipys() -> None:
    a, b = drawn(1, 60, mean=0.25), drawn(2, 60)
    theirs = stats.permutation_test(
        (a, b),
        lambda x, y, axis: np.mean(x - y, axis=axis),
        permutation_type="samples",
        n_resamples=20_000,
        rng=np.random.default_rng(3),
        vectorized=True,
    ).pvalue
    assert 0.01 < theirs < 0.9
    assert paired_permutation(a, b, seed=0) == pytest.approx(theirs, abs=0.015)


def test_permutation_counts_a_pattern_that_ties_but_for_rounding() -> None:
    # 0.1 + 0.2 is not 0.3: without a tolerance the patterns that tie with what was seen would be missed.
    assert paired_permutation([0.1, 0.2, 0.3], [0.0, 0.0, 0.0], seed=0) == 2 / 8
    assert paired_permutation([0.1, 0.2, 0.0], [0.0, 0.0, 0.3], seed=0) == 1.0
    assert paired_permutation([0.1 + 0.2], [0.3], seed=0) == 1.0


@pytest.mark.parametrize("value", [0.1, 0.7, 1 / 3])
def test_permutation_finds_what_was_seen_among_the_patterns_whatever_the_rounding(value: float) -> None:
    found = [paired_permutation([value] * n, [0.0] * n, seed=0) for n in range(1, 15)]
    assert found == [2 / 2**n for n in range(1, 15)]


def test_permutation_sampled_never_gives_zero() -> None:
    assert paired_permutation([1.0] * 40, [0.0] * 40, resamples=999, seed=0) == 1 / 1000


def test_permutation_is_calibrated_on_null_data() -> None:
    p_values = [
        paired_permutation(drawn(2 * s, 25), drawn(2 * s + 1, 25), resamples=400, seed=s) for s in range(500)
    ]
    assert 0.025 <= np.mean([p < 0.05 for p in p_values]) <= 0.075
    assert 0.42 <= np.mean([p < 0.5 for p in p_values]) <= 0.58


def test_permutation_does_not_depend_on_order_and_is_symmetric() -> None:
    a, b = drawn(1, 30, mean=0.3), drawn(2, 30)
    p = paired_permutation(a, b, seed=4)
    assert p == paired_permutation(a[::-1], b[::-1], seed=4)
    assert p == pytest.approx(paired_permutation(b, a, seed=4), abs=0.02)


def test_unpaired_values_are_refused() -> None:
    with pytest.raises(ValueError, match="3 and 2 values"):
        paired_permutation([1.0, 2.0, 3.0], [1.0, 2.0], seed=0)


def test_differences_within_rounding_are_exactly_zero() -> None:
    assert differences_of([0.1 + 0.2, 1.0], [0.3, 0.5]) == [0.0, 0.5]


def test_holm_of_a_hand_worked_example_keeps_the_order_given() -> None:
    # 0.005 * 4; 0.01 * 3; 0.03 * 2 = 0.06 before 0.04 * 1, which may not fall below it.
    adjusted = holm({"c": 0.04, "a": 0.01, "d": 0.03, "b": 0.005})
    assert list(adjusted) == ["c", "a", "d", "b"]
    assert adjusted == pytest.approx({"a": 0.03, "b": 0.02, "c": 0.06, "d": 0.06})


def test_holm_stops_at_one_and_treats_ties_alike() -> None:
    assert holm({"a": 0.5, "b": 0.9}) == {"a": 1.0, "b": 1.0}
    assert len(set(holm({"a": 0.02, "b": 0.02, "c": 0.02}).values())) == 1
    assert holm({}) == {}


def test_minimum_detectable_effect_of_a_textbook_case() -> None:
    differences = [1.0, -1.0] * 50
    assert minimum_detectable_effect(differences) == pytest.approx(2.8016 * 1.00504 / 10, rel=1e-4)
    assert minimum_detectable_effect(differences, alpha=0.01) > minimum_detectable_effect(differences)


def test_minimum_detectable_effect_is_found_with_the_promised_power() -> None:
    effect = minimum_detectable_effect([0.3, -0.3] * 30)
    found = [
        paired_permutation(drawn(s, 60, mean=effect, sd=0.3), [0.0] * 60, resamples=400, seed=s) < 0.05
        for s in range(200)
    ]
    assert 0.7 <= np.mean(found) <= 0.9


@pytest.mark.parametrize(("moved", "found"), [(0, False), (5, False), (6, True)])
@pytest.mark.parametrize("still", [0, 104])
def test_minimum_detectable_effect_is_infinite_where_too_few_moved_to_tell(
    moved: int, found: bool, still: int
) -> None:
    differences = [-0.5] * moved + [0.0] * still
    assert math.isfinite(minimum_detectable_effect(differences, alpha=0.05)) is found
    assert minimum_detectable_effect(differences, alpha=0.005) == math.inf


@pytest.mark.parametrize(
    ("differences", "p", "mde", "word"),
    [
        ([0.0, 0.0], 1.0, math.inf, Verdict.SAME),
        ([0.2, 0.1], 0.01, 0.5, Verdict.BETTER),
        ([-0.2, 0.1], 0.01, 0.5, Verdict.WORSE),
        ([0.2, -0.1], 0.05, 0.031, Verdict.UNDERPOWERED),
        ([0.2, -0.1], 0.05, 0.03, Verdict.WITHIN_NOISE),
    ],
)
def test_verdict_follows_its_rule(differences: list[float], p: float, mde: float, word: Verdict) -> None:
    assert verdict(differences, p_adjusted=p, mde=mde) is word


def paired(rows: Mapping[str, Sequence[float]], baseline: Sequence[float]) -> dict[str, Pair]:
    return {name: Pair(values, baseline) for name, values in rows.items()}


def test_compare_tells_better_worse_and_same_rows() -> None:
    baseline = [0.5] * 40
    rows = {
        "up": [0.6] * 30 + [0.5] * 10,
        "down": [0.3] * 30 + [0.6] * 10,
        "same": list(baseline),
        "noise": [0.51, 0.49] * 20,
        "few": [1.0, 0.0] * 20,
    }
    compared = compare(paired(rows, baseline), metric="recall@5", seed=7)
    assert {name: str(c.verdict) for name, c in compared.items()} == {
        "up": "better",
        "down": "worse",
        "same": "same",
        "noise": "within noise",
        "few": "underpowered",
    }
    down = compared["down"]
    assert (down.metric, down.n, down.moved_up, down.moved_down) == ("recall@5", 40, 10, 30)
    assert (down.baseline, down.value) == pytest.approx((0.5, 0.375))
    assert down.difference.low < down.difference.mean < down.difference.high < 0
    assert down.p < down.p_adjusted < 0.05
    assert down.mde == minimum_detectable_effect(differences_of(rows["down"], baseline), alpha=0.01)


def test_what_could_not_have_been_found_is_not_called_noise() -> None:
    baseline = [0.5] * 110
    rows = {f"row{n}": [0.0] * 3 + [0.5] * 107 for n in range(9)} | {"same": baseline}
    compared = compare(paired(rows, baseline), metric="m", seed=1)
    assert {c.verdict for c in compared.values()} == {Verdict.UNDERPOWERED, Verdict.SAME}
    assert {c.mde for c in compared.values()} == {math.inf}
    assert compared["same"].p_adjusted == 1.0


def test_compare_does_not_depend_on_the_order_of_rows() -> None:
    rows = {name: drawn(seed, 50, mean=seed / 20) for seed, name in enumerate("abcdef")}
    baseline = drawn(99, 50)
    forwards = compare(paired(rows, baseline), metric="m", seed=3)
    backwards = compare(paired(dict(reversed(rows.items())), baseline), metric="m", seed=3)
    assert list(backwards) == list(rows)[::-1]
    assert forwards == backwards


def test_compare_seldom_calls_any_of_many_null_rows_different() -> None:
    alarms = 0
    for trial in range(60):
        rows = {f"r{r}": [float(x > 0) for x in drawn(1000 + 10 * trial + r, 12)] for r in range(6)}
        baseline = [float(x > 0) for x in drawn(trial, 12)]
        compared = compare(paired(rows, baseline), metric="m", seed=trial)
        alarms += any(c.verdict in (Verdict.BETTER, Verdict.WORSE) for c in compared.values())
    assert alarms <= 7
