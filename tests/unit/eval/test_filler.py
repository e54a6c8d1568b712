import calendar
import hashlib
import os
import re
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path

import pytest

from eval.corpus import register
from eval.corpus.build import write_documents, write_texts
from eval.corpus.filler import SECTION_WORDS, sources

_ROOT = Path(__file__).parents[3]
_GOLDEN = _ROOT / "eval/suites/golden"
_SECTION = re.compile(r"^#{2,3} (.+)\n\n(?!#)((?:.+\n)+)", re.MULTILINE)
_WORD = re.compile(r"[^\W\d_]+")
_CODE = re.compile(r"\b[A-Z]{1,4}-?\d[\w-]*|\b[A-Z]{2,4}-[A-Z]?\d[\w-]*|\b\w+-\d{3,}\b")
_DIGEST = (
    "import hashlib; from eval.corpus.filler import sources; "
    "print(hashlib.sha256(repr(sources()).encode()).hexdigest())"
)
# Capitalised in the golden documents, and nobody's name.
_COMMON = {"Board", "English", "German", "Polish", *calendar.month_name, *calendar.day_name}
_GERMAN_NOUNS_IN = "betriebstagebuch-der-aussenwerke-2014"


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    return sources()


@pytest.fixture(scope="module")
def bodies(texts: dict[str, str]) -> list[str]:
    prose = (text for name, text in texts.items() if not name.endswith(".csv"))
    return [body for text in prose for _, body in _SECTION.findall(text)]


@pytest.fixture(scope="module")
def filler(texts: dict[str, str]) -> str:
    return "\n".join(texts.values())


@pytest.fixture(scope="module")
def golden() -> str:
    documents = (*write_documents(_GOLDEN / "documents"), *write_texts(register.sources()))
    return "\n".join(document.reference for document in documents)


def test_filler_has_about_2500_sections_in_50_to_60_documents(
    texts: dict[str, str], bodies: list[str]
) -> None:
    assert 50 <= len(texts) <= 60
    assert 2_400 <= len(bodies) <= 2_700


def test_no_two_sections_are_equal(bodies: list[str]) -> None:
    assert [body for body, count in Counter(bodies).items() if count > 1] == []


def test_hardly_a_sentence_stands_twice(bodies: list[str]) -> None:
    prose = (body for body in bodies if not body.startswith("|"))
    sentences = Counter(sentence for body in prose for sentence in re.split(r"(?<=\.)\s", body) if sentence)

    assert sum(count - 1 for count in sentences.values()) < 0.01 * sentences.total()


def test_prose_sections_are_short(bodies: list[str]) -> None:
    lengths = [len(re.findall(r"[^\s-]\S*", body)) for body in bodies if not body.startswith("|")]

    assert min(lengths) >= SECTION_WORDS[0]
    assert max(lengths) <= SECTION_WORDS[1]


def test_tables_hold_at_most_55_words(bodies: list[str]) -> None:
    lengths = [len(re.findall(r"[^\s|-]\S*", body)) for body in bodies if body.startswith("|")]

    assert max(lengths) <= 55


def test_sections_vary_in_length_and_form(bodies: list[str]) -> None:
    assert len({len(body.split()) for body in bodies}) >= 20
    assert sum(body.startswith("|") for body in bodies) >= 40
    assert sum(body.startswith("- ") for body in bodies) >= 150


def test_every_source_is_written_in_its_format(texts: dict[str, str]) -> None:
    endings = Counter(document.name.rsplit(".", 1)[1] for document in write_texts(texts))

    assert endings.total() == len(texts)
    assert set(endings) == {"md", "txt", "html", "docx", "csv"}
    assert endings["docx"] <= 5


def test_no_pattern_is_left_unfilled(filler: str) -> None:
    assert re.findall(r"[\[\]{}]|\|\||\bNone\b", filler) == []


def test_no_golden_code_occurs(filler: str, golden: str) -> None:
    codes = set(_CODE.findall(golden))

    assert len(codes) > 500
    assert codes & set(_CODE.findall(filler)) == set()


def test_no_golden_name_occurs(texts: dict[str, str], golden: str) -> None:
    names = _names(golden) - _COMMON
    filler = "\n".join(text for stem, text in texts.items() if stem != _GERMAN_NOUNS_IN)

    assert len(names) > 500
    assert sorted(name for name in names & _names(filler) if len(name) > 3) == []


def test_no_quote_of_a_question_occurs(filler: str) -> None:
    files = sorted((_GOLDEN / "questions/development").glob("*.toml"))
    questions = [question for path in files for question in tomllib.loads(path.read_text())["question"]]
    quotes = [quote["text"] for question in questions for quote in question.get("quotes", [])]

    assert len(quotes) > 100
    assert [quote for quote in quotes if quote in filler] == []


@pytest.mark.parametrize("hash_seed", ["0", "4242"])
def test_sources_are_the_same_whatever_the_hash_seed(texts: dict[str, str], hash_seed: str) -> None:
    there = subprocess.run(
        [sys.executable, "-c", _DIGEST],
        cwd=_ROOT,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=True,
    )

    assert there.stdout.strip() == hashlib.sha256(repr(texts).encode()).hexdigest()


def _names(text: str) -> set[str]:
    """The words that are written with a capital only."""
    words = set(_WORD.findall(text))
    return {word for word in words if word[0].isupper() and word.lower() not in words}
