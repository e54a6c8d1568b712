"""Which number does Word show in front of a list item?"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from services.ingest.core.formats.docx.words import VALUE, is_on, number_in, word_name
from services.ingest.core.formats.list_marks import letters, ordinal, roman

BULLET = "-"
_LEVELS = 9
_PLACE = re.compile(r"%([1-9])")
_WRITTEN: dict[str, Callable[[int], str]] = {
    "lowerLetter": letters,
    "upperLetter": lambda number: letters(number).upper(),
    "lowerRoman": roman,
    "upperRoman": lambda number: roman(number).upper(),
    "decimalZero": lambda number: f"{number:02d}",
    "ordinal": ordinal,
    "none": lambda number: "",
}


@dataclass(frozen=True, slots=True)
class _Level:
    start: int
    kind: str
    text: str
    restart: int | None  # 0: never; n: after an item of level n or above, counted from 1
    all_decimal: bool
    style: str


@dataclass(slots=True)
class _List:
    abstract: str
    starts: dict[int, int]
    levels: dict[int, _Level]
    begun: set[int] = field(default_factory=set)


class Numbering:
    """Counts list items in the order in which they come."""

    def __init__(self, tree: Any) -> None:
        self._lists: dict[int, _List] = {}
        self._counts: dict[str, list[int | None]] = {}
        if tree is None:
            return
        abstract = {
            element.get(word_name("abstractNumId")) or "": element
            for element in tree.iterchildren(word_name("abstractNum"))
        }
        for element in tree.iterchildren(word_name("num")):
            number = element.get(word_name("numId")) or ""
            pointed = element.find(word_name("abstractNumId"))
            name = "" if pointed is None else pointed.get(VALUE) or ""
            if number.isdecimal():
                self._lists[int(number)] = _list(name, abstract.get(name), element)

    def level_of_style(self, list_id: int, style_id: str) -> int | None:
        """The level of a list that a paragraph style is tied to."""
        known = self._lists.get(list_id)
        for index, level in () if known is None else known.levels.items():
            if level.style == style_id:
                return index
        return None

    def next_mark(self, list_id: int, level: int) -> str | None:
        """`2.1`, `a)` or a hyphen for a bullet; empty for no mark, None for a list that is not defined."""
        known = self._lists.get(list_id)
        if known is None or level not in known.levels:
            return None
        counts = self._counts.setdefault(known.abstract, [None] * _LEVELS)
        shown = known.levels[level]
        if level in known.starts and level not in known.begun:
            counts[level] = known.starts[level]
        else:
            counts[level] = shown.start if counts[level] is None else (counts[level] or 0) + 1
        known.begun.add(level)
        for deeper in range(level + 1, _LEVELS):
            restart = known.levels[deeper].restart if deeper in known.levels else None
            if restart is None or (restart and level < restart):
                counts[deeper] = None
        if shown.kind == "bullet":
            return BULLET
        return _PLACE.sub(lambda found: self._written(known, counts, shown, int(found[1]) - 1), shown.text)

    def _written(self, known: _List, counts: list[int | None], shown: _Level, level: int) -> str:
        own = known.levels.get(level)
        if own is None:
            return ""
        number = counts[level]
        if number is None:
            number = counts[level] = own.start
        kind = "decimal" if shown.all_decimal and own.kind != "none" else own.kind
        return _WRITTEN.get(kind, str)(number)


def _list(name: str, abstract: Any, element: Any) -> _List:
    levels = {} if abstract is None else _levels(abstract)
    starts = {}
    for override in element.iterchildren(word_name("lvlOverride")):
        index = override.get(word_name("ilvl")) or ""
        if not index.isdecimal() or int(index) >= _LEVELS:
            continue
        levels.update(_levels(override))
        start = number_in(override.find(word_name("startOverride")))
        if start is not None:
            starts[int(index)] = start
    return _List(name, starts, levels)


def _levels(parent: Any) -> dict[int, _Level]:
    levels = {}
    for element in parent.iterchildren(word_name("lvl")):
        index = element.get(word_name("ilvl")) or ""
        if not index.isdecimal() or int(index) >= _LEVELS:
            continue
        start = number_in(element.find(word_name("start")))
        levels[int(index)] = _Level(
            0 if start is None else start,
            _value(element, "numFmt") or "decimal",
            _value(element, "lvlText"),
            number_in(element.find(word_name("lvlRestart"))),
            is_on(element.find(word_name("isLgl"))),
            _value(element, "pStyle"),
        )
    return levels


def _value(element: Any, tag: str) -> str:
    found = element.find(word_name(tag))
    return "" if found is None else found.get(VALUE) or ""
