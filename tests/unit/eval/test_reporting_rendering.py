"""Does a table that was edited, or a figure that nobody measured, stand out in the documentation?"""

from pathlib import Path

import pytest

from eval.reporting.rendering import RenderingError, load_results, rendered, unmeasured
from tests.unit.eval.result_samples import result

RESULTS = {"golden-development": result()}
EMPTY = "# Figures\n\n<!-- table: golden-development failures -->\n<!-- /table -->\n\nSo it is.\n"


def test_table_is_rendered_between_its_markers_and_stays() -> None:
    once = rendered(EMPTY, RESULTS)
    assert once == (
        "# Figures\n\n<!-- table: golden-development failures -->\n\n"
        "| lost in | questions | share |\n| --- | --- | --- |\n"
        "| gate | 5 | 12.5% |\n| retrieval | 4 | 10.0% |\n| fusion | 0 | 0.0% |\n"
        "\n<!-- /table -->\n\nSo it is.\n"
    )
    assert rendered(once, RESULTS) == once


def test_edited_table_differs_from_what_is_rendered() -> None:
    edited = rendered(EMPTY, RESULTS).replace("12.5%", "12.6%")
    assert rendered(edited, RESULTS) != edited


def test_each_table_is_its_own() -> None:
    both = EMPTY + EMPTY.replace("failures", "latency")
    assert rendered(both, RESULTS).count("\n| gate |") == 1
    assert rendered(both, RESULTS).count("\n| total |") == 1
    assert rendered(both, RESULTS).count("So it is.") == 2


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (EMPTY.replace("golden-development", "golden"), "line 3: there is no result 'golden'"),
        (EMPTY.replace("failures", "faults"), "line 3: there is no table 'faults'; there is ablation, "),
        (
            EMPTY.replace("failures", "growth"),
            "line 3: the result golden-development has nothing for .* growth",
        ),
        (EMPTY.replace("<!-- /table -->", "") + EMPTY, "line 3: .* begins or ends nothing"),
        (EMPTY.replace("golden-development failures", "failures"), "line 3: .* begins or ends nothing"),
        (EMPTY + "<!-- /table -->", "line 7: .* begins or ends nothing"),
    ],
)
def test_marker_that_cannot_be_rendered_is_named_with_its_line(text: str, words: str) -> None:
    with pytest.raises(RenderingError, match=words):
        rendered(text, RESULTS)


FIGURE = "It is <!-- figure: golden-development {} {} -->?<!-- /figure -->."


@pytest.mark.parametrize(
    ("path", "format_", "said"),
    [
        ("rows.rrf.metrics.ndcg@10.mean", ".3f", "0.750"),
        ("answers.passed.mean", ".0%", "61%"),
        ("memory_mib.total", ",.0f", "812"),
        ("chunks", ",.0f", "3,249"),
    ],
)
def test_marked_figure_is_rendered_from_its_result(path: str, format_: str, said: str) -> None:
    once = rendered(FIGURE.format(path, format_), RESULTS)
    assert once == FIGURE.format(path, format_).replace("?", said)
    assert rendered(once, RESULTS) == once
    assert rendered(once.replace(said, "0.99"), RESULTS) == once
    assert unmeasured(once) == []


@pytest.mark.parametrize(
    "path", ["rows.nobody.metrics", "rows.rrf.metrics.ndcg@10", "title", "rows.rrf.name"]
)
def test_figure_that_does_not_exist_is_named_with_its_line(path: str) -> None:
    with pytest.raises(RenderingError, match=f"line 2: golden-development has no figure {path}"):
        rendered("\n" + FIGURE.format(path, ".3f"), RESULTS)


def test_whole_numbers_without_unit_are_no_measured_figures() -> None:
    assert unmeasured("There are 3,249 chunks in 12,345 words, in 2026, on 2 cores.") == []


@pytest.mark.parametrize(
    ("prose", "figure"),
    [
        ("The mean is 0.751 there.", "0.751"),
        ("So 61.3% pass.", "61.3%"),
        ("So 62 % pass.", "62 %"),
        ("It takes 1,235 ms.", "1,235 ms"),
        ("It takes 1.24 s.", "1.24 s"),
        ("It holds 813.5 MiB.", "813.5 MiB"),
        ("**0.751**", "0.751"),
        ("(0.751)", "0.751"),
        ("from 7 to 0.751", "0.751"),
        ("| hand | 0.751 |", "0.751"),
    ],
)
def test_figure_without_a_source_is_named_with_its_line(prose: str, figure: str) -> None:
    assert unmeasured(f"# Figures\n\n{prose}") == [f"line 3: {figure}"]


@pytest.mark.parametrize(
    "prose",
    [
        "Set `k1 = 0.751`.",
        "```sh\nsleep 0.751\n```",
        "<!-- 0.751 -->",
        "[here](https://example.org/0.751) and https://example.org/v/0.751",
        "Version 1.2.3 of v0.751 in section 4.751.2",
        "<!-- table: golden-development failures -->\n| 0.751 |\n<!-- /table -->",
    ],
)
def test_what_is_no_prose_is_not_held_to_results(prose: str) -> None:
    assert unmeasured(prose) == []


def test_line_is_counted_over_code_and_tables() -> None:
    text = f"```\na\nb\n```\n{rendered(EMPTY, RESULTS)}\nIt is 0.751."
    assert unmeasured(text) == [f"line {text.count(chr(10)) + 1}: 0.751"]


def test_results_are_read_by_name(tmp_path: Path) -> None:
    (tmp_path / "b.json").write_text('{"n": 2}')
    (tmp_path / "a.json").write_text('{"n": 1}')
    (tmp_path / "notes.txt").write_text("none")
    assert load_results(tmp_path) == {"a": {"n": 1}, "b": {"n": 2}}
    (tmp_path / "c.json").write_text("{")
    with pytest.raises(RenderingError, match=r"c\.json is no result"):
        load_results(tmp_path)
