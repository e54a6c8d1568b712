"""How do several lists become one?"""

from collections.abc import Callable, Mapping, Sequence

from services.orchestrator.core.config import FusionConfig
from shared.candidate import Candidate, Part, Scored, ScoreType, merged, ranked

Lists = Mapping[str, Sequence[Candidate]]


def fused(stage: str, lists: Lists, config: FusionConfig, limit: int | None = None) -> list[Candidate]:
    """Every candidate of the lists (by stage id) once, with its share from each list as parts.

    Ranks decide whatever the kind where a list holds scores of several types: they cannot be scaled together.
    """
    mixed = any(len({c.last.score_type for c in candidates}) > 1 for candidates in lists.values())
    return FUSIONS["rrf" if mixed else config.kind](stage, lists, config, limit)


def rrf(stage: str, lists: Lists, config: FusionConfig, limit: int | None = None) -> list[Candidate]:
    """Reciprocal rank fusion: the sum over lists of weight / (k + rank).

    Cormack, Clarke and Buettcher, SIGIR 2009. Scores of the lists play no part, only their order.
    """
    shares = {
        list_id: {
            c.chunk_id: weight_of(list_id, config.weights) / (config.k + rank)
            for rank, c in enumerate(candidates, start=1)
        }
        for list_id, candidates in lists.items()
    }
    return _summed(stage, ScoreType.RRF, lists, shares, limit)


def weighted(stage: str, lists: Lists, config: FusionConfig, limit: int | None = None) -> list[Candidate]:
    """The sum over lists of weight times the score scaled to 0..1 within its list; 0 where it is missing.

    A list whose scores are all alike gives 1 to each.
    """
    shares: dict[str, dict[str, float]] = {}
    for list_id, candidates in lists.items():
        scores = [c.last.score for c in candidates]
        low, high = min(scores, default=0.0), max(scores, default=0.0)
        weight = weight_of(list_id, config.weights)
        shares[list_id] = {
            c.chunk_id: weight * ((c.last.score - low) / (high - low) if high > low else 1.0)
            for c in candidates
        }
    return _summed(stage, ScoreType.WEIGHTED, lists, shares, limit)


FUSIONS: Mapping[str, Callable[[str, Lists, FusionConfig, int | None], list[Candidate]]] = {
    "rrf": rrf,
    "weighted": weighted,
}


def weight_of(list_id: str, weights: Mapping[str, float]) -> float:
    """The weight of a list by its id or by the name of its stage; 1 without either."""
    return weights.get(list_id, weights.get(list_id.partition(":")[0], 1.0))


def _summed(
    stage: str,
    score_type: ScoreType,
    lists: Lists,
    shares: Mapping[str, Mapping[str, float]],
    limit: int | None,
) -> list[Candidate]:
    scored = []
    for candidate in merged(lists).values():
        parts = tuple(
            Part(i, share[candidate.chunk_id]) for i, share in shares.items() if candidate.chunk_id in share
        )
        scored.append(Scored(candidate, sum(part.value for part in parts), parts))
    return ranked(stage, score_type, scored, limit)
