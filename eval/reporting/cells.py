"""How is a table written, for a terminal or for a page?"""

from collections.abc import Mapping, Sequence
from typing import Any

Result = Mapping[str, Any]
Cells = Sequence[Sequence[str]]


def interval(value: Mapping[str, float], digits: int = 3) -> str:
    """`0.512 [0.431, 0.590]`."""
    return f"{value['mean']:.{digits}f} [{value['low']:.{digits}f}, {value['high']:.{digits}f}]"


def plain(cells: Cells) -> str:
    """Columns for a terminal."""
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = ["  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip() for row in cells]
    return "\n".join((lines[0], "-" * len(lines[0]), *lines[1:]))


def markdown(cells: Cells) -> str:
    """A pipe table."""
    head, *rows = ("| " + " | ".join(row) + " |" for row in cells)
    return "\n".join((head, "|" + " --- |" * len(cells[0]), *rows))


def share(value: float | None) -> str:
    """`0.512`; empty for what was not measured."""
    return "" if value is None else f"{value:.3f}"
