"""How does Sightline do on a collection that others have measured too, laid out like those of BEIR?"""

import csv
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eval.corpus.build import Written
from eval.datasets.suite import Question, Quote, SuiteError

_QRELS = ("qrels.tsv", "qrels/test.tsv")
_UNSAFE = re.compile(r"[^\w.-]+")


@dataclass(frozen=True, slots=True)
class Collection:
    """Documents as files, queries, and what is relevant: documents by grade, or quotes if there are spans."""

    name: str
    documents: tuple[Written, ...]
    questions: tuple[Question, ...]
    grades: Mapping[str, Mapping[str, float]]


def load_beir(folder: Path, every: int = 1) -> Collection:
    """Every k-th judged query of `corpus.jsonl`, `queries.jsonl`, `qrels.tsv` and, if there, `spans.jsonl`.

    Where there is no `qrels.tsv`, the judgements of `qrels/test.tsv` are taken.

    SuiteError for a folder that is not laid out so.
    """
    try:
        names = _names(entry["_id"] for entry in _lines(folder / "corpus.jsonl"))
        documents = tuple(
            Written(names[entry["_id"]], _file(entry), "") for entry in _lines(folder / "corpus.jsonl")
        )
        grades = _qrels(_qrels_file(folder), names)
        quotes = _quotes(folder / "spans.jsonl", names)
        queries = [entry for entry in _lines(folder / "queries.jsonl") if entry["_id"] in grades]
    except (OSError, KeyError, ValueError, TypeError) as error:
        raise SuiteError(f"{folder} is no BEIR-style folder: {error}") from error
    if not queries:
        raise SuiteError(f"{folder} is no BEIR-style folder: no query has a relevant document")
    questions = tuple(
        Question(
            id=entry["_id"],
            kind=entry.get("kind", "query"),
            text=entry["text"],
            quotes=quotes.get(entry["_id"], ()),
        )
        for entry in queries[::every]
    )
    return Collection(folder.name, documents, questions, grades)


def _qrels_file(folder: Path) -> Path:
    return next((folder / name for name in _QRELS if (folder / name).exists()), folder / _QRELS[0])


def _file(entry: Mapping[str, Any]) -> bytes:
    title = " ".join(entry.get("title", "").split())
    return (f"# {title}\n\n{entry['text']}" if title else entry["text"]).encode()


def _names(document_ids: Iterable[str]) -> dict[str, str]:
    names: dict[str, str] = {}
    taken: dict[str, str] = {}
    for document_id in document_ids:
        name = _UNSAFE.sub("_", document_id) + ".md"
        if name in taken:
            raise ValueError(f"documents {taken[name]!r} and {document_id!r} would both be called {name}")
        names[document_id], taken[name] = name, document_id
    return names


def _qrels(path: Path, names: Mapping[str, str]) -> dict[str, dict[str, float]]:
    grades: dict[str, dict[str, float]] = {}
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        next(rows, None)  # query-id, corpus-id, score
        for query, document, grade in rows:
            if float(grade) > 0 and document in names:
                grades.setdefault(query, {})[names[document]] = float(grade)
    return grades


def _quotes(path: Path, names: Mapping[str, str]) -> dict[str, tuple[Quote, ...]]:
    quotes: dict[str, tuple[Quote, ...]] = {}
    for entry in _lines(path) if path.exists() else ():
        quote = Quote(names[entry["corpus-id"]], entry["text"])
        quotes[entry["query-id"]] = (*quotes.get(entry["query-id"], ()), quote)
    return quotes


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as file:
        for line in file:
            if line.strip():
                yield json.loads(line)
