"""Which documents full of tables are parsers compared on?"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, repeat

from eval.corpus.blocks import Row
from eval.corpus.pages.lines import Style
from eval.corpus.pages.prose import Prose
from eval.corpus.pages.sheet import HEIGHT, MARGIN, WIDTH, GeneratedPdf, Sheet
from eval.corpus.pages.tables import made_table, records, split_over

_BODY = Style(size=10.5, leading=13.5, justified=False)
_HEADING = Style("Helvetica-Bold", 14.0, 17.0, justified=False)
_WIDTH = WIDTH - 2 * MARGIN
_TOP, _FOOT = HEIGHT - 60.0, 60.0
Span = tuple[tuple[int, int], tuple[int, int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tabled:
    """A document of two tables between paragraphs; `shares` are the columns' widths, at most 1 together."""

    name: str
    seed: int
    rules: str
    columns: Sequence[str]
    shares: Sequence[float]
    rows: int = 12
    numeric_from: int = 99
    size: float = 8.5
    padding: float = 4.0
    above: Row = ()
    grouped: bool = False


_FIVE = ("Code", "Place", "Item", "Amount", "Share")
_FIVE_SHARES = (0.16, 0.2, 0.28, 0.18, 0.18)
_WRAPPED = ("Code", "Item", "Remark")
_GROUPS = ("", "", "Measured", "", "Counted", "")
_GROUPED = ("Place", "Code", "Spring", "Autumn", "Height", "Width")

TABLED: tuple[Tabled, ...] = (
    Tabled(name="tables-ruled", seed=201, rules="ruled", columns=_FIVE, shares=_FIVE_SHARES),
    Tabled(
        name="tables-booktabs", seed=202, rules="booktabs", columns=_FIVE, shares=_FIVE_SHARES, numeric_from=3
    ),
    Tabled(name="tables-zebra", seed=203, rules="zebra", columns=_FIVE, shares=_FIVE_SHARES),
    Tabled(name="tables-rows", seed=204, rules="rows", columns=_FIVE, shares=_FIVE_SHARES, numeric_from=3),
    Tabled(name="tables-aligned", seed=205, rules="aligned", columns=_FIVE, shares=_FIVE_SHARES),
    Tabled(
        name="tables-aligned-right",
        seed=206,
        rules="aligned",
        columns=_FIVE,
        shares=_FIVE_SHARES,
        numeric_from=3,
    ),
    Tabled(
        name="tables-wrapped-ruled",
        seed=207,
        rules="ruled",
        columns=_WRAPPED,
        shares=(0.15, 0.25, 0.6),
        rows=8,
    ),
    Tabled(
        name="tables-wrapped-open",
        seed=208,
        rules="booktabs",
        columns=_WRAPPED,
        shares=(0.15, 0.25, 0.6),
        rows=8,
    ),
    Tabled(
        name="tables-wrapped-rows", seed=209, rules="rows", columns=_WRAPPED, shares=(0.15, 0.25, 0.6), rows=8
    ),
    Tabled(
        name="tables-two-headers",
        seed=210,
        rules="ruled",
        columns=_GROUPED,
        shares=(1 / 6,) * 6,
        above=_GROUPS,
    ),
    Tabled(
        name="tables-two-headers-open",
        seed=211,
        rules="booktabs",
        columns=_GROUPED,
        shares=(1 / 6,) * 6,
        above=_GROUPS,
    ),
    Tabled(name="tables-merged", seed=212, rules="ruled", columns=_FIVE, shares=_FIVE_SHARES, grouped=True),
    Tabled(
        name="tables-narrow",
        seed=213,
        rules="aligned",
        columns=("Code", "Date", "Amount", "Share", "Change", "Height", "Width"),
        shares=(0.12, 0.12, 0.1, 0.08, 0.1, 0.1, 0.1),
        numeric_from=2,
        padding=2.5,
    ),
    Tabled(name="tables-long-ruled", seed=214, rules="ruled", columns=_FIVE, shares=_FIVE_SHARES, rows=70),
    Tabled(
        name="tables-long-open",
        seed=215,
        rules="booktabs",
        columns=_FIVE,
        shares=_FIVE_SHARES,
        rows=70,
        numeric_from=3,
    ),
    Tabled(
        name="tables-gaps",
        seed=216,
        rules="rows",
        columns=("Code", "Reserve", "Item", "Amount"),
        shares=(0.2, 0.3, 0.3, 0.2),
    ),
)


def tabled_documents() -> Iterator[GeneratedPdf]:
    """Every document of tables."""
    return map(_document, TABLED)


def _document(wanted: Tabled) -> GeneratedPdf:
    prose = Prose(wanted.seed)
    title = f"Register of {prose.heading().lower()}"
    sheet = Sheet(title)
    _furniture(sheet, title)
    y = sheet.lines(title, (MARGIN, _TOP), _WIDTH, _HEADING) - 8
    for number in (1, 2):
        y = sheet.lines(prose.paragraph(40), (MARGIN, y), _WIDTH, _BODY) - 8
        y = sheet.lines(f"Table {number}. {prose.sentence()}", (MARGIN, y), _WIDTH, _BODY) - 6
        y = _table(sheet, prose, wanted, title, y) - 12
        if y < _FOOT + (160 if number == 1 else 70):
            y = _turn(sheet, title)
    sheet.lines(prose.paragraph(40), (MARGIN, y), _WIDTH, _BODY)
    sheet.end_page()
    pages = sheet.canvas.getPageNumber() - 1
    return GeneratedPdf(sheet.written(f"{wanted.name}.pdf"), "tables", pages)


def _table(sheet: Sheet, prose: Prose, wanted: Tabled, title: str, y: float) -> float:
    """Draws a table from `y` on, over as many pages as it needs; where it ends."""
    rows = records(prose, wanted.rows, wanted.columns)
    spans: list[Span] = []
    if wanted.above:
        rows = (wanted.above, *rows)
        spans += [((2, 0), (3, 0)), ((4, 0), (5, 0))]
    if wanted.grouped:
        rows, merged = _grouped(rows)
        spans += merged
    made = made_table(
        rows,
        wanted.rules,
        [share * _WIDTH for share in wanted.shares],
        header=2 if wanted.above else 1,
        spans=spans,
        size=wanted.size,
        padding=wanted.padding,
        numeric_from=wanted.numeric_from,
    )
    rooms = chain([y - _FOOT], repeat(_TOP - _FOOT))
    for number, (piece, height) in enumerate(split_over(made, _WIDTH, rooms)):
        if number:
            y = _turn(sheet, title)
        piece.drawOn(sheet.canvas, MARGIN, y - height)
        y -= height
    sheet.say_table(rows)
    return float(y)


def _grouped(rows: tuple[Row, ...]) -> tuple[tuple[Row, ...], list[Span]]:
    """Each three rows under one cell of the second column, which stands in the first of them."""
    merged: list[Span] = []
    shown = [rows[0]]
    for first in range(1, len(rows), 3):
        group = rows[first : first + 3]
        shown.append(group[0])
        shown.extend((row[0], "", *row[2:]) for row in group[1:])
        merged.append(((1, first), (1, first + len(group) - 1)))
    return tuple(shown), merged


def _turn(sheet: Sheet, title: str) -> float:
    sheet.end_page()
    _furniture(sheet, title)
    return float(_TOP)


def _furniture(sheet: Sheet, title: str) -> None:
    sheet.running_lines(title, f"Page {sheet.canvas.getPageNumber()}")
