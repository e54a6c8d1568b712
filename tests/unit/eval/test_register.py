from collections import Counter

import pytest

from eval.corpus.register import SECTION_COUNT, STEM, Section, sections, sources
from eval.corpus.register_topics import TOPICS


@pytest.fixture(scope="module")
def register() -> tuple[Section, ...]:
    return tuple(sections())


def test_sections_are_numbered_from_001_to_120(register: tuple[Section, ...]) -> None:
    ids = [section.id for section in register]

    assert len(set(ids)) == SECTION_COUNT == 120
    assert ids[0] == "SEC-001"
    assert ids[-1] == "SEC-120"


def test_every_section_stands_once_under_its_own_heading(register: tuple[Section, ...]) -> None:
    headings = [line for line in sources()[STEM].splitlines() if line.startswith("## SEC-")]

    assert headings == [f"## {section.id} {section.topic.title}" for section in register]


def test_source_is_the_same_on_every_call() -> None:
    assert sources() == sources()


def test_particulars_occur_once_in_the_whole_register(register: tuple[Section, ...]) -> None:
    text = sources()[STEM]

    assert [text.count(section.particulars) for section in register] == [1] * SECTION_COUNT


def test_tags_are_unique_over_the_register(register: tuple[Section, ...]) -> None:
    assert max(Counter(section.tag for section in register).values()) == 1


@pytest.mark.parametrize("title", [topic.title for topic in TOPICS])
def test_sections_of_one_topic_share_no_particular(register: tuple[Section, ...], title: str) -> None:
    same = [section for section in register if section.topic.title == title]

    assert len(same) == 10
    assert len({section.owner for section in same}) == 10
    assert len({section.retention_years for section in same}) == 10
    assert len({section.review_months for section in same}) == 10


def test_sections_twelve_apart_differ_only_in_particulars_and_reference() -> None:
    register = {section.number: section for section in sections()}
    fourth, sixteenth = register[4], register[16]

    assert fourth.particulars != sixteenth.particulars
    assert fourth.body.replace(fourth.particulars, "") == sixteenth.body.replace(sixteenth.particulars, "")


def test_reference_names_another_section_of_the_register(register: tuple[Section, ...]) -> None:
    ids = {section.id for section in register}
    referring = [section for section in register if section.refers_to is not None]

    assert len(referring) == 24
    assert all(section.refers_to in ids and section.refers_to != section.id for section in referring)


def test_bodies_hold_70_to_110_words(register: tuple[Section, ...]) -> None:
    lengths = [len(section.body.split()) for section in register]

    assert min(lengths) >= 70
    assert max(lengths) <= 110
