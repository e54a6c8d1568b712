"""How much of a document's words, order and tables does a parser give back?"""

import re
from bisect import bisect
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from eval.corpus.build import Written
from eval.parsing.tables import KnownTables, Rows, adjacency_relations, flat_tables, recovered_tables
from eval.parsing.view import LIST_ITEM, TABLE, ParsedBlock, ParsedView
from eval.parsing.words import words_of

_LIST_MARK = re.compile(r"\s*(?:[-*•]|\(?\d{1,3}[.)])\s+")
_CSV = "csv"
T = TypeVar("T", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Overlap:
    """How two multisets agree: what is in both, in the truth, in the parse."""

    matched: int
    expected: int
    found: int

    @property
    def recall(self) -> float:
        """Share of the truth that was found, 0..1; 1 when there was nothing to find."""
        return self.matched / self.expected if self.expected else 1.0

    @property
    def precision(self) -> float:
        """Share of what was found that is true, 0..1; 1 when nothing was found."""
        return self.matched / self.found if self.found else 1.0

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall, 0..1; 1 when there was nothing to find and nothing found."""
        total = self.expected + self.found
        return 2 * self.matched / total if total else 1.0

    def to_json(self) -> dict[str, float]:
        """Counts and shares."""
        return {
            "matched": self.matched,
            "expected": self.expected,
            "found": self.found,
            "precision": self.precision,
            "recall": self.recall,
            "f1": self.f1,
        }


@dataclass(frozen=True, slots=True)
class ParserScore:
    """One parsed document against its truth.

    `words`: word recovery. `reading_order`: 0..1, None where fewer than two words can be ordered. `cells`:
    adjacency relations between table cells, None where neither truth nor parse has a table. `refused` is the
    parser's reason when it would not read the file; everything is then lost.
    """

    document: str
    format: str
    words: Overlap
    reading_order: float | None
    cells: Overlap | None
    refused: str = ""

    def to_json(self) -> dict[str, Any]:
        """As members of the parsers' report."""
        return {
            "document": self.document,
            "format": self.format,
            "words": self.words.to_json(),
            "reading_order": self.reading_order,
            "cells": self.cells.to_json() if self.cells else None,
            "refused": self.refused,
        }


def score(document: Written, view: ParsedView) -> ParserScore:
    """The score of a parse.

    Furniture (running headers, footers, page numbers, a site's navigation) is no part of the truth. Words
    that the parser marks as furniture count neither for nor against it; furniture that it takes for text
    lowers precision, text that it takes for furniture lowers recall. A table's separators, its header where
    a page repeats it, a row's repeated column names and the marks of list items are no words.
    """
    known = KnownTables.of(document.tables)
    tables = dict(recovered_tables(view, known))
    expected, found = expected_words(document), _found_words(view, tables)
    truth = adjacency_relations(document.tables)
    shown = list(tables.values()) if view.blocks else flat_tables(view.text, known)
    cells = overlap(truth, adjacency_relations(shown)) if truth or shown else None
    return ParserScore(
        document.name,
        _format(document),
        overlap(Counter(expected), Counter(found)),
        reading_order(expected, found),
        cells,
    )


def score_refused(document: Written, reason: str) -> ParserScore:
    """The score of a parser that would not read the file: nothing was found."""
    truth = adjacency_relations(document.tables)
    words = overlap(Counter(expected_words(document)), Counter[str]())
    return ParserScore(
        document.name,
        _format(document),
        words,
        0.0,
        overlap(truth, Counter[tuple[str, str, str]]()) if truth else None,
        reason,
    )


def overlap(expected: Counter[T], found: Counter[T]) -> Overlap:
    """How two multisets agree."""
    return Overlap((expected & found).total(), expected.total(), found.total())


def reading_order(expected: Sequence[str], found: Sequence[str]) -> float | None:
    """The share of pairs of words that stand in the same order in both, 0..1; None without a pair.

    Only words that occur once in either are compared. With Kendall's tau of their places this is
    (tau + 1) / 2: 1 is the true order, 0 its reverse, 0.5 chance. Two columns of equal length that were read
    across, line by line, score 0.75 or so.
    """
    places = {word: place for place, word in enumerate(found)}
    once_expected, once_found = Counter(expected), Counter(found)
    order = [places[word] for word in expected if once_expected[word] == once_found[word] == 1]
    if len(order) < 2:
        return None
    pairs = len(order) * (len(order) - 1) // 2
    return 1 - _inversions(order) / pairs


def expected_words(document: Written) -> list[str]:
    """The words of the truth: a CSV file's are those of its cells."""
    if _format(document) == _CSV:
        return [word for table in document.tables for row in table for cell in row for word in words_of(cell)]
    return words_of(document.reference)


def _found_words(view: ParsedView, tables: Mapping[ParsedBlock, Rows]) -> list[str]:
    words: list[str] = []
    for block in view.parts():
        if block in tables:
            words.extend(word for row in tables[block] for cell in row for word in words_of(cell))
        elif block.kind != TABLE:  # a table's further blocks are among the rows of its first
            text = view.text_of(block)
            words.extend(words_of(_LIST_MARK.sub("", text, count=1) if block.kind == LIST_ITEM else text))
    return words


def _inversions(order: Sequence[int]) -> int:
    """Pairs of different numbers that stand the wrong way round."""
    sorted_so_far: list[int] = []
    count = 0
    for number in order:
        place = bisect(sorted_so_far, number)
        count += len(sorted_so_far) - place
        sorted_so_far.insert(place, number)
    return count


def _format(document: Written) -> str:
    return document.name.rsplit(".", 1)[-1]
