"""Is a recorded ranking replayed as it was, and judged by the labels that its passages hold?"""

from typing import Any

import pytest

from eval.datasets.spans import Stretch
from eval.runs.judging import held, judged, list_of, query_config, read_pipeline, stages_under
from services.orchestrator.core.config import QueryConfig
from services.orchestrator.core.trace import Trace, config_to_json, trace_to_json
from services.orchestrator.core.trace_reading import trace_from_json
from shared.candidate import ScoreType
from tests.unit.eval.run_samples import PASSAGES, label, listed, passage, trace
from tests.unit.orchestrator.engine_fakes import World

NO_RERANK = {"rerank": {"kind": "none"}}


def ids(trace: Trace, body: dict[str, Any], stage: str = "") -> list[str]:
    found = list_of(stages_under(trace, read_pipeline(), body), stage)
    return [candidate.chunk_id for candidate in found]


def test_configuration_is_that_of_the_gateway() -> None:
    body = {"fusion": {"k": 10}, "gate": {"thresholds": {"COSINE": 0.4}}}
    config = query_config(body)
    assert (config.fusion.k, config.gate.thresholds) == (10, {ScoreType.COSINE: 0.4})
    assert query_config(config_to_json(QueryConfig())) == QueryConfig()


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"fusion": {"kk": 10}}, r"fusion\.kk"),
        ({"fuse": {"k": 10}}, r"fuse"),
        ({"fusion": 10}, "fusion"),
        ({"fusion": {"k": "many"}}, r"fusion\.k"),
        ([], "config"),
        ({"gate": {"thresholds": {"SMELL": 1}}}, "SMELL"),
    ],
)
def test_configuration_that_the_gateway_refuses_is_refused(body: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        query_config(body)


@pytest.mark.parametrize(
    "config",
    [
        {},
        {"vector": {"enabled": False}, "rerank": {"kind": "none"}},
        {"fusion": {"kind": "weighted", "weights": {"lexical": 0.25}}},
        {"rerank": {"depth": 1}, "fusion": {"k": 1}},
    ],
)
async def test_search_replayed_under_its_own_configuration_gives_its_own_lists(
    config: dict[str, Any],
) -> None:
    found = await World().engine().search("How long are audit records kept?", query_config(config), "default")
    recorded = trace_from_json(trace_to_json(found))
    again = stages_under(recorded, read_pipeline(), config)
    assert [stage.plan for stage in again] == [stage.plan for stage in found.stages]
    for stage, was in zip(again, found.stages, strict=True):
        assert [c.chunk_id for c in stage.candidates] == [c.chunk_id for c in was.candidates]
        assert [c.last.score for c in stage.candidates] == [c.last.score for c in was.candidates]


def test_other_configuration_gives_other_lists_and_none_is_cut() -> None:
    scores = {chunk_id: 9.0 - n for n, chunk_id in enumerate(PASSAGES)}
    falling = {chunk_id: float(n) / 10 for n, chunk_id in enumerate(PASSAGES)}
    recorded = trace(scores, falling, falling)
    assert ids(recorded, {"vector": {"enabled": False}, **NO_RERANK}) == list(PASSAGES)
    assert ids(recorded, {"lexical": {"enabled": False}, **NO_RERANK}) == list(reversed(PASSAGES))
    assert ids(recorded, {"select": {"limit": 2}}, "rerank") == list(reversed(PASSAGES))
    assert len(ids(recorded, {"select": {"limit": 2}})) == len(PASSAGES)


def test_stage_that_did_not_run_has_no_list() -> None:
    recorded = trace({"chk_0": 1.0}, {"chk_1": 0.5}, {"chk_0": 0.1, "chk_1": 0.9})
    with pytest.raises(KeyError, match="rerank"):
        ids(recorded, NO_RERANK, "rerank")


def test_each_passage_is_seen_with_the_labels_that_it_holds() -> None:
    ranking = [passage(chunk_id) for chunk_id in ("chk_2", "chk_0", "chk_1")]
    labels = [label("q", "chk_0"), label("q", "chk_1"), label("q", "chk_5")]
    seen = judged(ranking, labels)
    assert [sorted(ids) for ids in seen.covered] == [[], ["q#chk_0"], ["q#chk_1"]]
    assert seen.grades == {"q#chk_0": 1.0, "q#chk_1": 1.0, "q#chk_5": 1.0}


def test_label_over_two_passages_is_held_by_the_one_with_half_of_it() -> None:
    over_both = label("q", "chk_0", places=(Stretch(15, 45),))
    assert held(passage("chk_0"), [over_both]) == {"q#chk_0"}
    assert held(passage("chk_1"), [over_both]) == frozenset()
    assert held(passage("chk_2"), [over_both]) == frozenset()


def test_document_counts_once_at_its_best_passage() -> None:
    labels = [label("q", "chk_0", whole=True, grade=2.0), label("q", "chk_4", whole=True)]
    order = {"chk_0": 9.0, "chk_2": 8.0, "chk_3": 7.0, "chk_1": 6.0, "chk_4": 5.0}
    seen = judged(listed("lexical", ScoreType.BM25, order), labels)
    assert [sorted(ids) for ids in seen.covered] == [["q#chk_0"], [], ["q#chk_4"]]
    assert seen.grades == {"q#chk_0": 2.0, "q#chk_4": 1.0}
