"""What is a ranking worth, seen through the labels of its question?"""

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

import services.orchestrator.core.pipeline as pipelines
from eval.datasets.spans import Stretch
from eval.measures.metrics import Judged
from eval.runs.collection import Label
from services.orchestrator.core.config import MAX_LIST, QueryConfig
from services.orchestrator.core.pipeline import Pipeline, pipeline_of
from services.orchestrator.core.replay import replayed
from services.orchestrator.core.trace import StageTrace, Trace
from shared.candidate import Candidate

_CONFIG = TypeAdapter(QueryConfig)
_PIPELINE = Path(pipelines.__file__).resolve().parents[1] / "pipeline.toml"


def read_pipeline() -> Pipeline:
    """The pipeline as the orchestrator describes it."""
    return pipeline_of(tomllib.loads(_PIPELINE.read_text(encoding="utf-8")))


def query_config(body: Mapping[str, Any]) -> QueryConfig:
    """The configuration of what the gateway would take. ValueError names what it would refuse."""
    try:
        return _CONFIG.validate_python(body)
    except ValidationError as error:
        first = error.errors()[0]
        raise ValueError(f"config.{'.'.join(map(str, first['loc']))}: {first['msg']}") from error


def stages_under(trace: Trace, pipeline: Pipeline, body: Mapping[str, Any]) -> tuple[StageTrace, ...]:
    """Every stage of a recorded trace replayed under another configuration, its final list uncut."""
    whole = {**body, "select": {**body.get("select", {}), "limit": MAX_LIST}}
    return replayed(trace, pipeline, query_config(whole))


def list_of(stages: Sequence[StageTrace], stage_id: str = "") -> tuple[Candidate, ...]:
    """The list of a stage, or of the last one. KeyError for a stage that did not run."""
    if not stage_id:
        return stages[-1].candidates
    return {stage.plan.id: stage.candidates for stage in stages}[stage_id]


def judged(candidates: Sequence[Candidate], labels: Sequence[Label]) -> Judged:
    """A ranking with the labels that each passage holds.

    Where labels are whole documents, a document counts once, at its best passage.
    """
    if any(label.whole for label in labels):
        best: dict[str, Candidate] = {}
        for candidate in candidates:
            best.setdefault(candidate.span.document_id, candidate)
        candidates = tuple(best.values())
    return Judged(
        covered=tuple(held(candidate, labels) for candidate in candidates),
        grades={label.id: label.grade for label in labels},
    )


def held(candidate: Candidate, labels: Sequence[Label]) -> frozenset[str]:
    """Ids of the labels of which a passage holds at least half."""
    span = Stretch(candidate.span.start, candidate.span.end)
    return frozenset(label.id for label in labels if label.held_by(candidate.span.document_id, span))
