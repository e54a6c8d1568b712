"""How do pages come to be with their truth beside them: what they say, in which order, under which labels?"""

import io
from dataclasses import dataclass, field

from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from eval.corpus.blocks import CELL_SEPARATOR, Row
from eval.corpus.build import Written
from eval.corpus.pages.lines import Style, broken, draw_line

WIDTH, HEIGHT = A4
MARGIN = 54.0


@dataclass(frozen=True, slots=True)
class GeneratedPdf:
    """A PDF with its truth.

    `kind` is columns, tables or labels. `tree_labels` are those of the file's own label tree, a page each,
    and none where it has none; `printed_labels` are those printed on the pages, empty where nothing is.
    """

    document: Written
    kind: str
    pages: int
    tree_labels: tuple[str, ...] = ()
    printed_labels: tuple[str, ...] = ()


@dataclass(slots=True)
class Sheet:
    """Pages in the making. What is said to be read is drawn by the same call, furniture aside."""

    title: str
    file: io.BytesIO = field(default_factory=io.BytesIO)
    canvas: Canvas = field(init=False)
    said: list[str] = field(default_factory=list)
    tables: list[tuple[Row, ...]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        # Not compressed: the bytes then depend on no version of zlib.
        self.canvas = Canvas(self.file, pagesize=A4, invariant=1, pageCompression=0)
        self.canvas.setTitle(self.title)

    def running_lines(self, header: str, footer: str) -> None:
        """Draws what stands around the text and is no part of it."""
        self.canvas.setFont("Helvetica", 8)
        self.canvas.drawString(MARGIN, HEIGHT - 30, header)
        self.canvas.drawCentredString(WIDTH / 2, 26, footer)

    def lines(self, text: str, at: tuple[float, float], width: float, style: Style) -> float:
        """Draws a text downwards from a top and says it; returns where it ends."""
        self.said.append(text)
        x, y = at
        for line in broken(text, width, style):
            y -= style.leading
            draw_line(self.canvas, line, (x, y), width, style)
        return y

    def say_table(self, rows: tuple[Row, ...]) -> None:
        """A table that stands here; its rows are drawn elsewhere."""
        self.tables.append(rows)
        self.said.append("\n".join(CELL_SEPARATOR.join(row) for row in rows))

    def end_page(self) -> None:
        """Ends a page; its footnotes are read after all else on it."""
        self.said.extend(self.notes)
        self.notes.clear()
        self.canvas.showPage()

    def written(self, name: str) -> Written:
        """The file with what a perfect parser would read."""
        self.canvas.save()
        return Written(name, self.file.getvalue(), "\n\n".join(self.said), tuple(self.tables))
