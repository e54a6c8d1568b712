"""Which results do tests show, commit and hold later ones against?"""

from collections.abc import Sequence
from typing import Any

from eval.runs.ablation import KEPT, table
from eval.runs.rows import NO_RERANK, Row

IDS = [f"q{n:02}" for n in range(40)]
ROWS = (
    Row(name="keywords", words="BM25 alone", config={"vector": {"enabled": False}, **NO_RERANK}),
    Row(name="rrf", words="both lists", against="keywords", config=NO_RERANK),
)


def interval(mean: float, **more: Any) -> dict[str, Any]:
    return {"mean": mean, "low": mean - 0.1, "high": mean + 0.1, **more}


def result(rrf: Sequence[float] = (1.0, 0.5), **changes: Any) -> dict[str, Any]:
    """An ablation of two rows over forty questions; `rrf` are the values of its second row, in turn."""
    values = {
        "keywords": {i: dict.fromkeys(KEPT, 0.5) for i in IDS},
        "rrf": {i: dict.fromkeys(KEPT, rrf[n % len(rrf)]) for n, i in enumerate(IDS)},
    }
    return {
        "suite": "golden",
        "title": "A port",
        "split": "development",
        "gate": "statistical",
        "date": "2026-11-30",
        "questions": 40,
        "documents": 88,
        "chunks": 3249,
        "corpus_digest": "abc",
        "questions_digest": "q",
        "rows": table(ROWS, values, {i: "exact" if n % 4 else "cross_document" for n, i in enumerate(IDS)}),
        "failures": {"retrieval": 4, "gate": 5, "fusion": 0},
        "only_list": {"vector": 7},
        "answers": {"passed": interval(0.612, n=40)},
        "graded": dict.fromkeys(IDS, 1.0),
        "failed": [{"id": "q00", "rank": 0.7777}],
        "risk": {
            "cosine": {
                "auroc": interval(0.876),
                "aurc": interval(0.222),
                "threshold": 0.5714,
                "false_refusals": interval(0.101),
                "false_answers": interval(0.303),
                "curve": [{"threshold": 0.6666, "coverage": 0.4444}],
            },
            "BM25": {"auroc": None, "aurc": interval(0.5), "threshold": None, "curve": []},
        },
        "latency_ms": {"total": {"p50": 1234.4, "p95": 2345.6, "p99": 3456.7, "n": 40}},
        "memory_mib": {"total": 812.5},
        **changes,
    }
