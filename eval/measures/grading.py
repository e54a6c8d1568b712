"""Is an answer right? Decided by what it says, cites and counts, without asking a judge."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from eval.measures.figures import unsupported_figures
from eval.measures.mentions import said, says
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

    `forbids` tells whether anything must not be said, `bleed` what of it was said. `labels_cited` is the
    share of labels that a cited span covers (None without labels), `figures_unsupported` the figures that no
    passage cited for their sentence states.
    """

    answerable: bool
    refused: bool
    forbids: bool = False
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
        forbids=bool(expected.forbidden),
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


def covers(citation: TextSpan, label: TextSpan) -> bool:
    """Whether a citation holds at least half of a label, as a passage must; an empty one never is."""
    shared = min(citation.end, label.end) - max(citation.start, label.start)
    return citation.document_id == label.document_id and 0 < label.end - label.start <= 2 * shared


_MARKER = re.compile(r"\s*\[(\d+)\]")
_STOP_BEFORE_MARKERS = re.compile(r"([.!?…。！？]+[\"'”’»)]*)((?:\s*\[\d+\])+)")
_ITEM_NUMBER = re.compile(r"^[^\S\n]*(\d{1,2})[.)][^\S\n]+(?=\S)", re.MULTILINE)
# After a stop, where what follows does not go on in lower case; each line by itself. Cutting too often does
# no harm, as a piece shares the next marker, but "kr. 600" would lose its unit.
_SENTENCE_END = re.compile(
    r"(?:(?<=[.!?…])|(?<=[.!?…][\"'”’»)]))(?<!\b[Kk]r\.)\s+(?![a-zß-öø-ÿ])|(?<=[。！？])|\s*\n\s*"
)


def without_markers(text: str) -> str:
    """The answer without [n] and the numbers of list items, which are no figures of its own."""
    return _without_item_numbers(_MARKER.sub("", text))


def _without_item_numbers(text: str) -> str:
    """The text without the numbers 1, 2 ... at beginnings of lines, where at least two follow each other.

    A line that begins with another number ("24. Dezember") keeps it.
    """
    lists: list[list[re.Match[str]]] = []
    for item in _ITEM_NUMBER.finditer(text):
        if int(item[1]) == 1:
            lists.append([item])
        elif lists and int(item[1]) == len(lists[-1]) + 1:
            lists[-1].append(item)
    kept, end = "", 0
    for item in (item for items in lists if len(items) > 1 for item in items):
        kept, end = kept + text[end : item.start()], item.end()
    return kept + text[end:]


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
    """Each sentence without markers, with the numbers cited for it.

    Cut by rules of its own: a grade must not move with how answers are cut into sentences.
    """
    found: list[tuple[str, tuple[int, ...]]] = []
    moved = _STOP_BEFORE_MARKERS.sub(r"\2\1", _without_item_numbers(text))
    for paragraph in re.split(r"\n\s*\n", moved):
        sentences = _SENTENCE_END.split(paragraph)
        numbers = [tuple(int(n) for n in _MARKER.findall(sentence)) for sentence in sentences]
        for i, sentence in enumerate(sentences):
            later = next((n for n in numbers[i:] if n), ())
            earlier = next((n for n in reversed(numbers[:i]) if n), ())
            found.append((_MARKER.sub("", sentence), later or earlier))
    return found


def _where(
    condition: Callable[[Grade], bool], value: Callable[[Grade], float]
) -> Callable[[Grade], float | None]:
    return lambda grade: float(value(grade)) if condition(grade) else None


def _answered(grade: Grade) -> bool:
    return not grade.refused


def _answerable(grade: Grade) -> bool:
    return grade.answerable


def _answered_answerable(grade: Grade) -> bool:
    return grade.answerable and not grade.refused


# The value of a grade for each rate, 0..1; None for a question that the rate is not about. Rates of what was
# answered rise when hard questions are refused; those named "of answerable" count a refusal as a failure.
RATES: Mapping[str, Callable[[Grade], float | None]] = MappingProxyType(
    {
        "passed": lambda grade: float(grade.passed),
        "false_refusals": _where(_answerable, lambda g: g.refused),
        "false_answers": _where(lambda g: not g.answerable, lambda g: not g.refused),
        "mentions_complete": _where(_answered_answerable, lambda g: not g.mentions_missing),
        "complete_of_answerable": _where(_answerable, lambda g: not (g.refused or g.mentions_missing)),
        "labels_cited": _where(
            lambda g: _answered_answerable(g) and g.labels_cited is not None, lambda g: g.labels_cited or 0.0
        ),
        "cited_of_answerable": _where(
            lambda g: g.answerable and (g.refused or g.labels_cited is not None),
            lambda g: g.labels_cited or 0.0,
        ),
        "bleed": _where(lambda g: _answered(g) and g.forbids, lambda g: bool(g.bleed)),
        "figures_unsupported": _where(_answered, lambda g: bool(g.figures_unsupported)),
        "uncited": _where(_answered, lambda g: g.uncited),
    }
)


def rate_values(grades: Sequence[Grade]) -> dict[str, list[float]]:
    """For each rate the values of the questions it is about, in their order, ready for an interval."""
    return {name: [v for g in grades if (v := value(g)) is not None] for name, value in RATES.items()}
