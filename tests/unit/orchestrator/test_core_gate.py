"""Does the gate read evidence by its type, and say in words why it is shut?"""

import pytest

from services.orchestrator.core.config import GateConfig
from services.orchestrator.core.gate import decide
from shared.candidate import Candidate, Evidence, ScoreType, TextSpan

CE, COSINE, BM25 = ScoreType.CROSS_ENCODER, ScoreType.COSINE, ScoreType.BM25


def found(*evidence: tuple[ScoreType, float]) -> Candidate:
    span = TextSpan("doc_1", 0, 1)
    return Candidate("chk_1", span, tuple(Evidence("s", 1, score, kind) for kind, score in evidence))


def test_nothing_found_shuts_the_gate_even_when_it_is_off() -> None:
    decision = decide([], GateConfig(enabled=False))
    assert not decision.open
    assert decision.words == "No passage was found for this question."


def test_types_without_a_threshold_do_not_shut_it() -> None:
    assert decide([found((BM25, 0.01))], GateConfig()).open
    assert not decide([found((BM25, 0.01))], GateConfig(thresholds={BM25: 1.0})).open


def test_evidence_is_read_by_type_and_not_merely_the_last() -> None:
    config = GateConfig(thresholds={CE: 0.1})
    assert decide([found((CE, 0.5), (ScoreType.RRF, 0.0001))], config).open


def test_best_candidate_decides() -> None:
    assert decide([found((CE, 0.00001)), found((CE, 0.8))], GateConfig()).open


def test_gate_that_is_off_is_open() -> None:
    assert decide([found((CE, 0.0), (COSINE, 0.0))], GateConfig(enabled=False)).open


def test_words_name_score_and_threshold() -> None:
    decision = decide([found((CE, 0.00002), (COSINE, 0.3))], GateConfig())
    assert not decision.open
    assert "cross-encoder" in decision.words
    assert "2e-05" in decision.words


@pytest.mark.parametrize(("score", "is_open"), [(0.2, True), (0.1999, False)])
def test_threshold_itself_is_enough(score: float, is_open: bool) -> None:
    assert decide([found((COSINE, score))], GateConfig(thresholds={COSINE: 0.2})).open is is_open


@pytest.mark.parametrize(
    ("question", "is_open"),
    [
        ("Wie lange werden Datensätze aufbewahrt?", True),
        ("Combien de temps sont-ils conservés ?", True),
        ("retention audit", True),
        ("How long are records kept?", False),
    ],
)
def test_cosine_is_asked_too_where_the_cross_encoder_cannot_read(question: str, is_open: bool) -> None:
    candidates = [found((COSINE, 0.6), (CE, 0.00001))]
    assert decide(candidates, GateConfig(), question).open is is_open


def test_question_in_another_language_about_nothing_is_still_refused() -> None:
    assert not decide([found((COSINE, 0.5), (CE, 0.00001))], GateConfig(), "Wer schrieb Tosca?").open
