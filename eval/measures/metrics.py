"""How good is a ranking, when each question knows the labels that a right answer rests on?"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Judged:
    """A ranking beside its question's labels.

    `covered[i]` are the ids of the labels that the candidate at rank i + 1 holds, `grades` every label of
    the question with its gain (> 0). Several candidates may hold one label (overlapping chunks), and one
    candidate several. ValueError without labels: such a question has no ranking to be judged by.
    """

    covered: tuple[frozenset[str], ...]
    grades: Mapping[str, float]

    def __post_init__(self) -> None:
        if not self.grades:
            raise ValueError("a question without labels cannot be judged by its ranking")
        if not all(grade > 0 for grade in self.grades.values()):
            raise ValueError("every grade must be above 0; a label without gain is no label")
        unknown = frozenset().union(*self.covered) - frozenset(self.grades)
        if unknown:
            raise ValueError(
                f"the ranking covers labels that the question lacks: {', '.join(sorted(unknown))}"
            )


def first_ranks(judged: Judged) -> dict[str, int]:
    """The 1-based rank of the first candidate that holds each label; labels that none holds are left out."""
    ranks: dict[str, int] = {}
    for rank, labels in enumerate(judged.covered, start=1):
        for label in labels:
            ranks.setdefault(label, rank)
    return {label: ranks[label] for label in judged.grades if label in ranks}


def recall_at(judged: Judged, k: int) -> float:
    """Share of the labels that the first k candidates hold, 0..1."""
    found = sum(rank <= k for rank in first_ranks(judged).values())
    return found / len(judged.grades)


def precision_at(judged: Judged, k: int) -> float:
    """Share of k places taken by a candidate that holds any label, 0..1; k counts in a shorter list too."""
    return sum(bool(labels) for labels in judged.covered[:k]) / k


def success_at(judged: Judged, k: int) -> float:
    """1 if any of the first k candidates holds a label, else 0."""
    return float(any(judged.covered[:k]))


def reciprocal_rank(judged: Judged, k: int | None = None) -> float:
    """1 / rank of the first candidate that holds a label, 0 if none of the first k does (None: of all)."""
    return next((1 / rank for rank, labels in enumerate(judged.covered[:k], start=1) if labels), 0.0)


def ndcg_at(judged: Judged, k: int) -> float:
    """Normalised discounted cumulative gain of the first k, 0..1, with linear gains and a log2 discount.

    Järvelin and Kekäläinen, TOIS 2002, as trec_eval's ndcg_cut has it. The gain of a label counts once, at
    the first candidate that holds it. The ideal has one label a rank; a candidate that holds several may do
    better, which is capped at 1.
    """
    ranks = first_ranks(judged)
    gained = math.fsum(
        judged.grades[label] / math.log2(rank + 1) for label, rank in ranks.items() if rank <= k
    )
    falling = sorted(judged.grades.values(), reverse=True)[:k]
    ideal = math.fsum(grade / math.log2(rank + 1) for rank, grade in enumerate(falling, start=1))
    return min(1.0, gained / ideal)


def answerable_success_at(judged: Judged, k: int, *, gate_open: bool) -> float:
    """1 if the first k hold a label and the gate lets the question through to the answer, else 0."""
    return success_at(judged, k) if gate_open else 0.0


# Those that results keep.
METRICS: Mapping[str, Callable[[Judged], float]] = MappingProxyType(
    {
        "recall@1": partial(recall_at, k=1),
        "recall@5": partial(recall_at, k=5),
        "recall@10": partial(recall_at, k=10),
        "recall@50": partial(recall_at, k=50),
        "precision@5": partial(precision_at, k=5),
        "mrr@10": partial(reciprocal_rank, k=10),
        "ndcg@10": partial(ndcg_at, k=10),
        "success@5": partial(success_at, k=5),
    }
)


def measured(judged: Judged) -> dict[str, float]:
    """Every metric of one question, by name."""
    return {name: metric(judged) for name, metric in METRICS.items()}
