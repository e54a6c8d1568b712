"""Which blocks does an element tree of HTML hold?"""

import re
from collections.abc import Iterator

from lxml.html import HtmlElement

from services.ingest.core.document import CAPTION, CODE, HEADING, LIST_ITEM, PARAGRAPH, TABLE, Block
from services.ingest.core.formats.table_text import table_lines
from services.ingest.core.text import TextBuilder, one_line

_DROPPED = frozenset(
    [
        "script",
        "style",
        "nav",
        "footer",
        "noscript",
        "template",
        "svg",
        "iframe",
        "head",
        "object",
        "canvas",
        "audio",
        "video",
        "button",
        "select",
        "option",
        "input",
        "textarea",
        "dialog",
        "menu",
    ]
)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_BLOCKS = frozenset(
    [
        "address",
        "article",
        "aside",
        "blockquote",
        "body",
        "center",
        "dd",
        "details",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figure",
        "form",
        "header",
        "hgroup",
        "hr",
        "html",
        "legend",
        "main",
        "p",
        "section",
        "summary",
    ]
)
_LISTS = frozenset(("ul", "ol", "dir"))
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)


class BlockWalker:
    """Walks a tree once, without recursion, since pages may nest as deeply as they like."""

    def __init__(self) -> None:
        self._builder = TextBuilder()
        self._inline: list[str] = []
        self._lists: list[int | None] = []  # one for each open list: the next number, None for bullets
        self._item: str | None = None  # the mark of a list item whose words are being gathered

    def finish(self) -> tuple[str, tuple[Block, ...]]:
        self._flush()
        return self._builder.finish()

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

    def _enter(self, element: HtmlElement) -> bool:
        """Whether its children are to be visited; a whole block (heading, pre, table) is taken at once."""
        tag = element.tag if isinstance(element.tag, str) else ""
        if not tag or tag in _DROPPED or _hidden(element):
            return False
        if tag == "br":
            self._inline.append("\n")
            return False
        if tag in _HEADINGS:
            self._flush()
            self._builder.add(HEADING, one_line(_words(element)), level=_HEADINGS[tag])
            return False
        if tag in ("caption", "figcaption"):
            self._flush()
            self._builder.add(CAPTION, one_line(_words(element)))
            return False
        if tag == "pre":
            self._flush()
            self._builder.add(CODE, "".join(_texts(element)))
            return False
        if tag == "table" and not _is_layout(element):
            self._flush()
            self._add_table(element)
            return False
        self._open(tag, element)
        return True

    def _open(self, tag: str, element: HtmlElement) -> None:
        if tag in _BLOCKS or tag in _LISTS or tag in ("li", "table", "tr", "td", "th"):
            self._flush()
        if tag in _LISTS:
            self._lists.append(1 if tag == "ol" else None)
        elif tag == "li":
            self._item = self._next_mark()
        self._inline.append(element.text or "")

    def _leave(self, element: HtmlElement) -> None:
        tag = element.tag
        if tag in _BLOCKS or tag in _LISTS or tag in ("li", "table", "tr", "td", "th"):
            self._flush()
        if tag in _LISTS and self._lists:
            self._lists.pop()
        if tag == "li":
            self._item = None

    def _next_mark(self) -> str:
        number = self._lists[-1] if self._lists else None
        if number is None:
            return "- "
        self._lists[-1] = number + 1
        return f"{number}. "

    def _flush(self) -> None:
        """Ends the running block: a list item if one is open, else a paragraph."""
        lines = [one_line(line) for line in "".join(self._inline).split("\n")] if self._inline else []
        words = one_line(" ".join(lines))
        self._inline.clear()
        if not words:
            return
        if self._item is None and not self._lists:
            self._builder.add(PARAGRAPH, words)
            return
        depth = max(1, len(self._lists))
        self._builder.add(
            LIST_ITEM, "  " * (depth - 1) + (self._item or "  ") + words, level=depth, tight=True
        )
        self._item = None

    def _add_table(self, table: HtmlElement) -> None:
        for caption in table.iterchildren("caption"):
            self._builder.add(CAPTION, one_line(_words(caption)))
        rows: list[list[str]] = []
        header_lines = 0
        for row in table.iter("tr"):
            cells = [cell for cell in row.iterchildren("td", "th") if not _hidden(cell)]
            words = [_words(cell) for cell in cells]
            if not any(map(str.strip, words)):
                continue
            in_head = next(row.iterancestors("thead"), None) is not None
            if header_lines == len(rows) and (in_head or all(cell.tag == "th" for cell in cells)):
                header_lines += 1
            rows.append(words)
        header_lines = header_lines if header_lines < len(rows) else 0
        lines = table_lines(rows, named=header_lines > 0)
        self._builder.add(TABLE, "\n".join(lines), header_lines=header_lines)


def _is_layout(table: HtmlElement) -> bool:
    """A table that only places things: it holds another, a heading or a list, or has a single column."""
    if next(table.iterdescendants("table", "ul", "ol", "pre", *_HEADINGS), None) is not None:
        return True
    return all(len(list(row.iterchildren("td", "th"))) < 2 for row in table.iter("tr"))


def _hidden(element: HtmlElement) -> bool:
    return element.get("hidden") is not None or bool(_HIDDEN.search(element.get("style") or ""))


def _words(element: HtmlElement) -> str:
    return "".join(_texts(element, block_break=" "))


def _texts(element: HtmlElement, *, block_break: str = "") -> Iterator[str]:
    """The text nodes in order, dropped elements left out, a line break for each br."""
    stack: list[tuple[HtmlElement, bool]] = [(element, False)]
    while stack:
        node, left = stack.pop()
        if left:
            if node is not element and node.tail:
                yield node.tail
            continue
        stack.append((node, True))
        if not isinstance(node.tag, str) or (node is not element and (node.tag in _DROPPED or _hidden(node))):
            continue
        if node.tag == "br":
            yield "\n"
        if block_break and node.tag in _BLOCKS:
            yield block_break
        if node.text:
            yield node.text
        stack.extend((child, False) for child in reversed(node))
