"""Is there a passage good enough to answer from? Decided by score type, before any model is asked."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from services.orchestrator.core.config import GateConfig, thresholds_of
from shared.candidate import Candidate, ScoreType

# Whose word counts most, first: a model that read question and passage together, then similarity.
PRECEDENCE = (
    ScoreType.CROSS_ENCODER,
    ScoreType.LLM,
    ScoreType.COSINE,
    ScoreType.BM25,
    ScoreType.WEIGHTED,
    ScoreType.RRF,
)
NAMES: Mapping[ScoreType, str] = {
    ScoreType.CROSS_ENCODER: "cross-encoder",
    ScoreType.LLM: "chat model",
    ScoreType.COSINE: "cosine",
    ScoreType.BM25: "BM25",
    ScoreType.WEIGHTED: "weighted fusion",
    ScoreType.RRF: "reciprocal rank fusion",
}


@dataclass(frozen=True, slots=True)
class Decision:
    """Open or not, what was compared with what, and the words for it."""

    open: bool
    words: str
    score_type: ScoreType | None = None
    best: float | None = None
    threshold: float | None = None


# Words without which hardly an English question is asked, and that other languages do not share.
_ENGLISH_WORDS = """
what which how who whom whose when where why the is are does do did can could should of and for with
"""
_ENGLISH = frozenset(_ENGLISH_WORDS.split())


def decide(candidates: Sequence[Candidate], config: GateConfig, question: str = "") -> Decision:
    """Open if the best score of the first type that has both evidence and a threshold reaches it.

    Evidence is read by type, never merely the last; without any such type the gate is open. A cross-encoder
    reads English only: of another question, or of bare keywords, it may not speak alone, and the cosine is
    asked as well.
    """
    if not candidates:
        return Decision(False, "No passage was found for this question.")
    if not config.enabled:
        return Decision(True, "the gate is switched off")
    verdicts = [v for t in PRECEDENCE if (v := _verdict(candidates, t, config)) is not None]
    if not verdicts:
        return Decision(True, "no threshold is set for the scores that these passages have")
    first = verdicts[0]
    if first.open or first.score_type is not ScoreType.CROSS_ENCODER or is_english(question):
        return first
    return next((v for v in verdicts if v.score_type is ScoreType.COSINE and v.open), first)


def is_english(question: str) -> bool:
    """Whether a question has any of the little words that make it English."""
    return not _ENGLISH.isdisjoint(re.findall(r"[^\W\d_]+", question.casefold()))


def _verdict(candidates: Sequence[Candidate], score_type: ScoreType, config: GateConfig) -> Decision | None:
    evidence = [e for c in candidates if (e := c.evidence_of(score_type)) is not None]
    threshold = thresholds_of(config).get(score_type)
    if not evidence or threshold is None:
        return None
    best = max(e.score for e in evidence)
    name = NAMES.get(score_type, str(score_type))
    if best >= threshold:
        words = f"best {name} score {best:.4g} reaches the threshold {threshold:.4g}"
    else:
        words = (
            "None of the passages found is about this question: "
            f"the best {name} score is {best:.2g}, under the threshold of {threshold:.2g}."
        )
    return Decision(best >= threshold, words, score_type, best, threshold)
