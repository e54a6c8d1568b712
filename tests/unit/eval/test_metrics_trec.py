"""Are the numbers those of trec_eval where every document is one label?"""

import random

import pytest
import pytrec_eval

from eval.measures.metrics import Judged, ndcg_at, precision_at, recall_at, reciprocal_rank, success_at

CUTS = (1, 3, 5, 10, 20)
MEASURES = {f"{name}.{','.join(map(str, CUTS))}" for name in ("recall", "P", "ndcg_cut", "success")}


def random_set(seed: int, grades: tuple[int, ...]) -> tuple[list[str], dict[str, int]]:
    """A ranking over some of 40 documents, and judgements of some: found, missed and irrelevant ones."""
    source = random.Random(seed)
    documents = [f"d{n:02}" for n in range(40)]
    source.shuffle(documents)
    relevant = source.sample(documents, source.randint(1, 15))
    judgements = {d: source.choice(grades) for d in relevant}
    judgements |= {d: 0 for d in documents if d not in relevant and source.random() < 0.2}
    return source.sample(documents, source.randint(1, 30)), judgements


@pytest.mark.parametrize("grades", [(1,), (1, 2, 3)], ids=["binary", "graded"])
def test_metrics_equal_trec_eval_on_document_level_sets(grades: tuple[int, ...]) -> None:
    sets = {f"q{seed}": random_set(seed, grades) for seed in range(200)}
    evaluator = pytrec_eval.RelevanceEvaluator(
        {q: judgements for q, (_, judgements) in sets.items()}, {*MEASURES, "recip_rank"}
    )
    theirs = evaluator.evaluate(
        {q: {d: 1.0 - rank / 100 for rank, d in enumerate(run)} for q, (run, _) in sets.items()}
    )
    for q, (run, judgements) in sets.items():
        relevant = {d: float(grade) for d, grade in judgements.items() if grade > 0}
        ours = Judged(tuple(frozenset({d} & relevant.keys()) for d in run), relevant)
        assert reciprocal_rank(ours) == pytest.approx(theirs[q]["recip_rank"], abs=1e-9)
        for k in CUTS:
            assert recall_at(ours, k) == pytest.approx(theirs[q][f"recall_{k}"], abs=1e-9)
            assert precision_at(ours, k) == pytest.approx(theirs[q][f"P_{k}"], abs=1e-9)
            assert ndcg_at(ours, k) == pytest.approx(theirs[q][f"ndcg_cut_{k}"], abs=1e-9)
            assert success_at(ours, k) == pytest.approx(theirs[q][f"success_{k}"], abs=1e-9)


def test_random_sets_hold_misses_and_hits() -> None:
    sets = [random_set(seed, (1,)) for seed in range(200)]
    found = [len({d for d, grade in judgements.items() if grade} & set(run)) for run, judgements in sets]
    assert min(found) == 0
    assert max(found) > 5
