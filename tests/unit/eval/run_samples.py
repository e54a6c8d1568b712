"""What did a stack record, in the tests of runs? Six passages, and what each list made of them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from eval.datasets.spans import Stretch
from eval.datasets.suite import Question, Quote
from eval.runs.ablation import Asked
from eval.runs.asking import Recorded
from eval.runs.collection import Label
from eval.runs.judging import read_pipeline
from services.orchestrator.core.config import MAX_LIST, FusionConfig, QueryConfig
from services.orchestrator.core.fusion import fused
from services.orchestrator.core.ranking import reranked
from services.orchestrator.core.replay import replayed
from services.orchestrator.core.trace import StageTrace, Trace
from shared.candidate import Candidate, Scored, ScoreType, Source, TextSpan, ranked

# Two passages in each of three documents, one after the other.
PASSAGES = {
    f"chk_{n}": TextSpan(f"doc_{document}", start, start + 40)
    for n, (document, start) in enumerate([("a", 0), ("a", 40), ("b", 0), ("b", 40), ("c", 0), ("c", 40)])
}

LISTS = ("lexical", "vector")


def passage(chunk_id: str) -> Candidate:
    text = f"{chunk_id} says what it says, in forty letters"[:40].ljust(40, ".")
    return Candidate(chunk_id, PASSAGES[chunk_id], (), Source(title="Handbook"), text)


def listed(stage: str, score_type: ScoreType, scores: Mapping[str, float]) -> list[Candidate]:
    return ranked(stage, score_type, [Scored(passage(i), score) for i, score in scores.items()])


def trace(
    lexical: Mapping[str, float],
    vector: Mapping[str, float],
    read: Mapping[str, float],
    *,
    question: str = "What does it say?",
    context: Mapping[str, Any] | None = None,
) -> Trace:
    """A trace as the defaults leave it: both lists, fused, the head read, both orders fused, eight kept."""
    pipeline, config = read_pipeline(), QueryConfig()
    plans = {plan.id: plan for plan in pipeline.planned(config)}
    lists = {
        "lexical": listed("lexical", ScoreType.BM25, lexical),
        "vector": listed("vector", ScoreType.COSINE, vector),
    }
    fuse = fused("fuse", lists, FusionConfig(), MAX_LIST)
    head = ranked("rerank", ScoreType.CROSS_ENCODER, [Scored(c, read[c.chunk_id]) for c in fuse])
    lists |= {"fuse": fuse, "rerank": list(reranked("rerank", head, fuse))}
    recorded = tuple(
        StageTrace(plan=plans[i], candidates=tuple(found), params={"limit": 50} if i in LISTS else {})
        for i, found in lists.items()
    )
    whole = Trace(
        trace_id="trc_1",
        question=question,
        workspace="default",
        generation=3,
        created_ms=1000,
        config=config,
        plan=tuple(plans.values()),
        stages=recorded,
        timings_ms={"lexical": 2.0, "total": 10.0},
        context=context,
    )
    return replace(whole, stages=replayed(whole, pipeline, config))


def label(question_id: str, chunk_id: str, *, whole: bool = False, **changes: Any) -> Label:
    """A label that stands in the middle of a passage."""
    span = PASSAGES[chunk_id]
    made = Label(
        id=f"{question_id}#{chunk_id}",
        document_id=span.document_id,
        places=() if whole else (Stretch(span.start + 10, span.start + 30),),
        chunked=True,
        whole=whole,
    )
    return replace(made, **changes)


def answer(text: str, *cited: str, refused: bool = False) -> dict[str, Any]:
    """An answer object that cites whole passages."""
    citations = [
        {
            "n": n,
            "document_id": PASSAGES[i].document_id,
            "start": PASSAGES[i].start,
            "end": PASSAGES[i].end,
            "title": "Handbook",
            "section": [],
            "quote": text,
        }
        for n, i in enumerate(cited, start=1)
    ]
    return {"answer": text, "refused": refused, "citations": citations, "uncited": False}


def context(*packed: str, open: bool = True) -> dict[str, Any]:
    """What was put before the answering model."""
    return {
        "packed": [{"n": n, "chunk_id": i, "tokens": 9} for n, i in enumerate(packed, start=1)],
        "gate": {"open": open, "reason": "as it is"},
    }


def asked(*cases: tuple[Question, Sequence[Label], Trace, Mapping[str, Any]]) -> Asked:
    """Questions with their labels, traces and answers."""
    return Asked(
        tuple(question for question, *_ in cases),
        {question.id: tuple(labels) for question, labels, _, _ in cases},
        {question.id: Recorded(question.id, said, found) for question, _, found, said in cases},
    )


def question(id: str, kind: str = "exact", *mentions: str, forbidden: Sequence[str] = ()) -> Question:
    quotes = () if kind in ("out_of_scope", "near_miss") else (Quote("doc_a.md", "says"),)
    return Question(
        id=id,
        kind=kind,
        text="What does it say?",
        quotes=quotes,
        mentions=mentions,
        forbidden=tuple(forbidden),
    )


def degraded(whole: Trace, stage_id: str, error: str) -> Trace:
    """The trace with one stage failed."""
    stages = [replace(s, error=error) if s.plan.id == stage_id else s for s in whole.stages]
    return replace(whole, stages=tuple(stages))
