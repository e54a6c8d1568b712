"""Is an answer graded right without a judge: what it says, cites, counts, and whether it should be there?"""

from typing import Any

import pytest

from eval.measures.grading import Expected, covers, figures_unsupported, grade, rate_values, rates
from eval.measures.mentions import says
from shared.candidate import TextSpan

QUOTE = "The 2024 trial of the tug Havørn recorded a bollard pull of 62 tonnes."


def citation(n: int, quote: str = QUOTE, *, start: int = 100, document_id: str = "d1") -> dict[str, Any]:
    return {
        "n": n,
        "document_id": document_id,
        "start": start,
        "end": start + len(quote),
        "quote": quote,
        "title": "Tug trials",
        "section": ["Results of 2024"],
    }


def answer(text: str, *citations: dict[str, Any]) -> dict[str, Any]:
    return {"answer": text, "refused": False, "citations": list(citations), "uncited": not citations}


REFUSAL = {"answer": "", "refused": True, "citations": [], "uncited": False}
EXPECTED = Expected(
    answerable=True,
    mentions=("62", "Havørn | the tug"),
    forbidden=("58",),
    labels={"a": (TextSpan("d1", 100, 170),)},
)
UNANSWERABLE = Expected(answerable=False)


def test_right_answer_passes() -> None:
    graded = grade(answer("It was 62 tonnes for HAVORN. [1]", citation(1)), EXPECTED)
    assert graded.passed
    assert graded.refusal_right
    assert (graded.mentions_missing, graded.bleed, graded.labels_cited) == ((), (), 1.0)
    assert graded.figures_unsupported == ()


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        ("The tug had a good year. [1]", "mentions_missing", ("62",)),
        ("It was 62.5 for 'tug Havørns'. [1]", "mentions_missing", ("62", "Havørn | the tug")),
        ("The tug had 62, not 58. [1]", "bleed", ("58",)),
        ("The tug had 62 of 70 tonnes. [1]", "figures_unsupported", ("70",)),
    ],
)
def test_wrong_answer_fails_by_what_it_says(text: str, field: str, value: tuple[str, ...]) -> None:
    graded = grade(answer(text, citation(1)), EXPECTED)
    assert getattr(graded, field) == value
    assert not graded.passed
    assert graded.refusal_right


def test_right_words_with_another_citation_fail() -> None:
    graded = grade(answer("The tug had 62 tonnes. [1]", citation(1, start=900)), EXPECTED)
    assert graded.labels_cited == 0.0
    assert not graded.passed


def test_each_label_must_be_cited_in_any_of_its_places() -> None:
    places = {
        "a": (TextSpan("d1", 100, 170),),
        "b": (TextSpan("d2", 0, 50), TextSpan("d2", 500, 560)),
        "c": (),
    }
    expected = Expected(answerable=True, labels=places)
    both = answer("It is so. [1][2]", citation(1), citation(2, start=510, document_id="d2"))
    assert grade(both, expected).labels_cited == pytest.approx(2 / 3)
    assert not grade(both, expected).passed


def test_refusals_are_judged_both_ways() -> None:
    false_refusal, right_refusal = grade(REFUSAL, EXPECTED), grade(REFUSAL, UNANSWERABLE)
    false_answer = grade(answer("It was 62 tonnes. [1]", citation(1)), UNANSWERABLE)
    assert [g.refusal_right for g in (false_refusal, right_refusal, false_answer)] == [False, True, False]
    assert [g.passed for g in (false_refusal, right_refusal, false_answer)] == [False, True, False]
    assert false_refusal.mentions_missing == ()


@pytest.mark.parametrize(
    ("one", "other", "covered"),
    [
        (TextSpan("d", 0, 100), TextSpan("d", 40, 60), True),
        (TextSpan("d", 40, 60), TextSpan("d", 0, 100), True),
        (TextSpan("d", 0, 20), TextSpan("d", 10, 200), True),
        (TextSpan("d", 0, 20), TextSpan("d", 11, 200), False),
        (TextSpan("d", 0, 20), TextSpan("e", 0, 20), False),
        (TextSpan("d", 5, 5), TextSpan("d", 0, 20), False),
        (TextSpan("d", 0, 20), TextSpan("d", 30, 40), False),
    ],
)
def test_coverage_is_half_of_the_shorter(one: TextSpan, other: TextSpan, covered: bool) -> None:
    assert covers(one, other) is covered
    assert covers(other, one) is covered


@pytest.mark.parametrize(
    ("text", "mention", "heard"),
    [
        ("the café of Ålesund", "CAFE", True),
        ("the café of Ålesund", "alesund", True),
        ("Straße 4, Øst", "strasse 4 | nowhere", True),
        ("two tugs\n came", "tugs came", True),
        ("it’s a 12‑hour watch", "it's a 12-hour watch", True),
        ("the tugs", "tug", False),
        ("a fore-deck", "deck", True),
        ("kr 1 284 600", "1,284,600", True),
        ("1,284,600", "284", False),
        ("at 14:30", "14:30", True),
        ("at 14:30:15", "14:30", False),
        ("1.62 tonnes", "62 tonnes", False),
        ("62 tonnes.", "62 tonnes", True),
        ("section SEC-047, which", "sec-047", True),
        ("section SEC-0471", "SEC-047", False),
        ("on 2024-03-05.", "2024-03-05", True),
        ("64", "62 | 64", True),
        ("C++ and (so on)", "C++", True),
    ],
)
def test_says_whole_words_and_whole_figures(text: str, mention: str, heard: bool) -> None:
    assert says(text, mention) is heard


@pytest.mark.parametrize("mention", ["", "62 | ", " "])
def test_empty_mention_is_refused(mention: str) -> None:
    with pytest.raises(ValueError, match="empty"):
        says("62", mention)


def test_figures_are_held_against_the_passages_of_their_own_sentence() -> None:
    first, second = citation(1, "It pulled 62 tonnes."), citation(2, "It cost 1,200 kr.")
    assert figures_unsupported("It pulled 62 t [1]. It cost kr 1200 [2].", [first, second]) == ()
    assert figures_unsupported("It pulled 62 t. [1] It cost kr 1200. [2]", [first, second]) == ()
    assert figures_unsupported("It pulled 62 t [2]. It cost kr 1200 [1].", [first, second]) == (
        "62",
        "kr 1200",
    )
    assert figures_unsupported("It pulled 62 t and cost kr 1200 [1][2].", [first, second]) == ()


def test_sentences_share_the_next_marker_of_their_paragraph_or_the_one_before() -> None:
    assert figures_unsupported("It pulled 62 t. That was all [1]. In truth 62.", [citation(1)]) == ()
    assert figures_unsupported("It pulled 62 t.\n\nThat was all [1].", [citation(1)]) == ("62",)


def test_title_headings_markers_and_item_numbers_need_no_support_elsewhere() -> None:
    cited = citation(1, "It pulled 62 tonnes.")
    assert figures_unsupported("1. In 2024 it pulled 62 tonnes [1].\n2. No more [1].", [cited]) == ()


def test_uncited_answer_supports_no_figure() -> None:
    graded = grade(answer("It pulled 62 tonnes, so the tug did."), EXPECTED)
    assert graded.uncited
    assert graded.figures_unsupported == ("62",)
    assert graded.labels_cited == 0.0


def test_rates_are_over_the_questions_that_they_are_about() -> None:
    grades = [
        grade(answer("The tug pulled 62 tonnes. [1]", citation(1)), EXPECTED),
        grade(answer("The tug pulled 58 tonnes. [1]", citation(1)), EXPECTED),
        grade(REFUSAL, EXPECTED),
        grade(REFUSAL, UNANSWERABLE),
        grade(answer("So it is."), UNANSWERABLE),
    ]
    assert rates(grades) == {
        "passed": 2 / 5,
        "false_refusals": 1 / 3,
        "false_answers": 1 / 2,
        "mentions_complete": 1 / 2,
        "bleed": 1 / 3,
        "labels_cited": 1.0,
        "figures_unsupported": 1 / 3,
        "uncited": 1 / 3,
    }
    assert rate_values(grades)["false_refusals"] == [0.0, 0.0, 1.0]


def test_rates_of_nothing_are_none() -> None:
    assert rates([grade(REFUSAL, UNANSWERABLE)])["false_refusals"] is None
