"""When is it wise to refuse? How often answering goes wrong, by how sure a signal must be."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from eval.measures.statistics import Interval, proportion_interval

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class RiskCase:
    """One question: how sure each signal was (higher is surer), and whether an answer to it would be right.

    A signal that is missing refuses at every threshold. ValueError when an unanswerable question has a right
    answer, or a score is not finite.
    """

    id: str
    signals: Mapping[str, float]
    answerable: bool
    right: bool

    def __post_init__(self) -> None:
        if self.right and not self.answerable:
            raise ValueError(f"{self.id}: no answer to an unanswerable question is right")
        if not all(math.isfinite(score) for score in self.signals.values()):
            raise ValueError(f"{self.id}: a score is not finite; leave out a signal that is missing")


@dataclass(frozen=True, slots=True)
class RiskPoint:
    """Answering at scores of `threshold` and above: share of questions answered, share of those wrong."""

    threshold: float
    coverage: float
    risk: Interval


@dataclass(frozen=True, slots=True, kw_only=True)
class SignalProfile:
    """What one signal is worth.

    `points` by falling threshold; `aurc` is the area under them (less is better, 0..1); `auroc` how often an
    answerable question scores above an unanswerable one (0.5: by chance; None without both sorts).
    `best_threshold` has the largest Youden J (answerable answered minus unanswerable answered) on these very
    questions, so that what it costs flatters; None where auroc is.
    """

    signal: str
    missing: int
    points: tuple[RiskPoint, ...]
    aurc: Interval
    auroc: Interval | None
    best_threshold: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ThresholdErrors:
    """What a threshold costs: answerable questions refused, unanswerable ones answered, wrong answers.

    Each over the questions that it is about, None where there is none.
    """

    threshold: float
    coverage: float
    false_refusals: Interval | None
    false_answers: Interval | None
    wrong_answers: Interval | None


def profiles(cases: Sequence[RiskCase], *, seed: int, resamples: int = 1_000) -> dict[str, SignalProfile]:
    """The profile of every signal that any question has, by name."""
    names = sorted({name for case in cases for name in case.signals})
    return {name: profile(cases, name, seed=seed, resamples=resamples) for name in names}


def profile(cases: Sequence[RiskCase], signal: str, *, seed: int, resamples: int = 1_000) -> SignalProfile:
    """The profile of one signal, with 95 % intervals. ValueError without questions.

    The areas' are bootstrapped by question, those of the risk at a threshold are Wilson's of the answered.
    Selective risk and coverage: El-Yaniv and Wiener, JMLR 2010; the area: Geifman and El-Yaniv, NeurIPS 2017.
    """
    scores, right, answerable = _columns(cases, signal)
    draws = _draws(len(scores), resamples, seed)
    threshold = best_threshold(scores, answerable)
    return SignalProfile(
        signal=signal,
        missing=int(np.count_nonzero(np.isneginf(scores))),
        points=_points(scores, right),
        aurc=_interval(aurc(scores, right), [aurc(scores[d], right[d]) for d in draws]),
        auroc=None
        if threshold is None
        else _interval(auroc(scores, answerable), [auroc(scores[d], answerable[d]) for d in draws]),
        best_threshold=threshold,
    )


def threshold_errors(cases: Sequence[RiskCase], signal: str, threshold: float) -> ThresholdErrors:
    """What answering at scores of `threshold` and above costs, with 95 % intervals (Wilson)."""
    scores, right, answerable = _columns(cases, signal)
    answered = scores >= threshold
    return ThresholdErrors(
        threshold=threshold,
        coverage=float(answered.mean()),
        false_refusals=_share(~answered[answerable]),
        false_answers=_share(answered[~answerable]),
        wrong_answers=_share(~right[answered]),
    )


def aurc(scores: Floats, right: Bools) -> float:
    """The mean, over every number of questions answered, of the share that is wrong among the surest so many.

    Among equal scores the order is open, so each stands for the mean of them.
    """
    ends, wrong = _steps(scores, right)
    answered = np.arange(1, len(scores) + 1)
    expected_wrong = np.interp(answered, np.concatenate(([0], ends)), np.concatenate(([0], wrong)))
    return float(np.mean(expected_wrong / answered))


def auroc(scores: Floats, positive: Bools) -> float:
    """The chance that a positive scores above a negative, ties half (Mann and Whitney); nan without both."""
    above, below = scores[positive], np.sort(scores[~positive])
    if not len(above) or not len(below):
        return math.nan
    less = np.searchsorted(below, above, side="left")
    not_more = np.searchsorted(below, above, side="right")
    return float(np.sum(less + not_more) / (2 * len(above) * len(below)))


def best_threshold(scores: Floats, answerable: Bools) -> float | None:
    """The threshold with the largest Youden J; of several the lowest, which refuses least.

    It lies halfway to the next lower score. None without both sorts of questions or any score.
    """
    distinct = np.unique(scores[np.isfinite(scores)])
    if not len(distinct) or answerable.all() or not answerable.any():
        return None
    answered = scores[None, :] >= distinct[:, None]
    youden_j = answered[:, answerable].mean(axis=1) - answered[:, ~answerable].mean(axis=1)
    best = int(np.argmax(youden_j > youden_j.max() - 1e-12))
    low = distinct[best - 1] if best else distinct[best]
    return float((low + distinct[best]) / 2)


def _columns(cases: Sequence[RiskCase], signal: str) -> tuple[Floats, Bools, Bools]:
    """Scores (-inf where missing), right and answerable by question, in the order of their ids."""
    if not cases:
        raise ValueError("there are no questions: nothing was measured")
    ordered = sorted(cases, key=lambda case: case.id)
    return (
        np.array([case.signals.get(signal, -math.inf) for case in ordered], dtype=np.float64),
        np.array([case.right for case in ordered], dtype=np.bool_),
        np.array([case.answerable for case in ordered], dtype=np.bool_),
    )


def _steps(scores: Floats, right: Bools) -> tuple[Floats, Floats]:
    """How many are answered, and how many of them wrong, at each distinct score by falling score."""
    order = np.argsort(-scores, kind="stable")
    falling = scores[order]
    ends = np.flatnonzero(np.append(falling[1:] != falling[:-1], True)) + 1
    wrong = np.cumsum(~right[order], dtype=np.float64)
    return ends.astype(np.float64), wrong[ends - 1]


def _points(scores: Floats, right: Bools) -> tuple[RiskPoint, ...]:
    ends, wrong = _steps(scores, right)
    falling = np.unique(scores)[::-1]
    return tuple(
        RiskPoint(float(threshold), float(end / len(scores)), proportion_interval(int(failed), int(end)))
        for threshold, end, failed in zip(falling, ends, wrong, strict=True)
        if math.isfinite(threshold)
    )


def _draws(n: int, resamples: int, seed: int) -> Sequence[NDArray[np.int64]]:
    return list(np.random.default_rng(seed).integers(0, n, size=(resamples, n)))


def _interval(value: float, resampled: Iterable[float]) -> Interval:
    drawn = np.fromiter((v for v in resampled if not math.isnan(v)), dtype=np.float64)
    low, high = np.quantile(drawn, [0.025, 0.975]) if len(drawn) else (value, value)
    return Interval(value, float(low), float(high))


def _share(flags: Bools) -> Interval | None:
    return proportion_interval(int(np.count_nonzero(flags)), len(flags)) if len(flags) else None
