"""How is a document set on pages: columns, running lines, printed labels, the same bytes every time?"""

import io
from collections.abc import Callable, Iterator
from xml.sax.saxutils import escape

from reportlab.lib.enums import TA_JUSTIFY, TA_LEFT
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    BaseDocTemplate,
    Flowable,
    Frame,
    PageTemplate,
    Preformatted,
    Spacer,
)
from reportlab.platypus import PageBreak as NextPage
from reportlab.platypus import Paragraph as Text

from eval.corpus.blocks import Block, Code, Heading, ListItems, PageBreak, Paragraph, Source, Table
from eval.corpus.pdf_tables import ruled_table

_WIDTH, _HEIGHT = A4
_MARGIN = 22 * mm
_GUTTER = 8 * mm
_RUNNING_SIZE = 8
_BODY_SIZE = 10
_HEADING_SIZES = {1: 18.0, 2: 14.0, 3: 12.0, 4: 10.0}
_CODE_SIZES = (8.5, 8.0, 7.5, 7.0, 6.5, 6.0, 5.5, 5.0)


def write_pdf(source: Source) -> bytes:
    """The PDF of a source, in the standard fonts, its page labels printed and in its label tree.

    Raises ValueError, naming the document, for a table or a line of code that no column can hold.
    """
    options = source.options
    column = (_WIDTH - 2 * _MARGIN - (options.columns - 1) * _GUTTER) / options.columns
    frames = [
        Frame(
            _MARGIN + number * (column + _GUTTER),
            _MARGIN,
            column,
            _HEIGHT - 2 * _MARGIN,
            id=f"column {number + 1}",
            leftPadding=0,
            rightPadding=0,
            topPadding=0,
            bottomPadding=0,
        )
        for number in range(options.columns)
    ]
    file = io.BytesIO()
    template = BaseDocTemplate(
        file,
        pagesize=A4,
        title=source.title,
        author="",
        subject="",
        creator="",
        invariant=1,
        pageCompression=0,  # the bytes then depend on no version of zlib
    )
    template.addPageTemplates(PageTemplate("page", frames, onPage=_running_lines(source)))
    try:
        template.build(list(_flow(source, column)))
    except ValueError as error:
        raise ValueError(f"{source.stem}: {error}") from error
    return file.getvalue()


def _running_lines(source: Source) -> Callable[[Canvas, BaseDocTemplate], None]:
    """Draws what stands on every page around the text; a page without a label has its number."""
    options = source.options

    def draw(canvas: Canvas, template: BaseDocTemplate) -> None:
        if canvas.getPageNumber() == 1 and options.page_labels:
            canvas.addPageLabel(0, style="ARABIC", start=1, prefix=options.page_labels)
        canvas.saveState()
        canvas.setFont("Helvetica", _RUNNING_SIZE)
        canvas.drawString(_MARGIN, _HEIGHT - _MARGIN / 2, options.header)
        canvas.drawString(_MARGIN, _MARGIN / 2, options.footer)
        label = f"{options.page_labels}{canvas.getPageNumber()}"
        canvas.drawRightString(_WIDTH - _MARGIN, _MARGIN / 2, label)
        canvas.restoreState()

    return draw


def _flow(source: Source, column: float) -> Iterator[Flowable]:
    """What is set, in reading order; page breaks that would leave an empty page are dropped."""
    justified = source.options.columns > 1
    pending = False
    begun = False
    for block in source.blocks:
        if isinstance(block, PageBreak):
            pending = begun
            continue
        if pending:
            yield NextPage()
        pending, begun = False, True
        yield from _set(block, column, justified=justified)


def _set(block: Block, column: float, *, justified: bool) -> Iterator[Flowable]:
    match block:
        case Heading(level, text):
            yield Text(escape(text), _heading_style(level))
        case Paragraph(text):
            yield Text(escape(text), _body_style(justified=justified))
        case ListItems(items, ordered, start):
            style = _item_style(justified=justified)
            for number, item in enumerate(items, start):
                yield Text(escape(item), style, bulletText=f"{number}." if ordered else "•")
            yield Spacer(0, 4)
        case Table():
            yield ruled_table(block, column)
            yield Spacer(0, 8)
        case Code(text):
            yield Preformatted(text, _code_style(text, column))


def _heading_style(level: int) -> ParagraphStyle:
    size = _HEADING_SIZES[level]
    return ParagraphStyle(
        f"heading {level}",
        fontName="Helvetica-Bold",
        fontSize=size,
        leading=1.2 * size,
        spaceBefore=0.8 * size,
        spaceAfter=0.4 * size,
        keepWithNext=1,
        splitLongWords=0,
    )


def _body_style(*, justified: bool) -> ParagraphStyle:
    return ParagraphStyle(
        "body",
        fontName="Times-Roman",
        fontSize=_BODY_SIZE,
        leading=1.25 * _BODY_SIZE,
        spaceAfter=0.7 * _BODY_SIZE,
        alignment=TA_JUSTIFY if justified else TA_LEFT,
        splitLongWords=0,
    )


def _item_style(*, justified: bool) -> ParagraphStyle:
    return ParagraphStyle(
        "item", parent=_body_style(justified=justified), leftIndent=16, bulletIndent=3, spaceAfter=2
    )


def _code_style(text: str, column: float) -> ParagraphStyle:
    longest = max(text.split("\n"), key=len)
    for size in _CODE_SIZES:
        if stringWidth(longest, "Courier", size) <= column:
            return ParagraphStyle("code", fontName="Courier", fontSize=size, leading=1.2 * size, spaceAfter=7)
    raise ValueError(
        f"a line of code has {len(longest)} characters, more than a column of its pages can hold"
    )
