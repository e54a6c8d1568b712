"""How sure is a mean over questions, and is the difference between two of them more than chance?"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# Differences and sums of differences closer than this are the same number.
TOLERANCE = 1e-9
# With so few moved questions all sign patterns are tried instead of a sample of them.
MAX_ENUMERATED = 14
# How many numbers a block of resamples holds at most, so that large sets do not fill the memory.
BLOCK_NUMBERS = 2_000_000


class Verdict(StrEnum):
    """What may be said of a difference."""

    BETTER = "better"
    WORSE = "worse"
    WITHIN_NOISE = "within noise"
    UNDERPOWERED = "underpowered"
    SAME = "same"


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean with the ends of its interval, all in the metric's units."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Pair:
    """A metric of the same questions, in the same order, under a row and under the row it is held against."""

    values: Sequence[float]
    baseline: Sequence[float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """A row against its baseline over the same n questions; `difference` is row minus baseline.

    `mde` is the minimum detectable effect; infinite where none could have been found, as where nothing moved.
    """

    metric: str
    n: int
    baseline: float
    value: float
    difference: Interval
    p: float
    p_adjusted: float
    mde: float
    verdict: Verdict
    moved_up: int
    moved_down: int


def bootstrap_interval(
    values: Sequence[float], *, level: float = 0.95, resamples: int = 10_000, seed: int
) -> Interval:
    """The mean with its percentile bootstrap interval, drawn by question; the order of values plays no part.

    Efron and Tibshirani, An Introduction to the Bootstrap, 1993, ch. 13. ValueError without values.
    """
    ordered = _ordered(values)
    mean = math.fsum(ordered) / len(ordered)
    if ordered[-1] - ordered[0] <= TOLERANCE:
        return Interval(mean, mean, mean)
    generator = np.random.default_rng(seed)
    means = np.concatenate(
        [
            ordered[generator.integers(0, len(ordered), size=(block, len(ordered)))].mean(axis=1)
            for block in _blocks(resamples, len(ordered))
        ]
    )
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    return Interval(mean, float(low), float(high))


def rate_interval(values: Sequence[float], *, seed: int) -> Interval:
    """The mean of a rate's values, 0..1, with its 95 % interval: Wilson's where each is 0 or 1.

    A bootstrap of nothing but zeros has no width, whatever their number. Others are bootstrapped. ValueError
    without values.
    """
    if len(values) and all(value in (0.0, 1.0) for value in values):
        return proportion_interval(sum(value == 1.0 for value in values), len(values))
    return bootstrap_interval(values, seed=seed)


def proportion_interval(count: int, n: int, *, level: float = 0.95) -> Interval:
    """The share count / n with Wilson's score interval (JASA 1927).

    Near its level for small n and at the ends too: Brown, Cai and DasGupta, Statistical Science 2001.
    ValueError unless 0 <= count <= n and n > 0.
    """
    if not 0 <= count <= n or not n:
        raise ValueError(f"{count} of {n} is no share")
    share, z = count / n, NormalDist().inv_cdf((1 + level) / 2)
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return Interval(share, 0.0 if not count else middle - half, 1.0 if count == n else middle + half)


def paired_permutation(
    a: Sequence[float], b: Sequence[float], *, resamples: int = 20_000, seed: int
) -> float:
    """Two-sided p of the mean of a - b, both by question, under random flips of the differences' signs.

    Fisher's randomisation test; Smucker, Allan and Carterette, CIKM 2007. All sign patterns when at most 14
    differences are not zero, otherwise a sample with p = (count + 1) / (resamples + 1); 1 if nothing differs.
    The order of questions plays no part. ValueError when a and b are not alike in length, or empty.
    """
    differences = _ordered(differences_of(a, b))
    moved = differences[differences != 0]
    if not len(moved):
        return 1.0
    reached = abs(math.fsum(moved)) - TOLERANCE
    if len(moved) <= MAX_ENUMERATED:
        patterns = np.arange(2 ** len(moved))[:, None] >> np.arange(len(moved)) & 1
        return float(np.mean(np.abs((1 - 2 * patterns) @ moved) >= reached))
    generator = np.random.default_rng(seed)
    count = 0
    for block in _blocks(resamples, len(moved)):
        signs = 1.0 - 2.0 * generator.integers(0, 2, size=(block, len(moved)), dtype=np.int8)
        count += int(np.count_nonzero(np.abs(signs @ moved) >= reached))
    return (count + 1) / (resamples + 1)


def differences_of(a: Sequence[float], b: Sequence[float]) -> list[float]:
    """a - b by question; what is within the tolerance is exactly 0. ValueError when the lengths differ."""
    if len(a) != len(b):
        raise ValueError(f"{len(a)} and {len(b)} values are not of the same questions")
    return [0.0 if abs(x - y) <= TOLERANCE else x - y for x, y in zip(a, b, strict=True)]


def holm(p_values: Mapping[str, float]) -> dict[str, float]:
    """Adjusted p by name, in the order given: the chance of any false alarm over all stays under alpha.

    Holm, A simple sequentially rejective multiple test procedure, Scand. J. Statistics 1979.
    """
    if not all(0 <= p <= 1 for p in p_values.values()):
        raise ValueError("a p value is not within 0..1")
    adjusted: dict[str, float] = {}
    highest = 0.0
    for place, name in enumerate(sorted(p_values, key=lambda n: (p_values[n], n))):
        highest = max(highest, min(1.0, (len(p_values) - place) * p_values[name]))
        adjusted[name] = highest
    return {name: adjusted[name] for name in p_values}


def minimum_detectable_effect(
    differences: Sequence[float], *, alpha: float = 0.05, power: float = 0.8
) -> float:
    """The true mean difference that a two-sided test would find with this power, in the metric's units.

    Normal approximation: (z of 1 - alpha/2 + z of power) * sd / sqrt(n). The sd is that of these very
    differences, so it tells what a test of differences spread like them can see; it is no property of the
    questions, and rests on little where few have moved. Infinite where so few have that no p as low as alpha
    can come of flipping their signs: if none has, always.
    """
    n, moved = len(differences), sum(abs(d) > TOLERANCE for d in differences)
    if n < 2 or 2.0 ** (1 - moved) > alpha:
        return math.inf
    normal = NormalDist()
    z = normal.inv_cdf(1 - alpha / 2) + normal.inv_cdf(power)
    return z * float(np.std(_ordered(differences), ddof=1)) / math.sqrt(n)


def verdict(
    differences: Sequence[float],
    *,
    p_adjusted: float,
    mde: float,
    alpha: float = 0.05,
    margin: float = 0.03,
) -> Verdict:
    """The word for a difference, by the first rule that holds.

    1. no question differs: same
    2. adjusted p under alpha: better or worse, by the sign of the mean
    3. the minimum detectable effect is above the margin, the smallest difference that matters: underpowered
    4. else: within noise
    """
    if all(abs(d) <= TOLERANCE for d in differences):
        return Verdict.SAME
    if p_adjusted < alpha:
        return Verdict.BETTER if math.fsum(differences) > 0 else Verdict.WORSE
    return Verdict.UNDERPOWERED if mde > margin else Verdict.WITHIN_NOISE


def compare(
    rows: Mapping[str, Pair],
    *,
    metric: str,
    seed: int,
    margin: float = 0.03,
    alpha: float = 0.05,
) -> dict[str, Comparison]:
    """Each row against its baseline, value by value of the same questions; p adjusted over all rows (Holm).

    The same seed serves every row, so neither their order nor another row changes interval or p. The minimum
    detectable effect is that at alpha / number of rows, which is what Holm asks of the first. More is better.
    """
    differences = {name: differences_of(pair.values, pair.baseline) for name, pair in rows.items()}
    p_values = {
        name: paired_permutation(pair.values, pair.baseline, seed=seed) for name, pair in rows.items()
    }
    adjusted = holm(p_values)
    compared: dict[str, Comparison] = {}
    for name, pair in rows.items():
        moved = differences[name]
        mde = minimum_detectable_effect(moved, alpha=alpha / len(rows))
        compared[name] = Comparison(
            metric=metric,
            n=len(moved),
            baseline=math.fsum(pair.baseline) / len(moved),
            value=math.fsum(pair.values) / len(moved),
            difference=bootstrap_interval(moved, seed=seed),
            p=p_values[name],
            p_adjusted=adjusted[name],
            mde=mde,
            verdict=verdict(moved, p_adjusted=adjusted[name], mde=mde, alpha=alpha, margin=margin),
            moved_up=sum(d > 0 for d in moved),
            moved_down=sum(d < 0 for d in moved),
        )
    return compared


def _ordered(values: Sequence[float]) -> Floats:
    """The values rising, so that resampling does not depend on the order of questions."""
    if not len(values):
        raise ValueError("there are no values: nothing was measured")
    ordered = np.sort(np.asarray(values, dtype=np.float64))
    if not np.isfinite(ordered).all():
        raise ValueError("a value is not finite")
    return ordered


def _blocks(resamples: int, width: int) -> Iterator[int]:
    """Sizes of blocks that add up to `resamples`, each small enough for the memory."""
    size = max(1, BLOCK_NUMBERS // width)
    for done in range(0, resamples, size):
        yield min(size, resamples - done)
