"""Which tables do rules draw, cell by cell?"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from statistics import median

import numpy as np
from numpy.typing import NDArray

from services.ingest.core.pdf.columns import lines_of
from services.ingest.core.pdf.openings import opens_caption
from services.ingest.core.pdf.rules import Rules, Segment
from services.ingest.core.pdf.tables.cells import Cell, Extent, Row, Table, row_line
from services.ingest.core.pdf.tables.header import header_lines
from services.ingest.core.pdf.tables.split import split_tall_rows
from services.ingest.core.pdf.words import Word

_TOUCH_PT = 2.5  # rules that come as close cross
_SAME_EDGE_PT = 3.0
_MOST_CROSSINGS = 250_000
_PANEL_LINES = 10
_PANEL_SHARE = 0.8  # of all lines
_FORM_LINES = 12
_FORM_SHARE = 0.2  # of all lines
_TITLE_STEP = 1.3  # type larger than the cells' by this is a title's
_LEAST_FILLED = 0.25  # of the cells; with fewer it is a drawing


def ruled_tables(words: Sequence[Word], rules: Rules) -> Iterator[Table]:
    """The tables whose rows and columns are parted by rules; a frame around text is none."""
    for across, upright in _crossing(rules):
        grid = _Grid(across, upright)
        if grid.rows > 1 and grid.columns > 1:
            table = _table(grid, words, rules)
            if table is not None:
                yield table


def ruled_panels(words: Sequence[Word], rules: Rules) -> Iterator[list[list[Word]]]:
    """The words of tall frames side by side, from the left: columns of a page rather than cells."""
    for across, upright in _crossing(rules):
        grid = _Grid(across, upright)
        inside = _inside(grid, words, grid.owners()) if grid.rows > 0 and grid.columns > 1 else {}
        lines = {cell: len(lines_of(members)) for cell, members in inside.items()}
        tall = [cell for cell in sorted(inside) if lines[cell] >= _PANEL_LINES]
        beside = {cell // grid.columns for cell in tall}
        if (
            len(tall) > 1
            and len(beside) == 1
            and sum(lines[cell] for cell in tall) > _PANEL_SHARE * sum(lines.values())
        ):
            yield [inside[cell] for cell in tall]


class _Grid:
    """The cells between crossing rules: neighbours without a rule between them are one."""

    def __init__(self, across: Sequence[Segment], upright: Sequence[Segment]) -> None:
        reach_x = [edge for _, start, end in across for edge in (start, end)]
        reach_y = [edge for _, start, end in upright for edge in (start, end)]
        self.xs = _edges([x for x, _, _ in upright], (min(reach_x), max(reach_x)))
        self.ys = _edges([y for y, _, _ in across], (min(reach_y), max(reach_y)))
        beginnings = _beginnings(upright, self.ys)
        self.ys = np.sort(np.append(self.ys, sorted(beginnings)))
        self.rows, self.columns = len(self.ys) - 1, len(self.xs) - 1
        middles_x, middles_y = (self.xs[:-1] + self.xs[1:]) / 2, (self.ys[:-1] + self.ys[1:]) / 2
        self._walls = np.zeros((self.rows, len(self.xs)), dtype=bool)
        for x, top, bottom in upright:
            self._walls[(top <= middles_y) & (middles_y <= bottom), _nearest(self.xs, x)] = True
        self._floors = np.zeros((len(self.ys), self.columns), dtype=bool)
        for y, start, end in across:
            self._floors[_nearest(self.ys, y), (start <= middles_x) & (middles_x <= end)] = True
        for y, xs in beginnings.items():
            for x in xs:
                column = _nearest(self.xs, x)
                self._floors[_nearest(self.ys, y), max(column - 1, 0) : column + 1] = True

    def owners(self) -> NDArray[np.int64]:
        """For each cell of the grid the first cell of the one that it belongs to, numbered row by row."""
        parents = list(range(self.rows * self.columns))

        def root(cell: int) -> int:
            while parents[cell] != cell:
                parents[cell] = parents[parents[cell]]
                cell = parents[cell]
            return cell

        def join(cell: int, other: int) -> None:
            low, high = sorted((root(cell), root(other)))
            parents[high] = low

        for row, column in np.argwhere(~self._walls[:, 1:-1]):
            join(int(row * self.columns + column), int(row * self.columns + column + 1))
        for row, column in np.argwhere(~self._floors[1:-1]):
            join(int(row * self.columns + column), int((row + 1) * self.columns + column))
        cells = np.array([root(cell) for cell in range(len(parents))], dtype=np.int64)
        return cells.reshape(self.rows, self.columns)


def _table(grid: _Grid, words: Sequence[Word], rules: Rules) -> Table | None:
    owners = grid.owners()
    inside = _inside(grid, words, owners)
    columns = sorted({cell % grid.columns for cell in inside})
    if len(columns) < 2 or len({cell // grid.columns for cell in inside}) < 2:
        return None
    if len(inside) < _LEAST_FILLED * len(np.unique(owners)):
        return None
    cells: dict[int, Cell] = {cell: tuple(lines_of(members)) for cell, members in inside.items()}
    rows: list[Row] = []
    for row in range(grid.rows):
        first = row * grid.columns
        spanning = len({int(owner) for owner in owners[row, columns]}) == 1
        written = tuple(cells.get(first + column, ()) for column in columns)
        if spanning and any(written):
            rows.append((next(filter(None, written)),))
        elif any(written):
            rows.append(written)
    if sum(sum(map(bool, row)) > 1 for row in rows) < 2:
        return None
    extents = _extents(grid, columns)
    split = split_tall_rows(_without_title(rows), extents)
    if _is_form(split):
        return None
    return Table(tuple(split), header_lines(split, rules, ruled=True), extents)


def _without_title(rows: Sequence[Row]) -> Sequence[Row]:
    """The rows below what stands across the first in larger type, or as a caption: it names the table."""
    body = [word.size for row in rows if len(row) > 1 for word in row_line(row)]
    size = median(body) if body else 0.0
    for index, row in enumerate(rows):
        if len(row) > 1:
            return rows[index:]
        larger = min(word.size for word in row_line(row)) >= _TITLE_STEP * size
        if not larger and not opens_caption(row[0][0]):
            return rows[index:]
    return rows


def _is_form(rows: Sequence[Row]) -> bool:
    """Whether one cell holds a good part of all that is said, as in forms and in frames around text."""
    lines = [len(cell) for row in rows for cell in row]
    return max(lines) >= _FORM_LINES and max(lines) > _FORM_SHARE * sum(lines)


def _extents(grid: _Grid, columns: Sequence[int]) -> tuple[Extent, ...]:
    return tuple((float(grid.xs[column]), float(grid.xs[column + 1])) for column in columns)


def _inside(grid: _Grid, words: Sequence[Word], owners: NDArray[np.int64]) -> dict[int, list[Word]]:
    inside: dict[int, list[Word]] = defaultdict(list)
    left, right, top, bottom = grid.xs[0], grid.xs[-1], grid.ys[0], grid.ys[-1]
    for word in words:
        middle = (word.x0 + word.x1) / 2
        if left < middle < right and top < word.middle < bottom:
            row = int(np.searchsorted(grid.ys, word.middle)) - 1
            column = int(np.searchsorted(grid.xs, middle)) - 1
            inside[int(owners[row, column])].append(word)
    return inside


def _crossing(rules: Rules) -> Iterator[tuple[list[Segment], list[Segment]]]:
    """Groups of rules that hang together, at least two each way."""
    across, upright = rules.across, rules.upright
    if len(across) < 2 or len(upright) < 2 or len(across) * len(upright) > _MOST_CROSSINGS:
        return
    flat, tall = np.array(across), np.array(upright)
    touching = (
        (flat[:, None, 0] >= tall[None, :, 1] - _TOUCH_PT)
        & (flat[:, None, 0] <= tall[None, :, 2] + _TOUCH_PT)
        & (tall[None, :, 0] >= flat[:, None, 1] - _TOUCH_PT)
        & (tall[None, :, 0] <= flat[:, None, 2] + _TOUCH_PT)
    )
    seen = np.zeros(len(across), dtype=bool)
    for start in range(len(across)):
        if seen[start]:
            continue
        mine = np.zeros(len(across), dtype=bool)
        mine[start], size = True, 0
        while mine.sum() > size:
            size = int(mine.sum())
            theirs = touching[mine].any(axis=0)
            mine |= touching[:, theirs].any(axis=1)
        seen |= mine
        theirs = touching[mine].any(axis=0)
        if size > 1 and theirs.sum() > 1:
            yield (
                [across[index] for index in np.flatnonzero(mine)],
                [upright[index] for index in np.flatnonzero(theirs)],
            )


def _edges(places: Sequence[float], reach: tuple[float, float]) -> NDArray[np.float64]:
    """Where the rules lie, those of nearly one place once, and the ends of the rules that cross them."""
    edges: list[float] = []
    for place in sorted([*places, *reach]):
        if not edges or place - edges[-1] > _SAME_EDGE_PT:
            edges.append(place)
    return np.array(edges)


def _beginnings(upright: Sequence[Segment], edges: NDArray[np.float64]) -> dict[float, list[float]]:
    """Where several rules begin below a rule across, under the name of a group of columns: y -> their xs."""
    tops: dict[float, list[float]] = defaultdict(list)
    for x, top, _ in upright:
        if np.abs(edges - top).min() > _SAME_EDGE_PT:
            tops[float(round(top))].append(x)
    return {top: xs for top, xs in tops.items() if len(xs) > 1 and top - 1 not in tops}


def _nearest(edges: NDArray[np.float64], place: float) -> int:
    return int(np.abs(edges - place).argmin())
