"""Which lines of a table are one row, where cells are wrapped and no rule parts the rows?"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from services.ingest.core.pdf.columns import Line
from services.ingest.core.pdf.rules import Segment
from services.ingest.core.pdf.tables.cells import Row, is_number
from services.ingest.core.pdf.words import typical_height

_SPACE_HEIGHTS = 0.22
_SLACK_PT = 1.0
_LEADERS = ("...", "…", "_")  # fill what is left of a line
_WIDER_STEP = 1.2  # the space between rows is wider than between a cell's lines by at least this
_MOSTLY = 0.8
_TIGHT_SIZES = 1.4  # lines of one cell are no farther apart, in sizes of their type
_LOOSE_SIZES = 1.55  # lines that are farther apart are two rows


@dataclass(frozen=True, slots=True)
class CutLine:
    """A line cut into the columns of its table, an empty list for a column without words.

    `spans` says that its words stand in no column but across several; they are then in the first cell.
    """

    cells: tuple[Line, ...]
    spans: bool = False

    @property
    def filled(self) -> list[int]:
        return [column for column, cell in enumerate(self.cells) if cell]

    @property
    def words(self) -> Line:
        return [word for cell in self.cells for word in cell]

    @property
    def top(self) -> float:
        return min(word.top for word in self.words)

    @property
    def bottom(self) -> float:
        return max(word.bottom for word in self.words)

    @property
    def size(self) -> float:
        return median(word.size for word in self.words)

    @property
    def middle(self) -> float:
        return median(word.middle for word in self.words)


def rows_of(lines: Sequence[CutLine], across: Sequence[Segment] = ()) -> list[Row]:
    """The rows that lines form, from the top.

    Rules under most rows, or a wider space, say where each ends; else a line goes on the row above when it
    leaves columns empty and each of its cells begins with a word that had no room on the line above it.
    """
    widths = _widths(lines)
    parted = _parted(lines, across)
    if parted is None:
        parted = parted_by_space(lines)
    groups: list[list[CutLine]] = []
    for index, line in enumerate(lines):
        if not groups or line.spans or groups[-1][-1].spans:
            begins = True
        elif parted is not None:
            begins = parted[index] or line.middle - groups[-1][-1].middle > _LOOSE_SIZES * line.size
        else:
            begins = not _goes_on(groups[-1], line, widths)
        if begins:
            groups.append([line])
        else:
            groups[-1].append(line)
    return [_row(group) for group in groups]


def is_wrapped(above: Line, below: Line, width: float) -> bool:
    """Whether the first word below had no room above, in a cell of this width in points."""
    if above[-1].text.endswith(_LEADERS):
        return False
    space = _SPACE_HEIGHTS * typical_height(below)
    first = below[0]
    needed = above[-1].x1 - above[0].x0 + space + first.x1 - first.x0
    return needed > width - _SLACK_PT or above[-1].text.endswith(("-", "\u00ad", "/"))


def _row(group: Sequence[CutLine]) -> Row:
    if group[0].spans:
        return ((group[0].words,),)
    return tuple(
        tuple(cell for cell in column if cell) for column in zip(*(line.cells for line in group), strict=True)
    )


def _widths(lines: Sequence[CutLine]) -> list[float]:
    """How wide the widest line of a cell is in each column."""
    widths = [0.0] * max((len(line.cells) for line in lines), default=0)
    for line in lines:
        if not line.spans:
            for column, cell in enumerate(line.cells):
                if cell:
                    widths[column] = max(widths[column], cell[-1].x1 - cell[0].x0)
    return widths


def _parted(lines: Sequence[CutLine], across: Sequence[Segment]) -> list[bool] | None:
    """Before which lines a rule lies, if rules part the rows throughout; else None."""
    if len(lines) < 3 or not across:
        return None
    left = min(word.x0 for line in lines for word in line.words)
    right = max(word.x1 for line in lines for word in line.words)
    wide = _MOSTLY * (right - left)
    places = sorted(y for y, start, end in across if min(end, right) - max(start, left) >= wide)
    parted = [True]
    for above, below in pairwise(lines):
        place = bisect_right(places, above.middle)
        parted.append(place < len(places) and places[place] < below.middle)
    begins = [not line.spans and len(line.filled) > len(line.cells) / 2 for line in lines]
    whole = sum(begins[1:])
    crowded, seen = 0, begins[0]
    for begin, part in zip(begins[1:], parted[1:], strict=True):
        crowded += begin and seen and not part
        seen = begin or (seen and not part)
    return parted if whole and crowded <= (1 - _MOSTLY) * whole else None


def parted_by_space(lines: Sequence[CutLine]) -> list[bool] | None:
    """Before which lines there is more than a cell's own spacing, if that tells rows; else None.

    Where cells are set in the middle of their row, lines of it stand above and below the others.
    """
    steps = [below.middle - above.middle for above, below in pairwise(lines)]
    if len(steps) < 2:
        return None
    widths, tight = _widths(lines), _TIGHT_SIZES * median(line.size for line in lines)
    ordered = sorted(steps)
    limits = {
        round(low, 1): low * 1.02
        for low, high in pairwise(ordered)
        if high >= _WIDER_STEP * max(low, 0.1) and low * 1.02 <= tight
    }
    for limit in sorted(limits.values(), reverse=True):
        parted = [True, *(step > limit for step in steps)]
        if _are_rows(lines, parted, widths):
            return parted
    return None


def _are_rows(lines: Sequence[CutLine], parted: Sequence[bool], widths: Sequence[float]) -> bool:
    """Whether the lines that are not parted from the one above are the wrapped text of one row."""
    group: list[CutLine] = []
    within = agreeing = whole = 0
    for line, begins in zip(lines, parted, strict=True):
        if begins:
            group = []
        else:
            within += 1
            agreeing += _could_go_on(group, line, widths)
            whole += len(line.filled) == len(line.cells) == len(group[-1].filled)
        group.append(line)
    return agreeing >= _MOSTLY * within and whole <= within / 3


def _goes_on(group: Sequence[CutLine], line: CutLine, widths: Sequence[float]) -> bool:
    step = line.middle - group[-1].middle
    if step > _LOOSE_SIZES * line.size:
        return False
    above = {column for part in group for column in part.filled}
    filled = line.filled
    if not set(filled) <= above or len(filled) >= max(len(above), 2):
        return False
    if any(is_number(" ".join(word.text for word in line.cells[column])) for column in filled):
        return False
    if len(filled) == 1 and filled[0] > 0 and step <= _TIGHT_SIZES * line.size:
        return True
    return all(
        line.cells[column]
        and is_wrapped(
            next(part.cells[column] for part in reversed(group) if part.cells[column]),
            line.cells[column],
            widths[column],
        )
        for column in filled
    )


def _could_go_on(group: Sequence[CutLine], line: CutLine, widths: Sequence[float]) -> bool:
    """Whether no cell of the line begins with a word that would have had room above it."""
    for column in line.filled:
        above = next((part.cells[column] for part in reversed(group) if part.cells[column]), None)
        here = line.cells[column]
        if above and (
            not is_wrapped(above, here, widths[column]) or is_number(" ".join(word.text for word in here))
        ):
            return False
    return not line.spans
