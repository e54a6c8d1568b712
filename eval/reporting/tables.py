"""How is a result read? As tables: the same figures in the terminal and in the documentation."""

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any

Result = Mapping[str, Any]
QUANTILES = ("p50", "p95", "p99")
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


def parsers(result: Result) -> Cells:
    """A row per format: words, order and table cells that the parsers recover."""
    measures = ("word_precision", "word_recall", "reading_order", "cell_precision", "cell_recall", "cell_f1")
    return (
        ("format", "documents", *(measure.replace("_", " ") for measure in measures)),
        *(
            (one["format"], str(one["documents"]), *(_share(one[name]) for name in measures))
            for one in result["formats"]
        ),
    )


def side_by_side(result: Result) -> Cells:
    """A row per set of documents and parser, each measure with its interval."""
    measures = ("word_recall", "word_precision", "reading_order", "cell_f1", "tree_labels", "printed_labels")
    return (
        ("set", "parser", "documents", *(measure.replace("_", " ") for measure in measures)),
        *(
            (
                row["set"],
                row["parser"],
                str(row["documents"]),
                *(interval(row[name]) if row[name] else "" for name in measures),
            )
            for row in sorted(result["comparison"], key=lambda row: row["set"])
        ),
    )


def recovery(rows: Sequence[Mapping[str, Any]]) -> Cells:
    """A row per file: by parser the share of the words that others agree on, and the strings found."""
    names = list(rows[0]["parsers"]) if rows else []
    return (
        ("file", *names, *(f"{name} strings" for name in names)),
        *(
            (
                row["file"],
                *("refused" if p["refused"] else _share(p["share"]) for p in row["parsers"].values()),
                *(f"{p['strings']}/{row['strings']}" for p in row["parsers"].values()),
            )
            for row in rows
        ),
    )


def throughput(result: Result) -> Cells:
    """One row: pages a second of both, and how many times as fast ours is, paired by round."""
    ratio, machine = result["ratio"], result["machine"]
    return (
        (
            "files",
            "pages",
            "rounds",
            "cores",
            "sightline pages/s",
            "pdfplumber pages/s",
            "ratio",
            "mean ratio",
        ),
        (
            str(result["files"]),
            str(result["pages"]),
            str(len(result["rounds"])),
            str(machine["cores"]),
            f"{result['ours_pages_per_s']:.1f}",
            f"{result['plain_pages_per_s']:.1f}",
            f"{ratio['median']:.2f}",
            interval(ratio, 2),
        ),
    )


def welds(result: Result) -> Cells:
    """A row per kind of weld, and one for prose that needs no repair."""
    return (
        ("what", "count", "share"),
        *((f"{row['name']}, found", str(row["n"]), interval(row["found"])) for row in result["kinds"]),
        ("passages without a weld, changed", str(result["prose"]["n"]), interval(result["prose"]["changed"])),
    )


def manifest(results: Sequence[Mapping[str, Any]]) -> Cells:
    """A row per file that lacks something, and how many do not."""
    lacking = [result for result in results if result["failed"]]
    held = sum(len(result["passed"]) for result in results)
    return (
        ("file", "what is missing"),
        *((r["file"], "; ".join([*r["failed"], *filter(None, [r["refused"]])])) for r in lacking),
        (f"{len(results) - len(lacking)} of {len(results)} files", f"all is there; {held} strings hold"),
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


def _share(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


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
