"""Which reports with page labels are parsers compared on: in the file's tree, printed, both, disagreeing?"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from eval.corpus.pages.lines import Style
from eval.corpus.pages.prose import Prose
from eval.corpus.pages.sheet import HEIGHT, MARGIN, WIDTH, GeneratedPdf, Sheet

_BODY = Style(size=11.0, leading=14.0, justified=False)
_HEADING = Style("Helvetica-Bold", 15.0, 18.0, justified=False)
_PAGES = 7
_ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x")


@dataclass(frozen=True, slots=True)
class Run:
    """Pages that are counted alike, from a page on: reportlab's name of the style, first number, prefix."""

    page: int
    style: str = "ARABIC"
    start: int = 1
    prefix: str = ""

    def label(self, page: int) -> str:
        """The label of a page, both counted from 1."""
        number = self.start + page - self.page
        return self.prefix + (_ROMAN[number - 1] if self.style == "ROMAN_LOWER" else str(number))


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """A report: the runs of its label tree, those printed, and where and in which words they are printed."""

    name: str
    seed: int
    tree: Sequence[Run] = ()
    printed: Sequence[Run] = ()
    place: str = "foot"
    words: str = "{}"


_PLAIN = (Run(1),)
_FRONT = (Run(1, "ROMAN_LOWER"), Run(4))
_CHAPTER = (Run(1, start=83, prefix="K-"),)

REPORTS: tuple[Report, ...] = (
    Report(name="labels-tree-prefix", seed=301, tree=(Run(1, prefix="A-"),)),
    Report(name="labels-tree-roman", seed=302, tree=_FRONT),
    Report(name="labels-printed-number", seed=303, printed=(Run(1, start=41),)),
    Report(name="labels-printed-roman", seed=304, printed=_FRONT, place="head"),
    Report(name="labels-printed-words", seed=305, printed=_PLAIN, words="Page {} of 7", place="outer"),
    Report(name="labels-printed-code", seed=306, printed=_CHAPTER, place="outer"),
    Report(name="labels-both-prefix", seed=307, tree=_CHAPTER, printed=_CHAPTER, place="outer"),
    Report(name="labels-both-roman", seed=308, tree=_FRONT, printed=_FRONT),
    Report(name="labels-disagree-code", seed=309, tree=_PLAIN, printed=_CHAPTER, place="outer"),
    Report(name="labels-disagree-shifted", seed=310, tree=_PLAIN, printed=(Run(1, start=12),)),
)


def labelled_documents() -> Iterator[GeneratedPdf]:
    """Every labelled report."""
    return map(_document, REPORTS)


def _document(report: Report) -> GeneratedPdf:
    prose = Prose(report.seed)
    title = f"Report on {prose.heading().lower()}"
    sheet = Sheet(title)
    for run in report.tree:
        sheet.canvas.addPageLabel(run.page - 1, style=run.style, start=run.start, prefix=run.prefix or None)
    for page in range(1, _PAGES + 1):
        sheet.running_lines(title, "")
        if report.printed:
            _PLACES[report.place](sheet, report.words.format(_label(report.printed, page)), page)
        y = HEIGHT - 70
        if page == 1:
            y = sheet.lines(title, (MARGIN, y), WIDTH - 2 * MARGIN, _HEADING) - 12
        while y > 430:
            y = sheet.lines(prose.heading(), (MARGIN, y), WIDTH - 2 * MARGIN, _HEADING) - 4
            for _ in range(2):
                text = prose.paragraph(prose.draw.randint(30, 60))
                y = sheet.lines(text, (MARGIN, y), WIDTH - 2 * MARGIN, _BODY) - 7
        sheet.end_page()
    return GeneratedPdf(
        sheet.written(f"{report.name}.pdf"),
        "labels",
        _PAGES,
        tuple(_label(report.tree, page) for page in range(1, _PAGES + 1)) if report.tree else (),
        tuple(_label(report.printed, page) for page in range(1, _PAGES + 1))
        if report.printed
        else ("",) * _PAGES,
    )


def _label(runs: Sequence[Run], page: int) -> str:
    return next(run for run in reversed(runs) if run.page <= page).label(page)


def _foot(sheet: Sheet, label: str, page: int) -> None:
    sheet.canvas.drawCentredString(WIDTH / 2, 26, label)


def _head(sheet: Sheet, label: str, page: int) -> None:
    sheet.canvas.drawRightString(WIDTH - MARGIN, HEIGHT - 30, label)


def _outer(sheet: Sheet, label: str, page: int) -> None:
    """On the outer side of a leaf, as in books."""
    if page % 2:
        sheet.canvas.drawRightString(WIDTH - MARGIN, 26, label)
    else:
        sheet.canvas.drawString(MARGIN, 26, label)


_PLACES: Mapping[str, Callable[[Sheet, str, int], None]] = {"foot": _foot, "head": _head, "outer": _outer}
