"""Which lines of a page stand outermost, and which numbers stand at their ends?"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from services.ingest.core.pdf.columns import Line, lines_of
from services.ingest.core.pdf.words import PageWords, Word

_MARGIN_SHARE = 0.12
_WIDE_MARGIN_SHARE = 0.2  # the outermost line may stand as far in
_MARGIN_LINES = 2
_AROUND = "-–—[]().,|•·~ \ufffd"
_ARABIC = re.compile(r"((?:[A-Za-z]{1,3}|\d{1,3})[-–.]|[A-Za-z]{1,2})?(\d{1,6})")
_ROMAN = re.compile(r"[ivxlc]+|[IVXLC]+")
_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
_NAMED = re.compile(
    r"\b(?:page|pg\.?|seite|s\.|página|pág\.?|pagina|pag\.?|sida|side|strona|стр\.?|страница)\s*"
    r"([A-Za-z]{0,2}-?\d{1,6}|[ivxlc]+)\b|\b(\d{1,5})\s*(?:/|of|von|de|sur|di|из)\s*\d{1,5}\s*$",
    re.IGNORECASE,
)

Margins = tuple[list[Line], list[Line]]  # the outermost lines at the top, and at the bottom


@dataclass(frozen=True, slots=True)
class PrintedNumber:
    """A number that may be a page's: as printed, what stands before it, its numerals, and its value."""

    text: str
    prefix: str
    numerals: str
    value: int
    named: bool = False
    alone: bool = False

    def count(self, page_number: int) -> tuple[str, str, int]:
        """What stays the same from page to page while the number counts along."""
        return self.prefix, self.numerals, self.value - page_number


def margins_of(page: PageWords) -> Margins:
    """The outermost lines at the top and at the bottom of a page."""
    height = page.reading_height
    outer = [
        word for word in page.words if not _WIDE_MARGIN_SHARE < word.middle / height < 1 - _WIDE_MARGIN_SHARE
    ]
    lines = [line for line in lines_of(outer) if any(map(_says_something, line))]
    top = [line for line in lines if line[0].middle < height / 2][:_MARGIN_LINES]
    bottom = [line for line in lines if line[0].middle >= height / 2][-_MARGIN_LINES:][::-1]
    return (
        [line for at, line in enumerate(top) if at == 0 or line[0].middle < _MARGIN_SHARE * height],
        [line for at, line in enumerate(bottom) if at == 0 or line[0].middle > (1 - _MARGIN_SHARE) * height][
            ::-1
        ],
    )


def printed_numbers(lines: Sequence[Line]) -> Iterator[PrintedNumber]:
    """The numbers that begin or end one of the lines, or are said to be a page's."""
    for line in lines:
        words = [bare for word in line if (bare := word.text.strip(_AROUND))]
        for named in _NAMED.finditer(" ".join(words)):
            found = _number(named[1] or named[2])
            if found:
                yield PrintedNumber(*found, named=True, alone=len(words) <= 4)
        for text in dict.fromkeys((words[0], words[-1]) if words else ()):
            found = _number(text)
            if found:
                yield PrintedNumber(*found, alone=len(words) == 1)


def _says_something(word: Word) -> bool:
    return any(map(str.isalnum, word.text))


def _number(text: str) -> tuple[str, str, str, int] | None:
    arabic = _ARABIC.fullmatch(text)
    if arabic:
        return text, arabic[1] or "", "arabic", int(arabic[2])
    if _ROMAN.fullmatch(text):
        return text, "", "roman", roman_value(text)
    return None


def roman_value(numeral: str) -> int:
    """14 for `xiv`."""
    values = [_ROMAN_VALUES[letter] for letter in numeral.lower()]
    pairs = zip(values, [*values[1:], 0], strict=True)
    return sum(-value if value < following else value for value, following in pairs)
