"""Which blocks does a plain text hold: headings, lists, tables, and paragraphs between blank lines?"""

import re
from collections.abc import Iterator, Sequence

from services.ingest.core.document import CAPTION, HEADING, LIST_ITEM, PARAGRAPH, TABLE, Block
from services.ingest.core.formats.plain.headings import Heading, HeadingFinder
from services.ingest.core.formats.plain.lines import Line, stanzas
from services.ingest.core.formats.plain.tables import kind_of_line, table_header_lines, table_run
from services.ingest.core.text import with_sections

_MARK = re.compile(r"(?:[-*+•‣▪–]|\(?(?:\d{1,3}|[a-z])[.)])[ \t]+\S")
_BULLET = re.compile(r"[-*+•‣▪–]")
_CAPTION = re.compile(r"(?:table|tab\.|tabelle|tableau|figure|fig\.)\s+[A-Z]?\d", re.IGNORECASE)
_MAX_CAPTION = 200


def plain_blocks(text: str, *, headings: bool = True) -> tuple[Block, ...]:
    """The blocks of a text that is kept as it is, sections filled in."""
    found = list(stanzas(text))
    finder = HeadingFinder(found) if headings else None
    names: dict[int, str] = {}
    blocks: list[Block] = []
    for index, stanza in enumerate(found):
        before = found[index - 1] if index else []
        after = found[index + 1] if index + 1 < len(found) else []
        heading = None if finder is None else _heading(finder, stanza, before, after)
        if heading is not None:
            head = stanza[: heading.lines]
            blocks.append(_block(HEADING, head, level=heading.level))
            names[blocks[-1].start] = heading.words
            stanza = stanza[heading.lines :]
        blocks.extend(_body(stanza))
    return with_sections(blocks, lambda block: names[block.start])


def _heading(
    finder: HeadingFinder, stanza: Sequence[Line], before: Sequence[Line], after: Sequence[Line]
) -> Heading | None:
    """The stanza's heading, unless its first lines are the ruled names of a table's columns."""
    if kind_of_line(stanza[0]) not in ("", "rule") and table_header_lines(stanza[: table_run(stanza, 0)]):
        return None
    return finder.heading_of(stanza, before, after)


def _body(lines: Sequence[Line]) -> Iterator[Block]:
    """Tables and lists, and what lies between them as paragraphs."""
    begun = position = 0
    alike = _marked_alike(lines)
    while position < len(lines):
        end = table_run(lines, position)
        header_lines = table_header_lines(lines[position:end]) if end > position + 1 else None
        if header_lines is not None:
            yield from _paragraph(lines[begun:position])
            yield _block(TABLE, lines[position:end], header_lines=header_lines)
            begun = position = end
        elif _list_begins(lines, position, begun, alike=alike[position]):
            yield from _paragraph(lines[begun:position])
            end = _list_end(lines, position)
            yield from _items(lines[position:end])
            begun = position = end
        else:
            position = max(end, position + 1)
    yield from _paragraph(lines[begun:])


def _paragraph(lines: Sequence[Line]) -> Iterator[Block]:
    if not lines:
        return
    words = lines[0].text.strip()
    is_caption = len(words) <= _MAX_CAPTION and len(lines) < 4 and _CAPTION.match(words)
    yield _block(CAPTION if is_caption else PARAGRAPH, lines)


def _block(kind: str, lines: Sequence[Line], *, level: int = 0, header_lines: int = 0) -> Block:
    return Block(
        kind, lines[0].start + lines[0].indent, lines[-1].end, level=level, header_lines=header_lines
    )


def _list_begins(lines: Sequence[Line], position: int, begun: int, *, alike: bool) -> bool:
    """A marked line that opens a paragraph, follows a colon, or is followed by others of its kind alone."""
    if not _marked(lines[position]):
        return False
    return position == begun or lines[position - 1].text.endswith(":") or alike


def _marked_alike(lines: Sequence[Line]) -> list[bool]:
    """For each line, whether marked lines follow it and all bear its kind of mark: a bullet or a number."""
    alike: list[bool] = []
    kinds: set[bool] = set()
    for line in reversed(lines):
        if not _marked(line):
            alike.append(False)
            continue
        kind = bool(_BULLET.match(line.text.lstrip()))
        alike.append(kinds == {kind})
        kinds.add(kind)
    return alike[::-1]


def _marked(line: Line) -> bool:
    return bool(_MARK.match(line.text.lstrip()))


def _list_end(lines: Sequence[Line], first: int) -> int:
    """Where the items end: with the stanza, or where a table begins in it."""
    position = first + 1
    while position < len(lines):
        if kind_of_line(lines[position]) in ("tab", "pipe") and not _marked(lines[position]):
            break
        position += 1
    return position


def _items(lines: Sequence[Line]) -> Iterator[Block]:
    """Each marked line with the lines below it that are not; as deep as its mark is set in."""
    starts = [index for index, line in enumerate(lines) if index == 0 or _marked(line)]
    indents: list[int] = []
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        indent = lines[start].indent
        while indents and indents[-1] >= indent:
            indents.pop()
        indents.append(indent)
        yield _block(LIST_ITEM, lines[start:end], level=len(indents))
