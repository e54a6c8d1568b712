"""How does a trace come back from its JSON?"""

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from services.orchestrator.core.config import QueryConfig
from services.orchestrator.core.trace import StagePlan, StageTrace, Trace, candidate_from_json
from shared.candidate import ScoreType


def trace_from_json(body: Mapping[str, Any]) -> Trace:
    """The trace that `trace_to_json` wrote."""
    return Trace(
        trace_id=body["trace_id"],
        question=body["question"],
        workspace=body["workspace"],
        generation=body["generation"],
        created_ms=body["created_ms"],
        config=config_from_json(body["config"]),
        plan=tuple(_plan_from_json(p) for p in body["plan"]),
        stages=tuple(_stage_from_json(s) for s in body["stages"]),
        notes=tuple(body["notes"]),
        timings_ms=body["timings_ms"],
        ledger=body["ledger"],
        context=body["context"],
        answer=body["answer"],
        conversation_id=body["conversation_id"],
        replay_of=body["replay_of"],
        redacted=body["redacted"],
        imported=body.get("imported", False),  # not in traces that were stored before there was such a thing
    )


def config_from_json(body: Mapping[str, Any]) -> QueryConfig:
    """The configuration as it was; keys now unknown are left out, new ones keep their defaults."""
    default = QueryConfig()
    groups: dict[str, Any] = {}
    for group in fields(QueryConfig):
        known = {f.name for f in fields(getattr(default, group.name))}
        given = {k: v for k, v in body.get(group.name, {}).items() if k in known}
        if "thresholds" in given:
            given["thresholds"] = {ScoreType(k): v for k, v in given["thresholds"].items()}
        groups[group.name] = replace(getattr(default, group.name), **given)
    return QueryConfig(**groups)


def _plan_from_json(body: Mapping[str, Any]) -> StagePlan:
    return StagePlan(body["id"], body["name"], body["label"], body["kind"], tuple(body["inputs"]))


def _stage_from_json(body: Mapping[str, Any]) -> StageTrace:
    return StageTrace(
        plan=_plan_from_json(body),
        candidates=tuple(candidate_from_json(c) for c in body["candidates"]),
        started_ms=body["started_ms"],
        duration_ms=body["duration_ms"],
        params=body["params"],
        notes=tuple(body["notes"]),
        error=body["error"],
    )
