"""Is an answer right? Decided by what it says, cites and counts, without asking a judge."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from eval.measures.figures import unsupported_figures
from eval.measures.mentions import said, says
from services.orchestrator.core.sentences import units
from shared.candidate import TextSpan


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """What a right answer is held against.

    Each of `mentions` must be said and none of `forbidden` (`a | b`: either). `labels` gives each label's
    places in canonical text, any of which will do; one that the parser destroyed has none and is never cited.
    """

    answerable: bool
    mentions: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()
    labels: Mapping[str, tuple[TextSpan, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Grade:
    """What is right and wrong about one answer; of a refusal nothing but `refusal_right` is judged.

    `bleed` is what was said and must not be, `labels_cited` the share of labels that a cited span covers
    (None without labels), `figures_unsupported` the figures that no passage cited for their sentence states.
    """

    answerable: bool
    refused: bool
    mentions_missing: tuple[str, ...] = ()
    bleed: tuple[str, ...] = ()
    labels_cited: float | None = None
    figures_unsupported: tuple[str, ...] = ()
    uncited: bool = False

    @property
    def refusal_right(self) -> bool:
        """Whether it was refused exactly if nothing answers it."""
        return self.refused != self.answerable

    @property
    def passed(self) -> bool:
        """A right refusal, or an answer that says all and no more, cites all labels, invents no figure."""
        if self.refused or not self.answerable:
            return self.refusal_right
        wrong = self.mentions_missing or self.bleed or self.figures_unsupported
        return not wrong and self.labels_cited in (None, 1.0)


def grade(answer: Mapping[str, Any], expected: Expected) -> Grade:
    """The grade of a gateway's answer object. KeyError when it lacks a field of the contract."""
    if answer["refused"]:
        return Grade(answerable=expected.answerable, refused=True)
    text = without_markers(answer["answer"])
    return Grade(
        answerable=expected.answerable,
        refused=False,
        mentions_missing=tuple(m for m in expected.mentions if not says(text, m)),
        bleed=said(text, expected.forbidden),
        labels_cited=labels_cited(answer["citations"], expected.labels),
        figures_unsupported=figures_unsupported(answer["answer"], answer["citations"]),
        uncited=bool(answer["uncited"]),
    )


def labels_cited(
    citations: Sequence[Mapping[str, Any]], labels: Mapping[str, Sequence[TextSpan]]
) -> float | None:
    """Share of the labels that a cited span covers, 0..1; None without labels."""
    spans = [TextSpan(c["document_id"], c["start"], c["end"]) for c in citations]
    cited = [any(covers(span, place) for span in spans for place in places) for places in labels.values()]
    return sum(cited) / len(cited) if cited else None


def covers(one: TextSpan, other: TextSpan) -> bool:
    """Whether two spans of one document share at least half of the shorter; either may be the longer one."""
    shorter = min(one.end - one.start, other.end - other.start)
    shared = min(one.end, other.end) - max(one.start, other.start)
    return one.document_id == other.document_id and 0 < shorter <= 2 * shared


_MARKER = re.compile(r"\s*\[(\d+)\]")
_STOP_BEFORE_MARKERS = re.compile(r"([.!?…]+[\"'”’»)]*)((?:\s*\[\d+\])+)")
_ITEM_NUMBER = re.compile(r"^\s*\d{1,2}[.)]\s+", re.MULTILINE)


def without_markers(text: str) -> str:
    """The answer without [n] and the numbers of list items, which are no figures of its own."""
    return _ITEM_NUMBER.sub("", _MARKER.sub("", text))


def figures_unsupported(text: str, citations: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """Figures of an answer, as it writes them, that no passage cited for their sentence states.

    A passage is its quote with its title and headings. Several sentences may share the next marker of their
    paragraph, or else the one before; a sentence for which nothing is cited has no support.
    """
    passages = {c["n"]: " ; ".join([c["title"] or "", *c["section"], c["quote"]]) for c in citations}
    missing: list[str] = []
    for sentence, numbers in _cited_sentences(text):
        support = "\n".join(passages[n] for n in numbers if n in passages)
        missing += [sentence[f.start : f.end] for f in unsupported_figures(sentence, support)]
    return tuple(dict.fromkeys(missing))


def _cited_sentences(text: str) -> list[tuple[str, tuple[int, ...]]]:
    """Each sentence without markers, with the numbers cited for it."""
    found: list[tuple[str, tuple[int, ...]]] = []
    for paragraph in re.split(r"\n\s*\n", _STOP_BEFORE_MARKERS.sub(r"\2\1", text)):
        sentences = [paragraph[unit.start : unit.end] for unit in units(paragraph)]
        numbers = [tuple(int(n) for n in _MARKER.findall(sentence)) for sentence in sentences]
        for i, sentence in enumerate(sentences):
            later = next((n for n in numbers[i:] if n), ())
            earlier = next((n for n in reversed(numbers[:i]) if n), ())
            found.append((without_markers(sentence), later or earlier))
    return found


def _where(
    condition: Callable[[Grade], bool], value: Callable[[Grade], float]
) -> Callable[[Grade], float | None]:
    return lambda grade: float(value(grade)) if condition(grade) else None


def _answered(grade: Grade) -> bool:
    return not grade.refused


def _answered_answerable(grade: Grade) -> bool:
    return grade.answerable and not grade.refused


# The value of a grade for each rate, 0..1; None for a question that the rate is not about.
RATES: Mapping[str, Callable[[Grade], float | None]] = MappingProxyType(
    {
        "passed": lambda grade: float(grade.passed),
        "false_refusals": _where(lambda g: g.answerable, lambda g: g.refused),
        "false_answers": _where(lambda g: not g.answerable, lambda g: not g.refused),
        "mentions_complete": _where(_answered_answerable, lambda g: not g.mentions_missing),
        "bleed": _where(_answered, lambda g: bool(g.bleed)),
        "labels_cited": _where(
            lambda g: _answered_answerable(g) and g.labels_cited is not None, lambda g: g.labels_cited or 0.0
        ),
        "figures_unsupported": _where(_answered, lambda g: bool(g.figures_unsupported)),
        "uncited": _where(_answered, lambda g: g.uncited),
    }
)


def rate_values(grades: Sequence[Grade]) -> dict[str, list[float]]:
    """For each rate the values of the questions it is about, in their order, ready for an interval."""
    return {name: [v for g in grades if (v := value(g)) is not None] for name, value in RATES.items()}


def rates(grades: Sequence[Grade]) -> dict[str, float | None]:
    """Each rate over the questions it is about; None where there is none."""
    return {name: sum(v) / len(v) if v else None for name, v in rate_values(grades).items()}
