"""How is a result read? As tables: the same figures in the terminal and in the documentation."""

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any

from eval.reporting.cells import Cells, Result, interval
from eval.reporting.reading_tables import parsers, side_by_side, throughput, welds

QUANTILES = ("p50", "p95", "p99")


def ablation(result: Result) -> Cells:
    """A row per decision: metrics with intervals, what changed against which row, and the words for it."""
    head = (
        "row",
        "decision",
        "nDCG@10",
        "recall@1",
        "recall@5",
        "MRR@10",
        "change in nDCG@10",
        "p",
        "verdict",
    )
    return (head, *(_ablation_row(row) for row in result["rows"]))


def failures(result: Result) -> Cells:
    """A row per stage that lost an answer, the most first."""
    total = result["questions"]  # all, right ones too
    counts = sorted(result["failures"].items(), key=lambda item: (-item[1], item[0]))
    return (("lost in", "questions", "share"), *((b, str(n), f"{n / total:.1%}") for b, n in counts))


def kinds(result: Result) -> Cells:
    """A row per kind of question under the shipped configuration and the two lists alone."""
    shown = [row for row in result["rows"] if row["name"] in ("keywords", "vectors", "rrf", "rerank")]
    head = ("kind", "questions", *(f"{row['name']} nDCG@10" for row in shown))
    return (
        head,
        *(
            (kind.replace("_", " "), str(values["n"]), *(f"{r['kinds'][kind]['ndcg@10']:.3f}" for r in shown))
            for kind, values in shown[0]["kinds"].items()
        ),
    )


def answers(result: Result) -> Cells:
    """What the answers are worth: each rate with its interval."""
    return (
        ("measure", "value", "questions"),
        *((name, interval(value), str(value["n"])) for name, value in result["answers"].items()),
    )


def graded(result: Result) -> Cells:
    """A row per ingest configuration whose answers were graded: what they are worth at each size of chunk."""
    rates = ("passed", "complete_of_answerable", "cited_of_answerable", "bleed", "false_refusals")
    return (
        ("row", "decision", "chunks", *(rate.replace("_", " ") for rate in rates)),
        *(
            (
                row["name"],
                row["words"],
                f"{row['chunks']:,}",
                *(interval(row["answers"][rate]) for rate in rates),
            )
            for row in result["rows"]
            if "answers" in row
        ),
    )


def latency(result: Result) -> Cells:
    """A row per stage, in milliseconds."""
    return (
        ("stage", *(f"{q} ms" for q in QUANTILES)),
        *((s, *(f"{v[q]:.0f}" for q in QUANTILES)) for s, v in result["latency_ms"].items()),
    )


def gate(result: Result) -> Cells:
    """A row per signal that could decide a refusal."""
    return (
        ("signal", "AUROC", "AURC", "best threshold", "false refusals", "false answers"),
        *(
            (
                name,
                interval(s["auroc"]),
                interval(s["aurc"]),
                f"{s['threshold']:.3g}",
                interval(s["false_refusals"]),
                interval(s["false_answers"]),
            )
            for name, s in result["risk"].items()
            if s["threshold"] is not None
        ),
    )


def comparison(found: Mapping[str, Any]) -> Cells:
    """A row per metric of two runs."""
    return (
        ("metric", "before", "after", "change", "p", "verdict"),
        *(
            (
                name,
                f"{m['before']:.3f}",
                f"{m['after']:.3f}",
                f"{m['difference']:+.3f} [{m['low']:+.3f}, {m['high']:+.3f}]",
                f"{m['p_adjusted']:.3f}",
                m["verdict"],
            )
            for name, m in found["metrics"].items()
        ),
    )


def beir(result: Result) -> Cells:
    """A row per decision on a public collection, with the figures that are usually given for it."""
    return (
        ("row", "decision", "nDCG@10", "recall@10", "recall@50", "MRR@10"),
        *(
            (
                row["name"],
                row["words"],
                interval(row["metrics"]["ndcg@10"]),
                *(f"{row['metrics'][name]['mean']:.3f}" for name in ("recall@10", "recall@50", "mrr@10")),
            )
            for row in result["rows"]
        ),
    )


def growth(result: Result) -> Cells:
    """A row per size: latency of the keyword list, the vector list and the whole, and memory."""
    stages = ("lexical", "vector", "total")
    return (
        ("passages", *(f"{s} {q} ms" for s, q in product(stages, QUANTILES)), "memory MiB", "ingestion s"),
        *(
            (
                f"{step['chunks']:,}",
                *(f"{step['latency_ms'][s][q]:.0f}" for s, q in product(stages, QUANTILES)),
                f"{step['memory_mib']['total']:.0f}",
                f"{step['ingest_s']:.0f}",
            )
            for step in result["steps"]
        ),
    )


def _ablation_row(row: Mapping[str, Any]) -> Sequence[str]:
    metrics = row["metrics"]
    return (
        row["name"],
        row["words"] + (f" (against {row['against']})" if row["against"] else ""),
        interval(metrics["ndcg@10"]),
        *(f"{metrics[name]['mean']:.3f}" for name in ("recall@1", "recall@5", "mrr@10")),
        *_change(row["comparison"]),
    )


def _change(comparison: Mapping[str, Any] | None) -> Sequence[str]:
    if comparison is None:
        return ("", "", "")
    d, words = comparison["difference"], comparison["verdict"]
    if words == "underpowered":
        mde = comparison["mde"]
        words += " (too few questions)" if mde is None else f" (could have seen {mde:.3f})"
    return (
        f"{d['mean']:+.3f} [{d['low']:+.3f}, {d['high']:+.3f}]",
        f"{comparison['p_adjusted']:.3f}",
        words,
    )


TABLES: Mapping[str, Callable[[Result], Cells]] = {
    "ablation": ablation,
    "answers": answers,
    "beir": beir,
    "failures": failures,
    "gate": gate,
    "graded": graded,
    "growth": growth,
    "kinds": kinds,
    "latency": latency,
    "parsers": parsers,
    "side-by-side": side_by_side,
    "throughput": throughput,
    "welds": welds,
}
