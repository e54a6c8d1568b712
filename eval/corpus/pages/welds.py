"""Which words are run together in a text of known welds, and which prose teaches the words apart?"""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from eval.corpus.build import Written
from eval.corpus.pages.prose import Prose

TAUGHT = "welds-taught.md"
WELDED = "welds-welded.md"
_SEED = 401
_PARAGRAPHS = 260
_PARAGRAPH_WORDS = 60
_WELDS_OF_A_KIND = 40
_WORD = re.compile(r"(?<![\w-])[a-z]{4,9}(?![\w-])")
# Each weld stands between words that no weld is made of.
_AROUND = "Ref {number}: {weld}, q.v."


@dataclass(frozen=True, slots=True)
class Weld:
    """A weld: how it is written, which words it is made of, and its kind."""

    kind: str
    written: str
    parts: tuple[str, ...]


def welded_documents() -> tuple[tuple[Written, ...], tuple[Weld, ...]]:
    """Prose in which every word stands by itself, a text of welds of those words, and the welds."""
    prose = Prose(_SEED)
    paragraphs: list[str] = []
    for number in range(_PARAGRAPHS):
        if number % 4 == 0:
            paragraphs.append(f"## {prose.heading()}")
        paragraphs.append(prose.paragraph(_PARAGRAPH_WORDS))
    taught = "\n\n".join(["# Taught", *paragraphs])
    welds = tuple(_welds(taught, prose))
    sections = (
        f"## Entry {number}\n\n{_AROUND.format(number=number, weld=weld.written)}"
        for number, weld in enumerate(welds)
    )
    welded = "\n\n".join(["# Welded", *sections])
    return (_written(TAUGHT, taught), _written(WELDED, welded)), welds


def _welds(taught: str, prose: Prose) -> Iterator[Weld]:
    """Of words that the prose has several times, no pair of them twice."""
    counts = Counter(_WORD.findall(taught))
    known = sorted(word for word, count in counts.items() if count >= 5)
    seen: set[tuple[str, ...]] = set()
    for kind, size in (("case boundary", 2), ("lower case", 2), ("three words", 3), ("sentence capital", 2)):
        while sum(1 for _ in seen) < _WELDS_OF_A_KIND * (1 + _KINDS.index(kind)):
            parts = tuple(prose.draw.sample(known, size))
            written = _KIND_WRITTEN[kind](parts)
            if parts not in seen and written.lower() not in counts:
                seen.add(parts)
                yield Weld(kind, written, parts)


_KINDS = ("case boundary", "lower case", "three words", "sentence capital")
_KIND_WRITTEN: dict[str, Callable[[tuple[str, ...]], str]] = {
    "case boundary": lambda parts: parts[0] + "".join(part.capitalize() for part in parts[1:]),
    "lower case": "".join,
    "three words": "".join,
    "sentence capital": lambda parts: "".join(parts).capitalize(),
}


def _written(name: str, text: str) -> Written:
    return Written(name, text.encode(), text, (), text)
