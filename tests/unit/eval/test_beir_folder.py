"""Is a folder laid out like those of BEIR read as it is meant, and refused where it would be misread?"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from eval.datasets.beir import load_beir
from eval.datasets.suite import Quote, SuiteError

HEADER = "query-id\tcorpus-id\tscore\n"
CORPUS = (
    {"_id": "7", "title": "Tugs\n and tows", "text": "The tug pulled 62 tonnes."},
    {"_id": "GET key/1", "text": "Returns the value."},
    {"_id": "9", "title": "", "text": "Nothing."},
)
QUERIES = (
    {"_id": "a", "text": "What pulled?"},
    {"_id": "b", "text": "What returns?", "kind": "identifier"},
    {"_id": "c", "text": "Judged by nobody?"},
)
QRELS = HEADER + "a\t7\t2\na\t9\t1\na\tgone\t1\nb\tGET key/1\t1\nb\t7\t0\nc\t9\t-1\n"


def folder(path: Path, qrels: str = QRELS, corpus: Sequence[dict[str, Any]] = CORPUS) -> Path:
    lines("corpus.jsonl", corpus, path)
    lines("queries.jsonl", QUERIES, path)
    (path / "qrels.tsv").write_text(qrels)
    return path


def lines(name: str, entries: Sequence[dict[str, Any]], path: Path) -> None:
    (path / name).write_text("\n".join(json.dumps(entry) for entry in entries) + "\n\n")


def test_documents_are_markdown_files_with_their_titles(tmp_path: Path) -> None:
    collection = load_beir(folder(tmp_path))
    assert [(d.name, d.data.decode()) for d in collection.documents] == [
        ("7.md", "# Tugs and tows\n\nThe tug pulled 62 tonnes."),
        ("GET_key_1.md", "Returns the value."),
        ("9.md", "Nothing."),
    ]
    assert collection.name == tmp_path.name


def test_grades_above_zero_of_known_documents_count(tmp_path: Path) -> None:
    collection = load_beir(folder(tmp_path))
    assert collection.grades == {"a": {"7.md": 2.0, "9.md": 1.0}, "b": {"GET_key_1.md": 1.0}}
    assert [(q.id, q.kind, q.answerable) for q in collection.questions] == [
        ("a", "query", True),
        ("b", "identifier", True),
    ]


def test_every_second_judged_query_is_asked_of_all_documents(tmp_path: Path) -> None:
    collection = load_beir(folder(tmp_path), every=2)
    assert ([q.id for q in collection.questions], len(collection.documents)) == (["a"], 3)


def test_grades_may_be_written_as_fractions_and_ids_with_quotation_marks(tmp_path: Path) -> None:
    corpus = ({"_id": '"7"', "text": "x"}, {"_id": "8", "text": "y"})
    collection = load_beir(folder(tmp_path, HEADER + 'a\t"7"\t1.0\na\t8\t0.0\n', corpus))
    assert collection.grades == {"a": {"_7_.md": 1.0}}


def test_spans_are_quotes(tmp_path: Path) -> None:
    spans = [
        {"query-id": "a", "corpus-id": "7", "text": "62 tonnes"},
        {"query-id": "a", "corpus-id": "9", "text": "Nothing"},
    ]
    lines("spans.jsonl", spans, folder(tmp_path))
    first, second = load_beir(tmp_path).questions
    assert first.quotes == (Quote("7.md", "62 tonnes"), Quote("9.md", "Nothing"))
    assert second.quotes == ()


def test_documents_that_would_share_a_file_are_refused(tmp_path: Path) -> None:
    corpus = ({"_id": "a/b", "text": "one"}, {"_id": "a b", "text": "two"})
    with pytest.raises(SuiteError, match=r"'a/b' and 'a b' would both be called a_b\.md"):
        load_beir(folder(tmp_path, HEADER + "a\ta/b\t1\n", corpus))


@pytest.mark.parametrize(
    ("qrels", "words"),
    [
        ("1\t0\t7\t1\n1\t0\t9\t1\n", "values to unpack"),
        (HEADER + "a\t7\thigh\n", "could not convert"),
        (HEADER, "no query has a relevant document"),
    ],
)
def test_judgements_in_another_layout_are_refused(qrels: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(SuiteError, match=f"no BEIR-style folder: .*{words}"):
        load_beir(folder(tmp_path, qrels))


@pytest.mark.parametrize("name", ["corpus.jsonl", "queries.jsonl", "qrels.tsv"])
def test_missing_file_is_named(name: str, tmp_path: Path) -> None:
    (folder(tmp_path) / name).unlink()
    with pytest.raises(SuiteError, match=f"no BEIR-style folder: .*{name}"):
        load_beir(tmp_path)


@pytest.mark.parametrize("line", ["not json", '{"_id": "8"}', "[1]"])
def test_line_that_is_no_document_is_refused(line: str, tmp_path: Path) -> None:
    with (folder(tmp_path) / "corpus.jsonl").open("a") as file:
        file.write(line)
    with pytest.raises(SuiteError, match="no BEIR-style folder"):
        load_beir(tmp_path)
