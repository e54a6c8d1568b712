"""What else lies in the Board's cupboards? Papers of other places and years, which answer no question."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from eval.corpus import filler_harbour, filler_office, filler_water
from eval.corpus.filler_grammar import Expander, Topic
from eval.corpus.filler_names import CODES, PEOPLE, SITES, SLOTS

SEED = 20091
SECTION_WORDS = (25, 55)
_SECTIONS_PER_DOCUMENT = 46


@dataclass(frozen=True, slots=True)
class Paper:
    """One document to be written: its title, its format, and what its sections are about."""

    title: str
    format: str
    topics: Sequence[Topic]

    @property
    def stem(self) -> str:
        return "-".join(self.title.lower().replace(",", "").split())


def sources() -> dict[str, str]:
    """Returns Markdown sources, front matter and all, under their stems; always the same texts."""
    author = _Author(random.Random(SEED))
    return {paper.stem: author.document(paper) for paper in _papers()}


def _papers() -> Iterator[Paper]:
    kinds = (
        ("Quay and pilot log", filler_harbour.TOPICS),
        ("Network log", filler_water.TOPICS),
        ("Letters and memos of the outlying offices", filler_office.TOPICS),
        ("Shift reports", (*filler_harbour.TOPICS, *filler_water.TOPICS)),
        ("Minutes of the local committees", (*filler_water.TOPICS, *filler_office.TOPICS)),
    )
    formats = ("md", "txt", "html", "md", "txt", "html", "md", "docx")
    number = 0
    for year in range(2009, 2019):
        for title, topics in kinds:
            yield Paper(f"{title}, {year}", formats[number % len(formats)], topics)
            number += 1


class _Author:
    """Writes documents without ever repeating a sentence."""

    def __init__(self, draw: random.Random) -> None:
        self._draw = draw
        self._expander = Expander(SLOTS, draw, CODES)
        self._written: set[str] = set()

    def document(self, paper: Paper) -> str:
        blocks = [f'+++\nformat = "{paper.format}"\ntitle = "{paper.title}"\n+++', f"# {paper.title}"]
        for _ in range(_SECTIONS_PER_DOCUMENT):
            blocks += self._section(self._draw.choice(paper.topics))
        return "\n\n".join(blocks) + "\n"

    def _section(self, topic: Topic) -> tuple[str, str]:
        bound = {"site": self._draw.choice(SITES), "person": self._draw.choice(PEOPLE)}
        least = self._draw.randint(SECTION_WORDS[0], 40)
        body: list[str] = []
        length = 0
        while length < least:
            sentence = self._sentence(topic, bound)
            words = len(sentence.split())
            if length + words <= SECTION_WORDS[1]:
                body.append(sentence)
                length += words
        heading = self._expander.expand(self._draw.choice(topic.headings), bound)
        return f"## {heading}, {bound['site']}", " ".join(body)

    def _sentence(self, topic: Topic, bound: dict[str, str]) -> str:
        while True:
            sentence = self._expander.expand(self._draw.choice(topic.sentences), bound)
            if sentence not in self._written:
                self._written.add(sentence)
                return sentence
