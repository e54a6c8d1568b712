"""Which stages will run for a configuration, and what does each read? Known before any result."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from services.orchestrator.core.config import QueryConfig, require_supported, value_at
from services.orchestrator.core.trace import StagePlan
from shared.errors import InvalidInput

KINDS = ("retrieve", "fuse", "rerank", "select")


@dataclass(frozen=True, slots=True, kw_only=True)
class StageSpec:
    """One stage as the pipeline's description has it.

    `service` answers for it ("": the orchestrator itself); `when` maps paths of the configuration to the
    values under which it runs; `limit` is the path of its limit, `params` are paths shown in the trace.
    """

    plan: StagePlan
    service: str = ""
    when: Mapping[str, Any] = field(default_factory=dict)
    limit: str = ""
    params: tuple[str, ...] = ()

    def enabled(self, config: QueryConfig) -> bool:
        """Whether the configuration wants this stage."""
        return all(value_at(config, path) == value for path, value in self.when.items())

    def limit_of(self, config: QueryConfig) -> int:
        """The stage's limit; 0 where it has none of its own."""
        return int(str(value_at(config, self.limit))) if self.limit else 0

    def params_of(self, config: QueryConfig) -> dict[str, Any]:
        """What of the configuration the stage was run with, by the last part of each path."""
        values = ((path.rpartition(".")[2], value_at(config, path)) for path in self.params)
        return {name: dict(v) if isinstance(v, Mapping) else v for name, v in values}


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Every stage that there is, each after those that it reads."""

    specs: tuple[StageSpec, ...]

    def spec(self, stage_id: str) -> StageSpec:
        """The stage of an id. KeyError without one."""
        for spec in self.specs:
            if spec.plan.id == stage_id:
                return spec
        raise KeyError(stage_id)

    def planned(self, config: QueryConfig) -> tuple[StagePlan, ...]:
        """The stages that run, in order; a stage that is off is replaced by what it would have read.

        Raises InvalidInput for an option that does not work yet, for weights of unknown lists, and when
        no list is left to search.
        """
        require_supported(config)
        self._require_known_weights(config)
        stands_for: dict[str, tuple[str, ...]] = {}
        plans: list[StagePlan] = []
        for spec in self.specs:
            inputs = _distinct(i for name in spec.plan.inputs for i in stands_for[name])
            if not spec.enabled(config):
                stands_for[spec.plan.id] = inputs
                continue
            stands_for[spec.plan.id] = (spec.plan.id,)
            plan = spec.plan
            plans.append(StagePlan(plan.id, plan.name, plan.label, plan.kind, inputs))
        if not any(plan.kind == "retrieve" for plan in plans):
            switches = [path for s in self.specs if s.plan.kind == "retrieve" for path in s.when]
            raise InvalidInput(
                f"config: every list is switched off; set one of {', '.join(switches)} to true"
            )
        return tuple(plans)

    def _require_known_weights(self, config: QueryConfig) -> None:
        known = [spec.plan.name for spec in self.specs if spec.plan.kind == "retrieve"]
        for name in config.fusion.weights:
            if name not in known:
                raise InvalidInput(
                    f"config.fusion.weights: there is no list {name!r}; there is {', '.join(known)}"
                )


def pipeline_of(description: Mapping[str, Any]) -> Pipeline:
    """The pipeline of a parsed description: tables `stage`, each with id, label, kind and what else it needs.

    Raises ValueError for an unknown key or kind, a repeated id, or an input that does not come before.
    """
    specs: list[StageSpec] = []
    for table in description["stage"]:
        unknown = set(table) - {"id", "label", "kind", "inputs", "service", "when", "limit", "params"}
        if unknown:
            raise ValueError(f"stage {table.get('id')}: unknown key {', '.join(sorted(unknown))}")
        earlier = {spec.plan.id for spec in specs}
        stage_id, inputs = table["id"], tuple(table.get("inputs", ()))
        if stage_id in earlier or not set(inputs) <= earlier:
            raise ValueError(f"stage {stage_id}: its id is taken or an input does not come before it")
        if table["kind"] not in KINDS:
            raise ValueError(f"stage {stage_id}: kind {table['kind']!r} is none of {', '.join(KINDS)}")
        spec = StageSpec(
            plan=StagePlan(stage_id, stage_id.partition(":")[0], table["label"], table["kind"], inputs),
            service=table.get("service", ""),
            when=table.get("when", {}),
            limit=table.get("limit", ""),
            params=tuple(table.get("params", ())),
        )
        _require_paths(spec)
        specs.append(spec)
    return Pipeline(tuple(specs))


def _require_paths(spec: StageSpec) -> None:
    for path in (*spec.when, *spec.params, *([spec.limit] if spec.limit else [])):
        try:
            value_at(QueryConfig(), path)
        except AttributeError:
            raise ValueError(f"stage {spec.plan.id}: the configuration has no {path}") from None


def _distinct(ids: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(ids))
