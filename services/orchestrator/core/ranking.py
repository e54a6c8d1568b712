"""How is a list kept in order when a stage is renamed, loses candidates, or passes them on?"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from shared.candidate import Candidate, left_below


def renumbered(stage: str, candidates: Iterable[Candidate]) -> tuple[Candidate, ...]:
    """The candidates with their newest evidence under this stage's id and ranks 1..n."""
    return tuple(
        replace(c, evidence=(*c.evidence[:-1], replace(c.last, stage=stage, rank=rank)))
        for rank, c in enumerate(candidates, start=1)
    )


def passed_on(stage: str, candidates: Sequence[Candidate], limit: int | None = None) -> tuple[Candidate, ...]:
    """The first candidates with the score and type that they had, under this stage's own ranks."""
    return tuple(left_below(stage, [], candidates[:limit]))


def reranked(stage: str, head: Sequence[Candidate], offered: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """A reranked head, and below it whatever else was offered, in its order with its score and type."""
    done = {c.chunk_id for c in head}
    return tuple(left_below(stage, renumbered(stage, head), [c for c in offered if c.chunk_id not in done]))
