"""How is Markdown read? The source is the canonical text; its block structure gives spans by line."""

import re
from collections.abc import Iterator
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.token import Token

from services.ingest.core.document import (
    CODE,
    FURNITURE,
    HEADING,
    LIST_ITEM,
    PARAGRAPH,
    TABLE,
    Block,
    ParsedDocument,
)
from services.ingest.core.formats.encoding import decode
from services.ingest.core.formats.limits import DEFAULT_LIMITS, Limits
from services.ingest.core.text import one_line, trimmed, with_sections
from services.ingest.core.title import first_headings, title_of

MEDIA_TYPE = "text/markdown"
_FRONT_MATTER = re.compile(r"\A(---|\+\+\+)[^\S\n]*\n(.*?\n)?\1[^\S\n]*(?:\n|\Z)", re.DOTALL)
_FRONT_TITLE = re.compile(r"^title[^\S\n]*[:=][^\S\n]*(.+)$", re.MULTILINE | re.IGNORECASE)
_COMMENT = re.compile(r"\s*(?:<!--.*?-->\s*)+", re.DOTALL)
_TABLE_HEADER_LINES = 2
_KINDS = {
    "heading_open": HEADING,
    "paragraph_open": PARAGRAPH,
    "blockquote_open": PARAGRAPH,
    "list_item_open": LIST_ITEM,
    "table_open": TABLE,
    "fence": CODE,
    "code_block": CODE,
    "html_block": PARAGRAPH,
    "hr": FURNITURE,
}


def parse(name: str, data: bytes, *, limits: Limits = DEFAULT_LIMITS) -> ParsedDocument:
    text, warnings = decode(data)
    front = _FRONT_MATTER.match(text)
    body_start = front.end() if front else 0
    names: dict[int, str] = {}
    blocks = list(_blocks(text, body_start, names))
    if front:
        start, end = trimmed(text, 0, body_start)
        blocks.insert(0, Block(FURNITURE, start, end))
    placed = with_sections(blocks, lambda block: names.get(block.start, ""))
    front_title = _FRONT_TITLE.search(front.group(2) or "") if front else None
    candidates = [front_title.group(1).strip().strip("\"'")] if front_title else []
    title = title_of([*candidates, *first_headings(placed, text)], name)
    return ParsedDocument(text, title, placed, (), None, warnings, MEDIA_TYPE)


def _blocks(text: str, body_start: int, names: dict[int, str]) -> Iterator[Block]:
    """The blocks of the body, with what lies between them as paragraphs; fills `names` by heading start."""
    parser = MarkdownIt("commonmark").enable("table")
    inline = MarkdownIt("commonmark")
    parser.core.ruler.enableOnly(["normalize", "block"])  # inline markup is left alone: only lines matter
    body = text[body_start:]
    line_starts = [body_start, *(body_start + found.end() for found in re.finditer("\n", body)), len(text)]
    position = body_start
    tokens = parser.parse(body)
    for token, following in pairwise([*tokens, Token("end", "", 0)]):
        kind = _KINDS.get(token.type)
        if kind is None or token.map is None or token.level != (kind == LIST_ITEM):
            continue
        first, last = token.map
        start, end = trimmed(
            text, max(position, line_starts[first]), line_starts[min(last, len(line_starts) - 1)]
        )
        if start >= end:
            continue
        yield from _gap(text, position, start)
        position = end
        if kind == HEADING:
            names[start] = _plain(inline, following.content)
        yield _typed(kind, text, (start, end), token)
    yield from _gap(text, position, len(text))


def _typed(kind: str, text: str, span: tuple[int, int], token: Token) -> Block:
    start, end = span
    if kind == HEADING:
        return Block(kind, start, end, level=int(token.tag[1:]))
    if kind == TABLE:
        return Block(kind, start, end, header_lines=_TABLE_HEADER_LINES)
    if kind == LIST_ITEM:
        return Block(kind, start, end, level=1)
    if token.type == "html_block" and _COMMENT.fullmatch(text, start, end):
        return Block(FURNITURE, start, end)
    return Block(kind, start, end)


def _gap(text: str, start: int, end: int) -> Iterator[Block]:
    """Link definitions and whatever else the grammar gives no token for."""
    start, end = trimmed(text, start, end)
    if start < end:
        yield Block(PARAGRAPH, start, end)


def _plain(inline: MarkdownIt, source: str) -> str:
    """A heading's words without emphasis, links and code marks."""
    parts: list[str] = []
    for token in inline.parseInline(source):
        children = token.children or []
        parts.extend(" " if child.type in ("softbreak", "hardbreak") else child.content for child in children)
    return one_line("".join(parts)) or one_line(source)
