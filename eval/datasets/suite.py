"""What is asked, of which documents, and where does the answer stand? A suite is a folder of plain files."""

import csv
import hashlib
import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from eval.datasets.spans import Stretch, line_of, occurrences, words_of

SUITES = Path(__file__).resolve().parents[1] / "suites"
HELD_OUT = "held_out"
SPLITS = ("development", HELD_OUT)
KINDS = (
    "exact",
    "paraphrase",
    "identifier",
    "compound",
    "table",
    "cross_document",
    "distractor",
    "multi_turn",
    "other_language",
    "conflict",
    "out_of_scope",
    "near_miss",
    "injection",
)
UNANSWERABLE = frozenset({"out_of_scope", "near_miss"})


class SuiteError(Exception):
    """A suite that cannot be used, with every reason and where it stands."""


@dataclass(frozen=True, slots=True)
class Quote:
    """The least that answers: words of one document's reference text, standing there exactly once."""

    document: str
    text: str

    @property
    def cells(self) -> tuple[str, ...]:
        """The cells, if the quote is of a table's row; none if it is prose."""
        if self.document.endswith(".csv"):
            return tuple(next(csv.reader([self.text])))
        return tuple(self.text.split("|")) if "|" in self.text else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One question with what a right answer is held against.

    `mentions` must each be said, `a | b` meaning either; `forbidden` is what a neighbouring passage says;
    `history` are the questions asked before it in the same conversation.
    """

    id: str
    kind: str
    text: str
    answer: str = ""
    quotes: tuple[Quote, ...] = ()
    mentions: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()
    language: str = "en"
    history: tuple[str, ...] = ()

    @property
    def answerable(self) -> bool:
        """Whether the documents hold an answer."""
        return self.kind not in UNANSWERABLE


@dataclass(frozen=True, slots=True)
class Suite:
    """Questions by split, in the order of their ids; documents lie in the folder or come from generators.

    `gate` says how a later result is held against the committed one.
    """

    name: str
    title: str
    folder: Path
    questions: Mapping[str, tuple[Question, ...]]
    generators: tuple[str, ...] = ()
    least_per_kind: int = 0
    gate: str = "statistical"

    def split(self, name: str) -> tuple[Question, ...]:
        """The questions of one split. SuiteError for a name that is none."""
        if name not in self.questions:
            raise SuiteError(f"suite {self.name} has no split {name!r}; it has {', '.join(self.questions)}")
        return self.questions[name]


def suite_names() -> tuple[str, ...]:
    """The suites that there are."""
    return tuple(sorted(path.parent.name for path in SUITES.glob("*/suite.toml")))


def load_suite(name: str, theme: str = "") -> Suite:
    """The suite of a folder below `suites/`, or of one theme in it. SuiteError names what is wrong where."""
    folder = SUITES / name
    if name not in suite_names():
        raise SuiteError(f"there is no suite {name!r}; there is {', '.join(suite_names())}")
    described = _toml(folder / "suite.toml")
    if "title" not in described:
        raise SuiteError(f"{folder / 'suite.toml'}: title is missing")
    questions = {
        split: tuple(
            sorted(
                (
                    question
                    for path in sorted((folder / "questions" / split).glob(f"{theme or '*'}.toml"))
                    for question in _questions_of(path)
                ),
                key=lambda question: question.id,
            )
        )
        for split in SPLITS
        if (folder / "questions" / split).is_dir()
    }
    if theme and not any(questions.values()):
        raise SuiteError(f"suite {name} has no questions called {theme!r}")
    taken: set[str] = set()
    for question in (q for split in questions.values() for q in split):
        if question.id in taken:
            raise SuiteError(f"{question.id}: two questions have this id")
        taken.add(question.id)
    return Suite(
        name=name,
        title=described["title"],
        folder=folder,
        questions=questions,
        generators=tuple(described.get("generators", ())),
        least_per_kind=described.get("least_per_kind", 0),
        gate=described.get("gate", "statistical"),
    )


def questions_digest(questions: Sequence[Question]) -> str:
    """The hex sha256 over everything that is asked and held against an answer."""
    asked = json.dumps([asdict(question) for question in questions], sort_keys=True)
    return hashlib.sha256(asked.encode()).hexdigest()


def resolved(questions: Sequence[Question], references: Mapping[str, str]) -> dict[str, tuple[Stretch, ...]]:
    """Where each quote of each question stands in the reference text of its document, by question id.

    SuiteError lists every quote that stands nowhere or more than once, with the question's id and each place.
    """
    words = {name: words_of(references[name]) for name in references}
    found: dict[str, tuple[Stretch, ...]] = {}
    complaints: list[str] = []
    for question in questions:
        places: list[Stretch] = []
        for quote in question.quotes:
            if quote.document not in words:
                complaints.append(f"{question.id}: there is no document {quote.document!r}")
                continue
            if not words_of(quote.text).words:
                complaints.append(f"{question.id}: the quote {quote.text!r} holds no word")
                continue
            at = occurrences(quote.text, words[quote.document])
            if len(at) == 1:
                places.append(at[0])
            else:
                complaints.append(_misplaced(question, quote, at, references[quote.document]))
        found[question.id] = tuple(places)
    if complaints:
        raise SuiteError("\n".join(complaints))
    return found


def _misplaced(question: Question, quote: Quote, at: Sequence[Stretch], text: str) -> str:
    if not at:
        return f"{question.id}: {quote.document} does not hold the quote {quote.text!r}"
    places = " and ".join(
        f"line {line_of(text, place)} (characters {place.start}–{place.end})" for place in at
    )
    return f"{question.id}: the quote {quote.text!r} stands {len(at)} times in {quote.document}: {places}"


def _questions_of(path: Path) -> list[Question]:
    known = {field.name for field in fields(Question)}
    questions = []
    for table in _toml(path).get("question", []):
        name = f"{path.parent.name}/{path.name}: {table.get('id', 'a question without id')}"
        if unknown := set(table) - known:
            raise SuiteError(f"{name}: unknown key {', '.join(sorted(unknown))}")
        if missing := {"id", "kind", "text"} - set(table):
            raise SuiteError(f"{name}: {', '.join(sorted(missing))} is missing")
        questions.append(_question(name, table))
    return questions


def _question(name: str, table: Mapping[str, Any]) -> Question:
    try:
        quotes = tuple(Quote(**quote) for quote in table.get("quotes", ()))
    except TypeError as error:
        raise SuiteError(f"{name}: a quote is {{ document, text }}: {error}") from error
    lists = {key: _texts(name, key, table) for key in ("mentions", "forbidden", "history")}
    question = Question(**{**table, **lists, "quotes": quotes})
    if question.kind not in KINDS:
        raise SuiteError(f"{name}: kind {question.kind!r} is none of {', '.join(KINDS)}")
    if question.answerable != bool(quotes):
        wants = "needs" if question.answerable else "has no"
        raise SuiteError(f"{name}: a question of kind {question.kind} {wants} quotes")
    return question


def _texts(name: str, key: str, table: Mapping[str, Any]) -> tuple[str, ...]:
    value = table.get(key, [])
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise SuiteError(f"{name}: {key} is a list of texts")
    return tuple(value)


def _toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SuiteError(f"{path}: {error}") from error
