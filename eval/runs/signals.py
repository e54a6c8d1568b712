"""How sure is a search of what it found? Each number that could decide a refusal."""

from collections.abc import Mapping, Sequence

from services.orchestrator.core.trace import Trace
from shared.candidate import Candidate, ScoreType

HEAD = 10  # of each list, to see how far the lists agree

_TOPS: Mapping[str, ScoreType] = {
    "cross-encoder": ScoreType.CROSS_ENCODER,
    "cosine": ScoreType.COSINE,
    "BM25": ScoreType.BM25,
}


def signals_of(trace: Trace) -> dict[str, float]:
    """The best score of each type, its distance to the next best, and how far the lists agree.

    Higher is surer; a type that no stage scored is left out.
    """
    found: dict[str, float] = {}
    for name, score_type in _TOPS.items():
        scores = _scores(trace, score_type)
        if scores:
            found[name] = scores[0]
            found[f"{name} gap"] = scores[0] - (scores[1] if len(scores) > 1 else 0.0)
    lists = [stage.candidates[:HEAD] for stage in trace.stages if stage.plan.kind == "retrieve"]
    if len(lists) > 1:
        found["agreement"] = _agreement(lists)
    return found


def _scores(trace: Trace, score_type: ScoreType) -> list[float]:
    """Every passage's score of a type in any stage, the best first."""
    best: dict[str, float] = {}
    for stage in trace.stages:
        for candidate in stage.candidates:
            evidence = candidate.evidence_of(score_type)
            if evidence is not None:
                best[candidate.chunk_id] = evidence.score
    return sorted(best.values(), reverse=True)


def _agreement(lists: Sequence[Sequence[Candidate]]) -> float:
    """Share of the heads that all lists have in common (Jaccard), 0..1."""
    heads = [{candidate.chunk_id for candidate in head} for head in lists]
    together = set.union(*heads)
    return len(set.intersection(*heads)) / len(together) if together else 0.0
