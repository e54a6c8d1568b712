"""Do other parsers read through one view, and is what they agree on counted as it is said?"""

from collections import Counter
from pathlib import Path

import pytest

from eval.corpus.build import Written
from eval.corpus.pages.sheet import GeneratedPdf, Sheet
from eval.parsing.agreement import Recovery, comparable_words, recoveries
from eval.parsing.others import LABELS_OF, OTHERS, OURS, installed
from eval.parsing.view import ParsedPage, ParsedView, Refused
from eval.runs.parser_scores import compared, summaries, worse_than

LABELLED = GeneratedPdf(
    Written("tides.pdf", b"", "The tide was high."), "labels", 2, ("i", "ii"), ("", "K-2")
)
BOTH = frozenset({"tree_labels", "printed_labels"})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    sheet = Sheet("Tides")
    sheet.canvas.addPageLabel(0, style="ROMAN_LOWER", start=4)
    sheet.canvas.drawString(72, 700, "The tide was high.")
    sheet.end_page()
    file = tmp_path / "tides.pdf"
    file.write_bytes(sheet.written("tides.pdf").data)
    return file


@pytest.mark.parametrize("name", sorted(OTHERS))
def test_other_parser_reads_text_and_the_labels_that_it_offers(name: str, path: Path) -> None:
    if not installed()[name]:
        pytest.skip(f"{name} is not installed")
    view = OTHERS[name](path)
    assert "The tide was high." in view.text
    assert [page.label for page in view.pages] == (["iv"] if LABELS_OF[name] else [])


@pytest.mark.parametrize("name", sorted(OTHERS))
def test_file_that_is_no_pdf_is_refused_with_a_reason(name: str, tmp_path: Path) -> None:
    if not installed()[name]:
        pytest.skip(f"{name} is not installed")
    file = tmp_path / "no.pdf"
    file.write_bytes(b"no PDF at all")
    with pytest.raises(Refused, match=r"\w"):
        OTHERS[name](file)


def test_words_that_two_others_have_are_what_a_parser_should_have() -> None:
    views = {
        "a": ParsedView("one two three three"),
        "b": ParsedView("one two three four"),
        "c": ParsedView("two one five three three"),
        "d": ParsedView("one three three"),
    }
    found = recoveries(views)
    assert found["d"] == Recovery(4, 3 / 4)  # one, two, three twice
    assert found["b"] == Recovery(4, 3 / 4)  # one, two, three twice of which it has one


def test_word_that_others_cut_or_write_a_mark_to_is_not_lost() -> None:
    others = {name: ParsedView("in P aris the e orts of Shen2 ended") for name in "ab"}
    assert recoveries({**others, "c": ParsedView("in Paris the efforts of Shen 2 ended")})["c"].share == 1
    assert recoveries({**others, "c": ParsedView("in Paris the efforts of ended")})["c"] == Recovery(9, 8 / 9)


def test_word_that_a_parser_tears_is_lost() -> None:
    others = {name: ParsedView("due 03/25/2016 or later") for name in "ab"}
    assert recoveries({**others, "c": ParsedView("due 0 3 / 2 5 / 2 0 16 or later")})["c"] == Recovery(6, 0.5)


@pytest.mark.parametrize("name", sorted(OTHERS))
def test_text_beyond_the_edge_of_a_page_is_not_taken(name: str, tmp_path: Path) -> None:
    if not installed()[name]:
        pytest.skip(f"{name} is not installed")
    sheet = Sheet("Tides")
    sheet.canvas.drawString(72, 700, "The tide was high.")
    sheet.canvas.drawString(700, 700, "Facing page")
    sheet.end_page()
    file = tmp_path / "tides.pdf"
    file.write_bytes(sheet.written("tides.pdf").data)
    assert OTHERS[name](file).text.split() == ["The", "tide", "was", "high."]


def test_nothing_is_agreed_on_by_a_single_other() -> None:
    assert recoveries({"a": ParsedView("one"), "b": ParsedView("one")})["a"] == Recovery(0, None)


@pytest.mark.parametrize(
    "cut", ["exam-\nple", "exam-\r\n  ple", "exam\u00ad\nple", "exam\ufffeple", "example"]
)
def test_word_over_a_lines_end_is_one_word_however_it_is_told(cut: str) -> None:
    assert comparable_words(f"an {cut}") == Counter(["an", "example"])


def test_hyphens_within_words_play_no_part_and_scripts_without_spaces_are_letters() -> None:
    assert comparable_words("well-known") == comparable_words("wellknown")
    assert comparable_words("한국 어") == comparable_words("한 국어")


def test_labels_are_shares_of_pages_and_nothing_where_none_are_offered() -> None:
    view = ParsedView(
        "The tide was high.", pages=(ParsedPage(1, "i"), ParsedPage(2, "2", printed_label="K-2"))
    )
    (one,) = compared(OURS, [LABELLED], lambda _: view, labels=BOTH)
    assert (one.values["tree_labels"], one.values["printed_labels"]) == (0.5, 1.0)
    (other,) = compared("flat", [LABELLED], lambda _: view, labels=frozenset())
    assert (other.values["tree_labels"], other.values["printed_labels"]) == (None, None)
    assert other.values["word_recall"] == 1.0
    assert other.values["cell_f1"] is None


def test_refused_file_has_nothing_right() -> None:
    def refuse(name: str) -> ParsedView:
        raise Refused("It is damaged.")

    (one,) = compared(OURS, [LABELLED], refuse, labels=BOTH)
    assert one.refused == "It is damaged."
    assert (one.values["word_recall"], one.values["tree_labels"]) == (0.0, 0.0)


def test_summary_is_a_row_per_set_and_parser_with_intervals() -> None:
    good = compared(OURS, [LABELLED, LABELLED], lambda _: ParsedView("The tide was high."), labels=BOTH)
    (row,) = summaries(good)
    assert (row["set"], row["parser"], row["documents"], row["refused"]) == ("labels", OURS, 2, 0)
    assert row["word_recall"] == {"mean": 1.0, "low": 1.0, "high": 1.0}
    assert row["tree_labels"]["high"] > row["tree_labels"]["mean"] == 0.0
    assert row["cell_f1"] is None


def told(**values: float | None) -> dict[str, object]:
    return {"parser": OURS, "document": "tides.pdf", "values": values}


def test_any_figure_that_fell_is_named_and_what_rose_is_not() -> None:
    before = [told(word_recall=0.9, cell_f1=0.8, tree_labels=None)]
    assert worse_than([told(word_recall=0.95, cell_f1=0.8, tree_labels=0.1)], before) == []
    assert worse_than([told(word_recall=0.9, cell_f1=None, tree_labels=None)], before) == [
        "tides.pdf: cell_f1 0.8000 -> 0.0000"
    ]
    assert worse_than([], before) == ["tides.pdf: is missing"]
