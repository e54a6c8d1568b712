"""What do the Board's other paperwork's tables and lists of calls, orders and readings hold?"""

import csv
import io
from collections.abc import Mapping
from dataclasses import dataclass

from eval.corpus.filler_grammar import Expander


@dataclass(frozen=True, slots=True)
class Columns:
    """A table's title and column names, and the pattern of each of its cells."""

    title: str
    names: tuple[str, ...]
    cells: tuple[str, ...]


IN_TEXT = (
    Columns(
        "Hours run",
        ("Station", "Date", "Hours run", "Remark"),
        ("{pump}, {elsewhere}", "{date}", "{100..990}", "[quiet|seal wet|warm|coupling worn|to be oiled]"),
    ),
    Columns(
        "Depths found",
        ("Berth", "Date", "Depth m", "By"),
        ("{quay}, {elsewhere}", "{date}", "{2.1..8.9}", "[lead line|echo sounder|diver's tape]"),
    ),
    Columns(
        "Readings at the tap",
        ("Sample", "Tap", "Turbidity NTU", "Chlorine mg/l"),
        ("{sample}", "{street}, {elsewhere}", "{0.10..1.90}", "{0.02..0.60}"),
    ),
    Columns(
        "Marks of the course",
        ("Course", "Name", "Mark"),
        ("{course}", "{colleague}", "{41..99}, [passed|to be repeated|paper missing]"),
    ),
    Columns(
        "Orders and bills",
        ("Order", "From", "Amount"),
        ("{order}", "{firm}", "{money}, [paid|open|disputed]"),
    ),
    Columns(
        "Boxes on the shelf",
        ("Box", "Holds", "Place"),
        ("{box}", "[day books|dockets|drawings|wage slips]", "{elsewhere}, shelf {1..40}"),
    ),
    Columns(
        "Lights reported out",
        ("Light", "Out from", "To", "Cause"),
        ("{light}", "{date}", "{date}", "[lamp|battery|salt in the photocell|cable chafed]"),
    ),
)

FILES: Mapping[str, tuple[int, Columns]] = {
    "work-orders-2013.csv": (
        64,
        Columns(
            "Work orders",
            ("order", "site", "opened", "object", "firm", "hours", "amount_kr", "remark"),
            (
                "{order}",
                "{elsewhere}",
                "2013-[01|02|03|05|06|08|09|10|11]-[{10..28}]",
                "[fender|ladder|{pump}|hydrant|crane|roof|tide gauge|meter pit|filter flap]",
                "{firm}",
                "{2..60}",
                "{1..60}{100..990}",
                "[|asked by {colleague}|waits for parts|{fault} on the panel|done {weather}|see {order}]",
            ),
        ),
    ),
    "calls-outer-landings-2012.csv": (
        72,
        Columns(
            "Calls",
            ("date", "landing", "ship", "draught_m", "cargo_t", "tug", "remark"),
            (
                "2012-[01|02|03|04|06|07|09|10|12]-[{10..28}]",
                "{elsewhere}",
                "{ship}",
                "{2.8..7.6}",
                "{90..980}",
                "[none|{tug}|{tug}]",
                "[|waited {few} hours|pilot {colleague}|at {quay}|scale out of order|dues disputed]",
            ),
        ),
    ),
    "meter-round-2015.csv": (
        70,
        Columns(
            "Meter round",
            ("meter", "street", "place", "read_on", "reading_m3", "reader", "remark"),
            (
                "MR-{10..98}{100..998}",
                "{street} {1..90}",
                "{elsewhere}",
                "2015-[03|06|09|12]-[{10..28}]",
                "{100..990}",
                "{colleague}",
                "[|estimated|pit full of water|glass fogged|seal broken|nobody at home|dog]",
            ),
        ),
    ),
}


def rows(columns: Columns, count: int, expander: Expander) -> list[tuple[str, ...]]:
    """`count` rows under `columns`, drawn anew."""
    return [tuple(expander.fill(cell, {}) for cell in columns.cells) for _ in range(count)]


def pipe_table(columns: Columns, count: int, expander: Expander) -> str:
    """A table in Markdown."""
    lines = [columns.names, ("---",) * len(columns.names), *rows(columns, count, expander)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def csv_text(columns: Columns, count: int, expander: Expander) -> str:
    """A CSV file's text, column names first."""
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\n").writerows([columns.names, *rows(columns, count, expander)])
    return buffer.getvalue()
