"""What does a line open: an item of a list, or the caption of a figure or table?"""

import re
from collections.abc import Sequence
from dataclasses import replace

from services.ingest.core.document import LIST_ITEM
from services.ingest.core.pdf.columns import Line
from services.ingest.core.pdf.line_type import Typed

_BULLET = re.compile(
    r"[•◦▪‣●○■□◆◇▶►➢✓✔–—*·\u2043\uf0b7\uf0a7-]|\(?(?:\d{1,2}|[a-z]|[ivx]{1,5})[.)]|\((?:\d{1,2}|[A-Z])\)|[A-Z]\)"
)
_SIGNS = re.compile(r"[^\w(]")
_CAPTION = re.compile(
    r"(?:figure|fig\.?|table|tab\.|chart|exhibit|plate|scheme|listing|algorithm|box|photo|"
    r"abbildung|abb\.|tabelle|schaubild|tableau|graphique|figura|tabla|cuadro|gráfico|tabella|quadro|tabela|"
    r"figuur|tabel|рис(?:унок|\.)|таблица|табл\.)\s*(?:[A-Z]{1,2}[.-]?)?\d{0,3}(?:[.–-]\d{1,3})*[a-z]?"
    r"\s*(?:[.:|]|–|—|-(?=\s))\s*\S|(?:图|表|図|그림|표)\s*\d{1,3}(?:[.-]\d+)*\s*[.:：．、 ]?\s*\S",
    re.IGNORECASE,
)
_NAMED = re.compile(r"\S+\s*(?:[A-Z]{1,2}[.-]?)?\d")
_MAX_CAPTION_CHARACTERS = 700
_INDENT_STEP_PT = 4.0
_COLUMN_PT = 120.0  # farther right is the next column, not deeper


def is_item(line: Line) -> bool:
    """A bullet or a number, and then words."""
    return (
        len(line) > 1
        and bool(_BULLET.fullmatch(line[0].text))
        and not _BULLET.fullmatch(line[1].text)
        and not _SIGNS.fullmatch(line[1].text)
    )


def opens_caption(line: Line) -> bool:
    """`Figure 3.`, `Table 2:`, in the languages that papers are written in, and not `Figure 3 shows`."""
    text = " ".join(word.text for word in line[:6])
    return bool(_CAPTION.match(text)) and bool(_NAMED.match(text))


def is_caption(lines: Sequence[Line]) -> bool:
    return (
        opens_caption(lines[0]) and sum(len(w.text) for line in lines for w in line) < _MAX_CAPTION_CHARACTERS
    )


def with_depths(blocks: Sequence[Typed]) -> list[Typed]:
    """The blocks with each item's depth, by how far in its bullet stands; a heading begins anew."""
    edges: list[float] = []
    placed = []
    for block in blocks:
        if block.kind != LIST_ITEM:
            edges = []
            placed.append(block)
            continue
        edge = block.lines[0][0].x0
        if edges and edge > edges[-1] + _COLUMN_PT:
            edges = []
        while edges and edge < edges[-1] - _INDENT_STEP_PT:
            edges.pop()
        if not edges or edge > edges[-1] + _INDENT_STEP_PT:
            edges.append(edge)
        placed.append(replace(block, level=len(edges)))
    return placed
