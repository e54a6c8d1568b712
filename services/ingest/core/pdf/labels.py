"""Which number is printed on a page? The one in its margin that counts along with the pages."""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence

from services.ingest.core.pdf.columns import Line, lines_of
from services.ingest.core.pdf.words import PageWords

_MARGIN_SHARE = 0.12
_MARGIN_LINES = 2
_ARABIC = re.compile(r"([A-Za-z]{1,3}[-–.])?(\d{1,6})")
_ROMAN = re.compile(r"[ivxlc]+|[IVXLC]+")
_AROUND = "-–—[]().,|•·"
_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
_MIN_PAGES = 2
_MIN_SHARE = 0.5

# How a label counts: what stands before its number, its numerals, and number minus page.
Count = tuple[str, str, int]


def page_labels(pages: Sequence[PageWords]) -> list[str]:
    """One label a page: the document's own, else the printed one, else the page's number."""
    if any(page.label for page in pages):
        return [page.label or str(page.number) for page in pages]
    printed = [_candidates(page) for page in pages]
    support = Counter(count for found in printed for count in found)
    needed = max(_MIN_PAGES, min(3, len(pages)) if len(pages) > _MIN_PAGES else _MIN_PAGES)
    labels: list[str | None] = []
    for found in printed:
        best = max(found, key=lambda count: (support[count], count), default=None)
        labels.append(found[best] if best and support[best] >= needed else None)
    trusted = sum(label is not None for label in labels) >= _MIN_SHARE * len(pages)
    return [
        (label if trusted and label else str(page.number)) for page, label in zip(pages, labels, strict=True)
    ]


def margin_lines(page: PageWords) -> tuple[list[Line], list[Line]]:
    """The outermost lines at the top and at the bottom of a page."""
    lines = lines_of(page.words)
    top = [line for line in lines if line[0].middle < _MARGIN_SHARE * page.reading_height][:_MARGIN_LINES]
    bottom = [line for line in lines if line[0].middle > (1 - _MARGIN_SHARE) * page.reading_height][
        -_MARGIN_LINES:
    ]
    return top, bottom


def outer_words(line: Line) -> list[str]:
    """The first and the last word of a line, without the dashes and brackets that a number may stand in."""
    bare = [text for word in line if (text := word.text.strip(_AROUND))]
    return [bare[0], bare[-1]] if bare else []


def _candidates(page: PageWords) -> dict[Count, str]:
    """Numbers that begin or end a line in the margin, by how they would count."""
    found: dict[Count, str] = defaultdict(str)
    top, bottom = margin_lines(page)
    for line in [*top, *bottom]:
        for text in outer_words(line):
            arabic = _ARABIC.fullmatch(text)
            if arabic:
                number = int(arabic.group(2))
                found[(arabic.group(1) or "", "arabic", number - page.number)] = text
            elif _ROMAN.fullmatch(text):
                found[("", "roman", _roman_value(text) - page.number)] = text
    return dict(found)


def _roman_value(numeral: str) -> int:
    values = [_ROMAN_VALUES[letter] for letter in numeral.lower()]
    pairs = zip(values, [*values[1:], 0], strict=True)
    return sum(-value if value < following else value for value, following in pairs)
