"""Which lines above a table name its columns, though their words stand too close to be seen as cells?"""

from collections.abc import Sequence
from statistics import median

from services.ingest.core.pdf.columns import Line, cells_of
from services.ingest.core.pdf.tables.cells import Extent
from services.ingest.core.pdf.tables.columns import cut

_MOST_LINES = 3
_FARTHEST_SIZES = 2.0  # from line to line
_NAME_GAP_HEIGHTS = 0.5  # wider than the spaces of most text
_SAME_SIZE = 0.06


def names_above(
    lines: Sequence[Line], done: int, first: int, columns: Sequence[Extent], height: float
) -> int:
    """Where the names begin above a table's `first` line, at `done` or below; `first` if there are none.

    A line of names has a stretch of words over more than one column and leaves a gap before each of them.
    """
    start = named = first
    while start > done and first - start < _MOST_LINES:
        line, below = lines[start - 1], lines[start]
        size = median(word.size for word in line)
        same = abs(size - median(word.size for word in below)) <= _SAME_SIZE * size
        parts = cut(line, columns, height)
        if not same or parts.spans or below[0].middle - line[0].middle > _FARTHEST_SIZES * size:
            break
        if len(cells_of(line, _NAME_GAP_HEIGHTS * height)) < len(parts.filled):
            break
        start -= 1
        if len(parts.filled) > 1:
            named = start
    return named
