"""Which lines come again in the margins of page after page, or hold the page's number?"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from services.ingest.core.pdf.columns import Line
from services.ingest.core.pdf.labels import margin_lines, outer_words
from services.ingest.core.pdf.words import PageWords

_DIGITS = re.compile(r"\d+|\b[ivxlc]+\b")
_MIN_PAGES = 3
_MIN_SHARE = 0.4  # left and right pages may differ


def split_furniture(
    pages: Sequence[PageWords], labels: Sequence[str]
) -> list[tuple[list[Line], PageWords, list[Line]]]:
    """Each page as its running headers, the page without its furniture, and its running footers."""
    margins = [margin_lines(page) for page in pages]
    seen = Counter(key for top, bottom in margins for key in {_key(line) for line in [*top, *bottom]})
    needed = max(_MIN_PAGES, _MIN_SHARE * len(pages))
    split: list[tuple[list[Line], PageWords, list[Line]]] = []
    for page, label, (top, bottom) in zip(pages, labels, margins, strict=True):
        above = [line for line in top if seen[_key(line)] >= needed or _holds(line, label)]
        below = [
            line
            for line in bottom
            if (seen[_key(line)] >= needed or _holds(line, label)) and line not in above
        ]
        taken = {id(word) for line in [*above, *below] for word in line}
        rest = tuple(word for word in page.words if id(word) not in taken)
        if not rest:  # a page of nothing but furniture keeps it as its text
            split.append(([], page, []))
        else:
            split.append((above, replace(page, words=rest), below))
    return split


def _holds(line: Line, label: str) -> bool:
    """Whether the line opens or ends with the page's printed number."""
    return label in outer_words(line)


def _key(line: Line) -> str:
    """The line with its numbers taken out, since page numbers and dates change."""
    return _DIGITS.sub("#", " ".join(word.text for word in line).lower())
