"""Which words stand on a PDF page, where, and in what type?"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from services.ingest.core.text import clean, visible

_UNMAPPED = re.compile(r"\(cid:\d+\)")
_BOLD = re.compile(r"bold|black|heavy|demi|semib", re.IGNORECASE)
_DOUBLED_WITHIN_PT = 1.0  # a glyph drawn again this close is bold by overprinting
_SPACE_SHARE = 0.15  # of the type size: a wider gap parts two words
_LINE_TOLERANCE_PT = 2.0


@dataclass(frozen=True, slots=True)
class Word:
    """A word in points from the top left of the page as shown; `size` is that of its type."""

    text: str
    x0: float
    top: float
    x1: float
    bottom: float
    size: float
    bold: bool

    @property
    def middle(self) -> float:
        return (self.top + self.bottom) / 2


@dataclass(frozen=True, slots=True)
class PageWords:
    """Everything kept of a page once its glyphs are let go. `stamps` run up or down its side."""

    number: int
    width: float
    height: float
    words: tuple[Word, ...]
    stamps: tuple[Word, ...]
    scanned: bool
    label: str | None


def read_page(page: Any, number: int) -> PageWords:
    """The words of a pdfplumber page, in no order yet."""
    left, top, right, bottom = _shown_box(page)
    kept = page.dedupe_chars(tolerance=_DOUBLED_WITHIN_PT)
    upright = [char for char in kept.chars if char["upright"]]
    turned = [char for char in kept.chars if not char["upright"]]
    words = _words(kept, upright, (left, top)) if upright else []
    stamps = _words(kept, turned, (left, top)) if turned else []
    width, height = right - left, bottom - top
    inside = [word for word in words if _is_inside(word, width, height)]
    aside = [word for word in stamps if _is_inside(word, width, height)]
    label = page.page_obj.label
    return PageWords(
        number=number,
        width=float(width),
        height=float(height),
        words=tuple(inside),
        stamps=tuple(aside),
        scanned=not inside and not aside and bool(page.images),
        label=label if isinstance(label, str) and label.strip() else None,
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


def _words(page: Any, chars: list[dict[str, Any]], origin: tuple[float, float]) -> list[Word]:
    from pdfplumber.utils.text import WordExtractor

    extractor = WordExtractor(
        x_tolerance_ratio=_SPACE_SHARE,
        y_tolerance=_LINE_TOLERANCE_PT,
        keep_blank_chars=False,
        use_text_flow=False,
    )
    words = []
    for raw, members in extractor.iter_extract_tuples(chars):
        text = clean(_UNMAPPED.sub("\ufffd", raw["text"])).strip()
        text = "".join(text.split())
        if not visible(text):
            continue
        if _runs_leftwards(text):
            text = text[::-1]  # glyphs are read from left to right, the word is not
        sizes = [float(char["size"]) for char in members]
        bold = sum(bool(_BOLD.search(char["fontname"])) for char in members) > len(members) / 2
        x0, top = float(raw["x0"]) - origin[0], float(raw["top"]) - origin[1]
        x1, bottom = float(raw["x1"]) - origin[0], float(raw["bottom"]) - origin[1]
        words.append(Word(text, x0, top, x1, bottom, round(max(sizes), 1), bold))
    return words


def _shown_box(page: Any) -> tuple[float, float, float, float]:
    """The crop box, which is what a viewer shows, inside the media box."""
    outer = page.mediabox
    crop = page.cropbox if page.rotation % 360 == 0 else outer
    box = (max(crop[0], outer[0]), max(crop[1], outer[1]), min(crop[2], outer[2]), min(crop[3], outer[3]))
    return box if box[2] - box[0] > 1 and box[3] - box[1] > 1 else outer


def _is_inside(word: Word, width: float, height: float) -> bool:
    return word.x1 > 0 and word.bottom > 0 and word.x0 < width and word.top < height


def _runs_leftwards(text: str) -> bool:
    letters = [unicodedata.bidirectional(character) for character in text]
    return sum(kind in ("R", "AL") for kind in letters) > len(text) / 2
