"""Which table goes on from the page before, so that its first rows name nothing?"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from services.ingest.core.document import FOOTNOTE, FURNITURE, TABLE
from services.ingest.core.pdf.line_type import Typed

_SAME_PLACE_PT = 4.0
_BESIDE_TEXT = (FURNITURE, FOOTNOTE)


def with_continued_tables(pages: Sequence[Sequence[Typed]]) -> list[list[Typed]]:
    """The pages' blocks; a table that goes on has headers only where it repeats those that it began with."""
    continued = [list(page) for page in pages]
    header: tuple[str, ...] = ()
    for above, below in pairwise(continued):
        last = next((block for block in reversed(above) if block.kind not in _BESIDE_TEXT), None)
        place = next((place for place, block in enumerate(below) if block.kind not in _BESIDE_TEXT), None)
        if last is None or place is None or not _goes_on(last, below[place]):
            header = ()
            continue
        header = _header(last) or header
        if header and _header(below[place]) and _header(below[place]) != header:
            below[place] = replace(below[place], header_lines=0)
    return continued


def _goes_on(last: Typed, first: Typed) -> bool:
    """Whether two tables have their columns in the same places."""
    return (
        last.kind == first.kind == TABLE
        and len(last.columns) == len(first.columns) > 1
        and all(
            min(abs(here - there) for here, there in zip(left, right, strict=True)) <= _SAME_PLACE_PT
            for left, right in zip(last.columns, first.columns, strict=True)
        )
    )


def _header(block: Typed) -> tuple[str, ...]:
    lines = block.lines[: block.header_lines]
    return tuple(" ".join(word.text for word in line) for line in lines)
