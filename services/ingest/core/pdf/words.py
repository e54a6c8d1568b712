"""Which words stand on a PDF page, where, and in what type?"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Any

from services.ingest.core.pdf.bidi import logical_word
from services.ingest.core.pdf.device import DOWNWARDS, OBLIQUE, UPRIGHT, UPWARDS, Glyph
from services.ingest.core.pdf.fields import annotations_of, written_into
from services.ingest.core.pdf.fonts import UNMAPPED, Fonts
from services.ingest.core.pdf.glyphs import PageGlyphs
from services.ingest.core.pdf.marks import composed, folded, with_scripts
from services.ingest.core.pdf.rules import NO_RULES, Rectangle, Rules
from services.ingest.core.pdf.word import Word
from services.ingest.core.text import clean, visible

__all__ = ["PageWords", "Word", "read_page", "recognised", "typical_height"]

_SPACE_SHARE = 0.15  # of the type size: a wider gap parts two words
_ROOM_SHARE = 0.03  # of the type size: with less between two glyphs, a blank over both parts nothing
_ROUNDING_PT = 0.01  # a blank without width stands where the next glyph does
_LINE_TOLERANCE_PT = 1.5  # baselines of one line differ by less
_STRAY_CHARACTERS = 24  # so few over an image of the whole page are a stamp on a scan
_WHOLE_PAGE = 0.7
_FIELD_CHARACTERS = 12  # a field's words are taken to be set as if it held at least so many
_FIELD_TYPE_PT = 10.0


@dataclass(frozen=True, slots=True)
class PageWords:
    """Everything kept of a page once its glyphs are let go.

    `words` run as most of the page does; `reading_height` is its extent across their lines. `stamps` run
    otherwise, up or down a side or across. `rules` are in the frame of `words`. `unmapped` counts the
    characters that no font gives a meaning to; `broken` says that the page could be read in part only;
    `recognised` that the words were read off its picture.
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
    unmapped: int = 0
    broken: bool = False
    recognised: bool = False


def read_page(page: Any, number: int, fonts: Fonts) -> PageWords:
    """The words of a pdfplumber page, in no order yet."""
    glyphs = PageGlyphs(page, fonts)
    by_turn = {turn: _words(glyphs, turn) for turn in glyphs.by_turn}
    main = max(
        (turn for turn in by_turn if turn != OBLIQUE),
        key=lambda turn: (len(by_turn[turn]), turn == UPRIGHT),
        default=UPRIGHT,
    )
    words = by_turn.pop(main, [])
    words += _filled_in(page, glyphs, main, words)
    stamps = [word for others in by_turn.values() for word in others]
    label = page.page_obj.label
    written = [word.text for word in (*words, *stamps)]
    characters = sum(map(len, written))
    return PageWords(
        number=number,
        width=glyphs.width,
        height=glyphs.height,
        reading_height=glyphs.width if main in (DOWNWARDS, UPWARDS) else glyphs.height,
        words=tuple(words),
        stamps=tuple(stamps),
        scanned=glyphs.has_images
        if not characters
        else characters <= _STRAY_CHARACTERS and glyphs.image_share >= _WHOLE_PAGE,
        label=clean(label).strip() or None if isinstance(label, str) else None,
        rules=glyphs.rules(main),
        unmapped=sum(text.count(UNMAPPED) for text in written),
        broken=glyphs.broken,
    )


def recognised(page: PageWords, words: tuple[Word, ...]) -> PageWords:
    """A scanned page with the words that were read off its picture, stamps on it among them."""
    return replace(
        page, words=words, stamps=(), reading_height=page.height, rules=NO_RULES, recognised=True, unmapped=0
    )


def typical_height(words: Iterable[Word]) -> float:
    """The median height of the words, 10 points for none: the measure that gaps are held against."""
    heights = [word.bottom - word.top for word in words]
    return max(median(heights), 1.0) if heights else 10.0


def _words(glyphs: PageGlyphs, turn: int) -> list[Word]:
    """The words of one direction that are on the page and can be seen."""
    drawn = composed(glyphs.by_turn[turn])
    groups = _in_sequence(drawn) if turn == OBLIQUE else _by_line(drawn)
    words = []
    for members in groups:
        text = _text(members)
        if not text:
            continue
        x0, x1 = min(glyph.x0 for glyph in members), max(glyph.x1 for glyph in members)
        top, bottom = min(glyph.top for glyph in members), max(glyph.bottom for glyph in members)
        shown = glyphs.shown_at((x0, top, x1, bottom), turn)
        if not _is_inside(shown, glyphs):
            continue
        size = round(max(glyph.size for glyph in members), 1)
        bold = sum(glyph.bold for glyph in members) * 2 > len(members)
        words.append(Word(text, x0, top, x1, bottom, size, bold, shown, members[0].base))
    return _in_a_row(words) if turn == OBLIQUE else with_scripts(words)


def _filled_in(page: Any, glyphs: PageGlyphs, turn: int, words: Sequence[Word]) -> Iterator[Word]:
    """The words of form fields and text boxes, in their rectangles; those that are drawn already are not."""
    for text, box in written_into(annotations_of(page.page_obj)):
        place = glyphs.read_from(glyphs.place_of(page, box), turn)
        drawn = {word.text for word in words if place[0] < (word.x0 + word.x1) / 2 < place[2]
                 and place[1] < word.middle < place[3]}  # fmt: skip
        lines = [line.split() for line in text.split("\n") if line.strip()]
        if drawn >= {part for line in lines for part in line}:
            continue
        height = (place[3] - place[1]) / len(lines)
        for row, parts in enumerate(lines):
            top = place[1] + row * height
            step = (place[2] - place[0]) / max(sum(map(len, parts)) + len(parts), _FIELD_CHARACTERS)
            x0 = place[0]
            for part in parts:
                x1 = x0 + step * len(part)
                edges = x0, top, x1, top + height
                shown = glyphs.shown_at(edges, turn)
                size = round(min(height, _FIELD_TYPE_PT), 1)
                if _is_inside(shown, glyphs):
                    yield Word(folded(part), *edges, size, False, shown, top + 0.8 * height)
                x0 = x1 + step


def _text(members: list[Glyph]) -> str:
    """What the glyphs of a word say in logical order, empty if nothing of it can be seen."""
    joined = "".join([glyph.text for glyph in members])
    if joined.isascii():
        text = " ".join(clean(joined).split())
    else:
        text = folded(" ".join(clean(logical_word([glyph.text for glyph in members])).split()))
    return text if visible(text) else ""


def _by_line(glyphs: list[Glyph]) -> list[list[Glyph]]:
    """Glyphs on one baseline, from left to right, parted by spaces and gaps."""
    lines: list[list[Glyph]] = []
    base = float("-inf")
    for glyph in sorted(glyphs, key=lambda glyph: glyph.base):
        if glyph.base - base > _LINE_TOLERANCE_PT:
            lines.append([])
        lines[-1].append(glyph)
        base = glyph.base
    return [word for line in lines for word in _parted(line)]


def _parted(line: list[Glyph]) -> list[list[Glyph]]:
    """Blanks part words, but not those under visible glyphs, as where a padded cell runs into the next."""
    words: list[list[Glyph]] = []
    line.sort(key=lambda glyph: glyph.x0)
    reach, blank, size = float("-inf"), float("inf"), 0.0
    for glyph in line:
        if glyph.text.isspace():
            middle = (glyph.x0 + glyph.x1) / 2
            if middle >= reach:
                blank = min(blank, middle)
            continue
        room = _SPACE_SHARE * glyph.size if glyph.x0 > reach + _ROOM_SHARE * size else _ROUNDING_PT
        if glyph.x0 > reach + _SPACE_SHARE * size or blank <= glyph.x0 + room:
            words.append([])
        words[-1].append(glyph)
        reach, blank, size = max(reach, glyph.x1), float("inf"), glyph.size
    return words


def _in_sequence(glyphs: list[Glyph]) -> list[list[Glyph]]:
    """Glyphs as they are drawn, parted by blanks alone: what stands across the page has no lines."""
    words: list[list[Glyph]] = [[]]
    for glyph in glyphs:
        if glyph.text.isspace():
            words.append([])
        else:
            words[-1].append(glyph)
    return [word for word in words if word]


def _in_a_row(words: list[Word]) -> list[Word]:
    """Words that stand across the page as one line, in the order in which they are drawn."""
    return [
        replace(word, x0=float(at), x1=at + 0.5, top=0.0, bottom=word.size, base=word.size)
        for at, word in enumerate(words)
    ]


def _is_inside(shown: Rectangle, page: PageGlyphs) -> bool:
    x0, top, x1, bottom = shown
    return x1 > 0 and bottom > 0 and x0 < page.width and top < page.height
