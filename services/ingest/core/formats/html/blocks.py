"""Which blocks does an element tree of HTML hold?"""

from collections.abc import Collection, Iterator

from lxml.html import HtmlElement

from services.ingest.core.document import CAPTION, CODE, FOOTNOTE, HEADING, LIST_ITEM, PARAGRAPH, TABLE
from services.ingest.core.formats.html.table import html_table_lines
from services.ingest.core.formats.html.tags import (
    BREAKING,
    HEADINGS,
    LISTS,
    is_layout,
    is_left_out,
    is_note,
    tag_of,
    texts_of,
    words_of,
)
from services.ingest.core.text import TextBuilder, one_line

_MAX_START = 1_000_000  # of a numbered list


class BlockWalker:
    """Walks a tree once, without recursion, since pages may nest as deeply as they like."""

    def __init__(
        self, builder: TextBuilder, *, left_out: Collection[HtmlElement] = (), headings_below: int = 0
    ) -> None:
        self._builder = builder
        self._left_out = left_out
        self._headings_below = headings_below  # the level of what stands above the whole tree
        self._inline: list[str] = []
        self._lists: list[int | None] = []  # one for each open list: the next number, None for bullets
        self._item: str | None = None  # the mark of a list item whose words are being gathered
        self._notes = 0  # footnotes that are open
        self._terms: list[str] = []  # of a definition list, until what they mean is said

    def walk(self, root: HtmlElement) -> None:
        """Visits every element: its start, its text, its children, its end, its tail."""
        stack: list[tuple[HtmlElement, Iterator[HtmlElement]]] = []
        if self._enter(root):
            stack.append((root, iter(root)))
        while stack:
            element, children = stack[-1]
            child = next(children, None)
            if child is None:
                stack.pop()
                self._leave(element)
                if stack:
                    self._inline.append(element.tail or "")
            elif self._enter(child):
                stack.append((child, iter(child)))
            else:
                self._inline.append(child.tail or "")
        self._flush()

    def _enter(self, element: HtmlElement) -> bool:
        """Whether its children are to be visited; a whole block (heading, pre, table) is taken at once."""
        if is_left_out(element) or element in self._left_out:
            return False
        tag = tag_of(element)
        if tag == "br":
            self._inline.append("\n")
        elif tag in HEADINGS:
            self._add(
                HEADING, one_line(words_of(element)), level=min(6, HEADINGS[tag] + self._headings_below)
            )
        elif tag in ("caption", "figcaption"):
            self._add(CAPTION, one_line(words_of(element)))
        elif tag == "pre":
            self._add(CODE, "".join(texts_of(element)))
        elif tag == "table" and not is_layout(element):
            for caption in element.iterchildren("caption"):
                self._add(CAPTION, one_line(words_of(caption)))
            lines, header_lines = html_table_lines(element)
            self._add(TABLE, "\n".join(lines), header_lines=header_lines)
        else:
            self._open(tag, element)
            return True
        return False

    def _add(self, kind: str, text: str, *, level: int = 0, header_lines: int = 0) -> None:
        self._flush()
        self._builder.add(kind, text, level=level, header_lines=header_lines)

    def _open(self, tag: str, element: HtmlElement) -> None:
        if tag in BREAKING and not (self._terms and self._nothing_said()):
            self._flush()
        self._notes += is_note(element)
        if tag in LISTS:
            self._lists.append(_start(element) if tag == "ol" else None)
        elif tag == "li":
            self._item = self._next_mark()
        self._inline.append(element.text or "")

    def _leave(self, element: HtmlElement) -> None:
        tag = tag_of(element)
        if tag == "dt":
            self._terms.append(one_line("".join(self._inline)))
            self._inline.clear()
        elif tag in BREAKING:
            self._flush()
        self._notes -= is_note(element)
        if tag in LISTS and self._lists:
            self._lists.pop()
        if tag == "li":
            self._item = None

    def _nothing_said(self) -> bool:
        return not any(map(str.strip, self._inline))

    def _next_mark(self) -> str:
        number = self._lists[-1] if self._lists else None
        if number is None:
            return "- "
        self._lists[-1] = number + 1
        return f"{number}. "

    def _flush(self) -> None:
        """Ends the running block: a list item if one is open, else a paragraph; a term opens its meaning."""
        words = one_line("".join(self._inline))
        self._inline.clear()
        if self._terms:
            term = ", ".join(filter(None, self._terms))
            self._terms.clear()
            words = f"{term.removesuffix(':')}: {words}" if words and term else term or words
        if not words:
            return
        if self._notes or (self._item is None and not self._lists):
            self._builder.add(FOOTNOTE if self._notes else PARAGRAPH, words)
            return
        depth = max(1, len(self._lists))
        self._builder.add(
            LIST_ITEM, "  " * (depth - 1) + (self._item or "  ") + words, level=depth, tight=True
        )
        self._item = None


def _start(element: HtmlElement) -> int:
    start = (element.get("start") or "1").strip()
    return min(int(start), _MAX_START) if start.isascii() and start.isdigit() and len(start) < 10 else 1
