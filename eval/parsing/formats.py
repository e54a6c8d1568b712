"""How well does a parser read the files whose truth is known, one by one and format by format?"""

import math
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from eval.corpus.build import Written
from eval.parsing.scores import Overlap, ParserScore, score, score_refused
from eval.parsing.view import ParsedView, Refused


@dataclass(frozen=True, slots=True)
class FormatScore:
    """The parser over all documents of a format: means by document, relations of table cells pooled.

    Every figure is 0..1; None where nothing could be measured.
    """

    format: str
    documents: int
    refused: int
    word_precision: float
    word_recall: float
    word_f1: float
    reading_order: float | None
    cell_precision: float | None
    cell_recall: float | None
    cell_f1: float | None


def score_suite(documents: Sequence[Written], read: Callable[[str], ParsedView]) -> list[ParserScore]:
    """The score of every document, in their order; `read` gives the parse of a file by name.

    A `Refused` that `read` raises is a score of nothing found, with the reason.
    """
    scores: list[ParserScore] = []
    for document in documents:
        try:
            scores.append(score(document, read(document.name)))
        except Refused as refusal:
            scores.append(score_refused(document, str(refusal)))
    return scores


def by_format(scores: Sequence[ParserScore]) -> list[FormatScore]:
    """One summary per format, by name."""
    groups: defaultdict[str, list[ParserScore]] = defaultdict(list)
    for one in scores:
        groups[one.format].append(one)
    return [_summary(name, groups[name]) for name in sorted(groups)]


def _summary(name: str, scores: Sequence[ParserScore]) -> FormatScore:
    orders = [one.reading_order for one in scores if one.reading_order is not None]
    tables = [one.cells for one in scores if one.cells is not None]
    cells = Overlap(
        sum(table.matched for table in tables),
        sum(table.expected for table in tables),
        sum(table.found for table in tables),
    )
    return FormatScore(
        name,
        len(scores),
        sum(bool(one.refused) for one in scores),
        _mean([one.words.precision for one in scores]),
        _mean([one.words.recall for one in scores]),
        _mean([one.words.f1 for one in scores]),
        _mean(orders) if orders else None,
        cells.precision if tables else None,
        cells.recall if tables else None,
        cells.f1 if tables else None,
    )


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)
