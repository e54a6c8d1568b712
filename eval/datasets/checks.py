"""Is a suite what it claims to be: broad, written by hand, and fair to every way of searching?"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations, pairwise

import Stemmer

from eval.datasets.spans import words_of
from eval.datasets.suite import KINDS, Question

MAX_SHARED = 0.10  # of a paraphrase's content words, with its quotes
MAX_TWIN = 0.75  # of the word pairs of two questions whose names and figures are masked
_SHORT = 4  # pairs; a shorter question is no template

_STOP = """
a about after all also am an and any are as at be because been before being between both but by can could
did do does doing during each for from further had has have having he her here him his how i if in into is
it its itself just me more most much must my no nor not now of off on once one only or other our out over
own per same she should so some such than that the their them then there these they this those through to
too under until up us very was we were what when where which while who whom whose why will with would you
your
"""
_STOP_WORDS = frozenset(_STOP.split())


def content_words(text: str, stemmer: Stemmer.Stemmer | None = None) -> frozenset[str]:
    """Stems of the words that carry meaning; English."""
    stemmer = stemmer or Stemmer.Stemmer("english")
    return frozenset(stemmer.stemWords([w for w in words_of(text).words if w not in _STOP_WORDS]))


def shared_with_quotes(question: Question) -> float:
    """Share of the question's content words that stand in its quotes too, 0..1."""
    asked = content_words(question.text)
    quoted = frozenset[str]().union(*(content_words(quote.text) for quote in question.quotes))
    return len(asked & quoted) / len(asked) if asked else 0.0


def twins(questions: Sequence[Question]) -> list[tuple[str, str]]:
    """Pairs of ids whose questions are one template: alike but for names and figures."""
    masked = [(question.id, _masked(question.text)) for question in questions]
    return [
        (a, b)
        for (a, pairs), (b, others) in combinations(masked, 2)
        if min(len(pairs), len(others)) >= _SHORT and len(pairs & others) > MAX_TWIN * len(pairs | others)
    ]


def complaints_about(questions: Sequence[Question], least_per_kind: int) -> list[str]:
    """What speaks against a set of questions, in words; quotes are not looked up here."""
    counts = Counter(question.kind for question in questions)
    few = [f"{kind}: {counts[kind]} questions, {least_per_kind} are wanted" for kind in KINDS]
    return [
        *(line for kind, line in zip(KINDS, few, strict=True) if counts[kind] < least_per_kind),
        *(f"{a} and {b} are one template" for a, b in twins(questions)),
        *_of_each(questions),
    ]


def _of_each(questions: Iterable[Question]) -> Iterable[str]:
    for question in questions:
        if question.kind == "paraphrase" and (shared := shared_with_quotes(question)) > MAX_SHARED:
            both = content_words(question.text) & content_words(" ".join(q.text for q in question.quotes))
            yield f"{question.id}: shares {shared:.0%} of its words with quotes: {' '.join(sorted(both))}"
        if question.kind == "multi_turn" and not question.history:
            yield f"{question.id}: a multi-turn question needs a history"
        if question.kind in ("cross_document", "conflict") and len({q.document for q in question.quotes}) < 2:
            yield f"{question.id}: {question.kind} needs quotes of two documents"
        if question.kind == "compound" and len(question.quotes) < 2:
            yield f"{question.id}: a compound question needs a quote for each part"
        if question.answerable and not question.mentions:
            yield f"{question.id}: nothing is named that a right answer must mention"


def _masked(text: str) -> frozenset[tuple[str, str]]:
    words = re.findall(r"\w+", text)
    shapes = [
        "#" if (i and w[0].isupper()) or any(c.isdigit() for c in w) else w.casefold()
        for i, w in enumerate(words)
    ]
    return frozenset(pairwise(shapes))
