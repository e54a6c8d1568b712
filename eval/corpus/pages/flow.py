"""How does text run through columns and pages, with what stands at their feet?"""

from collections.abc import Callable
from dataclasses import dataclass, field

from reportlab.platypus import Flowable

from eval.corpus.blocks import Row
from eval.corpus.pages.lines import Line, Style, broken, draw_line
from eval.corpus.pages.sheet import HEIGHT, MARGIN, WIDTH, Sheet

_TOP, _FOOT = HEIGHT - 54.0, 50.0
_NOTE = Style(size=7.5, leading=9.0)
_CAPTION = Style(font="Helvetica", size=8.0, leading=10.0, justified=False)


@dataclass(slots=True)
class Flow:
    """Text on its way through the columns of a sheet; `body` is how its paragraphs are set."""

    sheet: Sheet
    body: Style
    columns: int
    gutter: float
    furniture: Callable[[], None]
    top: float = _TOP
    column: int = 0
    y: float = _TOP
    feet: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.feet = [_FOOT] * self.columns
        self.furniture()

    @property
    def width(self) -> float:
        """A column's width in points."""
        return float(WIDTH - 2 * MARGIN - (self.columns - 1) * self.gutter) / self.columns

    @property
    def x(self) -> float:
        """Where the present column begins."""
        return MARGIN + self.column * (self.width + self.gutter)

    def span(self, text: str, style: Style, *, inset: float = 0.0, after: float = 6.0) -> None:
        """Text over all columns, above where they begin: only at the top of a page."""
        end = self.sheet.lines(text, (MARGIN + inset, self.y), WIDTH - 2 * (MARGIN + inset), style)
        self.top = self.y = end - after

    def heading(self, text: str, size: float) -> None:
        """A heading, never alone at the foot of a column."""
        style = Style("Helvetica-Bold", size, 1.2 * size, justified=False)
        lines = broken(text, self.width, style)
        self._need(len(lines) * style.leading + 3 * self.body.leading + size)
        if self.y < self.top:
            self.y -= 0.8 * size
        self._draw(text, lines, style)
        self.y -= 3

    def paragraph(self, text: str) -> None:
        """A paragraph, over columns and pages as it needs."""
        self._draw(text, broken(text, self.width, self.body), self.body)
        self.y -= 5

    def figure(self, caption: str, height: float) -> None:
        """A drawing without words, and its caption below."""
        lines = broken(caption, self.width, _CAPTION)
        self._need(height + len(lines) * _CAPTION.leading + 24)
        canvas = self.sheet.canvas
        bottom = self.y - height - 4
        canvas.rect(self.x, bottom, self.width, height)
        for step in range(1, 6):
            canvas.line(
                self.x + step * self.width / 6, bottom, self.x + self.width, bottom + step * height / 6
            )
        self.y = bottom - 3
        self._draw(caption, lines, _CAPTION)
        self.y -= 10

    def table(self, rows: tuple[Row, ...], made: Flowable, caption: str) -> None:
        """A table in a column, its caption above."""
        _, height = made.wrap(self.width, HEIGHT)
        lines = broken(caption, self.width, _CAPTION)
        self._need(height + len(lines) * _CAPTION.leading + 30)
        self.y -= 6
        self._draw(caption, lines, _CAPTION)
        self.y -= 4
        made.drawOn(self.sheet.canvas, self.x, self.y - height)
        self.sheet.say_table(rows)
        self.y -= height + 10

    def footnote(self, text: str) -> None:
        """A note at the foot of the present column, below a short rule; left out where there is no room."""
        lines = broken(text, self.width, _NOTE)
        need = len(lines) * _NOTE.leading + 8
        if self.y - need < self.feet[self.column] + 4 * self.body.leading or self.feet[self.column] > _FOOT:
            return
        self.feet[self.column] += need
        y = self.feet[self.column] - 6
        self.sheet.canvas.line(self.x, y + 2, self.x + self.width / 3, y + 2)
        for line in lines:
            y -= _NOTE.leading
            draw_line(self.sheet.canvas, line, (self.x, y), self.width, _NOTE)
        self.sheet.notes.append(text)

    def end(self) -> None:
        """Ends the last page."""
        self.sheet.end_page()

    def next_page(self) -> None:
        """Ends the page and begins another."""
        self.sheet.end_page()
        self.column, self.top, self.y = 0, _TOP, _TOP
        self.feet = [_FOOT] * self.columns
        self.furniture()

    def _need(self, height: float) -> None:
        if self.y - height < self.feet[self.column]:
            self._advance()

    def _advance(self) -> None:
        if self.column + 1 < self.columns:
            self.column += 1
            self.y = self.top
        else:
            self.next_page()

    def _draw(self, text: str, lines: list[Line], style: Style) -> None:
        """Draws lines where there is room; what a page holds of the text is said before the page ends."""
        words = text.split()
        done = 0
        for line in lines:
            if self.y - self._room(line, style) < self.feet[self.column]:
                if self.column + 1 == self.columns and done:
                    self.sheet.said.append(" ".join(words[:done]))
                    words, done = words[done:], 0
                self._advance()
            self.y -= style.leading
            draw_line(self.sheet.canvas, line, (self.x, self.y), self.width, style)
            done += len(line.words) - line.cut
        self.sheet.said.append(" ".join(words))

    def _room(self, line: Line, style: Style) -> float:
        """A word is cut at the end of a column, never at the end of a page: its line waits for the next."""
        last = self.column + 1 == self.columns
        return 2 * style.leading if line.cut and last else style.leading
