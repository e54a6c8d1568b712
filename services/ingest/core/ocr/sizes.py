"""Which sizes of type does a scanned document use? Measured sizes differ from line to line; these do not."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from services.ingest.core.pdf.words import PageWords, Word

_SAME_SHARE = 0.08  # sizes that differ by less are one


def settled(pages: Iterable[PageWords]) -> tuple[PageWords, ...]:
    """The pages with every recognised word in the commonest size near its own; other pages as they are."""
    kept = tuple(pages)
    common = _common_sizes(word for page in kept if page.recognised for word in page.words)
    return tuple(
        replace(page, words=tuple(replace(word, size=_nearest(word.size, common)) for word in page.words))
        if page.recognised
        else page
        for page in kept
    )


def _common_sizes(words: Iterable[Word]) -> list[float]:
    """Sizes apart from one another, those that most characters are set in first."""
    counts: Counter[float] = Counter()
    for word in words:
        counts[word.size] += len(word.text)
    common: list[float] = []
    for size in sorted(counts, key=lambda size: (-counts[size], size)):
        if all(abs(size - other) > _SAME_SHARE * other for other in common):
            common.append(size)
    return common


def _nearest(size: float, common: Sequence[float]) -> float:
    return min(common, key=lambda other: (abs(other - size), other))
