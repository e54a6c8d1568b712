"""What is a run of the evaluation, where does it put its documents, and what sets two runs apart?"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from services.orchestrator.core.records import Reason
from shared.errors import SightlineError, mapping_of

WORKSPACE_PREFIX = "eval-"
SUITE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,59}")
# The half of a suite that is only looked at as a whole.
HELD_OUT = "held_out"
FINISHED = ("done", "failed", "cancelled")


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalRun:
    """`state` is queued, running, done, failed or cancelled; `progress` 0..1; `every` 2: each second
    question; `config` is the whole configuration as JSON; `metrics` are those of the result, by name."""

    id: str
    suite: str
    split: str
    config: Mapping[str, Any]
    created_ms: int
    name: str = ""
    every: int = 1
    state: str = "queued"
    progress: float = 0.0
    stage: str = ""
    reason: Reason | None = None
    started_ms: int | None = None
    finished_ms: int | None = None
    metrics: Mapping[str, Any] = field(default_factory=dict)

    @property
    def finished(self) -> bool:
        """Whether nothing more will happen to it."""
        return self.state in FINISHED

    @property
    def workspace(self) -> str:
        """Where its documents and traces are."""
        return WORKSPACE_PREFIX + self.suite


def is_eval_workspace(name: str) -> bool:
    """Whether a run may ask for this workspace."""
    return name.startswith(WORKSPACE_PREFIX) and is_suite_name(name.removeprefix(WORKSPACE_PREFIX))


def is_suite_name(name: object) -> bool:
    """Whether it can be part of a workspace's name."""
    return isinstance(name, str) and SUITE_NAME.fullmatch(name) is not None


def differing(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The settings that differ, by dotted key, with both values; None where one does not have the key."""
    old, new = dict(_flat("", before)), dict(_flat("", after))
    return [
        {"key": key, "before": old.get(key), "after": new.get(key)}
        for key in sorted({*old, *new})
        if old.get(key) != new.get(key)
    ]


def trace_ids_of(result: Mapping[str, Any]) -> frozenset[str]:
    """Every trace that the questions of a result name."""
    return frozenset(_trace_ids(result.get("questions")))


def reason_for(error: SightlineError) -> Reason:
    """Why a run failed, as jobs have it."""
    mapping = mapping_of(error)
    return Reason(mapping.slug, mapping.title, mapping.http_status, str(error))


def _flat(prefix: str, value: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, member in value.items():
        if isinstance(member, Mapping):
            yield from _flat(f"{prefix}{name}.", member)
        else:
            yield f"{prefix}{name}", member


def _trace_ids(value: Any) -> Iterator[str]:
    if isinstance(value, list):
        for item in value:
            yield from _trace_ids(item)
    elif isinstance(value, Mapping):
        for name, member in value.items():
            if name == "trace_id" and isinstance(member, str):
                yield member
            elif name == "trace_ids" and isinstance(member, list):
                yield from (i for i in member if isinstance(i, str))
            else:
                yield from _trace_ids(member)
