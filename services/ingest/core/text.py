"""What may stand in a canonical text, and how is one put together block by block?"""

import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import replace

from services.ingest.core.document import HEADING, Block

# Every chunk carries the names of its section: a heading of a megabyte would be kept a thousand times.
MAX_SECTION_CHARACTERS = 300

_NEWLINES = re.compile("\r\n?|[\x0b\x0c\x85]")
# Control characters but tab and newline, non-characters that no encoder takes, and byte order marks.
_FORBIDDEN = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ufeff\ufffe\uffff]")
_SURROGATES = re.compile("[\ud800-\udfff]")


def clean(text: str) -> str:
    """The text with every newline as \\n, without control characters; nothing else is changed."""
    return _SURROGATES.sub("\ufffd", _FORBIDDEN.sub("", _NEWLINES.sub("\n", text)))


def one_line(text: str) -> str:
    """The text with every run of white space as one space."""
    return " ".join(text.split())


def visible(text: str) -> bool:
    """Whether anything in it can be seen: white space, format and control characters cannot."""
    return any(unicodedata.category(character)[0] not in "ZC" for character in text)


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """The span without white space at either end; start == end when nothing is left."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def with_sections(
    blocks: Iterable[Block], name_of: Callable[[Block], str], *, above: tuple[tuple[int, str], ...] = ()
) -> tuple[Block, ...]:
    """The blocks with `section` filled from the headings' levels; `name_of` gives a heading's plain words."""
    path = list(above)
    placed = []
    for block in blocks:
        if block.kind == HEADING:
            while path and path[-1][0] >= block.level:
                path.pop()
            path.append((block.level, name_of(block)[:MAX_SECTION_CHARACTERS]))
        placed.append(replace(block, section=tuple(name for _, name in path)))
    return tuple(placed)


class TextBuilder:
    """Grows a canonical text and its blocks together, so that spans are right by construction."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self._blocks: list[Block] = []

    def add(
        self, kind: str, text: str, *, level: int = 0, header_lines: int = 0, tight: bool = False
    ) -> None:
        """Appends a block after a blank line, or on the next line when `tight`; a blank one is left out."""
        text = clean(text).strip("\n").rstrip()
        if not text.strip():
            return
        if self._parts:
            self._append("\n" if tight else "\n\n")
        start = self._length
        self._append(text)
        self._blocks.append(Block(kind, start, self._length, level=level, header_lines=header_lines))

    def finish(self) -> tuple[str, tuple[Block, ...]]:
        """The text and its blocks, sections filled in."""
        text = "".join(self._parts)
        return text, with_sections(self._blocks, lambda block: one_line(text[block.start : block.end]))

    def _append(self, part: str) -> None:
        self._parts.append(part)
        self._length += len(part)
