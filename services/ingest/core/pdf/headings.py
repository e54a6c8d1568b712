"""Which blocks are headings, and how deep do they stand?"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from services.ingest.core.document import HEADING, LIST_ITEM, PARAGRAPH
from services.ingest.core.pdf.columns import Line
from services.ingest.core.pdf.line_type import BodyType, Typed, half_points, is_bold, line_size

SIZE_STEP = 1.12  # type larger than the body's by this is a heading's
_MAX_LINES = 3
_MAX_CHARACTERS = 160
_MAX_LEVEL = 6
_BOLD_RANK = 0.2  # of two headings of one size, the bold one is the higher
_NUMBER = re.compile(
    r"(?:§+\s*)?(\d{1,2}(?:\.\d{1,2}){0,4}|[A-Z](?:\.\d{1,2}){1,4}|[IVX]{1,5}(?=\.))\.?\s+\S"
)
_NAMED = re.compile(
    r"(?:chapter|part|appendix|annex|kapitel|teil|anhang|chapitre|partie|annexe|capítulo|parte|anexo|глава|часть)"
    r"\s+(?:\d{1,3}|[IVXLC]+|[A-Z])\b",
    re.IGNORECASE,
)
_SENTENCES = re.compile(r"[a-z]{2}[.!?]\s+[A-Z]")
_OUTLINE_SHARE = 0.5  # of its titles that must be found for the outline to say the levels
_BARE = re.compile(r"[\W_]+")

Outline = Mapping[tuple[int, str], int]  # page number and bare title -> level


def is_heading(lines: Sequence[Line], body: BodyType) -> float:
    """The rank of a heading by its type, the larger the higher; 0 for what is none."""
    if len(lines) > _MAX_LINES:
        return 0.0
    text = " ".join(word.text for line in lines for word in line)
    if len(text) > _MAX_CHARACTERS or not _names_something(text) or text.endswith((",", ";")):
        return 0.0
    size = max(line_size(line) for line in lines)
    bold = all(map(is_bold, lines))
    if size >= SIZE_STEP * body.size:
        if _SENTENCES.search(text) and text.endswith((".", "!", "?")):
            return 0.0
        return size + (_BOLD_RANK if bold and not body.bold else 0.0)
    if bold and not body.bold and size >= 0.9 * body.size and not text.endswith("."):
        return half_points(body.size)
    return 0.0


def with_levels(pages: Sequence[Sequence[Typed]], outline: Outline) -> list[list[Typed]]:
    """The blocks of all pages, each heading with its level from 1.

    The file's outline says the level where it has the heading; the depth of a number comes next, and the
    size of the type last.
    """
    found = [
        [_in_outline(block, number, outline) for block in blocks]
        for number, blocks in enumerate(pages, start=1)
    ]
    matched = sum(level > 0 for levels in found for level in levels)
    by_outline = matched >= max(_OUTLINE_SHARE * len(outline), 1)
    headings = [
        (block, level if by_outline else 0)
        for blocks, levels in zip(pages, found, strict=True)
        for block, level in zip(blocks, levels, strict=True)
        if block.kind == HEADING or (level and by_outline)
    ]
    ranks = _ranked(headings)
    base = _base([block for block, _ in headings], ranks)
    return [
        [
            _levelled(block, level if by_outline else 0, ranks, base)
            for block, level in zip(blocks, levels, strict=True)
        ]
        for blocks, levels in zip(pages, found, strict=True)
    ]


def bare_title(text: str) -> str:
    """A title as it is compared: no case, no spaces, no marks."""
    return _BARE.sub("", text).casefold()


def depth_of(text: str) -> int:
    """How many numbers a heading's number has: 2 for `2.1 Scope`, 1 for `Chapter 3`, 0 for none."""
    number = _NUMBER.match(text)
    if number:
        return number[1].count(".") + 1
    return 1 if _NAMED.match(text) else 0


def _in_outline(block: Typed, page_number: int, outline: Outline) -> int:
    if not outline or block.kind not in (HEADING, PARAGRAPH, LIST_ITEM) or len(block.lines) > _MAX_LINES:
        return 0
    bare = bare_title(block.words)
    without_number = bare_title(re.sub(r"^\S*\d\S*\s+", "", block.words))
    return outline.get((page_number, bare), 0) or outline.get((page_number, without_number), 0)


def _ranked(headings: Sequence[tuple[Typed, int]]) -> dict[float, int]:
    """The level of each size: that of the outline, or of the numbers that most of it has, else the next."""
    told: dict[float, Counter[int]] = {}
    for block, level in headings:
        if block.kind == HEADING:
            told.setdefault(block.size, Counter())[level] += 1
    depths: dict[float, Counter[int]] = {}
    for block, _ in headings:
        depth = depth_of(block.words)
        if depth and block.kind == HEADING:
            depths.setdefault(block.size, Counter())[depth] += 1
    ranks: dict[float, int] = {}
    above, base = 0, 0
    for size in sorted(told, reverse=True):
        levels = Counter({level: count for level, count in told[size].items() if level})
        numbered = depths.get(size, Counter())
        if levels:
            level = levels.most_common(1)[0][0]
        elif numbered and numbered.total() * 2 >= told[size].total():
            depth = numbered.most_common(1)[0][0]
            base = base or above + 2 - depth
            level = max(base + depth - 1, 1)
        else:
            level = above + 1
        ranks[size] = above = max(1, min(level, _MAX_LEVEL))
    return ranks


def _base(headings: Sequence[Typed], ranks: Mapping[float, int]) -> int:
    """The level of headings with a number of one part."""
    seen = Counter(
        ranks[block.size] - depth + 1
        for block in headings
        if block.kind == HEADING and (depth := depth_of(block.words))
    )
    return max(1, seen.most_common(1)[0][0]) if seen else 1


def _levelled(block: Typed, outlined: int, ranks: Mapping[float, int], base: int) -> Typed:
    if outlined:
        return replace(block, kind=HEADING, level=min(outlined, _MAX_LEVEL))
    if block.kind != HEADING:
        return block
    depth = depth_of(block.words)
    level = base + depth - 1 if depth else ranks[block.size]
    return replace(block, level=max(1, min(level, _MAX_LEVEL)))


def _names_something(text: str) -> bool:
    letters = sum(character.isalpha() for character in text)
    digits = sum(character.isdigit() for character in text)
    return letters >= 2 and letters >= len(text) / 3 and letters > digits
