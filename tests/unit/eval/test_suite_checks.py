"""Are templates, loud paraphrases and thin kinds found, and honest questions left alone?"""

import pytest

from eval.datasets.checks import complaints_about, content_words, shared_with_quotes, twins
from eval.datasets.suite import KINDS, Question, Quote


def question(text: str, *quotes: str, id: str = "q", kind: str = "exact") -> Question:
    found = tuple(Quote(f"{n}.md", quote) for n, quote in enumerate(quotes))
    return Question(id=id, kind=kind, text=text, quotes=found, mentions=("62",))


def test_content_words_are_stems_without_words_that_carry_nothing() -> None:
    assert content_words("When were the Pumps of it pumping at 62?") == {"pump", "62"}


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("Which vessels towed hardest?", 0.0),
        ("Which tug towed hardest?", 1 / 3),
        ("Tugs pulling?", 1.0),
        ("Who was it?", 0.0),
    ],
)
def test_share_counts_the_questions_stems_that_stand_in_any_quote(text: str, share: float) -> None:
    assert shared_with_quotes(question(text, "The tug held.", "It pulled.")) == pytest.approx(share)


def test_paraphrase_may_share_a_tenth_and_no_more() -> None:
    nine = "alpha bravo charlie delta echo foxtrot golf hotel india"
    quiet = question(f"{nine} tug", "the tug", id="quiet", kind="paraphrase")
    loud = question(f"{nine.removesuffix(' india')} tug", "the tug", id="loud", kind="paraphrase")
    exact = question("the tug", "the tug", id="exact")
    assert complaints_about([quiet, exact], 0) == []
    assert complaints_about([loud], 0) == ["loud: shares 11% of its words with quotes: tug"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("What load did Quay 7 hold in the 2024 survey?", "What load did Quay 11 hold in the 2019 survey?"),
        ("Who signed the minutes for Sunniva Aldvik?", "Who signed the minutes for Øyvind Hauge?"),
        ("what does SEC-047 say about tank inspection?", "What does SEC-112 say about tank inspection?"),
    ],
)
def test_questions_alike_but_for_names_and_figures_are_twins(one: str, other: str) -> None:
    assert twins([question(one, id="a"), question(other, id="b")]) == [("a", "b")]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "What load did Quay 7 hold in the 2024 survey?",
            "Which fenders were replaced after the 2024 survey?",
        ),
        ("Who signed the minutes of the March meeting?", "Who signed off the fender survey in March?"),
        ("Who is the pilot?", "Who is the diver?"),
    ],
)
def test_honest_questions_are_no_twins(one: str, other: str) -> None:
    assert twins([question(one, id="a"), question(other, id="b")]) == []


def test_thin_kinds_are_counted() -> None:
    questions = [question(f"{kind}?", "a", "b", id=kind, kind=kind) for kind in KINDS if kind != "table"]
    lines = complaints_about([*questions, question("More?", "a", id="more")], 2)
    assert "table: 0 questions, 2 are wanted" in lines
    assert "identifier: 1 questions, 2 are wanted" in lines
    assert not [line for line in lines if line.startswith("exact:")]


def test_each_kind_is_held_to_what_it_claims() -> None:
    questions = [
        question("And in May?", "a", id="alone", kind="multi_turn"),
        question("Which of both?", "a", id="single", kind="cross_document"),
        question("Which is right?", "a", id="agreed", kind="conflict"),
        question("Who and when?", "a", id="half", kind="compound"),
        Question(id="open", kind="exact", text="Why?", quotes=(Quote("a.md", "a"),)),
        Question(id="none", kind="near_miss", text="What of it?"),
    ]
    assert complaints_about(questions, 0) == [
        "alone: a multi-turn question needs a history",
        "single: cross_document needs quotes of two documents",
        "agreed: conflict needs quotes of two documents",
        "half: a compound question needs a quote for each part",
        "open: nothing is named that a right answer must mention",
    ]


def test_twins_are_complained_of_with_both_ids() -> None:
    one = question("What load did Quay 7 hold?", "a", id="a")
    other = question("What load did Quay 9 hold?", "a", id="b")
    assert complaints_about([one, other], 0) == ["a and b are one template"]
