"""What do the results look like? Four pictures as SVG: the same result gives the same bytes."""

import io
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter, NullLocator, PercentFormatter

Result = Mapping[str, Any]

# A card of its own colour with text as outlines looks alike on light and dark pages, whatever their fonts.
CARD, INK, SOFT, FAINT, LINE = "#fffefb", "#1c2527", "#566366", "#87928f", "#dcdad0"
ACCENT, AMBER, BAD = "#13606a", "#b06f00", "#a3341f"
STYLE: Mapping[Any, Any] = {
    "svg.hashsalt": "sightline",
    "svg.fonttype": "path",
    "font.family": ["DejaVu Sans"],
    "font.size": 8.5,
    "text.color": INK,
    "text.parse_math": False,
    "axes.edgecolor": LINE,
    "axes.facecolor": CARD,
    "axes.labelcolor": SOFT,
    "axes.titlesize": 8.5,
    "axes.titlecolor": SOFT,
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": LINE,
    "grid.linewidth": 0.6,
    "xtick.color": LINE,
    "ytick.color": LINE,
    "xtick.labelcolor": SOFT,
    "ytick.labelcolor": SOFT,
    "legend.facecolor": CARD,
    "legend.edgecolor": "none",
    "legend.framealpha": 0.9,
    "xtick.major.pad": 5,
    "figure.facecolor": CARD,
}
_WIDTH_IN = 9.6
_COLOURS = {"better": ACCENT, "worse": BAD}
_MARKERS = {"better": "^", "worse": "v"}
_SHIPPED = "rerank"  # the row of the defaults
_CURVES = 3  # signals whose curves are drawn: more would hide each other
_LEAST_ANSWERED = 10  # questions; of fewer a share says nothing
_SERVICES: Mapping[str, str] = {"total": INK, "ingest": BAD, "vector-index": AMBER, "lexical-index": ACCENT}
_STAGES: Mapping[str, tuple[str, str]] = {
    "total": ("the whole search", INK),
    "vector": ("vector list", AMBER),
    "lexical": ("keyword list", ACCENT),
}


def ablation(result: Result) -> Figure:
    """Each row's nDCG@10 with its interval; beside it the paired change against the row before it."""
    rows = result["rows"]
    figure, (values, changes) = _figure(
        f"What each decision changes: nDCG@10 over {len(rows[0]['values'])} questions that have an answer",
        _measured_on(result),
        height_in=1.32 + 0.41 * len(rows),
        columns=(0.28, 0.605, 0.645, 0.885),
    )
    for place, row in enumerate(rows):
        shipped = row["name"] == _SHIPPED
        _words(values, -0.02, place - 0.17, row["name"], ha="right", weight="bold" if shipped else "normal")
        _words(values, -0.02, place + 0.22, row["words"], ha="right", color=SOFT, size=7)
        metric = row["metrics"]["ndcg@10"]
        _whisker(values, place, metric, ACCENT if shipped else SOFT)
        comparison = row["comparison"]
        if comparison is not None:
            verdict = comparison["verdict"]
            _whisker(
                changes,
                place,
                comparison["difference"],
                _COLOURS.get(verdict, SOFT),
                _MARKERS.get(verdict, "o"),
            )
            _words(changes, 1.02, place - 0.17, f"against {row['against']}", size=7)
            _words(changes, 1.02, place + 0.22, verdict, size=7, color=_COLOURS.get(verdict, SOFT))
    changes.axvline(0, color=SOFT, linewidth=0.8, zorder=1)
    values.set_title("value, 95 % interval")
    changes.set_title("change, 95 % interval of the paired difference")
    changes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:+.2f}" if value else "0"))
    for axes in (values, changes):
        axes.set_xlabel("nDCG@10")
        axes.set_ylim(len(rows) - 0.4, -0.6)
        axes.set_yticks([])
        axes.spines["left"].set_visible(False)
    return figure


def failures(result: Result) -> Figure:
    """How many questions each stage lost, in the order in which a passage goes through them."""
    counts: Mapping[str, int] = result["failures"]
    lost, total = sum(counts.values()), result["questions"]
    figure, (axes,) = _figure(
        f"Where questions are lost: {lost} of {total}, each counted at one stage",
        _measured_on(result),
        height_in=1.32 + 0.27 * len(counts),
        columns=(0.14, 0.93),
    )
    largest = sorted(counts.values(), reverse=True)[:3]
    for place, (bucket, count) in enumerate(counts.items()):
        large = count > 0 and count in largest
        axes.barh(place, count, height=0.62, color=ACCENT if large else FAINT)
        _words(axes, -0.012, place, bucket, ha="right")
        said = f"{count}  ({count / total:.0%})" if count else "0"
        axes.annotate(
            said,
            (count, place),
            (4, 0),
            textcoords="offset points",
            va="center",
            color=INK if large else SOFT,
        )
    axes.set_ylim(len(counts) - 0.4, -0.6)
    axes.set_yticks([])
    axes.grid(visible=False, axis="y")
    axes.set_xlabel("questions")
    return figure


def risk_coverage(result: Result) -> Figure:
    """For the best signals, the share of wrong answers when only the surest questions are answered."""
    best = sorted(result["risk"].items(), key=lambda item: (item[1]["aurc"]["mean"], item[0]))[:_CURVES]
    least = _LEAST_ANSWERED / result["questions"]
    curves = {
        name: sorted((p for p in signal["curve"] if p["coverage"] >= least), key=lambda p: p["coverage"])
        for name, signal in best
    }
    figure, panels = _figure(
        "When is it wise to refuse? How many are wrong if only the surest questions are answered",
        _measured_on(result),
        height_in=3.6,
        columns=(0.075, 0.345, 0.385, 0.655, 0.695, 0.965)[: 2 * len(best)],
    )
    highest = max(point["risk"]["high"] for points in curves.values() for point in points)
    for axes, (name, signal) in zip(panels, best, strict=True):
        for other in curves.values():
            axes.plot([p["coverage"] for p in other], [p["risk"]["mean"] for p in other], color=FAINT, lw=0.8)
        coverage = [p["coverage"] for p in curves[name]]
        low, mean, high = ([p["risk"][end] for p in curves[name]] for end in ("low", "mean", "high"))
        axes.fill_between(coverage, low, high, color=ACCENT, alpha=0.15, linewidth=0)
        axes.plot(coverage, mean, color=ACCENT)
        axes.set_title(f"{name}: area {signal['aurc']['mean']:.3f}")
        axes.set_xlim(0, 1.02)
        axes.set_ylim(0, highest * 1.05)
        axes.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0, symbol=" %"))
        axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0, symbol=" %"))
        if axes is not panels[0]:
            axes.yaxis.set_major_formatter(NullFormatter())
    panels[0].set_ylabel("of them without all their evidence")
    panels[len(panels) // 2].set_xlabel(
        f"questions answered, the surest first (from {_LEAST_ANSWERED} questions on)"
    )
    return figure


def growth(result: Result) -> Figure:
    """Latency by stage and memory by service, against the number of passages."""
    steps = result["steps"]
    passages = [step["chunks"] for step in steps]
    machine = result["machine"]
    figure, (latency, memory) = _figure(
        "What a growing corpus costs: search without a reranker, synthetic text and vectors",
        f"{result['queries']} questions a size; {machine['cores']} cores, {machine['cpu']}; {result['date']}",
        height_in=4.0,
        columns=(0.075, 0.46, 0.58, 0.95),
    )
    for stage, (words, colour) in _STAGES.items():
        for quantile, dashes in (("p50", "-"), ("p95", "--")):
            values = [step["latency_ms"][stage][quantile] for step in steps]
            label = words if quantile == "p50" else None
            latency.plot(passages, values, dashes, color=colour, marker="o", markersize=3, label=label)
    for service, colour in _SERVICES.items():
        values = [step["memory_mib"][service] for step in steps]
        memory.plot(passages, values, color=colour, marker="o", markersize=3, label=service)
    latency.set_yscale("log")
    latency.set_ylim(top=3 * latency.get_ylim()[1])  # room for the legend
    latency.set_title("milliseconds: p50, and p95 dashed")
    memory.set_title("resident memory, MiB")
    memory.set_ylim(0, 1.2 * memory.get_ylim()[1])
    for axes in (latency, memory):
        axes.set_xscale("log")
        axes.set_xticks(passages)
        axes.xaxis.set_minor_locator(NullLocator())
        axes.xaxis.set_major_formatter(FuncFormatter(_thousands))
        axes.set_xlabel("passages")
        axes.legend(loc="upper left", fontsize=7.5)
    for axes in (latency, memory):
        axes.yaxis.set_major_formatter(FuncFormatter(_thousands))
    latency.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    latency.yaxis.set_minor_locator(NullLocator())
    return figure


DRAWINGS: Mapping[str, Callable[[Result], Figure]] = {
    "ablation": ablation,
    "failures": failures,
    "risk_coverage": risk_coverage,
    "growth": growth,
}


def svg(name: str, result: Result, remark: str) -> str:
    """A drawing as the text of an SVG file with a remark in its metadata and no date. KeyError as it says."""
    with matplotlib.rc_context():
        matplotlib.rcdefaults()  # whatever a person has set for pictures of their own
        matplotlib.rcParams.update(STYLE)
        figure = DRAWINGS[name](result)
        about = {"Date": None, "Title": figure.texts[0].get_text(), "Description": remark}
        written = io.StringIO()
        figure.savefig(written, format="svg", metadata=about)
    return "\n".join(line.rstrip() for line in written.getvalue().splitlines()) + "\n"


def _measured_on(result: Result) -> str:
    half = result["split"].replace("_", "-")
    return (
        f"{result['suite']}, {half} half; {result['documents']} documents, "
        f"{result['chunks']:,} passages; {result['date']}"
    )


def _figure(
    title: str, beneath: str, *, height_in: float, columns: Sequence[float]
) -> tuple[Figure, list[Axes]]:
    """A card with a title, what it was measured on, and axes between each two of `columns` (of the width)."""
    figure = Figure(figsize=(_WIDTH_IN, height_in), edgecolor=LINE, linewidth=1.0)
    left = 0.16 / _WIDTH_IN
    figure.text(left, 1 - 0.17 / height_in, title, va="top", size=10, weight="bold")
    figure.text(left, 1 - 0.40 / height_in, beneath, va="top", color=SOFT, size=8)
    below, above = 0.50 / height_in, 1 - 0.86 / height_in
    pairs = zip(columns[::2], columns[1::2], strict=True)
    axes = [figure.add_axes((left, below, right - left, above - below)) for left, right in pairs]
    for one in axes:
        one.tick_params(length=0)
    return figure, axes


def _whisker(axes: Axes, place: float, interval: Mapping[str, float], colour: str, marker: str = "o") -> None:
    axes.plot([interval["low"], interval["high"]], [place, place], color=colour, linewidth=1.6)
    axes.plot([interval["mean"]], [place], marker=marker, markersize=5.5, color=colour)


def _words(axes: Axes, x: float, y: float, words: str, **style: Any) -> None:
    """Words at a share of the axes' width, beside the place `y` of its rows."""
    axes.text(x, y, words, transform=axes.get_yaxis_transform(), va="center", **style)


def _thousands(value: float, _: object) -> str:
    return f"{value:,.0f}" if value >= 1 else f"{value:g}"
