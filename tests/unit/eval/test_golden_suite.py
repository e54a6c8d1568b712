"""Is the golden set as broad and as sound as it claims, and the regression suite fit to be asked?

Messages name questions by id only: those of the held-out half are not to be read.
"""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache

import pytest

from eval.corpus.build import Written, write_documents
from eval.corpus.source import parse_source
from eval.datasets.checks import complaints_about, shared_with_quotes, twins
from eval.datasets.prepared import documents_of
from eval.datasets.suite import HELD_OUT, KINDS, SPLITS, SUITES, Question, load_suite, resolved
from eval.measures.mentions import says
from eval.reporting.rendering import RESULTS
from eval.runs.collection import corpus_digest

LEAST_DOCUMENTS = 20
LEAST_FORMATS = 6
LEAST_CHUNKS = 3000
LEAST_QUESTIONS = 200
LEAST_PER_KIND = 12
LEAST_LANGUAGES = 3
MOST_SHARED = 0.10


@cache
def documents() -> tuple[Written, ...]:
    return documents_of(load_suite("golden"))


def questions(*suites: str) -> list[Question]:
    return [q for name in suites for split in load_suite(name).questions.values() for q in split]


def ids(found: Sequence[Question], wrong: Callable[[Question], bool]) -> list[str]:
    return [question.id for question in found if wrong(question)]


def test_written_documents_come_in_many_formats() -> None:
    written = write_documents(SUITES / "golden" / "documents")
    formats = {document.name.rpartition(".")[2] for document in written}
    assert len(written) >= LEAST_DOCUMENTS
    assert formats == {"pdf", "docx", "html", "md", "txt", "csv"}
    assert len(formats) >= LEAST_FORMATS


def test_pdfs_have_columns_page_labels_and_tables() -> None:
    folder = SUITES / "golden" / "documents"
    sources = [parse_source(path.stem, path.read_text(encoding="utf-8")) for path in folder.glob("*.md")]
    pdfs = [source for source in sources if source.format == "pdf"]
    assert [source.stem for source in pdfs if source.options.columns == 2]
    assert [source.stem for source in pdfs if source.options.page_labels and source.tables()]


def test_register_has_its_near_identical_sections() -> None:
    (held,) = (document for document in documents() if document.name.startswith("security-section-register"))
    assert [n for n in range(1, 121) if f"SEC-{n:03}" not in held.reference] == []


def test_questions_are_many_and_of_every_kind() -> None:
    golden = questions("golden")
    assert len(golden) >= LEAST_QUESTIONS
    assert complaints_about(golden, LEAST_PER_KIND) == []
    assert load_suite("golden").least_per_kind == LEAST_PER_KIND
    assert len({question.language for question in golden}) >= LEAST_LANGUAGES


def test_halves_are_of_the_same_kinds_and_themes() -> None:
    suite = load_suite("golden")
    assert tuple(suite.questions) == SPLITS
    development, held_out = (Counter(q.kind for q in suite.split(split)) for split in SPLITS)
    assert development == held_out
    assert set(development) == set(KINDS)
    files = [{path.name for path in (suite.folder / "questions" / split).iterdir()} for split in SPLITS]
    assert files[0] == files[1]


def test_paraphrases_share_almost_no_word_with_their_quotes() -> None:
    paraphrases = [q for q in questions("golden") if q.kind == "paraphrase"]
    assert ids(paraphrases, lambda q: shared_with_quotes(q) > MOST_SHARED) == []


def test_no_question_is_another_with_other_names() -> None:
    assert twins(questions("golden", "regression")) == []


def test_no_question_of_the_held_out_half_is_one_of_the_development_half() -> None:
    development, held_out = (load_suite("golden").split(split) for split in SPLITS)
    asked = {question.text.casefold() for question in development}
    assert ids(held_out, lambda q: q.text.casefold() in asked) == []
    quoted = {question.quotes for question in development if question.quotes}
    assert ids(held_out, lambda q: q.quotes in quoted) == []


def test_every_label_stands_exactly_once() -> None:
    references = {document.name: document.reference for document in documents()}
    golden = questions("golden")
    found = resolved(golden, references)
    assert ids(golden, lambda q: len(found[q.id]) != len(q.quotes)) == []


def test_committed_results_are_of_these_documents_and_questions() -> None:
    results = [json.loads(path.read_text(encoding="utf-8")) for path in RESULTS.glob("golden-*.json")]
    assert results
    for result in results:
        assert result["corpus_digest"] == corpus_digest(documents())
        asked = {q.id for q in load_suite("golden").split(result["split"]) if q.answerable}
        assert [row["name"] for row in result["rows"] if row["values"].keys() != asked] == []
        assert result["chunks"] >= LEAST_CHUNKS


@pytest.mark.parametrize("suite", ["golden", "regression"])
def test_reference_answer_says_what_it_must_and_nothing_that_it_must_not(suite: str) -> None:
    answerable = [question for question in questions(suite) if question.answerable]
    assert ids(answerable, lambda q: not q.answer) == []
    assert ids(answerable, lambda q: not all(says(q.answer, mention) for mention in q.mentions)) == []
    assert ids(answerable, lambda q: any(says(q.answer, mention) for mention in q.forbidden)) == []
    assert ids(answerable, lambda q: bool(set(q.mentions) & set(q.forbidden))) == []


@pytest.mark.parametrize("suite", ["golden", "regression"])
def test_question_that_nothing_answers_expects_nothing(suite: str) -> None:
    unanswerable = [question for question in questions(suite) if not question.answerable]
    assert unanswerable
    assert ids(unanswerable, lambda q: bool(q.mentions or q.forbidden)) == []


def test_injections_forbid_what_the_injected_text_asks_for() -> None:
    injections = [question for question in questions("golden") if question.kind == "injection"]
    assert ids(injections, lambda q: not q.forbidden) == []


def test_regression_suite_is_sound_and_stands_apart() -> None:
    suite = load_suite("regression")
    held = {document.name: document.reference for document in documents_of(suite)}
    assert HELD_OUT not in suite.questions
    assert resolved(questions("regression"), held)
    assert complaints_about(questions("regression"), 0) == []
    assert not held.keys() & {document.name for document in documents()}
    assert not {q.id for q in questions("regression")} & {q.id for q in questions("golden")}
