"""How do several parsers compare over the same PDFs whose truth is known?"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from eval.corpus.pages.sheet import GeneratedPdf
from eval.measures.statistics import bootstrap_interval, rate_interval
from eval.parsing.scores import score, score_refused
from eval.parsing.view import ParsedPage, ParsedView, Refused

SEED = 20_261
# What is measured of each document, each 0..1, more is better.
MEASURES = ("word_recall", "word_precision", "reading_order", "cell_f1", "tree_labels", "printed_labels")
LABELS = ("tree_labels", "printed_labels")


@dataclass(frozen=True, slots=True)
class Compared:
    """One parser on one document; a measure is None where there is nothing to measure or none is offered."""

    parser: str
    set: str
    document: str
    values: Mapping[str, float | None]
    refused: str = ""

    def to_json(self) -> dict[str, Any]:
        """As a member of the result."""
        return {**asdict(self), "values": dict(self.values)}


def compared(
    parser: str, pdfs: Sequence[GeneratedPdf], read: Callable[[str], ParsedView], *, labels: frozenset[str]
) -> list[Compared]:
    """Every measure of every document; `read` gives the parse of a file by name.

    `labels` are the measures of labels that the parser offers anything for.
    """
    found: list[Compared] = []
    for pdf in pdfs:
        try:
            view = read(pdf.document.name)
        except Refused as refusal:
            lost, right = score_refused(pdf.document, str(refusal)), _labels((), pdf)
        else:
            lost, right = score(pdf.document, view), _labels(view.pages, pdf)
        values = {
            "word_recall": lost.words.recall,
            "word_precision": lost.words.precision,
            "reading_order": lost.reading_order,
            "cell_f1": lost.cells.f1 if lost.cells and pdf.document.tables else None,
            **{name: right[name] if name in labels else None for name in LABELS},
        }
        found.append(Compared(parser, pdf.kind, pdf.document.name, values, lost.refused))
    return found


def summaries(scores: Sequence[Compared]) -> list[dict[str, Any]]:
    """A row per set and parser, in the order of their first documents: each measure's mean and interval.

    Bootstrapped by document; Wilson's where every document is 0 or 1. A measure is None where no document
    has it.
    """
    groups: dict[tuple[str, str], list[Compared]] = {}
    for one in scores:
        groups.setdefault((one.set, one.parser), []).append(one)
    return [
        {
            "name": f"{name}-{parser}",
            "set": name,
            "parser": parser,
            "documents": len(group),
            "refused": sum(bool(one.refused) for one in group),
            **{measure: _interval(group, measure) for measure in MEASURES},
        }
        for (name, parser), group in groups.items()
    ]


def worse_than(now: Sequence[Mapping[str, Any]], before: Sequence[Mapping[str, Any]]) -> list[str]:
    """What a parser reads worse of any document than before: the figures are exact, so any loss is one."""
    earlier = {(one["parser"], one["document"]): one["values"] for one in before}
    lines: list[str] = []
    for one in now:
        was = earlier.get((one["parser"], one["document"]), {})
        for measure, value in one["values"].items():
            if was.get(measure) is not None and (value is None or value < was[measure] - 1e-9):
                lines.append(f"{one['document']}: {measure} {was[measure]:.4f} -> {value or 0.0:.4f}")
    gone = sorted({document for _, document in earlier} - {one["document"] for one in now})
    return [*lines, *(f"{document}: is missing" for document in gone)]


def _interval(group: Sequence[Compared], measure: str) -> dict[str, float] | None:
    values = [value for one in group if (value := one.values[measure]) is not None]
    if not values:
        return None
    make = rate_interval if measure in LABELS else bootstrap_interval
    return asdict(make(values, seed=SEED))


def _labels(pages: Sequence[ParsedPage], pdf: GeneratedPdf) -> dict[str, float | None]:
    """The share of pages whose label is that of the tree, and of those whose printed label is right."""
    return {
        "tree_labels": _right([page.label for page in pages], pdf.tree_labels),
        "printed_labels": _right([page.printed_label for page in pages], pdf.printed_labels),
    }


def _right(found: Sequence[str], wanted: Sequence[str]) -> float | None:
    if not wanted:
        return None
    return sum(one == other for one, other in zip(found, wanted, strict=False)) / len(wanted)
