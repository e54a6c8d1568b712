"""Do tables say what a result holds, in the terminal and in the documentation?"""

from typing import Any

import pytest

from eval.printing import said
from eval.reporting import reading_tables, tables
from eval.reporting.cells import markdown, plain
from tests.unit.eval.result_samples import interval, result


def growth() -> dict[str, Any]:
    latency = {"p50": 1.6, "p95": 2.4, "p99": 30.5}
    step = {
        "chunks": 10_000,
        "ingest_s": 61.7,
        "latency_ms": {"lexical": latency, "vector": latency, "total": latency},
        "memory_mib": {"total": 900.4},
    }
    return {"steps": [step]}


def parsers() -> dict[str, Any]:
    measures = ("word_precision", "word_recall", "reading_order", "cell_precision", "cell_recall", "cell_f1")
    return {
        "formats": [{"format": "pdf", "documents": 9, **dict.fromkeys(measures, 0.98765), "cell_f1": None}]
    }


def beir() -> dict[str, Any]:
    names = ("ndcg@10", "recall@10", "recall@50", "mrr@10")
    return {"rows": [{"name": "rrf", "words": "both", "metrics": dict.fromkeys(names, interval(0.5))}]}


def graded() -> dict[str, Any]:
    rates = ("passed", "complete_of_answerable", "cited_of_answerable", "bleed", "false_refusals")
    answers = dict.fromkeys(rates, interval(0.25))
    plain = {"name": "rrf", "words": "both"}
    return {"rows": [plain, {"name": "rerank", "words": "as shipped", "chunks": 3249, "answers": answers}]}


def side_by_side() -> dict[str, Any]:
    measures = ("word_recall", "word_precision", "reading_order", "cell_f1", "tree_labels", "printed_labels")
    row = {"set": "tables", "parser": "flat", "documents": 3, **dict.fromkeys(measures, interval(0.5))}
    return {"comparison": [row, {**row, "set": "columns", "tree_labels": None}]}


def throughput() -> dict[str, Any]:
    return {
        "files": 3,
        "pages": 1200,
        "rounds": [{}, {}],
        "machine": {"cpu": "x", "cores": 2},
        "ours_pages_per_s": 20.04,
        "plain_pages_per_s": 10.0,
        "ratio": {"median": 2.004, **interval(2.0)},
    }


def welds() -> dict[str, Any]:
    kinds = [{"name": "lower case", "n": 40, "found": interval(0.9)}]
    return {"kinds": kinds, "prose": {"n": 65, "changed": interval(0.0)}}


SAMPLES = {
    "beir": beir,
    "graded": graded,
    "growth": growth,
    "parsers": parsers,
    "side-by-side": side_by_side,
    "throughput": throughput,
    "welds": welds,
}


@pytest.mark.parametrize("name", sorted(tables.TABLES))
def test_every_table_is_as_wide_as_its_head(name: str) -> None:
    cells = tables.TABLES[name](SAMPLES.get(name, result)())
    assert len(cells) > 1
    assert {len(row) for row in cells} == {len(cells[0])}


def test_answers_are_told_of_the_rows_that_were_graded() -> None:
    _, row = tables.graded(graded())
    assert row[:4] == ("rerank", "as shipped", "3,249", "0.250 [0.150, 0.350]")


def test_ablation_tells_the_change_against_the_named_row() -> None:
    _, keywords, rrf = tables.ablation(result())
    assert keywords == ("keywords", "BM25 alone", "0.500 [0.500, 0.500]", *["0.500"] * 3, "", "", "")
    assert rrf[:2] == ("rrf", "both lists (against keywords)")
    assert rrf[6].startswith("+0.250 [+0.1")
    assert rrf[8] == "better"


def test_what_could_not_be_seen_is_told_with_what_could() -> None:
    rrf = tables.ablation(result((1.0, 0.0)))[2]
    assert rrf[8].startswith("underpowered (could have seen 0.")


def test_stages_that_lose_most_come_first() -> None:
    assert tables.failures(result()) == (
        ("lost in", "questions", "share"),
        ("gate", "5", "12.5%"),
        ("retrieval", "4", "10.0%"),
        ("fusion", "0", "0.0%"),
    )


def test_kinds_are_words_with_their_number() -> None:
    head, cross, _ = tables.kinds(result())
    assert head == ("kind", "questions", "keywords nDCG@10", "rrf nDCG@10")
    assert cross == ("cross document", "10", "0.500", "1.000")


def test_signal_without_a_threshold_is_no_row() -> None:
    _, *rows = tables.gate(result())
    assert [row[0] for row in rows] == ["cosine"]
    assert rows[0][3] == "0.571"


def test_numbers_are_rounded_and_sizes_parted() -> None:
    assert tables.latency(result())[1] == ("total", "1234", "2346", "3457")
    assert tables.growth(growth())[1] == ("10,000", *["2", "2", "30"] * 3, "900", "62")
    assert reading_tables.parsers(parsers())[1] == ("pdf", "9", *["0.988"] * 5, "")


def test_parsers_stand_beside_each_other_set_by_set() -> None:
    _, columns, table = reading_tables.side_by_side(side_by_side())
    assert columns[:4] == ("columns", "flat", "3", "0.500 [0.400, 0.600]")
    assert (columns[7], table[0]) == ("", "tables")


def test_throughput_and_welds_are_told_with_their_numbers() -> None:
    assert reading_tables.throughput(throughput())[1][:7] == ("3", "1200", "2", "2", "20.0", "10.0", "2.00")
    assert reading_tables.welds(welds())[1] == ("lower case, found", "40", "0.900 [0.800, 1.000]")


def test_file_that_a_parser_refuses_is_called_so() -> None:
    read = {"share": 0.5, "strings": 1, "refused": ""}
    refused = {"share": None, "strings": 0, "refused": "damaged"}
    rows = [{"file": "a.pdf", "strings": 2, "parsers": {"ours": read, "flat": refused}}]
    assert reading_tables.recovery(rows)[1] == ("a.pdf", "0.500", "refused", "1/2", "0/2")


def test_manifest_lists_what_lacks_something() -> None:
    results: list[dict[str, Any]] = [
        {"file": "a.pdf", "passed": ["x", "y"], "failed": [], "refused": None},
        {"file": "b.pdf", "passed": ["z"], "failed": ["order"], "refused": "scanned"},
    ]
    assert reading_tables.manifest(results)[1:] == (
        ("b.pdf", "order; scanned"),
        ("1 of 2 files", "all is there; 3 strings hold"),
    )


def test_plain_table_is_columns_under_a_line() -> None:
    assert plain((("row", "x"), ("a", "0.5"), ("longer", ""))) == (
        "row     x\n---------\na       0.5\nlonger"
    )


def test_markdown_table_has_pipes() -> None:
    assert markdown((("row", "x"), ("a", "0.5"))) == "| row | x |\n| --- | --- |\n| a | 0.5 |"


def test_result_is_said_with_every_table_that_it_has() -> None:
    words = said(result())
    assert words.startswith("A port: 40 questions (development half), 88 documents, 3249 chunks")
    for head in ("row", "kind", "lost in", "measure", "signal", "stage"):
        assert f"\n\n{head} " in words
    bare = {name: value for name, value in result().items() if name not in ("failures", "answers", "risk")}
    assert "lost in" not in said(bare)
