"""How do tables look: ruled, between few rules, on stripes, without any, with cells that span?"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any
from xml.sax.saxutils import escape

from reportlab.lib import colors
from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import Paragraph, Table

from eval.corpus.blocks import Row
from eval.corpus.pages.prose import Prose

Command = tuple[Any, ...]
_FIRST, _LAST = (0, 0), (-1, -1)


def _ruled(header: int) -> list[Command]:
    return [("GRID", _FIRST, _LAST, 0.5, colors.black)]


def _booktabs(header: int) -> list[Command]:
    return [
        ("LINEABOVE", _FIRST, (-1, 0), 1.0, colors.black),
        ("LINEBELOW", (0, header - 1), (-1, header - 1), 0.5, colors.black),
        ("LINEBELOW", (0, -1), _LAST, 1.0, colors.black),
    ]


def _zebra(header: int) -> list[Command]:
    return [("ROWBACKGROUNDS", (0, header), _LAST, (colors.whitesmoke, colors.white))]


def _rows_ruled(header: int) -> list[Command]:
    return [("LINEBELOW", _FIRST, _LAST, 0.4, colors.grey)]


def _aligned(header: int) -> list[Command]:
    return []


RULES: Mapping[str, Callable[[int], list[Command]]] = {
    "ruled": _ruled,
    "booktabs": _booktabs,
    "zebra": _zebra,
    "rows": _rows_ruled,
    "aligned": _aligned,
}


def made_table(
    rows: Sequence[Row],
    rules: str,
    widths: Sequence[float],
    *,
    header: int = 1,
    spans: Sequence[tuple[tuple[int, int], tuple[int, int]]] = (),
    size: float = 8.5,
    padding: float = 4.0,
    numeric_from: int = 99,
) -> Table:
    """A table to be drawn; `spans` are corners as (column, row), columns from `numeric_from` on set right.

    Cells wrap where they are long, and the header is drawn again where a page ends.
    """
    cells = [
        [
            _cell(text, size, bold=number < header, right=place >= numeric_from)
            for place, text in enumerate(row)
        ]
        for number, row in enumerate(rows)
    ]
    style: list[Command] = [
        ("VALIGN", _FIRST, _LAST, "TOP"),
        ("TOPPADDING", _FIRST, _LAST, 2),
        ("BOTTOMPADDING", _FIRST, _LAST, 3),
        ("LEFTPADDING", _FIRST, _LAST, padding),
        ("RIGHTPADDING", _FIRST, _LAST, padding),
        *RULES[rules](header),
        *(("SPAN", first, last) for first, last in spans),
    ]
    return Table(cells, colWidths=list(widths), repeatRows=header, style=style)


def records(prose: Prose, count: int, columns: Sequence[str]) -> tuple[Row, ...]:
    """The named columns' header and as many rows."""
    return (tuple(columns), *(tuple(_VALUES[name](prose) for name in columns) for _ in range(count)))


def _cell(text: str, size: float, *, bold: bool, right: bool) -> Paragraph:
    font = "Helvetica-Bold" if bold else "Helvetica"
    style = ParagraphStyle("cell", fontName=font, fontSize=size, leading=1.2 * size, splitLongWords=0)
    style.alignment = 2 if right else 0
    return Paragraph(escape(text), style)


def _code(prose: Prose) -> str:
    return f"{prose.draw.choice(('PQ', 'RT', 'LM', 'VS'))}-{prose.draw.randint(100, 9999)}"


def _place(prose: Prose) -> str:
    return prose.draw.choice(("Osterby", "Hallvik", "Rognoy", "Torskeid", "Breivoll", "Myrland", "Hamnes"))


def _date(prose: Prose) -> str:
    return f"{prose.draw.randint(1, 28)}.{prose.draw.randint(1, 12)}.{prose.draw.randint(2009, 2018)}"


def _amount(prose: Prose) -> str:
    return f"{prose.draw.randint(100, 99_999):,}"


def _share(prose: Prose) -> str:
    return f"{prose.draw.randint(-99, 999) / 10:.1f}"


def _phrase(prose: Prose) -> str:
    adjective = prose.draw.choice(("old", "spare", "second", "painted", "heavy", "borrowed", "narrow"))
    return (
        f"{adjective} {prose.draw.choice(('bollard', 'ladder', 'winch', 'valve', 'pump', 'gauge', 'buoy'))}"
    )


def _note(prose: Prose) -> str:
    return prose.sentence()


def _perhaps(prose: Prose) -> str:
    return _phrase(prose) if prose.draw.random() < 0.6 else ""


_VALUES: Mapping[str, Callable[[Prose], str]] = {
    "Code": _code,
    "Place": _place,
    "Date": _date,
    "Amount": _amount,
    "Change": _share,
    "Share": _share,
    "Item": _phrase,
    "Remark": _note,
    "Reserve": _perhaps,
    "Spring": _share,
    "Autumn": _share,
    "Height": _amount,
    "Width": _amount,
}


def split_over(made: Table, width: float, rooms: Iterator[float]) -> Iterator[tuple[Table, float]]:
    """The table in pieces that fit the rooms of one page after another, each with its height."""
    rest = [made]
    while rest:
        room = next(rooms)
        _, height = rest[0].wrap(width, room)
        if height <= room:
            yield rest.pop(0), height
            continue
        pieces = rest.pop(0).split(width, room)
        if pieces:
            rest[:0] = pieces[1:]
            yield pieces[0], pieces[0].wrap(width, room)[1]
        else:
            rest.insert(0, made)
