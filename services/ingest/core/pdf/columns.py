"""In which order is a page read? Columns are found by their gutters, and read one after the other."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from services.ingest.core.pdf.words import Word, typical_height

Line = list[Word]
Gutter = tuple[float, float]  # what no word may reach into, and where the right column begins

_MAX_DEPTH = 12
_MAX_CANDIDATES = 12
_MIN_EDGES = 3
_EDGE_SLACK_PT = 1.5  # left edges of one column differ by less
# What must be free left of a column's edge, in heights of a line: a narrow gutter right at the edge, or a
# wide one that begins a little before it, since quotation marks and bullets hang out of their column.
_ZONES_HEIGHTS = ((0.6, 0.0), (1.2, 0.4))
_TALL_HEIGHTS = 3.0
_CELL_GAP_HEIGHTS = 0.9  # a wider gap inside a line parts cells or columns
_MIN_SIDE_BY_SIDE_HEIGHTS = 4.0  # columns stand beside each other for at least so much
_PROSE_CHARACTERS = 16  # a stretch of a column's line is on average at least so long; a table's cells are not
_MAX_DIGIT_SHARE = 0.4
_JUSTIFIED_WORDS = 4
_MOST_SPREAD = 1.5  # the widest space of a justified line against its middle one
_WIDEST_SPREAD = 1.7  # and this one against the gap between cells


def reading_order(words: Sequence[Word]) -> list[list[Line]]:
    """Regions in reading order, each a list of lines from the top, each line from left to right."""
    return _regions(list(words), 0) if words else []


def lines_of(words: Sequence[Word]) -> list[Line]:
    """Words grouped into lines: one joins a line when its middle lies within the line's height."""
    lines: list[Line] = []
    top = bottom = 0.0
    for word in sorted(words, key=lambda word: (word.middle, word.x0)):
        if lines and top < word.middle < bottom:
            lines[-1].append(word)
            if word.bottom - word.top > bottom - top:  # the tallest word says how high the line is
                top, bottom = word.top, word.bottom
        else:
            lines.append([word])
            top, bottom = word.top, word.bottom
    for line in lines:
        line.sort(key=lambda word: (word.x0, word.top))
    return lines


def cells_of(line: Line, gap: float) -> list[Line]:
    """A line parted wherever the space between two words is wider than `gap`; a justified line is whole."""
    if is_justified(line, gap):
        return [line]
    cells = [[line[0]]]
    for left, right in pairwise(line):
        if right.x0 - left.x1 > gap:
            cells.append([right])
        else:
            cells[-1].append(right)
    return cells


def is_justified(line: Line, gap: float) -> bool:
    """Whether the words stand as far from each other as those of a line spread to its column's width."""
    if len(line) < _JUSTIFIED_WORDS:
        return False
    spaces = sorted(right.x0 - left.x1 for left, right in pairwise(line))
    middle = spaces[len(spaces) // 2]
    if not gap < spaces[-1] < _MOST_SPREAD * middle or middle > _WIDEST_SPREAD * gap:
        return False
    text = "".join(word.text for word in line)
    return sum(map(str.isdigit, text)) < _MAX_DIGIT_SHARE * len(text)


def cell_gap(words: Sequence[Word]) -> float:
    return _CELL_GAP_HEIGHTS * typical_height(words)


def _regions(words: list[Word], depth: int) -> list[list[Line]]:
    area = _Area(words)
    gutter = area.best_gutter() if depth < _MAX_DEPTH else None
    if gutter is None:
        return [lines_of(words)]
    regions: list[list[Line]] = []
    for first, last in area.bands(gutter):
        band = area.words[first:last]
        if area.columns_height(first, last, gutter) > 0:
            regions += _regions([word for word in band if word.x0 < gutter[1]], depth + 1)
            regions += _regions([word for word in band if word.x0 >= gutter[1]], depth + 1)
        elif len(band) < len(words):
            regions += _regions(band, depth + 1)
        else:
            regions.append(lines_of(band))
    return regions


class _Area:
    """The words of a part of a page, from the top, with what is asked of them again and again as arrays."""

    def __init__(self, words: Sequence[Word]) -> None:
        self.words = sorted(words, key=lambda word: (word.middle, word.x0))
        self._height = typical_height(words)
        gap = _CELL_GAP_HEIGHTS * self._height
        tall = [word for word in self.words if word.bottom - word.top > _TALL_HEIGHTS * self._height]
        lines = lines_of(
            [word for word in self.words if word.bottom - word.top <= _TALL_HEIGHTS * self._height]
        )
        self._cells = [[word] for word in tall]  # they stand for tables, beside many lines
        self._cells += [cell for line in lines for cell in cells_of(line, gap)]
        opening = {id(cell[0]) for cell in self._cells}
        self._x0 = np.array([word.x0 for word in self.words])
        self._x1 = np.array([word.x1 for word in self.words])
        self._top = np.array([word.top for word in self.words])
        self._bottom = np.array([word.bottom for word in self.words])
        self._middle = np.array([word.middle for word in self.words])
        self._opens = np.array([id(word) in opening for word in self.words])
        self._weight = np.array([_weight(word) for word in self.words])
        self._digits = np.array([sum(map(str.isdigit, word.text)) for word in self.words])

    def best_gutter(self) -> Gutter | None:
        """The gutter left of a column's edge along which the most text stands side by side as prose."""
        best, best_score = None, _MIN_SIDE_BY_SIDE_HEIGHTS * self._height
        for gutter in self._candidates():
            score = sum(
                self.columns_height(first, last, gutter) for first, last in self._stretches(gutter)[::2]
            )
            if score > best_score:
                best, best_score = gutter, score
        return best

    def bands(self, gutter: Gutter) -> list[tuple[int, int]]:
        """Index ranges from the top: columns, and between them whatever the gutter does not part."""
        bands: list[tuple[int, int]] = []
        in_one_piece = False
        for index, (first, last) in enumerate(self._stretches(gutter)):
            if first == last:
                continue
            columns = index % 2 == 0 and self.columns_height(first, last, gutter) > 0
            if in_one_piece and not columns:
                bands[-1] = (bands[-1][0], last)
            else:
                bands.append((first, last))
            in_one_piece = not columns
        return bands

    def columns_height(self, first: int, last: int, gutter: Gutter) -> float:
        """How much of the stretch's height has prose on both sides; 0 for a line, a table, a word across."""
        if last - first < 2 or self._middle[last - 1] - self._middle[first] < self._height / 2:
            return 0.0
        here = slice(first, last)
        left = self._x0[here] < gutter[1]
        right = ~left
        if left.all() or right.all() or bool((left & (self._x1[here] > gutter[1] + _EDGE_SLACK_PT)).any()):
            return 0.0
        if not self._is_prose(here, left) or not self._is_prose(here, right):
            return 0.0
        top, bottom = self._top[here], self._bottom[here]
        overlap = min(bottom[left].max(), bottom[right].max()) - max(top[left].min(), top[right].min())
        return max(float(overlap), 0.0)

    def _is_prose(self, here: slice, side: NDArray[np.bool_]) -> bool:
        """Long stretches of letters, not the short cells of a table or the numbers of its margin."""
        weight, cells = int(self._weight[here][side].sum()), int(self._opens[here][side].sum())
        return weight >= _PROSE_CHARACTERS * max(cells, 1) and (
            int(self._digits[here][side].sum()) <= _MAX_DIGIT_SHARE * weight
        )

    def _candidates(self) -> list[Gutter]:
        """Left of the cells' edges that most lines share, one for each group of neighbours."""
        edges = Counter(round(cell[0].x0) for cell in self._cells)
        shared = {edge: edges[edge - 1] + edges[edge] + edges[edge + 1] for edge in edges}
        ranked = sorted(
            (edge for edge in shared if shared[edge] >= _MIN_EDGES), key=lambda edge: -shared[edge]
        )
        chosen: list[int] = []
        for edge in ranked:
            if all(abs(edge - other) > 2 for other in chosen):
                chosen.append(edge)
        return [
            (edge - from_heights * self._height, edge - max(to_heights * self._height, _EDGE_SLACK_PT))
            for edge in chosen[:_MAX_CANDIDATES]
            for from_heights, to_heights in _ZONES_HEIGHTS
        ]

    def _stretches(self, gutter: Gutter) -> list[tuple[int, int]]:
        """Index ranges, free and crossed in turn, a free one first; some are empty."""
        crossing = np.flatnonzero((self._x0 < gutter[1]) & (self._x1 > gutter[0]))
        spans: list[tuple[float, float]] = []
        for index in crossing[np.argsort(self._top[crossing], kind="stable")]:
            top, bottom = float(self._top[index]), float(self._bottom[index])
            if spans and top <= spans[-1][1]:
                spans[-1] = (spans[-1][0], max(spans[-1][1], bottom))
            else:
                spans.append((top, bottom))
        cuts = (
            np.searchsorted(self._middle, np.array(spans).reshape(-1))
            if spans
            else np.zeros(0, dtype=np.int64)
        )
        edges = [0, *map(int, cuts), len(self.words)]
        return list(pairwise(edges))


def _weight(word: Word) -> int:
    """A word's length with its space; a wide character counts for two."""
    return 1 + sum(2 if character >= "\u1100" else 1 for character in word.text)
