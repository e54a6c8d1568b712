"""How is a result read? As tables: the same figures in the terminal and in the documentation."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

Result = Mapping[str, Any]
Cells = Sequence[Sequence[str]]


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
    total = result["questions"]
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


def latency(result: Result) -> Cells:
    """A row per stage, in milliseconds."""
    return (
        ("stage", "p50 ms", "p95 ms", "p99 ms"),
        *((s, *(f"{v[q]:.0f}" for q in ("p50", "p95", "p99"))) for s, v in result["latency_ms"].items()),
    )


def gate(result: Result) -> Cells:
    """A row per signal that could decide a refusal."""
    return (
        ("signal", "AUROC", "AURC", "best threshold", "false refusals", "false answers"),
        *(
            (
                name,
                f"{s['auroc']:.3f}",
                f"{s['aurc']:.3f}",
                f"{s['threshold']:.3g}",
                interval(s["false_refusals"]),
                interval(s["false_answers"]),
            )
            for name, s in result["risk"].items()
        ),
    )


def interval(value: Mapping[str, float], digits: int = 3) -> str:
    """`0.512 [0.431, 0.590]`."""
    return f"{value['mean']:.{digits}f} [{value['low']:.{digits}f}, {value['high']:.{digits}f}]"


def plain(cells: Cells) -> str:
    """Columns for a terminal."""
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = ["  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip() for row in cells]
    return "\n".join((lines[0], "-" * len(lines[0]), *lines[1:]))


def markdown(cells: Cells) -> str:
    """A pipe table."""
    head, *rows = ("| " + " | ".join(row) + " |" for row in cells)
    return "\n".join((head, "|" + " --- |" * len(cells[0]), *rows))


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
        words += f" (could have seen {comparison['mde']:.3f})"
    return (
        f"{d['mean']:+.3f} [{d['low']:+.3f}, {d['high']:+.3f}]",
        f"{comparison['p_adjusted']:.3f}",
        words,
    )


TABLES: Mapping[str, Callable[[Result], Cells]] = {
    "ablation": ablation,
    "answers": answers,
    "failures": failures,
    "gate": gate,
    "kinds": kinds,
    "latency": latency,
}
