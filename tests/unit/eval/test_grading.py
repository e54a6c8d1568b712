"""Is an answer graded right without a judge: what it says, cites, counts, and whether it should be there?"""

from typing import Any

import pytest

from eval.measures.grading import (
    Expected,
    Grade,
    covers,
    figures_unsupported,
    grade,
    rate_values,
    without_markers,
)
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


def test_right_words_with_another_spanfail() -> None:
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


LABEL = TextSpan("d", 100, 300)


@pytest.mark.parametrize(
    ("span", "covered"),
    [
        (LABEL, True),
        (TextSpan("d", 0, 1000), True),
        (TextSpan("d", 150, 250), True),
        (TextSpan("d", 0, 200), True),
        (TextSpan("d", 151, 250), False),
        (TextSpan("d", 150, 151), False),
        (TextSpan("d", 0, 199), False),
        (TextSpan("d", 300, 400), False),
        (TextSpan("e", 100, 300), False),
    ],
)
def test_spancovers_a_label_of_which_it_holds_half(span: TextSpan, covered: bool) -> None:
    assert covers(span, LABEL) is covered


def test_empty_label_is_covered_by_nothing() -> None:
    assert covers(LABEL, TextSpan("d", 150, 150)) is False


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
        ("The loan was NOK 62 million.", "62", True),
        ("The loan was NOK 62 million.", "NOK 62", False),
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


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("24. Dezember ist der Tag. [1]", "24. Dezember ist der Tag."),
        ("24. Dezember\n25. Dezember", "24. Dezember\n25. Dezember"),
        ("1. Mai ist frei.", "1. Mai ist frei."),
        ("So:\n1. one\n2. two [1]\n\n3) three", "So:\none\ntwo\n\nthree"),
        ("1. one\n   goes on\n2. two\n24. Dezember", "one\n   goes on\ntwo\n24. Dezember"),
        ("1. a\n1. b\n2. c", "1. a\nb\nc"),
    ],
)
def test_only_numbers_of_a_list_are_left_out(text: str, left: str) -> None:
    assert without_markers(text) == left


def test_day_that_begins_an_answer_is_said_and_checked() -> None:
    day = answer("24. Dezember ist der Tag. [1]", citation(1, "Es ist der 23. Dezember."))
    graded = grade(day, Expected(answerable=True, mentions=("24",)))
    assert (graded.mentions_missing, graded.figures_unsupported) == ((), ("24",))


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("It pulled 62 t [1]. Then 70 came [2].", ("62", "70")),
        ("It pulled 70 t [1]! 62 came [2].", ()),
        ("It pulled “70 t [1].” Others pulled 62 [2].", ()),
        ("70 t [1]\n62 t [2]", ()),
        ("70です。[1]62です。[2]", ()),
        ("It took approx. 70 t [1].", ()),
        ("It cost kr. 70 [1].", ("kr. 70",)),
    ],
)
def test_each_sentence_has_its_own_support(text: str, missing: tuple[str, ...]) -> None:
    cited = [citation(1, "It pulled 70 tonnes."), citation(2, "It pulled 62 tonnes.")]
    assert figures_unsupported(text, cited) == missing


def test_uncited_answer_supports_no_figure() -> None:
    graded = grade(answer("It pulled 62 tonnes, so the tug did."), EXPECTED)
    assert graded.uncited
    assert graded.figures_unsupported == ("62",)
    assert graded.labels_cited == 0.0


def means(*graded: Grade) -> dict[str, tuple[float, int]]:
    """Of each rate that is about any of them: the mean and over how many."""
    return {name: (sum(v) / len(v), len(v)) for name, v in rate_values(graded).items() if v}


def test_rates_are_over_the_questions_that_they_are_about() -> None:
    assert means(
        grade(answer("The tug pulled 62 tonnes. [1]", citation(1)), EXPECTED),
        grade(answer("The tug pulled 58 tonnes. [1]", citation(1)), EXPECTED),
        grade(REFUSAL, EXPECTED),
        grade(REFUSAL, UNANSWERABLE),
        grade(answer("So it is."), UNANSWERABLE),
    ) == {
        "passed": (2 / 5, 5),
        "false_refusals": (1 / 3, 3),
        "false_answers": (1 / 2, 2),
        "mentions_complete": (1 / 2, 2),
        "complete_of_answerable": (1 / 3, 3),
        "labels_cited": (1.0, 2),
        "cited_of_answerable": (2 / 3, 3),
        "bleed": (1 / 2, 2),
        "figures_unsupported": (1 / 3, 3),
        "uncited": (1 / 3, 3),
    }


def test_refusing_what_would_fail_raises_no_rate_of_the_answerable() -> None:
    right = grade(answer("The tug pulled 62 tonnes. [1]", citation(1)), EXPECTED)
    wrong = grade(answer("The tug had a year. [1]", citation(1, start=900)), EXPECTED)
    answered, refused = means(right, wrong), means(right, grade(REFUSAL, EXPECTED))
    assert answered["mentions_complete"] < refused["mentions_complete"]
    for name in ("complete_of_answerable", "cited_of_answerable"):
        assert answered[name] == refused[name] == (0.5, 2)


def test_rate_that_is_about_no_question_has_no_values() -> None:
    assert means(grade(REFUSAL, UNANSWERABLE)) == {"passed": (1.0, 1), "false_answers": (0.0, 1)}
