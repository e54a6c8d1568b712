"""How is a question answered without any chat model? With whole sentences of the passages, exactly quoted."""

from collections.abc import Sequence
from dataclasses import dataclass

from services.orchestrator.core.assembly import Passage
from services.orchestrator.core.extractive import (
    Quoted,
    Sentence,
    chosen,
    log_odds_of,
    overlaps,
    preselected,
    quoted,
    sentences_of,
)
from shared.errors import SightlineError
from shared.stage import Query, RunOptions, Stage, TokenCount

NAME = "extractive"
# Words shared, 0..1, read as log-odds when no model is there to tell.
OVERLAP_LOG_ODDS = 6.0


@dataclass(frozen=True, slots=True)
class Extract:
    """The quoted answer, what scored its sentences, and what is to be said of that."""

    quoted: Quoted
    model: str
    notes: tuple[str, ...] = ()
    token_counts: tuple[TokenCount, ...] = ()


async def extract(
    query: Query, passages: Sequence[Passage], stage: Stage | None, *, deadline_s: float
) -> Extract:
    """The sentences that answer best, scored by a reranking stage, or by shared words if it is away."""
    sentences = preselected(query.text, sentences_of(passages))
    if stage is not None and sentences:
        try:
            ranking = await stage.run(
                query, [s.as_candidate() for s in sentences], RunOptions(deadline_s=deadline_s)
            )
        except SightlineError as error:
            note = f"sentences are chosen by shared words only, as reranking failed: {error}"
            return _by_overlap(query.text, sentences, note)
        log_odds = {c.chunk_id: log_odds_of(c) for c in ranking.candidates}
        model = stage.info.model.name if stage.info.model else stage.info.name
        return Extract(
            quoted(chosen(query.text, sentences, log_odds)), model, ranking.notes, ranking.token_counts
        )
    return _by_overlap(query.text, sentences, "sentences are chosen by shared words only")


def _by_overlap(question: str, sentences: Sequence[Sentence], note: str) -> Extract:
    overlap = overlaps(question, sentences)
    log_odds = {key: OVERLAP_LOG_ODDS * (share - 0.5) for key, share in overlap.items()}
    return Extract(quoted(chosen(question, sentences, log_odds)), "shared words", (note,))
