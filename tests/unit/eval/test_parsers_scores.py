"""Does the score of a parse fall by what the parser lost, and by nothing else?"""

import json

import pytest

from eval.corpus.build import Written, write_csv
from eval.parsing.formats import by_format, score_suite
from eval.parsing.scores import Overlap, reading_order, score
from eval.parsing.view import ParsedView, Refused, view_from_json
from eval.parsing.words import words_of
from tests.unit.eval.parsing_samples import TABLE, view_of, written

PROSE = written("The tug held 62 tonnes.\n\nIt was May.")


def test_words_of_keeps_figures_codes_and_signs_whole() -> None:
    assert words_of("ﬁve at 05:40, −9.5 °C (SEC-014); 7 % of 1,204 – so\u00adcalled.") == [
        *("five", "at", "05:40", "−9.5", "C", "SEC-014", "7", "of", "1,204", "socalled")
    ]


def test_perfect_parse_scores_one_throughout() -> None:
    document = written("Depths\n\nQuay | Depth | Note\nQuay 7 | 9.5 | \nQuay 8 | 11.2 | silted up", TABLE)
    table = "Quay | Depth | Note\nQuay 7 | 9.5 |\nQuay 8 | 11.2 | silted up"
    result = score(document, view_of(("heading", "Depths"), ("table", table)))
    assert result.words == Overlap(12, 12, 12)
    assert result.reading_order == 1.0
    assert result.cells == Overlap(10, 10, 10)


def test_lost_and_invented_words_lower_recall_and_precision() -> None:
    result = score(
        PROSE, view_of(("paragraph", "The tug held 62 tons."), ("paragraph", "It was May, he said."))
    )
    assert result.words == Overlap(7, 8, 10)
    assert result.words.recall == 7 / 8
    assert result.words.precision == 7 / 10
    assert result.words.f1 == pytest.approx(14 / 18)


def test_word_cut_in_two_is_lost() -> None:
    assert score(PROSE, view_of(("paragraph", "The tug held 62 ton nes. It was May."))).words.matched == 7


@pytest.mark.parametrize(
    ("kind", "expected"), [("furniture", Overlap(8, 8, 8)), ("paragraph", Overlap(8, 8, 10))]
)
def test_running_line_counts_only_when_it_is_taken_for_text(kind: str, expected: Overlap) -> None:
    view = view_of(
        ("paragraph", "The tug held 62 tonnes."), (kind, "Internal copy"), ("paragraph", "It was May.")
    )
    assert score(PROSE, view).words == expected


def test_text_taken_for_furniture_is_lost() -> None:
    view = view_of(("paragraph", "The tug held 62 tonnes."), ("furniture", "It was May."))
    assert score(PROSE, view).words == Overlap(5, 8, 5)


def test_marks_of_list_items_are_no_words() -> None:
    document = written("first\nsecond\n3.5 metres")
    view = view_of(("list_item", "1. first"), ("list_item", "- second"), ("list_item", "2) 3.5 metres"))
    assert score(document, view).words == Overlap(4, 4, 4)


def test_column_names_that_every_row_repeats_count_once() -> None:
    document = write_csv("depths.csv", "Quay,Depth\nQuay 7,9.5\nQuay 8,11.2\n")
    result = score(document, view_of(("table", "Quay: Quay 7; Depth: 9.5\nQuay: Quay 8; Depth: 11.2")))
    assert result.words == Overlap(8, 8, 8)
    assert result.cells == Overlap(7, 7, 7)


def test_view_without_blocks_is_one_paragraph() -> None:
    assert score(PROSE, ParsedView("The tug held 62 tonnes. It was May.")).words == Overlap(8, 8, 8)


def test_table_that_is_not_there_lowers_precision_only() -> None:
    result = score(PROSE, view_of(("table", "The | tug\nheld | 62"), ("paragraph", "tonnes. It was May.")))
    assert result.cells == Overlap(0, 0, 4)
    assert result.words == Overlap(8, 8, 8)


def test_reading_order_is_one_in_order_and_zero_reversed() -> None:
    words = [f"w{number}" for number in range(50)]
    assert reading_order(words, words) == 1.0
    assert reading_order(words, words[::-1]) == 0.0


def test_reading_order_of_columns_read_across_is_three_quarters() -> None:
    left, right = [f"l{number}" for number in range(100)], [f"r{number}" for number in range(100)]
    across = [word for pair in zip(left, right, strict=True) for word in pair]
    assert reading_order(left + right, across) == pytest.approx(0.75, abs=0.01)


def test_reading_order_compares_only_words_that_occur_once_in_both() -> None:
    assert reading_order(["a", "b", "the", "c", "the"], ["the", "a", "b", "x", "c", "c"]) == 1.0
    assert reading_order(["a", "a", "b"], ["a", "b"]) is None


def test_score_suite_counts_a_refused_file_as_nothing_found() -> None:
    def read(name: str) -> ParsedView:
        if name == "broken.pdf":
            raise Refused("The file is damaged.")
        return view_of(("paragraph", "The tug held 62 tonnes. It was May."))

    broken = Written("broken.pdf", b"", "Quay | Depth\n7 | 9", ((("Quay", "Depth"), ("7", "9")),))
    scores = score_suite([PROSE, broken], read)
    assert [one.refused for one in scores] == ["", "The file is damaged."]
    assert scores[1].words == Overlap(0, 4, 0)
    assert scores[1].cells == Overlap(0, 4, 0)
    (summary,) = by_format(scores)
    assert (summary.format, summary.documents, summary.refused) == ("pdf", 2, 1)
    assert (summary.word_recall, summary.reading_order, summary.cell_recall) == (0.5, 0.5, 0.0)


def test_scores_are_json() -> None:
    (score_of_prose,) = score_suite([PROSE], lambda _: view_of(("paragraph", "The tug held 62 tonnes.")))
    told = json.loads(json.dumps(score_of_prose.to_json()))
    assert told["words"]["recall"] == 5 / 8
    assert told["cells"] is None


def test_view_from_json_takes_what_the_gateway_answers() -> None:
    block = {"kind": "heading", "start": 0, "end": 4, "level": 1, "page_number": 1, "section": ["Tide"]}
    page = {"number": 1, "label": "iv", "width": 600, "height": 800, "scanned": False}
    view = view_from_json({"pages": [page], "warnings": ["w"]}, "Tide", [block])
    assert view.text_of(view.parts()[0]) == "Tide"
    assert view.page_text(1) == "Tide"
    assert (view.pages[0].label, view.warnings) == ("iv", ("w",))
