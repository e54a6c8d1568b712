"""Which words stand on a PDF page, where, and in what type?"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from pdfplumber.utils.text import WordExtractor

from services.ingest.core.pdf.glyphs import UPRIGHT, Glyph, PageGlyphs
from services.ingest.core.pdf.rules import NO_RULES, Rectangle, Rules
from services.ingest.core.text import clean, visible

_UNMAPPED = re.compile(r"\(cid:\d+\)")
_BOLD = re.compile(r"bold|black|heavy|demi|semib|medi(?!um)|cmbx", re.IGNORECASE)
_SPACE_SHARE = 0.15  # of the type size: a wider gap parts two words
_LINE_TOLERANCE_PT = 2.0


@dataclass(frozen=True, slots=True)
class Word:
    """A word: its edges in the frame in which it reads from left to right, `shown` on the page as it is seen.

    All in points from the top left; `size` is that of its type.
    """

    text: str
    x0: float
    top: float
    x1: float
    bottom: float
    size: float
    bold: bool
    shown: Rectangle

    @property
    def middle(self) -> float:
        return (self.top + self.bottom) / 2


@dataclass(frozen=True, slots=True)
class PageWords:
    """Everything kept of a page once its glyphs are let go.

    `words` run as most of the page does; `reading_height` is its extent across their lines. `stamps` run
    otherwise, up or down a side. `rules` are in the frame of `words`.
    """

    number: int
    width: float
    height: float
    reading_height: float
    words: tuple[Word, ...]
    stamps: tuple[Word, ...]
    scanned: bool
    label: str | None
    rules: Rules = NO_RULES


def read_page(page: Any, number: int) -> PageWords:
    """The words of a pdfplumber page, in no order yet."""
    glyphs = PageGlyphs(page)
    by_turn = {turn: _words(glyphs, turn) for turn in glyphs.by_turn}
    main = max(by_turn, key=lambda turn: (len(by_turn[turn]), turn == UPRIGHT), default=UPRIGHT)
    words = by_turn.pop(main, [])
    stamps = [word for others in by_turn.values() for word in others]
    label = page.page_obj.label
    return PageWords(
        number=number,
        width=glyphs.width,
        height=glyphs.height,
        reading_height=glyphs.height if main == UPRIGHT else glyphs.width,
        words=tuple(words),
        stamps=tuple(stamps),
        scanned=not words and not stamps and glyphs.has_images,
        label=clean(label).strip() or None if isinstance(label, str) else None,
        rules=glyphs.rules(main),
    )


def typical_height(words: Iterable[Word]) -> float:
    """The median height of the words, 10 points for none: the measure that gaps are held against."""
    heights = [word.bottom - word.top for word in words]
    return max(median(heights), 1.0) if heights else 10.0


def in_reading_direction(line: Sequence[Word]) -> list[Word]:
    """A line's words from left to right, runs of right-to-left words the other way round."""
    ordered: list[Word] = []
    run: list[Word] = []
    for word in line:
        if _runs_leftwards(word.text):
            run.append(word)
            continue
        ordered.extend(reversed(run))
        run.clear()
        ordered.append(word)
    ordered.extend(reversed(run))
    return ordered


def _words(glyphs: PageGlyphs, turn: int) -> list[Word]:
    """The words of one direction that are on the page and can be seen."""
    extractor = WordExtractor(x_tolerance_ratio=_SPACE_SHARE, y_tolerance=_LINE_TOLERANCE_PT)
    words = []
    for raw, members in extractor.iter_extract_tuples(glyphs.by_turn[turn]):
        text = "".join(clean(_UNMAPPED.sub("\ufffd", raw["text"])).split())
        edges = float(raw["x0"]), float(raw["top"]), float(raw["x1"]), float(raw["bottom"])
        shown = glyphs.shown_at(edges, turn)
        if not visible(text) or not _is_inside(shown, glyphs):
            continue
        if _runs_leftwards(text):
            text = text[::-1]  # glyphs are read from left to right, the word is not
        words.append(Word(text, *edges, _size(members), _is_bold(members), shown))
    return words


def _size(members: Sequence[Glyph]) -> float:
    return round(max(float(glyph["size"]) for glyph in members), 1)


def _is_bold(members: Sequence[Glyph]) -> bool:
    return sum(bool(_BOLD.search(glyph["fontname"])) for glyph in members) > len(members) / 2


def _is_inside(shown: Rectangle, page: PageGlyphs) -> bool:
    x0, top, x1, bottom = shown
    return x1 > 0 and bottom > 0 and x0 < page.width and top < page.height


def _runs_leftwards(text: str) -> bool:
    if text.isascii():
        return False
    return sum(unicodedata.bidirectional(character) in ("R", "AL") for character in text) > len(text) / 2
