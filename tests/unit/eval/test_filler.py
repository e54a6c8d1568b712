import re
from collections import Counter

import pytest

from eval.corpus.build import write_texts
from eval.corpus.filler import SECTION_WORDS, sources

_HEADING = re.compile(r"^## .+$", re.MULTILINE)


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    return sources()


@pytest.fixture(scope="module")
def bodies(texts: dict[str, str]) -> list[str]:
    return [
        section.strip()
        for name, text in texts.items()
        if not name.endswith(".csv")
        for section in _HEADING.split(text)[1:]
    ]


def test_filler_has_about_2500_sections_in_50_to_60_documents(
    texts: dict[str, str], bodies: list[str]
) -> None:
    assert 50 <= len(texts) <= 60
    assert 2_300 <= len(bodies) <= 2_700


def test_no_two_sections_are_equal(bodies: list[str]) -> None:
    assert [body for body, count in Counter(bodies).items() if count > 1] == []


def test_sections_hold_25_to_55_words(bodies: list[str]) -> None:
    lengths = [len(body.split()) for body in bodies]

    assert (min(lengths), max(lengths)) >= (SECTION_WORDS[0], 40)
    assert max(lengths) <= SECTION_WORDS[1]


def test_every_source_can_be_written(texts: dict[str, str]) -> None:
    assert len(write_texts(texts)) == len(texts)
