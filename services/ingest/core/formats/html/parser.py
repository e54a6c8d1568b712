"""How is a web page read? The blocks of its content in document order, without the site around them."""

import re
from collections.abc import Iterator

from lxml.html import HtmlElement

from services.ingest.core.document import ParsedDocument
from services.ingest.core.formats.encoding import decode, marked_encoding
from services.ingest.core.formats.html.blocks import BlockWalker
from services.ingest.core.formats.html.main_content import content_of
from services.ingest.core.formats.html.tags import words_of
from services.ingest.core.formats.html.tree import tree_of
from services.ingest.core.formats.limits import DEFAULT_LIMITS, Limits
from services.ingest.core.text import TextBuilder, one_line
from services.ingest.core.title import first_headings, title_of

MEDIA_TYPE = "text/html"
_DECLARED = re.compile(
    rb"""<meta[^>]+charset\s*=\s*["']?\s*([\w.:-]+)|<\?xml[^>]+encoding\s*=\s*["']([\w.:-]+)""", re.I
)
_DECLARED_WITHIN_BYTES = 4096


def parse(name: str, data: bytes, *, limits: Limits = DEFAULT_LIMITS) -> ParsedDocument:
    text, warnings = decode(data, declared=_declared(data))
    root = tree_of(text)
    content, left_out = content_of(root)
    builder = TextBuilder()
    BlockWalker(builder, left_out=left_out).walk(content)
    canonical, blocks = builder.finish()
    title = title_of([*first_headings(blocks, canonical), *_titles(root)], name)
    return ParsedDocument(canonical, title, blocks, (), None, warnings, MEDIA_TYPE)


def decoded_page(data: bytes, *, declared: str | None = None) -> str:
    """The source of a page in the encoding declared for it, or that it names, or that it seems to have."""
    return decode(data, declared=declared or _declared(data))[0]


def _titles(root: HtmlElement) -> Iterator[str]:
    """What the page calls itself: its one title anywhere, then what it says to other sites and to windows."""
    headings = list(root.iter("h1"))
    if len(headings) == 1:
        yield one_line(words_of(headings[0]))
    for meta in root.iter("meta"):
        if meta.get("property") == "og:title":
            yield one_line(meta.get("content") or "")
    for element in root.iter("title"):
        parent = element.getparent()
        if parent is not None and parent.tag == "head":
            yield one_line("".join(element.itertext()))


def _declared(data: bytes) -> str | None:
    """The encoding that the page names in its first bytes; a mark before them outranks it."""
    found = None if marked_encoding(data) else _DECLARED.search(data[:_DECLARED_WITHIN_BYTES])
    return (found.group(1) or found.group(2)).decode("ascii", "ignore") if found else None
