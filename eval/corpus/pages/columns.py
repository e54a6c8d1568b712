"""Which documents in columns are parsers compared on?"""

from collections.abc import Iterator
from dataclasses import dataclass

from eval.corpus.pages.flow import Flow
from eval.corpus.pages.lines import Style
from eval.corpus.pages.prose import Prose
from eval.corpus.pages.sheet import MARGIN, WIDTH, GeneratedPdf, Sheet
from eval.corpus.pages.tables import made_table, records

_TITLE = Style("Helvetica-Bold", 17.0, 20.0, justified=False)
_AUTHORS = Style("Helvetica", 9.0, 12.0, justified=False)
_ABSTRACT = Style("Times-Italic", 9.0, 11.0)
_MARKS = "*†‡"


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """How a document in columns is made; every member but the first two is off unless it is named."""

    name: str
    seed: int
    columns: int = 2
    gutter: float = 20.0
    sections: int = 9
    hyphenated: bool = False
    spaced: bool = True
    justified: bool = True
    titled: bool = False
    figures: bool = False
    notes: bool = False
    table: str = ""
    wide_figure: bool = False
    headings: bool = True


LAYOUTS: tuple[Layout, ...] = (
    Layout(name="columns-plain", seed=101),
    Layout(name="columns-ragged", seed=102, justified=False),
    Layout(name="columns-hyphens", seed=103, hyphenated=True),
    Layout(name="columns-article", seed=104, hyphenated=True, titled=True, figures=True),
    Layout(name="columns-notes", seed=105, notes=True),
    Layout(name="columns-figures", seed=106, figures=True),
    Layout(name="columns-ruled-table", seed=107, table="ruled"),
    Layout(name="columns-open-table", seed=108, table="booktabs", titled=True),
    Layout(name="columns-placed-words", seed=109, hyphenated=True, spaced=False),
    Layout(name="columns-three", seed=110, columns=3, gutter=16.0, sections=10),
    Layout(name="columns-narrow-gutter", seed=111, gutter=11.0, hyphenated=True),
    Layout(name="columns-wide-figure", seed=112, wide_figure=True, titled=True, notes=True),
    Layout(name="columns-no-headings", seed=113, headings=False, hyphenated=True, notes=True),
)


def column_documents() -> Iterator[GeneratedPdf]:
    """Every document in columns."""
    return map(_document, LAYOUTS)


def _document(layout: Layout) -> GeneratedPdf:
    prose = Prose(layout.seed)
    title = f"{prose.heading()} and the years since"
    sheet = Sheet(title)
    body = Style(hyphenated=layout.hyphenated, spaced=layout.spaced, justified=layout.justified)

    def furniture() -> None:
        number = sheet.canvas.getPageNumber()
        sheet.running_lines(f"Proceedings of the Coastal Board, volume {layout.seed}", str(number))

    flow = Flow(sheet, body, layout.columns, layout.gutter, furniture)
    if layout.titled:
        flow.span(title, _TITLE)
        flow.span(prose.names(3), _AUTHORS)
        flow.span(f"Abstract. {prose.paragraph(70)}", _ABSTRACT, inset=30, after=14)
    for number in range(1, layout.sections + 1):
        _section(flow, prose, layout, number)
    flow.end()
    pages = sheet.canvas.getPageNumber() - 1
    return GeneratedPdf(sheet.written(f"{layout.name}.pdf"), "columns", pages)


def _section(flow: Flow, prose: Prose, layout: Layout, number: int) -> None:
    heading = prose.heading()
    if layout.wide_figure and number == layout.sections // 2:
        flow.next_page()
        _wide_figure(flow, prose)
    if layout.headings:
        flow.heading(f"{number} {heading}", 11.0)
    for part in range(3):
        mark = _MARKS[part] if layout.notes and not number % 2 else ""
        text = prose.paragraph(prose.draw.randint(45, 85))
        flow.paragraph(f"{text[:-1]}.{mark}" if mark else text)
        if mark:
            flow.footnote(f"{mark} {prose.sentence()}")
    if layout.figures and not number % 2:
        flow.figure(f"Figure {number // 2}. {prose.sentence()}", prose.draw.randint(80, 130))
    if layout.table and not number % 3:
        rows = records(prose, 6, ("Code", "Place", "Amount", "Share"))
        made = made_table(rows, layout.table, [flow.width / 4] * 4, numeric_from=2, size=8.0)
        flow.table(rows, made, f"Table {number // 3}. {prose.sentence()}")


def _wide_figure(flow: Flow, prose: Prose) -> None:
    """A drawing over all columns at the top of a page, its caption below."""
    flow.sheet.canvas.rect(MARGIN, flow.y - 120, WIDTH - 2 * MARGIN, 120)
    flow.y -= 124
    flow.span(f"Figure 1. {prose.sentence()}", _AUTHORS, after=14)
