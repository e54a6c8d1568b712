"""Which sentences fill the pages that parsers are compared on?"""

import random
from collections.abc import Sequence

from eval.corpus import filler_harbour as harbour
from eval.corpus import filler_office as office
from eval.corpus import filler_sea as sea
from eval.corpus import filler_water as water
from eval.corpus.filler_grammar import Expander, Topic
from eval.corpus.filler_names import CODES, PEOPLE, SITES, SLOTS

_TOPICS: Sequence[Topic] = (*harbour.TOPICS, *office.TOPICS, *sea.TOPICS, *water.TOPICS)


class Prose:
    """Endless prose of one document; the same seed gives the same words."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)
        self._expander = Expander(SLOTS, self.draw, CODES)
        self._topic = _TOPICS[0]

    def heading(self) -> str:
        """A heading that begins another subject."""
        self._topic = self.draw.choice(_TOPICS)
        return f"{self.draw.choice(self._topic.headings)} at {self.draw.choice(SITES)}"

    def paragraph(self, words: int) -> str:
        """Whole sentences on the present subject, at least so many words together."""
        sentences: list[str] = []
        while sum(len(sentence.split()) for sentence in sentences) < words:
            sentences.append(self.sentence())
        return " ".join(sentences)

    def sentence(self) -> str:
        """One sentence on the present subject."""
        site, elsewhere = self.draw.sample(SITES, 2)
        person, colleague = self.draw.sample(PEOPLE, 2)
        bound = {
            "site": site,
            "elsewhere": elsewhere,
            "person": person,
            "colleague": colleague,
            "firm": self.draw.choice(SLOTS["firm"]),
        }
        return self._expander.expand(self.draw.choice(self._topic.sentences), bound)

    def names(self, count: int) -> str:
        """People, as authors are listed."""
        return ", ".join(self.draw.sample(PEOPLE, count))
