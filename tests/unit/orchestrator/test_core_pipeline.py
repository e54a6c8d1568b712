"""Is the plan known before the results, and right for every configuration?"""

from typing import Any

import pytest

from services.orchestrator.core.config import (
    NOT_YET,
    FusionConfig,
    ListConfig,
    QueryConfig,
    RerankConfig,
)
from services.orchestrator.core.pipeline import pipeline_of
from services.orchestrator.core.trace_reading import config_from_json
from services.orchestrator.wiring import read_pipeline
from shared.errors import InvalidInput


def inputs(config: QueryConfig) -> dict[str, tuple[str, ...]]:
    return {p.id: p.inputs for p in read_pipeline().planned(config)}


def test_default_plan_reads_both_lists() -> None:
    assert inputs(QueryConfig()) == {
        "lexical": (),
        "vector": (),
        "fuse": ("lexical", "vector"),
        "rerank": ("fuse",),
        "fuse:2": ("fuse", "rerank"),
        "select": ("fuse:2",),
    }


def test_stage_that_is_off_is_replaced_by_what_it_would_have_read() -> None:
    config = QueryConfig(vector=ListConfig(enabled=False), rerank=RerankConfig(kind="none"))
    assert inputs(config) == {"lexical": (), "fuse": ("lexical",), "select": ("fuse",)}


def test_no_list_left_is_invalid_and_names_the_switches() -> None:
    config = QueryConfig(lexical=ListConfig(enabled=False), vector=ListConfig(enabled=False))
    with pytest.raises(InvalidInput, match=r"lexical\.enabled, vector\.enabled"):
        inputs(config)


def test_weight_of_an_unknown_list_is_invalid() -> None:
    with pytest.raises(InvalidInput, match=r"fusion\.weights.*'bm25'"):
        inputs(QueryConfig(fusion=FusionConfig(weights={"bm25": 1})))


@pytest.mark.parametrize(("path", "value"), list(NOT_YET))
def test_option_that_does_not_work_yet_is_invalid_and_named(path: str, value: Any) -> None:
    group, key = path.split(".")
    with pytest.raises(InvalidInput, match=path):
        inputs(config_from_json({group: {key: value}}))


def test_params_are_those_of_the_configuration() -> None:
    spec = read_pipeline().spec("fuse")
    assert spec.params_of(QueryConfig(fusion=FusionConfig(k=7))) == {"kind": "rrf", "k": 7, "weights": {}}
    assert read_pipeline().spec("lexical").limit_of(QueryConfig(lexical=ListConfig(limit=9))) == 9


STAGE = {"id": "lexical", "label": "Keywords", "kind": "retrieve"}


@pytest.mark.parametrize(
    "stages",
    [
        [STAGE, STAGE],
        [{**STAGE, "inputs": ["fuse"]}],
        [{**STAGE, "kind": "guess"}],
        [{**STAGE, "surprise": 1}],
        [{**STAGE, "limit": "lexical.depth"}],
        [{**STAGE, "when": {"sparse.enabled": True}}],
    ],
)
def test_wrong_description_is_refused(stages: list[dict[str, Any]]) -> None:
    with pytest.raises(ValueError, match="stage lexical"):
        pipeline_of({"stage": stages})


def test_variant_keeps_the_name_of_its_stage() -> None:
    plan = pipeline_of({"stage": [{**STAGE, "id": "lexical:2"}]}).planned(QueryConfig())
    assert (plan[0].id, plan[0].name) == ("lexical:2", "lexical")
