"""How do the blocks of all pages become one text, in which every word knows its rectangle?"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from services.ingest.core.document import FURNITURE, TABLE, Block, Box, Page, WordBoxes
from services.ingest.core.formats.table_text import CELL_SEPARATOR
from services.ingest.core.pdf.bidi import logical_line
from services.ingest.core.pdf.columns import Line, lines_of
from services.ingest.core.pdf.furniture import Parted, split_furniture
from services.ingest.core.pdf.headings import Outline, with_levels
from services.ingest.core.pdf.labels import page_labels, printed_labels
from services.ingest.core.pdf.layout import typed_blocks
from services.ingest.core.pdf.line_type import BodyType, Typed, body_type
from services.ingest.core.pdf.margins import margins_of
from services.ingest.core.pdf.tables.cells import Row
from services.ingest.core.pdf.tables.continued import with_continued_tables
from services.ingest.core.pdf.words import PageWords, Word
from services.ingest.core.text import one_line, with_sections

# What a hyphen before it is left hanging for: `Ein- und Ausfahrt`.
_SUSPENDING = frozenset(
    {"und", "oder", "bis", "sowie", "and", "or", "to", "et", "ou", "y", "o", "e", "en", "of"}
)
# Words that keep their hyphen more often than not.
_COMPOUNDING = frozenset(
    {"self", "well", "high", "low", "long", "short", "two", "three", "four", "large", "small", "full", "half",
     "open", "real", "cross", "state", "end", "non", "ex", "all", "so", "one", "first", "second", "third"}
)  # fmt: skip


@dataclass(slots=True)
class _Canvas:
    """The text as it grows, with the place of each word in it."""

    parts: list[str] = field(default_factory=list)
    length: int = 0
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    pages: list[int] = field(default_factory=list)
    boxes: list[tuple[float, float, float, float]] = field(default_factory=list)

    def write(self, words: str) -> None:
        self.parts.append(words)
        self.length += len(words)

    def strip(self) -> None:
        """Takes back the blank that was written last."""
        self.length -= len(self.parts[-1]) - len(self.parts[-1].rstrip())
        self.parts[-1] = self.parts[-1].rstrip()

    def place(self, word: Word, text: str, page_number: int) -> None:
        self.starts.append(self.length)
        self.write(text)
        self.ends.append(self.length)
        self.pages.append(page_number)
        self.boxes.append(word.shown)


@dataclass(frozen=True, slots=True)
class Assembled:
    text: str
    blocks: tuple[Block, ...]
    pages: tuple[Page, ...]
    words: WordBoxes


def assemble(pages: Sequence[PageWords], outline: Outline | None = None) -> Assembled:
    """Lays out every page and writes the text: blocks apart by a blank line, a table's rows by a newline."""
    body = body_type(pages)
    vocabulary = _vocabulary(pages)
    margins = [margins_of(page) for page in pages]
    printed = printed_labels(pages, margins)
    parted = split_furniture(pages, margins, printed)
    laid_out = with_levels(
        with_continued_tables([list(_page_blocks(part, body)) for part in parted]), outline or {}
    )
    canvas, blocks, spans = _Canvas(), [], []
    for page, typed in zip(pages, laid_out, strict=True):
        page_start = None
        for block in typed:
            if canvas.length:
                canvas.write("\n\n")
            start = canvas.length
            page_start = start if page_start is None else page_start
            _write_block(canvas, block, page.number, vocabulary)
            boxes = tuple(_line_box(line, page.number) for line in block.lines)
            blocks.append(
                Block(
                    block.kind, start, canvas.length, block.level, (), page.number, boxes, block.header_lines
                )
            )
        spans.append((canvas.length if page_start is None else page_start, canvas.length))
    text = "".join(canvas.parts)
    placed = with_sections(blocks, lambda block: one_line(text[block.start : block.end]))
    return Assembled(text, placed, tuple(_pages(pages, printed, spans)), _word_boxes(canvas))


def _page_blocks(parted: Parted, body: BodyType) -> Iterator[Typed]:
    if parted.above:
        yield Typed(FURNITURE, tuple(parted.above))
    yield from typed_blocks(parted.page, body)
    for lines in (parted.below, parted.beside, lines_of(parted.page.stamps)):
        if lines:
            yield Typed(FURNITURE, tuple(lines))


def _write_block(canvas: _Canvas, block: Typed, page_number: int, vocabulary: frozenset[str]) -> None:
    """Lines run on with a space, rows with a newline; a word hyphenated at a line's end is made whole."""
    if block.rows:
        for number, row in enumerate(block.rows):
            canvas.write("\n" if number else "")
            _write_row(canvas, row, page_number, vocabulary)
    else:
        between = "\n" if block.kind in (TABLE, FURNITURE) else " "
        _write_lines(canvas, block.lines, page_number, vocabulary, between=between)


def _write_row(canvas: _Canvas, row: Row, page_number: int, vocabulary: frozenset[str]) -> None:
    """Cells apart by a bar, empty ones too, so that each stands under its column's name."""
    for number, cell in enumerate(row):
        if number:
            canvas.write(CELL_SEPARATOR if any(row[:number]) or number > 1 else CELL_SEPARATOR.lstrip())
        _write_lines(canvas, cell, page_number, vocabulary)
    if not row[-1]:
        canvas.strip()


def _write_lines(
    canvas: _Canvas,
    lines: Sequence[Line],
    page_number: int,
    vocabulary: frozenset[str],
    *,
    between: str = " ",
) -> None:
    joined = True
    for index, line in enumerate(lines):
        words = logical_line(line)
        following = lines[index + 1][0].text if index + 1 < len(lines) else ""
        for position, word in enumerate(words):
            if not joined and not (position and word.glued):
                canvas.write(" " if position else between)
            joined = False
            text = word.text
            if position == len(words) - 1 and between == " " and following:
                text, joined = _line_end(text, following, vocabulary)
            canvas.place(word, text, page_number)


def _line_end(last: str, following: str, vocabulary: frozenset[str]) -> tuple[str, bool]:
    """The last word of a line as it is written, and whether the next line goes on without a space."""
    if len(last) < 2 or last[-1] not in "-\u2010\u00ad" or not last[-2].isalnum():
        return last, False
    head, tail = _letters(last[:-1]), _letters(following)
    if not following[0].isalnum() or tail in _SUSPENDING:
        return last, False
    if last[-1] == "\u00ad":
        return last[:-1], True
    hyphenated = f"{head}-{tail}" in vocabulary or (
        head in _COMPOUNDING and tail in vocabulary and head + tail not in vocabulary
    )
    if last[-2].isalpha() and following[0].islower() and (head + tail in vocabulary or not hyphenated):
        return last[:-1], True
    return last, True  # `Spanish-` and `American`, `9%-` and `19%`: a hyphen of its own


def _vocabulary(pages: Sequence[PageWords]) -> frozenset[str]:
    return frozenset(_letters(word.text) for page in pages for word in page.words)


def _letters(word: str) -> str:
    return word.strip(".,;:!?()[]{}\"'“”‘’").lower()


def _line_box(line: Line, page_number: int) -> Box:
    return Box(
        page_number,
        min(word.shown[0] for word in line),
        min(word.shown[1] for word in line),
        max(word.shown[2] for word in line),
        max(word.shown[3] for word in line),
    )


def _pages(
    pages: Sequence[PageWords], printed: Sequence[str], spans: Sequence[tuple[int, int]]
) -> Iterator[Page]:
    labels = page_labels(pages, printed)
    for page, label, on_it, (start, end) in zip(pages, labels, printed, spans, strict=True):
        yield Page(page.number, label, page.width, page.height, page.scanned, start, end, on_it)


def _word_boxes(canvas: _Canvas) -> WordBoxes:
    return WordBoxes(
        np.array(canvas.starts, dtype=np.int32),
        np.array(canvas.ends, dtype=np.int32),
        np.array(canvas.pages, dtype=np.int32),
        np.array(canvas.boxes, dtype=np.float32).reshape(-1, 4),
    )
