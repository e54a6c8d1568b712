"""What would another configuration have made of a recorded question? Read from a file, without a model."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from eval.datasets.suite import SuiteError
from eval.runs.judging import query_config, read_pipeline
from services.orchestrator.core.bundle import bundle_of, trace_of
from services.orchestrator.core.gate import decide
from services.orchestrator.core.replay import replayed
from services.orchestrator.core.trace import Trace
from shared.errors import SightlineError

WORKSPACE = "default"


def read_bundle(path: Path) -> Trace:
    """The trace in a bundle. SuiteError for a file that is none or was changed."""
    try:
        return trace_of(json.loads(path.read_text(encoding="utf-8")), WORKSPACE)
    except (OSError, ValueError, LookupError, TypeError, AttributeError, SightlineError) as error:
        raise SuiteError(f"{path} is no replay bundle that can be read: {error}") from error


def write_bundle(path: Path, trace: Trace) -> None:
    """Writes a trace as a bundle; no service is asked about its models."""
    path.write_text(json.dumps(bundle_of(trace, read_pipeline(), {}), ensure_ascii=False), encoding="utf-8")


def replay(trace: Trace, body: Mapping[str, Any]) -> Trace:
    """The trace under another configuration. SuiteError for one that cannot be planned."""
    try:
        config = query_config(body)
        stages = replayed(trace, read_pipeline(), config)
    except (ValueError, TypeError, SightlineError) as error:
        raise SuiteError(f"the configuration cannot be used: {error}") from error
    decision = decide(stages[-1].candidates, config.gate, trace.question)
    return replace(
        trace,
        config=config,
        plan=tuple(stage.plan for stage in stages),
        stages=stages,
        context={"gate": {"open": decision.open, "reason": decision.words}},
        answer=None,
        replay_of=trace.trace_id,
    )


def moved(before: Trace, after: Trace, most: int = 10) -> Sequence[Sequence[str]]:
    """The first passages after the replay, with the rank that each had before."""
    ranks = {c.chunk_id: str(rank) for rank, c in enumerate(before.candidates, start=1)}
    rows: Sequence[Sequence[str]] = [
        (str(rank), ranks.get(c.chunk_id, "-"), c.source.title, " ".join(c.text.split())[:60])
        for rank, c in enumerate(after.candidates[:most], start=1)
    ]
    return (("now", "before", "document", "passage"), *rows)
