"""Is every row measured over the same questions, and held against the row that it names?"""

import json
from dataclasses import replace

import pytest

from eval.measures.statistics import Verdict
from eval.reporting import tables
from eval.reporting.cells import plain
from eval.runs.ablation import KEPT, Asked, metrics_of, orders_of, table, values_of
from eval.runs.judging import read_pipeline
from eval.runs.rows import FULL, HASH, NO_RERANK, QUICK, SHIPPED, Row
from tests.unit.eval.run_samples import asked, label, question, trace

KEYWORDS = Row(name="keywords", words="", config={"vector": {"enabled": False}, **NO_RERANK})
VECTORS = Row(
    name="vectors", words="", against="keywords", config={"lexical": {"enabled": False}, **NO_RERANK}
)
READ = Row(name="read", words="", stage="rerank")
FOUND = trace(
    {"chk_0": 9.0, "chk_1": 8.0, "chk_2": 7.0},
    {"chk_3": 0.9, "chk_0": 0.8},
    {"chk_0": 0.1, "chk_1": 0.2, "chk_2": 0.9, "chk_3": 0.3},
)


def sample() -> Asked:
    return asked(
        (question("first"), [label("first", "chk_0")], FOUND, {}),
        (question("second", "table"), [label("second", "chk_2")], FOUND, {}),
        (question("none", "near_miss"), [], FOUND, {}),
    )


def test_each_answerable_question_is_measured_under_a_row() -> None:
    by_row = {row.name: values_of(row, sample(), read_pipeline()) for row in (KEYWORDS, VECTORS, READ)}
    assert {name: set(values) for name, values in by_row.items()} == {
        name: {"first", "second"} for name in ("keywords", "vectors", "read")
    }
    assert [by_row[name]["first"]["mrr@10"] for name in by_row] == [1.0, 0.5, 0.25]
    assert [by_row[name]["second"]["mrr@10"] for name in by_row] == [1 / 3, 0.0, 1.0]
    assert by_row["keywords"]["second"]["recall@1"] == 0.0
    assert by_row["keywords"]["second"]["recall@5"] == 1.0
    assert set(by_row["keywords"]["first"]) == set(KEPT)


def test_order_of_every_question_is_digested_unanswerable_ones_too() -> None:
    orders = orders_of(KEYWORDS, sample(), read_pipeline())
    assert set(orders) == {"first", "second", "none"}
    assert len(set(orders.values())) == 1
    assert orders["first"] != orders_of(VECTORS, sample(), read_pipeline())["first"]


def test_order_is_another_when_the_last_rank_moves() -> None:
    moved = trace(
        {"chk_0": 9.0, "chk_1": 7.0, "chk_2": 8.0},
        {"chk_0": 0.8},
        dict.fromkeys(["chk_0", "chk_1", "chk_2"], 0.1),
    )
    same = trace(
        {"chk_0": 99.0, "chk_1": 7.5, "chk_2": 7.0},
        {"chk_0": 0.8},
        dict.fromkeys(["chk_0", "chk_1", "chk_2"], 0.1),
    )
    before, after, rescored = (
        orders_of(KEYWORDS, asked((question("q"), [], found, {})), read_pipeline())
        for found in (FOUND, moved, same)
    )
    assert before != after
    assert before == rescored


def test_row_is_held_against_the_row_that_it_names() -> None:
    ids = [f"q{n:02}" for n in range(20)]
    right, wrong = dict.fromkeys(KEPT, 1.0), dict.fromkeys(KEPT, 0.0)
    values = {"keywords": dict.fromkeys(ids, wrong), "vectors": dict.fromkeys(ids, right)}
    kinds = dict.fromkeys(ids[:5], "table") | dict.fromkeys(ids[5:], "exact")
    keywords, vectors = table([KEYWORDS, VECTORS], values, kinds)
    assert keywords["comparison"] is None
    assert vectors["comparison"]["verdict"] is Verdict.BETTER
    assert vectors["comparison"]["difference"]["mean"] == 1.0
    assert vectors["metrics"]["ndcg@10"] == {"mean": 1.0, "low": 1.0, "high": 1.0}
    assert vectors["kinds"] == {
        "exact": {"n": 15, "ndcg@10": 1.0, "recall@5": 1.0},
        "table": {"n": 5, "ndcg@10": 1.0, "recall@5": 1.0},
    }
    assert json.loads(json.dumps(vectors))["comparison"]["verdict"] == "better"


def test_p_is_adjusted_over_the_compared_rows() -> None:
    ids = [f"q{n}" for n in range(6)]
    values = {
        "keywords": {i: dict.fromkeys(KEPT, 0.0) for i in ids},
        "vectors": {i: dict.fromkeys(KEPT, 1.0) for i in ids},
        "again": {i: dict.fromkeys(KEPT, 1.0) for i in ids},
    }
    kinds = dict.fromkeys(ids, "exact")
    alone = table([KEYWORDS, VECTORS], values, kinds)[1]["comparison"]
    beside = table([KEYWORDS, VECTORS, replace(VECTORS, name="again")], values, kinds)[1]["comparison"]
    assert (alone["p"], alone["p_adjusted"]) == (beside["p"], 2 / 64)
    assert beside["p_adjusted"] == 4 / 64


def test_row_of_a_few_questions_is_json_and_can_be_shown() -> None:
    values = {"keywords": {"a": dict.fromkeys(KEPT, 0.0)}, "vectors": {"a": dict.fromkeys(KEPT, 1.0)}}
    rows = json.loads(json.dumps(table([KEYWORDS, VECTORS], values, {"a": "exact"}), allow_nan=False))
    assert rows[1]["comparison"]["mde"] is None
    assert "underpowered (too few questions)" in plain(tables.ablation({"rows": rows}))


def test_order_of_questions_plays_no_part() -> None:
    values = {f"q{n}": dict.fromkeys(KEPT, (n * 7 % 10) / 10) for n in range(10)}
    assert metrics_of(values) == metrics_of(dict(sorted(values.items(), key=lambda item: item[1]["mrr@10"])))


@pytest.mark.parametrize("rows", [QUICK, FULL, HASH])
def test_row_stands_after_the_one_that_it_is_held_against(rows: tuple[Row, ...]) -> None:
    names = [row.name for row in rows]
    assert len(set(names)) == len(names)
    assert [row.name for n, row in enumerate(rows) if row.against and row.against not in names[:n]] == []
    assert len({row.ingest.embedder for row in rows}) == 1


@pytest.mark.parametrize("row", FULL, ids=lambda row: row.name)
def test_row_is_one_decision(row: Row) -> None:
    against = next((other for other in FULL if other.name == row.against), None)
    assert (against is None) == (row.name == FULL[0].name)
    if against is not None:
        changed = [row.config != against.config, row.ingest != against.ingest, row.stage != against.stage]
        assert any(changed)
        assert not (changed[0] and changed[1])


def test_shipped_row_is_the_defaults() -> None:
    (shipped,) = (row for row in QUICK if row.name == SHIPPED)
    assert (dict(shipped.config), shipped.stage, shipped.ingest) == ({}, "", KEYWORDS.ingest)
    assert {row.ingest.embedder for row in HASH} == {"hash"}
    assert not any(row.reads for row in HASH)
