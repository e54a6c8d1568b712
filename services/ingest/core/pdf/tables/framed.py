"""Which tables stand between rules of one width, with no rule between their columns?"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from services.ingest.core.pdf.columns import Line, cell_gap, cells_of, lines_of
from services.ingest.core.pdf.rules import Rules
from services.ingest.core.pdf.tables.aligned import table_in
from services.ingest.core.pdf.tables.cells import Table
from services.ingest.core.pdf.tables.columns import columns_of, cut
from services.ingest.core.pdf.words import Word, typical_height

_NARROWEST_PT = 60.0
_SAME_EXTENT_PT = 2.0
_NEAR_PT = (0, -1, 1, -2, 2)
_MOST_BANDS = 80
_MOST_WORK = 100_000  # words of all tries on a page
_LOOKED_AT = 4  # words are but looked at for the cost of one that is tried
_FULL_LINE = 0.75  # of the width
_RULED_ROWS = 3  # with so many bands the rules part rows; a table may begin above the first of them
_MOST_BEYOND = 4  # lines of a row that stands outside the outermost rule
_STEP_HEIGHTS = 2.4
_TIGHT_HEIGHTS = 1.5  # from line to line of a paragraph
_BESIDE_HEIGHTS = 0.8
_REACH_HEIGHTS = 7.0


def framed_tables(words: Sequence[Word], rules: Rules) -> Iterator[Table]:
    """Tables between rules of one width, one above the other, without any that part the columns."""
    groups: dict[tuple[int, int], list[float]] = defaultdict(list)
    for y, start, end in rules.across:
        if end - start >= _NARROWEST_PT:
            keys = ((round(start) + left, round(end) + right) for left in _NEAR_PT for right in _NEAR_PT)
            groups[next((key for key in keys if key in groups), (round(start), round(end)))].append(y)
    work = _Work(_MOST_WORK)
    in_order = sorted(words, key=lambda word: word.middle)
    for (start, end), places in groups.items():
        if len(places) < 2 or not work.allows(len(words) // _LOOKED_AT):
            continue
        inside = [
            word
            for word in in_order
            if start - _SAME_EXTENT_PT <= (word.x0 + word.x1) / 2 <= end + _SAME_EXTENT_PT
        ]
        yield from _between(sorted(places), inside, rules, work)


@dataclass(slots=True)
class _Work:
    """How many words may yet be tried as parts of a table: a drawing of many rules must cost no more."""

    left: int

    def allows(self, words: int) -> bool:
        self.left -= words
        return self.left >= 0


def _between(places: Sequence[float], words: Sequence[Word], rules: Rules, work: _Work) -> Iterator[Table]:
    """The tables in the longest runs of bands between the rules in which no text runs on."""
    middles = [word.middle for word in words]
    edges = [(bisect_right(middles, low), bisect_left(middles, high)) for low, high in pairwise(places)]
    bands = [lines_of(words[first:last]) for first, last in edges]
    sizes = [max(last - first, 0) for first, last in edges]
    text = [_is_running(band) for band in bands]
    first = 0
    while first < len(bands):
        end = next((index for index in range(first, len(bands)) if text[index]), len(bands))
        for last in range(min(end, first + _MOST_BANDS), first, -1):
            if last - first < 2 or not bands[first] or not bands[last - 1]:
                continue
            looked_at = len(words) + len(rules.across)
            if not work.allows(sum(sizes[first:last]) + looked_at // _LOOKED_AT + 1):
                return
            above = bands[first - 1] if first else _beyond(words, places[0], upwards=True)
            below = bands[last] if last < len(bands) else _beyond(words, places[-1], upwards=False)
            table = _of_bands(bands[first:last], (above, below), rules)
            if table is not None:
                yield table
                first = last
                break
        else:
            first += 1


def _beyond(words: Sequence[Word], place: float, *, upwards: bool) -> list[Line]:
    """The lines near the outermost rule, on the other side of it."""
    near = [
        word
        for word in words
        if 0
        < (place - word.middle if upwards else word.middle - place)
        < _REACH_HEIGHTS * (word.bottom - word.top)
    ]
    return lines_of(near)


def _is_running(lines: Sequence[Line]) -> bool:
    """Whether a line reaches from side to side and the next begins under it, as those of a paragraph do."""
    if len(lines) < 2:
        return False
    gap = cell_gap([word for line in lines for word in line])
    left, right = min(line[0].x0 for line in lines), max(line[-1].x1 for line in lines)
    single = [len(cells_of(line, gap)) == 1 for line in lines]
    return any(
        single[index]
        and single[index + 1]
        and above[-1].x1 - above[0].x0 > _FULL_LINE * (right - left)
        and abs(above[0].x0 - below[0].x0) <= _SAME_EXTENT_PT
        for index, (above, below) in enumerate(pairwise(lines))
    )


def _of_bands(
    bands: Sequence[list[Line]], beyond: tuple[list[Line], list[Line]], rules: Rules
) -> Table | None:
    """The table in the bands, with a row above the first rule and below the last that share its columns."""
    lines = [line for band in bands for line in band]
    height = typical_height(word for line in lines for word in line)
    above, below = [], []
    if len(bands) >= _RULED_ROWS:
        above = _sharing(lines, beyond[0][::-1], height)[::-1]
        below = _sharing(lines, beyond[1], height)
    for candidate in ([*above, *lines, *below], lines):
        table = table_in(candidate, rules, framed=True) if len(candidate) > 1 else None
        if table is not None:
            return table
    return None


def _sharing(lines: Sequence[Line], beyond: Sequence[Line], height: float) -> list[Line]:
    """The lines next to a table, nearest first, that stand in its columns; the farthest fills several."""
    columns = columns_of(lines, height)
    if len(columns) < 2:
        return []
    kept: list[Line] = []
    whole = 0
    last = lines[0] if beyond and beyond[0][0].middle < lines[0][0].middle else lines[-1]
    for line in beyond[:_MOST_BEYOND]:
        parts = cut(line, columns, height)
        if parts.spans or abs(line[0].middle - last[0].middle) > _STEP_HEIGHTS * height:
            break
        if any(part[0].x0 > columns[-1][1] or part[-1].x1 < columns[0][0] for part in parts.cells if part):
            break
        kept.append(line)
        last = line
        if len(parts.filled) > 1:
            whole = len(kept)
    while 0 < whole < len(kept) and _is_near(kept[whole - 1], kept[whole], _BESIDE_HEIGHTS * height):
        whole += 1  # the first line of a cell set in the middle of its row
    further = cut(beyond[whole], columns, height) if whole < len(beyond) else None
    if further is not None and (further.spans or len(further.filled) < 2):
        while whole and _is_near(beyond[whole - 1], beyond[whole], _TIGHT_HEIGHTS * height):
            whole -= 1  # an end or a beginning of the paragraph beyond
    return kept[:whole]


def _is_near(line: Line, other: Line, distance: float) -> bool:
    return abs(line[0].middle - other[0].middle) <= distance
