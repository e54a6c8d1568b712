"""How wide is each column of a ruled table, so that no word is cut and the header returns on every page?"""

from collections.abc import Sequence
from xml.sax.saxutils import escape

from reportlab.lib import colors
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.platypus import Flowable, LongTable
from reportlab.platypus import Paragraph as Text

from eval.corpus.blocks import Row, Table

_SIZES = (9.0, 8.5, 8.0, 7.5, 7.0, 6.5, 6.0)
_PADDING = 4
_SLACK = 0.5
_REGULAR, _BOLD = "Helvetica", "Helvetica-Bold"


def ruled_table(table: Table, width: float) -> Flowable:
    """A table with rules around every cell, in the largest type in which each word fits its column.

    Raises ValueError when none does.
    """
    for size in _SIZES:
        widths = column_widths(table, width, size)
        if widths:
            break
    else:
        raise ValueError(
            f"a table of {len(table.header)} columns needs a wider page: set columns = 1 or say less in it"
        )
    styles = [_style(_BOLD, size), *(_style(_REGULAR, size) for _ in table.rows)]
    cells = [_set_row(row, style) for row, style in zip(table.all_rows(), styles, strict=True)]
    return LongTable(
        cells,
        colWidths=widths,
        repeatRows=1,
        style=[
            ("GRID", (0, 0), (-1, -1), 0.5, colors.black),
            ("BACKGROUND", (0, 0), (-1, 0), colors.whitesmoke),
            ("VALIGN", (0, 0), (-1, -1), "TOP"),
            ("LEFTPADDING", (0, 0), (-1, -1), _PADDING),
            ("RIGHTPADDING", (0, 0), (-1, -1), _PADDING),
            ("TOPPADDING", (0, 0), (-1, -1), 2),
            ("BOTTOMPADDING", (0, 0), (-1, -1), 3),
        ],
    )


def column_widths(table: Table, width: float, size: float) -> list[float]:
    """Widths in points, at most `width` together: from the longest word's up to the longest cell's.

    Empty when the longest words alone are too wide.
    """
    columns = list(zip(*table.all_rows(), strict=True))
    least = [
        max(_text_width(word, size) for cell in column for word in cell.split() or [""]) for column in columns
    ]
    most = [max(_text_width(cell, size) for cell in column) for column in columns]
    spare = width - sum(least)
    if spare < 0:
        return []
    wanted = sum(most) - sum(least)
    share = min(1.0, spare / wanted) if wanted else 0.0
    return [low + share * (high - low) for low, high in zip(least, most, strict=True)]


def _text_width(text: str, size: float) -> float:
    return float(stringWidth(text, _BOLD, size)) + 2 * _PADDING + _SLACK


def _set_row(row: Row, style: ParagraphStyle) -> Sequence[Flowable]:
    return [Text(escape(cell), style) for cell in row]


def _style(font: str, size: float) -> ParagraphStyle:
    return ParagraphStyle("cell", fontName=font, fontSize=size, leading=1.2 * size, splitLongWords=0)
