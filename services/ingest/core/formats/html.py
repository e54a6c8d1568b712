"""How is a web page read? Its blocks in document order, without scripts, navigation and footers."""

import re

import lxml.etree
import lxml.html

from services.ingest.core.document import ParsedDocument
from services.ingest.core.formats.encoding import decode, marked_encoding
from services.ingest.core.formats.html_blocks import BlockWalker
from services.ingest.core.formats.limits import DEFAULT_LIMITS, Limits
from services.ingest.core.text import one_line
from services.ingest.core.title import first_headings, title_of
from shared.errors import InvalidDocument

MEDIA_TYPE = "text/html"
_DECLARED = re.compile(
    rb"""<meta[^>]+charset\s*=\s*["']?\s*([\w.:-]+)|<\?xml[^>]+encoding\s*=\s*["']([\w.:-]+)""", re.I
)
_DECLARED_WITHIN_BYTES = 4096


def parse(name: str, data: bytes, *, limits: Limits = DEFAULT_LIMITS) -> ParsedDocument:
    text, warnings = decode(data, declared=_declared(data))
    parser = lxml.html.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True, huge_tree=True)
    try:
        root = lxml.html.document_fromstring(text.encode(), parser=parser)
    except (lxml.etree.LxmlError, ValueError) as error:
        raise InvalidDocument("The page cannot be read as HTML: save it anew from the browser.") from error
    if any(entry.type_name == "ERR_RESOURCE_LIMIT" for entry in parser.error_log):  # the rest was dropped
        raise InvalidDocument("The page nests its elements too deeply to be read whole: simplify it.")
    walker = BlockWalker()
    walker.walk(root)
    canonical, blocks = walker.finish()
    heads = [one_line(element.text_content()) for element in root.xpath("/html/head/title")[:1]]
    title = title_of([*first_headings(blocks, canonical), *heads], name)
    return ParsedDocument(canonical, title, blocks, (), None, warnings, MEDIA_TYPE)


def _declared(data: bytes) -> str | None:
    """The encoding that the page names in its first bytes; a mark before them outranks it."""
    found = None if marked_encoding(data) else _DECLARED.search(data[:_DECLARED_WITHIN_BYTES])
    return (found.group(1) or found.group(2)).decode("ascii", "ignore") if found else None
