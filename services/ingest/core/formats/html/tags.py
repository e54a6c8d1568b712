"""What does an HTML element mean to a reader: is it seen, does it break a line, what is it called?"""

import re
from collections.abc import Iterator

from lxml.html import HtmlElement

_UNSEEN = frozenset(
    (
        *("script", "style", "noscript", "template", "svg", "iframe", "head", "object", "canvas", "audio"),
        *("video", "button", "select", "option", "input", "textarea", "menu"),
    )
)
HEADINGS = {f"h{level}": level for level in range(1, 7)}
LISTS = frozenset(("ul", "ol", "dir"))
BREAKING = frozenset(
    (
        *("address", "article", "aside", "blockquote", "body", "center", "dd", "details", "div", "dl", "dt"),
        *("fieldset", "figure", "footer", "form", "header", "hgroup", "hr", "html", "legend", "main", "nav"),
        *("p", "section", "summary", "li", "table", "tr", "td", "th", "caption", "figcaption", "pre"),
        *LISTS,
        *HEADINGS,
    )
)
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_EPUB_TYPE = "{http://www.idpf.org/2007/ops}type"
_SEPARATORS = re.compile(r"[\s_-]+|(?<=[a-z])(?=[A-Z])")


def tag_of(element: HtmlElement) -> str:
    """Its name; empty for a comment, an instruction or an unknown entity."""
    return element.tag if isinstance(element.tag, str) else ""


def is_left_out(element: HtmlElement) -> bool:
    """Whether a reader never sees it: scripts, templates, controls, what is hidden, comments."""
    tag = tag_of(element)
    if not tag or tag in _UNSEEN:
        return True
    if tag in ("html", "body"):  # hidden until a script has run, which none does here
        return False
    if element.get("hidden") is not None or element.get("aria-hidden") == "true":
        return True
    if tag == "dialog" and element.get("open") is None:
        return True
    style = element.get("style")
    return bool(style and _HIDDEN.search(style))


def is_layout(table: HtmlElement) -> bool:
    """A table that only places things: it says so, has one column, or holds blocks and names no columns."""
    if table.get("role") in ("presentation", "none"):
        return True
    if next(table.iterdescendants("pre"), None) is not None:
        return True
    rows = list(own_rows(table))
    if all(len(list(row.iterchildren("td", "th"))) < 2 for row in rows):
        return True
    if next(table.iterdescendants("table", *LISTS, *HEADINGS), None) is None:
        return False
    return not any(next(row.iterchildren("th"), None) is not None for row in rows)


def is_note(element: HtmlElement) -> bool:
    """A footnote or endnote, as books and careful pages mark them."""
    if element.get("role") in ("doc-footnote", "doc-endnote"):
        return True
    kinds = (element.get(_EPUB_TYPE) or element.get("epub:type") or "").split()
    return bool(kinds) and not {"footnote", "endnote", "rearnote"}.isdisjoint(kinds)


def own_rows(table: HtmlElement) -> Iterator[HtmlElement]:
    """The rows of a table, not of those nested in it; the foot's last, wherever it is written."""
    feet = []
    stack = [iter(table)]
    while stack:  # never into a nested table: each would be gone through once for every one around it
        element = next(stack[-1], None)
        if element is None:
            stack.pop()
            continue
        if element.tag == "tr" and not is_left_out(element):
            parent = element.getparent()
            if parent is not None and parent.tag == "tfoot":
                feet.append(element)
            else:
                yield element
        if element.tag != "table":
            stack.append(iter(element))
    yield from feet


def tokens_of(element: HtmlElement) -> frozenset[str]:
    """The words of its id and classes: `site-nav cookieBanner` -> site, nav, cookie, banner."""
    named = f"{element.get('id') or ''} {element.get('class') or ''}"
    return frozenset(token.lower() for token in _SEPARATORS.split(named) if token)


def words_of(element: HtmlElement) -> str:
    """Its text for one line: a space where a block begins or ends, inner tables' rows set apart by `;`."""
    return "".join(texts_of(element, breaks=True))


def texts_of(element: HtmlElement, *, breaks: bool = False) -> Iterator[str]:
    """The text nodes in order, what is never seen left out, a line break for each br."""
    stack: list[tuple[HtmlElement, bool]] = [(element, False)]
    while stack:
        node, left = stack.pop()
        inner = node is not element
        if left:
            if breaks and node.tag in BREAKING:
                yield "; " if inner and node.tag == "tr" and node.getnext() is not None else " "
            if inner and node.tail:
                yield node.tail
            continue
        if inner and is_left_out(node):
            if node.tail:
                yield node.tail
            continue
        stack.append((node, True))
        if node.tag == "br":
            yield "\n"
        if breaks and node.tag in BREAKING:
            yield " "
        if node.text:
            yield node.text
        stack.extend((child, False) for child in reversed(node))
