"""Is a suite read as it is written, and refused with words that lead to the fault?"""

from pathlib import Path

import pytest

from eval.datasets.spans import Stretch
from eval.datasets.suite import Question, Quote, SuiteError, load_suite, resolved, suite_names
from tests.unit.eval.suite_samples import MOON, PULL, TUGS, written

DEVELOPMENT = "development/tugs.toml"


def question(*quotes: Quote, id: str = "pull") -> Question:
    return Question(id=id, kind="exact", text="What?", quotes=quotes)


def test_suite_is_read_whole(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    held_out = MOON.replace('"moon"', '"sun"')
    files = {DEVELOPMENT: PULL + MOON, "development/a.toml": "", "held_out/tugs.toml": held_out}
    described = 'title = "Tugs"\ngenerators = ["register"]\nleast_per_kind = 3'
    written(monkeypatch, tmp_path, files, described=described)
    suite = load_suite("tugs")
    assert suite_names() == ("tugs",)
    assert (suite.title, suite.generators, suite.least_per_kind) == ("Tugs", ("register",), 3)
    assert {split: [q.id for q in questions] for split, questions in suite.questions.items()} == {
        "development": ["moon", "pull"],
        "held_out": ["sun"],
    }
    pull = suite.split("development")[1]
    assert pull.answerable
    assert pull.quotes == (Quote("tug-trials.md", "recorded a bollard pull of 62 tonnes"),)
    assert (pull.mentions, pull.forbidden, pull.history, pull.language) == (("62",), ("58",), (), "en")
    assert not suite.split("development")[0].answerable


def test_theme_is_one_file_of_each_split(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    written(monkeypatch, tmp_path, {DEVELOPMENT: PULL, "development/sky.toml": MOON})
    assert [q.id for q in load_suite("tugs", "sky").split("development")] == ["moon"]
    with pytest.raises(SuiteError, match="no questions called 'skies'"):
        load_suite("tugs", "skies")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (PULL + 'hint = "tug"\n', r"development/tugs\.toml: pull: unknown key hint"),
        (PULL.replace('kind = "exact"\n', ""), r"pull: kind is missing"),
        (PULL.replace('id = "pull"\n', ""), r"a question without id: id is missing"),
        (PULL.replace('"exact"', '"exakt"'), r"pull: kind 'exakt' is none of exact, paraphrase"),
        (PULL.replace('"exact"', '"near_miss"'), r"pull: a question of kind near_miss has no quotes"),
        (MOON.replace('"out_of_scope"', '"table"'), r"moon: a question of kind table needs quotes"),
        (PULL.replace("document =", "file ="), r"pull: a quote is \{ document, text \}"),
        (PULL.replace('["62"]', '"62"'), r"pull: mentions is a list of texts"),
        (PULL.replace('["58"]', "[58]"), r"pull: forbidden is a list of texts"),
        (PULL + PULL, r"pull: two questions have this id"),
        (PULL + "kind", r"tugs\.toml: Expected"),
    ],
)
def test_fault_is_named_with_its_question(
    text: str, words: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    written(monkeypatch, tmp_path, {DEVELOPMENT: text})
    with pytest.raises(SuiteError, match=words):
        load_suite("tugs")


def test_id_is_unique_over_both_halves(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    written(monkeypatch, tmp_path, {DEVELOPMENT: PULL, "held_out/more.toml": PULL})
    with pytest.raises(SuiteError, match="pull: two questions"):
        load_suite("tugs")


def test_bytes_that_are_no_text_are_named_with_their_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    written(monkeypatch, tmp_path, {DEVELOPMENT: PULL})
    (tmp_path / "tugs" / "questions" / DEVELOPMENT).write_bytes(b"# \xff")
    with pytest.raises(SuiteError, match=r"tugs\.toml"):
        load_suite("tugs")


def test_unknown_suite_and_split_are_answered_with_those_that_there_are(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    written(monkeypatch, tmp_path, {DEVELOPMENT: PULL})
    with pytest.raises(SuiteError, match="no suite 'tug'; there is tugs"):
        load_suite("tug")
    with pytest.raises(SuiteError, match="no split 'held_out'; it has development"):
        load_suite("tugs").split("held_out")


def test_suite_without_a_title_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    written(monkeypatch, tmp_path, {DEVELOPMENT: PULL}, described="")
    with pytest.raises(SuiteError, match="title is missing"):
        load_suite("tugs")


def test_quote_is_resolved_to_its_place() -> None:
    quote = Quote("a.md", "the tug Alke")
    assert resolved([question(quote)], {"a.md": TUGS}) == {"pull": (Stretch(129, 141),)}
    assert TUGS[129:141] == "The tug Alke"


def test_quote_that_stands_twice_is_told_with_the_question_and_both_places() -> None:
    text = "One.\n\nThe tug pulled 62 tonnes.\n\nTwo. The tug\npulled 62 tonnes."
    with pytest.raises(SuiteError) as raised:
        resolved([question(Quote("a.md", "the tug pulled"))], {"a.md": text})
    assert str(raised.value) == (
        "pull: the quote 'the tug pulled' stands 2 times in a.md: "
        "line 3 (characters 6–20) and line 5 (characters 38–52)"
    )


def test_every_misplaced_quote_is_told_at_once() -> None:
    questions = [
        question(Quote("a.md", "nowhere at all"), Quote("a.md", "tug"), id="first"),
        question(Quote("b.md", "the tug Alke"), id="second"),
        question(Quote("a.md", "…"), id="third"),
        question(Quote("a.md", "the tug Alke"), id="sound"),
    ]
    with pytest.raises(SuiteError) as raised:
        resolved(questions, {"a.md": TUGS})
    first, tug, second, third = str(raised.value).splitlines()
    assert first == "first: a.md does not hold the quote 'nowhere at all'"
    assert tug.startswith("first: the quote 'tug' stands 4 times in a.md: line ")
    assert second == "second: there is no document 'b.md'"
    assert third == "third: the quote '…' holds no word"


def test_cells_are_those_of_a_row_only() -> None:
    assert Quote("lights.csv", 'Inner mole,"red, dim"').cells == ("Inner mole", "red, dim")
    assert Quote("a.pdf", "Quay 7 | 412").cells == ("Quay 7 ", " 412")
    assert Quote("a.pdf", "prose, with a comma").cells == ()
