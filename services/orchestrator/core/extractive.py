"""Which whole sentences of the passages answer the question, when there is no model to write an answer?"""

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from services.orchestrator.core.assembly import Passage
from services.orchestrator.core.citations import Citation, citation_of, without_markers
from services.orchestrator.core.sentences import Unit, UnitKind, units
from shared.candidate import Candidate, ScoreType, TextSpan

PRESELECTED = 24
MAX_SENTENCES = 3
# A sentence that stands word for word in several passages is quoted once and cited there, at most so often.
MAX_SOURCES_OF_SENTENCE = 3
# Log-odds: how close to the best a further sentence must be, and what it must reach by itself.
CLOSE_LOG_ODDS = 1.0
LEAST_LOG_ODDS_OF_FURTHER = 0.0
# Log-odds that a sentence gains for each share of the question's codes and figures that it holds.
IDENTIFIER_LOG_ODDS = 3.0
# A heading or a table's head names things without saying anything of them.
FRAGMENT_LOG_ODDS = 1.0
ALIKE = 0.8
# Where no sentence convinces, as with a question in a language that the scorer cannot read, the passages'
# similarity to the question decides: so many log-odds for each unit of cosine.
UNSURE_LOG_ODDS = -5.0
PRIOR_LOG_ODDS = 40.0

_WORD = re.compile(r"\w+(?:[.,:/_'’-]\w+)*", re.UNICODE)
_ASKS = re.compile(r"[?？][\"'”’»)\]]*\Z")
_STOP_WORDS = """
a an and are as at be been by can did do does for from had has have how i in into is it its many much must
of on or say says shall should so than that the their them then there these they this those to was were what
when where which who whom whose why will with would you your
le la les des du de un une et est quel quelle der die das und ist ein eine wie was wer
"""
_STOP = frozenset(_STOP_WORDS.split())


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, row or item of a packed passage; where it follows a question, that begins at `lead`."""

    passage: Passage
    unit: Unit
    text: str
    lead: int

    @property
    def key(self) -> str:
        """An id of its own, derived from the chunk's."""
        return f"{self.passage.candidate.chunk_id}:{self.unit.start}-{self.unit.end}"

    def as_candidate(self) -> Candidate:
        """The sentence, after the question that it follows, as a candidate to be scored like any passage."""
        span = self.passage.candidate.span
        return Candidate(
            self.key,
            TextSpan(span.document_id, span.start + self.lead, span.start + self.unit.end),
            text=self.in_context,
        )

    @property
    def in_context(self) -> str:
        """The sentence after the question that it follows, if it follows one."""
        return self.passage.candidate.text[self.lead : self.unit.end]


@dataclass(frozen=True, slots=True)
class Quoted:
    """An answer of whole sentences: its parts in order, and a citation for each place that says one."""

    parts: tuple[str, ...]
    citations: tuple[Citation, ...]

    @property
    def text(self) -> str:
        """The answer as one text."""
        return " ".join(self.parts)


def sentences_of(passages: Sequence[Passage]) -> list[Sentence]:
    """Every unit of the passages that says something; questions and headings only where nothing else is."""
    found: list[Sentence] = []
    for passage in passages:
        text = passage.candidate.text
        every = units(text)
        telling: list[Sentence] = []
        lead: int | None = None
        for unit in every:
            if _ASKS.search(text[unit.start : unit.end]):
                lead = unit.start if lead is None else lead
            elif unit.kind is not UnitKind.HEADING:
                begin = unit.start if lead is None else lead
                telling.append(Sentence(passage, unit, text[unit.start : unit.end], begin))
                lead = None
        found += telling or [Sentence(passage, u, text[u.start : u.end], u.start) for u in every]
    return found


def preselected(question: str, sentences: Sequence[Sentence], limit: int = PRESELECTED) -> list[Sentence]:
    """The sentences worth a closer look: by shared words, the rarer the more, and the passage's rank."""
    overlap = overlaps(question, sentences)
    by_worth = sorted(
        sentences, key=lambda s: (-(overlap[s.key] + 0.5 / s.passage.n), s.passage.n, s.unit.start)
    )
    return by_worth[:limit]


def overlaps(question: str, sentences: Sequence[Sentence]) -> dict[str, float]:
    """Share of the question's words that each sentence holds, by key; a rarer word weighs more."""
    asked = terms(question)
    held = {s.key: terms(s.in_context) for s in sentences}
    doc_freq = Counter(word for words in held.values() for word in words & asked)
    weight = {w: math.log(1 + (len(held) + 1) / (doc_freq[w] + 0.5)) for w in asked}
    whole = sum(weight.values()) or 1.0
    return {key: sum(weight[w] for w in sorted(words & asked)) / whole for key, words in held.items()}


def chosen(question: str, sentences: Sequence[Sentence], log_odds: Mapping[str, float]) -> list[Sentence]:
    """One to three sentences by falling worth; those after the first only if close to it and adding to it.

    A sentence that other passages hold word for word is there once for each of them, up to a limit.
    `log_odds` tells by key how well a sentence answers the question. A sentence without one is not chosen.
    """
    codes = identifiers(question)
    prior = _priors(sentences) if max(log_odds.values(), default=0.0) < UNSURE_LOG_ODDS else {}
    worth = {
        s.key: log_odds[s.key]
        + IDENTIFIER_LOG_ODDS * _share_held(codes, s.in_context)
        + prior.get(s.passage.n, 0.0)
        - _fragment_cost(s)
        for s in sentences
        if s.key in log_odds
    }
    order = sorted(
        (s for s in sentences if s.key in worth), key=lambda s: (-worth[s.key], s.passage.n, s.unit.start)
    )
    taken: dict[str, list[Sentence]] = {}  # by the words
    for sentence in order:
        same = taken.get(folded(sentence.text))
        if same is not None:
            elsewhere = all(sentence.passage.n != other.passage.n for other in same)
            if elsewhere and len(same) < MAX_SOURCES_OF_SENTENCE:
                same.append(sentence)
            continue
        if taken:
            far = worth[order[0].key] - worth[sentence.key] > CLOSE_LOG_ODDS
            if far or log_odds[sentence.key] < LEAST_LOG_ODDS_OF_FURTHER or len(taken) == MAX_SENTENCES:
                break
            if any(_alike(sentence.text, other) for other in taken):
                continue
        taken[folded(sentence.text)] = [sentence]
    return [sentence for same in taken.values() for sentence in same]


def quoted(sentences: Sequence[Sentence]) -> Quoted:
    """The sentences as an answer: each once, with line breaks folded, followed by its citations' numbers."""
    numbers: dict[str, list[int]] = {}
    for n, s in enumerate(sentences, start=1):
        numbers.setdefault(folded(s.text), []).append(n)
    parts = tuple(f"{words} {' '.join(f'[{n}]' for n in own)}" for words, own in numbers.items())
    citations = tuple(
        citation_of(n, s.passage.candidate, s.unit.start, s.unit.end)
        for n, s in enumerate(sentences, start=1)
    )
    return Quoted(parts, citations)


def folded(text: str) -> str:
    """The text on one line; a hyphen at a line's end stays, as nobody knows whether the word has one."""
    return without_markers(re.sub(r"\s+", " ", re.sub(r"(?<=\w[-–])\s*\n\s*(?=\w)", "", text)).strip())


def terms(text: str) -> frozenset[str]:
    """The words of a text that carry meaning, folded and without common endings."""
    folded_text = unicodedata.normalize("NFKD", text).casefold()
    plain = "".join(ch for ch in folded_text if not unicodedata.combining(ch))
    words = (word.replace(",", "") for word in _WORD.findall(plain))
    return frozenset(_stem(word) for word in words if word not in _STOP)


def identifiers(text: str) -> frozenset[str]:
    """Codes and figures: words that hold a digit, or letters in capitals joined with something."""
    return frozenset(
        word.casefold()
        for word in _WORD.findall(text)
        if any(ch.isdigit() for ch in word) or re.search(r"[A-Za-z][_./:-][A-Z]|[a-z][_./:][a-z]", word)
    )


def log_odds_of(candidate: Candidate) -> float:
    """The log-odds of the newest score: the raw logit where the scorer tells it, else from the score."""
    evidence = candidate.evidence_of(ScoreType.CROSS_ENCODER) or candidate.last
    for part in evidence.parts:
        if part.label == "logit":
            return part.value
    score = min(max(evidence.score, 1e-9), 1 - 1e-9)
    return math.log(score / (1 - score))


def _priors(sentences: Sequence[Sentence]) -> dict[int, float]:
    """By number of the passage, how far its cosine is under the best one, as log-odds."""
    evidence = {s.passage.n: s.passage.candidate.evidence_of(ScoreType.COSINE) for s in sentences}
    cosines = {n: e.score for n, e in evidence.items() if e is not None}
    if not cosines:
        return {}
    low, high = min(cosines.values()), max(cosines.values())
    return {n: PRIOR_LOG_ODDS * (cosines.get(n, low) - high) for n in evidence}


def _share_held(codes: frozenset[str], text: str) -> float:
    if not codes:
        return 0.0
    held = text.casefold()
    return sum(re.search(rf"(?<!\w){re.escape(code)}(?!\w)", held) is not None for code in codes) / len(codes)


def _fragment_cost(sentence: Sentence) -> float:
    complete = sentence.unit.kind is UnitKind.ROW or re.search(r"[.!?…。！？:][\"'”’»)\]]*$", sentence.text)
    return 0.0 if complete else FRAGMENT_LOG_ODDS


def _alike(one: str, other: str) -> bool:
    a, b = terms(one), terms(other)
    return len(a & b) >= ALIKE * max(1, min(len(a), len(b)))


def _stem(word: str) -> str:
    for ending in ("ingly", "edly", "ing", "ies", "ied", "es", "ed", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word
