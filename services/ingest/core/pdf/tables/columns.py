"""In which columns do the words of consecutive lines stand, when no rule says so?"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from statistics import median

from services.ingest.core.pdf.columns import Line, cells_of
from services.ingest.core.pdf.tables.cells import Extent
from services.ingest.core.pdf.tables.rows import CutLine

_NARROWEST_HEIGHTS = 0.3  # the least space that parts two columns, on every line
_TIGHTEST_HEIGHTS = 0.1  # the least before a word that stands where its column begins
_WIDE_HEIGHTS = 0.75  # and on half of the lines it is as wide as this
_CROSSED_SHARE = 0.12  # of the lines may have words across: headers of groups, cells that run over
_INTO_PT = 1.5
_OWN_SHARE = 0.7


def columns_of(lines: Sequence[Line], height: float) -> list[Extent]:
    """The extents of the columns: what is left between the strips that hardly any line has words in."""
    cells = [cells_of(line, _NARROWEST_HEIGHTS * height) for line in lines]
    several = [line for line in cells if len(line) > 1]
    if not several:
        return []
    allowed = int(_CROSSED_SHARE * len(several))
    extents = _covered(several, allowed, _NARROWEST_HEIGHTS * height)
    kept: list[Extent] = extents[:1]
    for extent in extents[1:]:
        spaces = _spaces(several, kept[-1], extent)
        if spaces and median(spaces) >= _WIDE_HEIGHTS * height:
            kept.append(extent)
        else:
            kept[-1] = (kept[-1][0], extent[1])
    return kept


def cut(line: Line, columns: Sequence[Extent], height: float) -> CutLine:
    """A line cut into columns; a stretch of words over several that begins none of them anew stays whole."""
    cells: list[Line] = [[] for _ in columns]
    stretches = cells_of(line, _WIDE_HEIGHTS * height)
    across = 0
    for stretch in stretches:
        touched = _touched(stretch, columns)
        if len(touched) > 1:
            pieces = _pieces(stretch, columns, touched, height)
            if len(pieces) == 1:
                best = max(touched, key=lambda index: _overlap(stretch, columns[index]))
                pieces = [(best if _lies_in(stretch, columns[best]) else touched[0], stretch)]
                across += not _lies_in(stretch, columns[best])
        else:
            pieces = [(touched[0], stretch)]
        for column, words in pieces:
            cells[column].extend(words)
    if len(stretches) == 1 and across and len(columns) > 1:
        return CutLine((list(line), *([] for _ in columns[1:])), spans=True)
    return CutLine(tuple(cells))


def _covered(lines: Sequence[Sequence[Line]], allowed: int, narrowest: float) -> list[Extent]:
    """Where more than `allowed` lines have words, joined over spaces too narrow to part columns."""
    steps: list[tuple[float, int]] = []
    for line in lines:
        for cell in line:
            steps += [(cell[0].x0, 1), (cell[-1].x1, -1)]
    extents: list[Extent] = []
    depth, start = 0, 0.0
    for place, step in sorted(steps):
        before, depth = depth, depth + step
        if before <= allowed < depth:
            start = place
        elif depth <= allowed < before:
            if extents and start - extents[-1][1] < narrowest:
                extents[-1] = (extents[-1][0], place)
            else:
                extents.append((start, place))
    return extents


def _spaces(lines: Sequence[Sequence[Line]], left: Extent, right: Extent) -> list[float]:
    """The space between two columns on each line that has words in both."""
    spaces = []
    for line in lines:
        before = bisect_left(line, left[1], key=lambda cell: cell[0].x0) - 1
        after = bisect_right(line, right[0], key=lambda cell: cell[-1].x1)
        if before < 0 or after == len(line):
            continue
        end, start = line[before][-1].x1, line[after][0].x0
        if end > left[0] and start < right[1] and start > end:
            spaces.append(start - end)
    return spaces


def _overlap(stretch: Line, column: Extent) -> float:
    return min(stretch[-1].x1, column[1]) - max(stretch[0].x0, column[0])


def _lies_in(stretch: Line, column: Extent) -> bool:
    """Whether most of it stands in the column, though it runs over."""
    return _overlap(stretch, column) > _OWN_SHARE * (stretch[-1].x1 - stretch[0].x0)


def _touched(stretch: Line, columns: Sequence[Extent]) -> list[int]:
    """The columns that a stretch of words reaches into, else the nearest."""
    x0, x1 = stretch[0].x0, stretch[-1].x1
    first = bisect_right(columns, x0 + _INTO_PT, key=lambda column: column[1])
    touched = list(range(first, bisect_left(columns, x1 - _INTO_PT, key=lambda column: column[0])))
    if touched:
        return touched
    middle = (x0 + x1) / 2
    return [min(range(len(columns)), key=lambda index: abs(middle - sum(columns[index]) / 2))]


def _pieces(
    stretch: Line, columns: Sequence[Extent], touched: Sequence[int], height: float
) -> list[tuple[int, Line]]:
    """The stretch parted where a word stands in the next column and the one before it ends short of it."""
    pieces: list[tuple[int, Line]] = [(touched[0], [stretch[0]])]
    for word in stretch[1:]:
        column, piece = pieces[-1]
        following = column + 1
        if following <= touched[-1]:
            left = columns[following][0]
            begins = word.x0 >= left - _INTO_PT and piece[-1].x1 <= left + _INTO_PT
            space = _TIGHTEST_HEIGHTS if word.x0 <= left + _INTO_PT else _NARROWEST_HEIGHTS
            if begins and word.x0 - piece[-1].x1 >= space * height:
                pieces.append((following, [word]))
                continue
        piece.append(word)
    return pieces
