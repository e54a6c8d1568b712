"""What is a document made of before it has a format, and what does it say as plain text?"""

from collections.abc import Iterable
from dataclasses import dataclass, field

CELL_SEPARATOR = " | "
_BLOCK_SEPARATOR = "\n\n"

Row = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; `level` is 1 (the document's) to 4."""

    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Running text on one line."""

    text: str


@dataclass(frozen=True, slots=True)
class ListItems:
    """A flat list; an ordered one counts from `start`. The markers are the format's, not the text's."""

    items: tuple[str, ...]
    ordered: bool = False
    start: int = 1


@dataclass(frozen=True, slots=True)
class Table:
    """A table with one header row; every row has as many cells as the header."""

    header: Row
    rows: tuple[Row, ...]

    def all_rows(self) -> tuple[Row, ...]:
        """The header, then the rows."""
        return (self.header, *self.rows)


@dataclass(frozen=True, slots=True)
class Code:
    """Text whose lines and spaces are kept; no newline at its end."""

    text: str


@dataclass(frozen=True, slots=True)
class PageBreak:
    """A new page, in formats that have pages."""


Block = Heading | Paragraph | ListItems | Table | Code | PageBreak


@dataclass(frozen=True, slots=True)
class Layout:
    """How a format is to show a document: what is printed around the text and says nothing itself.

    `page_labels` is the prefix of the printed page numbers ("F-" gives F-1, F-2 ...); `header` and `footer`
    run on every page, or stand once around an HTML page. An empty string is none.
    """

    columns: int = 1
    page_labels: str = ""
    header: str = ""
    footer: str = ""


@dataclass(frozen=True, slots=True)
class Source:
    """A document to be written: `stem` + "." + `format` is its file's name."""

    stem: str
    format: str
    title: str
    options: Layout = field(default_factory=Layout)
    blocks: tuple[Block, ...] = ()

    @property
    def name(self) -> str:
        """The file's name."""
        return f"{self.stem}.{self.format}"

    def tables(self) -> tuple[tuple[Row, ...], ...]:
        """The rows of every table in reading order, the header row first."""
        return tuple(block.all_rows() for block in self.blocks if isinstance(block, Table))


def reference_text(source: Source) -> str:
    """What a perfect parser would read: the blocks' plain text joined by blank lines.

    A table gives one line per row, cells joined by " | ", the header row first; list items stand one per
    line without markers; page breaks, furniture and the title of the front matter give nothing.
    """
    return _BLOCK_SEPARATOR.join(
        block_text(block) for block in source.blocks if not isinstance(block, PageBreak)
    )


def block_text(block: Block) -> str:
    """One block's plain text, as in `reference_text`; a page break's is empty."""
    match block:
        case Heading(text=text) | Paragraph(text) | Code(text):
            return text
        case ListItems(items=items):
            return "\n".join(items)
        case Table():
            return "\n".join(_row_text(row) for row in block.all_rows())
        case PageBreak():
            return ""


def _row_text(row: Iterable[str]) -> str:
    return CELL_SEPARATOR.join(row)
