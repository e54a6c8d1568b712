"""Is nothing asked of a suite whose labels, documents or half are not as they must be?"""

from pathlib import Path

import pytest

from eval.corpus import register
from eval.datasets.prepared import documents_of, prepared
from eval.datasets.suite import SuiteError, load_suite
from tests.unit.eval.suite_samples import LIGHTS, MOON, PULL, TUGS, written

DEVELOPMENT = "development/tugs.toml"


def test_split_is_ready_with_its_documents_by_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    written(monkeypatch, tmp_path, {DEVELOPMENT: PULL + MOON})
    ready = prepared("tugs", "development")
    assert [document.name for document in ready.documents] == ["lights.csv", "tug-trials.md"]
    assert ready.documents[0].data == LIGHTS.encode()
    assert ([q.id for q in ready.questions], ready.split) == (["moon", "pull"], "development")


def test_every_second_question_is_asked_and_all_documents_come(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    written(monkeypatch, tmp_path, {DEVELOPMENT: PULL + MOON + MOON.replace('"moon"', '"sun"')})
    ready = prepared("tugs", "development", 2)
    assert [q.id for q in ready.questions] == ["moon", "sun"]
    assert len(ready.documents) == 2


def test_held_out_half_is_asked_whole_only(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    written(monkeypatch, tmp_path, {"held_out/tugs.toml": PULL + MOON})
    assert len(prepared("tugs", "held_out").questions) == 2
    with pytest.raises(SuiteError, match="only ever run whole"):
        prepared("tugs", "held_out", 2)


def test_label_that_stands_twice_stops_a_run_that_would_leave_it_out(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    twice = TUGS + "\nThe log too recorded a bollard pull of 62 tonnes.\n"
    written(monkeypatch, tmp_path, {DEVELOPMENT: MOON + PULL}, documents={"tug-trials.md": twice})
    with pytest.raises(
        SuiteError, match=r"^pull: the quote .* stands 2 times in tug-trials\.md: line 3 .* and"
    ):
        prepared("tugs", "development", 2)


def test_two_documents_of_one_name_are_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (stem,) = register.sources()
    documents = {f"{stem}.md": register.sources()[stem]}
    described = 'title = "Tugs"\ngenerators = ["register"]'
    written(monkeypatch, tmp_path, {DEVELOPMENT: MOON}, described=described, documents=documents)
    with pytest.raises(SuiteError, match=f"suite tugs: two documents are called {stem}"):
        documents_of(load_suite("tugs"))


def test_source_that_cannot_be_read_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    broken = TUGS.replace('format = "md"', 'format = "odt"')
    written(monkeypatch, tmp_path, {DEVELOPMENT: MOON}, documents={"tug-trials.md": broken})
    with pytest.raises(SuiteError, match=r"suite tugs: .*tug-trials"):
        prepared("tugs", "development")


def test_unknown_generator_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    written(monkeypatch, tmp_path, {DEVELOPMENT: MOON}, described='title = "Tugs"\ngenerators = ["fill"]')
    with pytest.raises(SuiteError, match=r"suite tugs: .*fill"):
        prepared("tugs", "development")
