"""What is a line set in: how large, how bold, and where does it stand?"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from services.ingest.core.pdf.columns import Line
from services.ingest.core.pdf.tables.cells import Extent, Row
from services.ingest.core.pdf.words import PageWords

_ALL_BOLD = 0.8


@dataclass(frozen=True, slots=True)
class Typed:
    """A block before it has a span.

    `size` ranks headings: the larger, the higher; `rows` and `columns` are a table's; `level` is the depth
    of an item.
    """

    kind: str
    lines: tuple[Line, ...]
    size: float = 0.0
    rows: tuple[Row, ...] = ()
    header_lines: int = 0
    level: int = 0
    columns: tuple[Extent, ...] = ()

    @property
    def words(self) -> str:
        return " ".join(word.text for line in self.lines for word in line)


@dataclass(frozen=True, slots=True)
class BodyType:
    """What the running text of a document is set in."""

    size: float
    bold: bool


def body_type(pages: Sequence[PageWords]) -> BodyType:
    """The size and weight that most characters have."""
    sizes: Counter[float] = Counter()
    weights: Counter[bool] = Counter()
    for page in pages:
        for word in page.words:
            sizes[word.size] += len(word.text)
            weights[word.bold] += len(word.text)
    halves: Counter[float] = Counter()
    for size, count in sizes.items():
        halves[half_points(size)] += count
    size = max(halves, key=lambda size: (halves[size], size), default=10.0)
    return BodyType(size, weights[True] > weights[False])


def line_size(line: Line) -> float:
    """The size that most of the line's characters have, to half a point."""
    if len({word.size for word in line}) == 1:
        return half_points(line[0].size)
    sizes: Counter[float] = Counter()
    for word in line:
        sizes[half_points(word.size)] += len(word.text)
    return max(sizes, key=lambda size: (sizes[size], size))


def is_bold(line: Line) -> bool:
    return bold_share(line) > _ALL_BOLD


def weights_differ(above: Line, line: Line) -> bool:
    """One wholly bold, the other hardly: a bold word in a line parts nothing."""
    shares = sorted((bold_share(above), bold_share(line)))
    return shares[0] < 1 - _ALL_BOLD and shares[1] > _ALL_BOLD


def bold_share(line: Line) -> float:
    return sum(len(word.text) for word in line if word.bold) / sum(len(word.text) for word in line)


def top_of(line: Line) -> float:
    return min(word.top for word in line)


def bottom_of(line: Line) -> float:
    return max(word.bottom for word in line)


def half_points(size: float) -> float:
    return round(size * 2) / 2
