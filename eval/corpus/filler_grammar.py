"""How does a pattern with choices, slots and numbers become a sentence that nobody has written yet?"""

import random
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

Slot = tuple[str, ...]

_CHOICE = re.compile(r"\[([^\[\]]*)\]")
_SLOT = re.compile(r"\{([^{}]+)\}")
_RANGE = re.compile(r"(\d+(?:([.,])(\d+))?)\.\.(\d+(?:[.,]\d+)?)")


@dataclass(frozen=True, slots=True)
class Topic:
    """What sections on one subject are called and what they say, as patterns."""

    headings: tuple[str, ...]
    sentences: tuple[str, ...]


def topic(headings: str, sentences: str) -> Topic:
    """A topic of headings parted by `;` and sentences, one a line."""
    return Topic(
        tuple(heading.strip() for heading in headings.split(";")),
        tuple(line.strip() for line in sentences.splitlines() if line.strip()),
    )


class Expander:
    """Fills patterns: `[one|other]` is a choice, `{part}` a slot, `{3..40}` or `{0.2..1.4}` a number.

    Slots named in `bound` keep the value they were given; the others are drawn anew each time.
    """

    def __init__(
        self,
        slots: Mapping[str, Slot],
        draw: random.Random,
        codes: Mapping[str, Callable[[random.Random], str]],
    ) -> None:
        self._slots = slots
        self._codes = codes
        self._draw = draw

    def expand(self, pattern: str, bound: Mapping[str, str]) -> str:
        """The filled pattern with a capital in front. Raises KeyError for an unknown slot."""
        text = self.fill(pattern, bound)
        return text[:1].upper() + text[1:]

    def fill(self, pattern: str, bound: Mapping[str, str]) -> str:
        """The filled pattern as it is. Raises KeyError for an unknown slot."""
        while found := _CHOICE.search(pattern):
            chosen = self._draw.choice(found[1].split("|"))
            pattern = pattern[: found.start()] + chosen + pattern[found.end() :]
        return _SLOT.sub(lambda slot: self._value(slot[1], bound), " ".join(pattern.split()))

    def _value(self, name: str, bound: Mapping[str, str]) -> str:
        if name in bound:
            return bound[name]
        if numbers := _RANGE.fullmatch(name):
            return self._number(numbers[1], numbers[4], point=numbers[2], decimals=len(numbers[3] or ""))
        if name in self._codes:
            return self._codes[name](self._draw)
        return self.fill(self._draw.choice(self._slots[name]), bound)

    def _number(self, low: str, high: str, *, point: str | None, decimals: int) -> str:
        """A number between two, written with the decimal sign of its limits."""
        scale = 10**decimals
        drawn = self._draw.randint(*(int(limit.replace(point or ".", "")) for limit in (low, high)))
        return f"{drawn / scale:.{decimals}f}".replace(".", point) if point else f"{drawn:,}"
