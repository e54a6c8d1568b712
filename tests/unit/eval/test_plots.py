"""Are pictures the same for the same result, do they say what it says, and is an old one noticed?"""

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import matplotlib
import pytest

from eval.reporting.pictures import PICTURES, draw, stale
from eval.reporting.plots import DRAWINGS, svg


def interval(mean: float) -> dict[str, float]:
    return {"mean": mean, "low": mean - 0.05, "high": mean + 0.05}


def row(name: str, mean: float, verdict: str = "") -> dict[str, Any]:
    return {
        "name": name,
        "words": f"words of {name}",
        "against": "keywords" if verdict else "",
        "metrics": {"ndcg@10": interval(mean)},
        "comparison": {"difference": interval(mean - 0.5), "verdict": verdict} if verdict else None,
        "values": {"one": {}, "two": {}},
    }


def signal(area: float) -> dict[str, Any]:
    curve = [
        {"threshold": -share, "coverage": share, "risk": interval(share / 2)} for share in (0.1, 0.6, 1.0)
    ]
    return {"aurc": interval(area), "curve": curve}


def suite() -> dict[str, Any]:
    return {
        "suite": "golden",
        "split": "held_out",
        "date": "2026-11-30",
        "questions": 40,
        "documents": 5,
        "chunks": 1234,
        "rows": [row("keywords", 0.5), row("rerank", 0.6, "better"), row("worst", 0.4, "worse")],
        "failures": {"parsing": 0, "retrieval": 12, "fusion": 3, "gate": 2, "answering": 7},
        "risk": {"good": signal(0.1), "worst": signal(0.4), "fair": signal(0.2), "poor": signal(0.3)},
    }


def grown() -> dict[str, Any]:
    services = ("total", "ingest", "vector-index", "lexical-index", "rerank")
    return {
        "date": "2026-11-30",
        "queries": 200,
        "machine": {"cpu": "a processor", "cores": 2},
        "steps": [
            {
                "chunks": chunks,
                "latency_ms": {
                    s: {"p50": chunks / 90, "p95": chunks / 50} for s in ("lexical", "vector", "total")
                },
                "memory_mib": dict.fromkeys(services, chunks / 7),
            }
            for chunks in (1_000, 10_000)
        ],
    }


def said(picture: str) -> list[str]:
    """The words of a picture: each outline of a text is preceded by the text as a comment."""
    return re.findall(r"<!-- (.*?) -->", picture)


@pytest.mark.parametrize("name", DRAWINGS)
def test_equal_results_give_equal_bytes_without_a_date(name: str) -> None:
    first, second = (svg(name, grown() if name == "growth" else suite(), "of this result") for _ in range(2))
    assert first == second
    assert "<dc:date>" not in first
    ElementTree.fromstring(first)


def test_a_persons_own_settings_change_nothing() -> None:
    before = svg("failures", suite(), "")
    with matplotlib.rc_context({"font.size": 30.0, "lines.linewidth": 9.0}):
        assert svg("failures", suite(), "") == before
        assert matplotlib.rcParams["font.size"] == 30.0


def test_ablation_names_each_row_with_what_it_is_held_against_and_the_verdict() -> None:
    words = said(svg("ablation", suite(), ""))
    assert {"keywords", "words of rerank", "against keywords", "better", "worse"} <= set(words)
    assert words.count("against keywords") == 2
    assert any("nDCG@10 over 2 questions" in line for line in words)
    assert any("golden, held-out half; 5 documents, 1,234 passages" in line for line in words)


def test_failures_are_counted_with_their_share_in_the_order_of_the_stages() -> None:
    words = said(svg("failures", suite(), ""))
    assert [w for w in words if w in suite()["failures"]] == list(suite()["failures"])
    assert "12  (30%)" in words
    assert "Where questions are lost: 24 of 40, each counted at one stage" in words


def test_risk_coverage_shows_the_three_signals_of_the_smallest_areas() -> None:
    words = said(svg("risk_coverage", suite(), ""))
    assert [w for w in words if ": area" in w] == ["good: area 0.100", "fair: area 0.200", "poor: area 0.300"]


def test_risk_coverage_leaves_out_shares_of_fewer_than_ten_questions() -> None:
    result = suite()
    for of_signal in result["risk"].values():
        of_signal["curve"][0]["risk"] = {"mean": 5.0, "low": 4.0, "high": 9.0}  # would need an axis to 900 %
    assert "200 %" not in said(svg("risk_coverage", result, ""))


def test_growth_shows_every_size_and_the_services_that_grow() -> None:
    words = said(svg("growth", grown(), ""))
    assert {"1,000", "10,000", "vector-index", "lexical-index", "keyword list"} <= set(words)
    assert any("200 questions a size; 2 cores" in line for line in words)


def test_a_picture_of_another_result_is_stale(tmp_path: Path) -> None:
    results = {"growth": grown()}
    assert stale(results, tmp_path) == ["growth.svg is not of the result growth; run `python -m eval render`"]
    draw(results, tmp_path)
    assert stale(results, tmp_path) == []
    results["growth"]["steps"][0]["latency_ms"]["total"]["p50"] += 1
    assert len(stale(results, tmp_path)) == 1


def test_only_results_that_there_are_have_pictures(tmp_path: Path) -> None:
    draw({"golden-development": suite(), "parsers-golden": {}}, tmp_path)
    wanted = {picture.file for picture in PICTURES if picture.result == "golden-development"}
    assert {path.name for path in tmp_path.iterdir()} == wanted
