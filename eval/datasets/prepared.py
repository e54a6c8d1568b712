"""What is there before any stack runs: a suite's documents as files, and its questions with sound labels?"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from eval.corpus import filler, register
from eval.corpus.build import Written, write_documents, write_texts
from eval.datasets.suite import HELD_OUT, Question, Suite, SuiteError, load_suite, resolved

GENERATORS: Mapping[str, Callable[[], dict[str, str]]] = {
    "register": register.sources,
    "filler": filler.sources,
}


@dataclass(frozen=True, slots=True)
class Prepared:
    """One split of a suite, ready to be asked."""

    suite: Suite
    split: str
    questions: tuple[Question, ...]
    documents: tuple[Written, ...]
    every: int = 1


def prepared(name: str, split: str, every: int = 1) -> Prepared:
    """Every k-th question of a split. SuiteError for a label that stands nowhere or twice, naming each.

    Also for a part of the held-out half: who could look at parts of it would soon tune on it.
    """
    if split == HELD_OUT and every > 1:
        raise SuiteError("the held-out half is only ever run whole: leave out --every")
    suite = load_suite(name)
    documents = documents_of(suite)
    questions = suite.split(split)
    resolved(questions, {document.name: document.reference for document in documents})
    return Prepared(suite, split, questions[::every], documents, every)


def documents_of(suite: Suite) -> tuple[Written, ...]:
    """All documents of a suite in the order of their names. SuiteError for a source that cannot be read."""
    try:
        written = list(write_documents(suite.folder / "documents"))
        for generator in suite.generators:
            written.extend(write_texts(GENERATORS[generator]()))
    except (ValueError, KeyError) as error:
        raise SuiteError(f"suite {suite.name}: {error}") from error
    names = [document.name for document in written]
    if twice := {name for name in names if names.count(name) > 1}:
        raise SuiteError(f"suite {suite.name}: two documents are called {', '.join(sorted(twice))}")
    return tuple(sorted(written, key=lambda document: document.name))
