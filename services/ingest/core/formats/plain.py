"""How is plain text read? Paragraphs between blank lines; an underlined line is a heading."""

import re

from services.ingest.core.document import HEADING, PARAGRAPH, Block, ParsedDocument
from services.ingest.core.formats.encoding import decode
from services.ingest.core.formats.limits import DEFAULT_LIMITS, Limits
from services.ingest.core.text import one_line, trimmed, with_sections
from services.ingest.core.title import first_headings, title_of

MEDIA_TYPE = "text/plain"
_GAP = re.compile(r"\n[^\S\n]*\n\s*")
_UNDERLINE = re.compile(r"(={3,}|-{3,}|~{3,})[^\S\n]*")


def parse(name: str, data: bytes, *, limits: Limits = DEFAULT_LIMITS) -> ParsedDocument:
    text, warnings = decode(data)
    blocks = with_sections(_blocks(text), lambda block: _heading_words(text, block))
    title = title_of(first_headings(blocks, text), name)
    return ParsedDocument(text, title, blocks, (), None, warnings, MEDIA_TYPE)


def _blocks(text: str) -> list[Block]:
    blocks: list[Block] = []
    position = 0
    for gap in [*_GAP.finditer(text), None]:
        start, end = trimmed(text, position, gap.start() if gap else len(text))
        position = gap.end() if gap else len(text)
        if start == end:
            continue
        heading_end, level = _underlined(text, start, end)
        if level:
            blocks.append(Block(HEADING, start, heading_end, level=level))
            start, end = trimmed(text, heading_end, end)
        if start < end:
            blocks.append(Block(PARAGRAPH, start, end))
    return blocks


def _underlined(text: str, start: int, end: int) -> tuple[int, int]:
    """Where a heading with its underline ends, and its level; level 0 when the paragraph opens with none."""
    first = text.find("\n", start, end)
    if first < 0:
        return start, 0
    second = text.find("\n", first + 1, end)
    second = end if second < 0 else second
    words, underline = text[start:first].strip(), text[first + 1 : second].strip()
    if not words or _UNDERLINE.match(words) or not _UNDERLINE.fullmatch(underline):
        return start, 0
    return second, 1 if underline[0] == "=" else 2


def _heading_words(text: str, block: Block) -> str:
    return one_line(text[block.start : block.end].split("\n", 1)[0])
