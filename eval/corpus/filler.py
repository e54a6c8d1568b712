"""What else lies in the Board's cupboards? Papers of other places and years, which answer no question."""

import random
from collections.abc import Iterator, Mapping

from eval.corpus.filler_genres import Genre
from eval.corpus.filler_grammar import Expander, Topic
from eval.corpus.filler_names import CODES, PEOPLE, SITES, SLOTS
from eval.corpus.filler_plan import Paper, papers
from eval.corpus.filler_tables import FILES, IN_TEXT, csv_text, pipe_table

SECTION_WORDS = (16, 40)

_SEED = 20091
_LONGEST_AIM_WORDS = 26
_MONTHS = SLOTS["month"]
_TABLE_ROWS = 3
_TABLE_SHARE = 0.03
_LIST_SHARE = 0.1
_FRAME_SHARE = 0.35


def sources() -> dict[str, str]:
    """Returns Markdown sources by stem and CSV texts by file name; always the same texts."""
    draw = random.Random(_SEED)
    author = _Author(draw)
    texts = {paper.stem: author.document(paper) for paper in papers()}
    expander = Expander(SLOTS, draw, CODES)
    return texts | {name: csv_text(columns, count, expander) for name, (count, columns) in FILES.items()}


class _Author:
    """Writes documents and never repeats a sentence."""

    def __init__(self, draw: random.Random) -> None:
        self._draw = draw
        self._expander = Expander(SLOTS, draw, CODES)
        self._written: set[str] = set()

    def document(self, paper: Paper) -> str:
        front = f'+++\nformat = "{paper.format}"\ntitle = "{paper.title}"\n+++'
        return "\n\n".join([front, f"# {paper.title}", *self._sections(paper)]) + "\n"

    def _sections(self, paper: Paper) -> Iterator[str]:
        shown = None
        for number in range(paper.section_count):
            bound = self._bound()
            if paper.genre.monthly:
                bound["month"] = month = _MONTHS[number * len(_MONTHS) // paper.section_count]
                if month != shown:
                    yield f"## {month}"
                    shown = month
            heading, body = self._section(paper, bound)
            yield f"{'###' if paper.genre.monthly else '##'} {heading}"
            yield body

    def _section(self, paper: Paper, bound: Mapping[str, str]) -> tuple[str, str]:
        if paper.has_tables and self._draw.random() < _TABLE_SHARE:
            table = self._draw.choice(IN_TEXT)
            heading, body = table.title, pipe_table(table, _TABLE_ROWS, self._expander)
        else:
            topic = self._draw.choice(paper.topics)
            heading, body = self._draw.choice(topic.headings), self._prose(paper.genre, topic, bound)
        return self._heading(paper.genre, heading, bound), body

    def _bound(self) -> dict[str, str]:
        """What keeps its name throughout a section."""
        site, elsewhere = self._draw.sample(SITES, 2)
        person, colleague = self._draw.sample(PEOPLE, 2)
        firm = self._draw.choice(SLOTS["firm"])
        return {
            "site": site,
            "elsewhere": elsewhere,
            "person": person,
            "colleague": colleague,
            "firm": firm,
        }

    def _heading(self, genre: Genre, heading: str, bound: Mapping[str, str]) -> str:
        words = {"heading": heading, "subject": heading[:1].lower() + heading[1:], **bound}
        return self._expander.expand(self._draw.choice(genre.headings), words)

    def _prose(self, genre: Genre, topic: Topic, bound: Mapping[str, str]) -> str:
        sentences = self._sentences(genre, topic, bound)
        if self._draw.random() < _LIST_SHARE:
            return "\n".join(f"- {sentence}" for sentence in sentences)
        return " ".join(sentences)

    def _sentences(self, genre: Genre, topic: Topic, bound: Mapping[str, str]) -> list[str]:
        """Sentences in the order they are read, as many words together as a section has."""
        opening = self._frame(genre.openings, bound)
        closing = self._frame(genre.closings, bound)
        framing = _words([*opening, *closing])
        aim = self._draw.randint(SECTION_WORDS[0], _LONGEST_AIM_WORDS)
        body: list[str] = []
        patterns: list[str] = []
        while _words(body) + framing < aim:
            patterns = patterns or self._draw.sample(topic.sentences, len(topic.sentences))
            sentence = self._expander.expand(patterns.pop(), bound)
            fits = _words([*body, sentence]) + framing <= SECTION_WORDS[1]
            if fits and sentence not in self._written:
                self._written.add(sentence)
                body.append(sentence)
        return [*opening, *body, *closing]

    def _frame(self, patterns: tuple[str, ...], bound: Mapping[str, str]) -> list[str]:
        """A sentence before or after the rest; often none, and none if it stands elsewhere already."""
        if not patterns or self._draw.random() > _FRAME_SHARE:
            return []
        sentence = self._expander.expand(self._draw.choice(patterns), bound)
        if sentence in self._written:
            return []
        self._written.add(sentence)
        return [sentence]


def _words(sentences: list[str]) -> int:
    return sum(len(sentence.split()) for sentence in sentences)
