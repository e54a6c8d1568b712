"""In which order is a page read? Columns are found by their gutters, and read one after the other."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from services.ingest.core.pdf.words import Word, typical_height

Line = list[Word]

_MAX_DEPTH = 12
_MAX_CANDIDATES = 16
_GUTTER_HEIGHTS = 0.6  # narrowest gutter, in heights of a line
_CELL_GAP_HEIGHTS = 0.9  # a wider gap inside a line parts cells or columns
_MIN_SIDE_BY_SIDE_HEIGHTS = 4.0  # columns stand beside each other for at least so much
_PROSE_CHARACTERS = 16  # a stretch of a column's line is on average at least so long; a table's cells are not
_MAX_DIGIT_SHARE = 0.4


def reading_order(words: Sequence[Word]) -> list[list[Line]]:
    """Regions in reading order, each a list of lines from the top, each line from left to right."""
    return _regions(list(words), 0) if words else []


def lines_of(words: Sequence[Word]) -> list[Line]:
    """Words grouped into lines: one joins a line when its middle lies within the line's height."""
    lines: list[Line] = []
    edges: list[tuple[float, float]] = []
    for word in sorted(words, key=lambda word: (word.middle, word.x0)):
        if lines and edges[-1][0] < word.middle < edges[-1][1]:
            lines[-1].append(word)
            top, bottom = edges[-1]
            if word.bottom - word.top > bottom - top:  # the tallest word says how high the line is
                edges[-1] = (word.top, word.bottom)
        else:
            lines.append([word])
            edges.append((word.top, word.bottom))
    for line in lines:
        line.sort(key=lambda word: (word.x0, word.top))
    return lines


def cells_of(line: Line, gap: float) -> list[Line]:
    """A line parted wherever the space between two words is wider than `gap`."""
    cells = [[line[0]]]
    for left, right in pairwise(line):
        if right.x0 - left.x1 > gap:
            cells.append([right])
        else:
            cells[-1].append(right)
    return cells


def cell_gap(words: Sequence[Word]) -> float:
    return _CELL_GAP_HEIGHTS * typical_height(words)


def _regions(words: list[Word], depth: int) -> list[list[Line]]:
    gutter = _best_gutter(words) if depth < _MAX_DEPTH else None
    if gutter is None:
        return [lines_of(words)]
    regions: list[list[Line]] = []
    for band in _bands(words, gutter):
        left = [word for word in band if word.x0 < gutter]
        right = [word for word in band if word.x0 >= gutter]
        if _side_by_side(left, right) and not _crosses(band, gutter):
            regions += _regions(left, depth + 1) + _regions(right, depth + 1)
        elif len(band) < len(words):
            regions += _regions(band, depth + 1)
        else:
            regions.append(lines_of(band))
    return regions


def _best_gutter(words: list[Word]) -> float | None:
    """The x just left of a column's edge under which the most text stands side by side as prose."""
    height = typical_height(words)
    gap = _CELL_GAP_HEIGHTS * height
    edges = Counter(round(cell[0].x0) for line in lines_of(words) for cell in cells_of(line, gap))
    best, best_score = None, _MIN_SIDE_BY_SIDE_HEIGHTS * height
    for edge in _candidates(edges):
        gutter = edge - 1.5
        score = 0.0
        for band in _bands(words, gutter):
            if not _crosses(band, gutter):
                score += _columns_height(band, gutter)
        if score > best_score:
            best, best_score = gutter, score
    return best


def _candidates(edges: Counter[int]) -> list[int]:
    """The left edges that most lines share, a point of slack either way; the first of neighbours."""
    shared = {edge: edges[edge - 1] + edges[edge] + edges[edge + 1] for edge in edges}
    ranked = sorted((edge for edge in shared if shared[edge] >= 3), key=lambda edge: (-shared[edge], edge))
    return ranked[:_MAX_CANDIDATES]


def _bands(words: list[Word], gutter: float) -> list[list[Word]]:
    """Top to bottom: stretches that something crosses and stretches that nothing does, in turn."""
    width = _GUTTER_HEIGHTS * typical_height(words)
    crossing = sorted(
        ((word.top, word.bottom) for word in words if word.x0 < gutter and word.x1 > gutter - width + 1.5),
    )
    spans: list[tuple[float, float]] = []
    for top, bottom in crossing:
        if spans and top <= spans[-1][1]:
            spans[-1] = (spans[-1][0], max(spans[-1][1], bottom))
        else:
            spans.append((top, bottom))
    bands: list[list[Word]] = [[] for _ in range(2 * len(spans) + 1)]
    position = 0
    for word in sorted(words, key=lambda word: word.middle):
        while position < len(spans) and word.middle > spans[position][1]:
            position += 1
        inside = position < len(spans) and word.middle >= spans[position][0]
        bands[2 * position + inside].append(word)
    return [band for band in _merged(bands, gutter) if band]


def _merged(bands: list[list[Word]], gutter: float) -> list[list[Word]]:
    """Neighbours that are no columns become one band, so that a line or a table is not torn."""
    merged: list[list[Word]] = []
    open_band = False
    for index, band in enumerate(bands):
        if not band:
            continue
        free = index % 2 == 0
        columns = free and _columns_height(band, gutter) > 0
        if open_band and not columns:
            merged[-1] = merged[-1] + band
        else:
            merged.append(band)
        open_band = not columns
    return merged


def _crosses(band: list[Word], gutter: float) -> bool:
    return any(word.x0 < gutter < word.x1 for word in band)


def _columns_height(band: list[Word], gutter: float) -> float:
    """How much of the band's height both sides of the gutter fill with prose; 0 for anything else."""
    left = [word for word in band if word.x0 < gutter]
    right = [word for word in band if word.x0 >= gutter]
    if not left or not right:
        return 0.0
    overlap = min(_bottom(left), _bottom(right)) - max(_top(left), _top(right))
    return overlap if overlap > 0 and _is_prose(left) and _is_prose(right) else 0.0


def _side_by_side(left: list[Word], right: list[Word]) -> bool:
    return bool(left) and bool(right) and _is_prose(left) and _is_prose(right)


def _is_prose(words: list[Word]) -> bool:
    """Long stretches of letters, not the short cells of a table or the numbers of its margin."""
    gap = cell_gap(words)
    lengths = [sum(map(_weight, cell)) for line in lines_of(words) for cell in cells_of(line, gap)]
    text = "".join(word.text for word in words)
    digits = sum(character.isdigit() for character in text)
    return sum(lengths) / len(lengths) >= _PROSE_CHARACTERS and digits <= _MAX_DIGIT_SHARE * len(text)


def _weight(word: Word) -> int:
    """A word's length with its space; a wide character counts for two."""
    return 1 + sum(2 if character >= "\u1100" else 1 for character in word.text)


def _top(words: list[Word]) -> float:
    return min(word.top for word in words)


def _bottom(words: list[Word]) -> float:
    return max(word.bottom for word in words)
