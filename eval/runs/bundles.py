"""What would another configuration have made of a recorded question? Read from a file, without a model."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from eval.datasets.suite import SuiteError
from eval.runs.judging import query_config, read_pipeline
from services.orchestrator.core.assembly import context_to_json, packed_if_open
from services.orchestrator.core.bundle import ID_DIGITS, bundle_of, trace_of
from services.orchestrator.core.config import QueryConfig
from services.orchestrator.core.gate import decide
from services.orchestrator.core.replay import replayed
from services.orchestrator.core.token_bound import token_bound
from services.orchestrator.core.trace import Trace, config_to_json
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
    """The trace under another configuration, as a trace of its own: nothing was asked and nothing took time.

    Tokens are counted as where no model is at hand. SuiteError for a configuration that cannot be planned.
    """
    try:
        config = query_config(body)
        stages = replayed(trace, read_pipeline(), config)
    except (ValueError, TypeError, SightlineError) as error:
        raise SuiteError(f"the configuration cannot be used: {error}") from error
    kept = stages[-1].candidates
    decision = decide(kept, config.gate, trace.question)
    packed = packed_if_open(decision, kept, config.select.budget_tokens, token_bound)
    return replace(
        trace,
        trace_id=_derived_id(trace, config),
        config=config,
        plan=tuple(stage.plan for stage in stages),
        stages=stages,
        notes=tuple(f"{stage.plan.id}: {stage.error}" for stage in stages if stage.error is not None),
        timings_ms={},
        ledger={},
        context=context_to_json(decision, packed),
        answer=None,
        conversation_id=None,
        replay_of=trace.trace_id,
    )


def _derived_id(trace: Trace, config: QueryConfig) -> str:
    """The same id for the same trace under the same configuration."""
    key = json.dumps([trace.trace_id, config_to_json(config)], sort_keys=True)
    return f"trc_{hashlib.sha256(key.encode()).hexdigest()[:ID_DIGITS]}"


def moved(before: Trace, after: Trace, most: int = 10) -> Sequence[Sequence[str]]:
    """The first passages after the replay, with the rank that each had before."""
    ranks = {c.chunk_id: str(rank) for rank, c in enumerate(before.candidates, start=1)}
    rows: Sequence[Sequence[str]] = [
        (str(rank), ranks.get(c.chunk_id, "-"), c.source.title, " ".join(c.text.split())[:60])
        for rank, c in enumerate(after.candidates[:most], start=1)
    ]
    return (("now", "before", "document", "passage"), *rows)
