"""How does the source of a page become a tree of elements, whether it is HTML or XHTML?"""

import html
import re
from typing import cast

import lxml.etree
import lxml.html
from lxml.html import HtmlElement

from shared.errors import InvalidDocument

_XML_START = re.compile(r"\s*<\?xml\b|\s*<!DOCTYPE\s+html\s+PUBLIC\s+\S+\s*XHTML", re.IGNORECASE)
_XHTML = "{http://www.w3.org/1999/xhtml}"
_XML_DECLARATION = re.compile(r"\s*<\?xml[^>]*\?>")
_ENTITY = re.compile(r"&(?!(?:amp|lt|gt|quot|apos);)([A-Za-z]\w{1,30};)")


def tree_of(source: str, *, as_xml: bool = False) -> HtmlElement:
    """The root of the page; XHTML where it says so or is known to be, and is well-formed.

    Raises InvalidDocument for what cannot be read whole.
    """
    root = _xml_root(source) if as_xml or _XML_START.match(source) else None
    return _html_root(source) if root is None else root


def _xml_root(source: str) -> HtmlElement | None:
    """The tree of well-formed XHTML under plain names; None where only HTML's tolerance helps."""
    body = _XML_DECLARATION.sub("", source, count=1)
    named = _ENTITY.sub(lambda found: html.unescape(found.group(0)), body)
    parser = lxml.etree.XMLParser(
        encoding="utf-8",
        resolve_entities=False,
        load_dtd=False,
        no_network=True,
        remove_comments=True,
        remove_pis=True,
        huge_tree=True,
    )
    try:
        root = lxml.etree.fromstring(named.encode(), parser=parser)
    except (lxml.etree.LxmlError, ValueError):
        return None
    for element in root.iter("*"):
        if isinstance(element.tag, str) and element.tag.startswith(_XHTML):
            element.tag = element.tag.removeprefix(_XHTML).lower()
    return cast(HtmlElement, root) if root.tag == "html" else None


def _html_root(source: str) -> HtmlElement:
    parser = lxml.html.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True, huge_tree=True)
    try:
        root = lxml.html.document_fromstring(source.encode(), parser=parser)
    except (lxml.etree.LxmlError, ValueError) as error:
        raise InvalidDocument("The page cannot be read as HTML: save it anew from the browser.") from error
    if any(entry.type_name == "ERR_RESOURCE_LIMIT" for entry in parser.error_log):  # the rest was dropped
        raise InvalidDocument("The page nests its elements too deeply to be read whole: simplify it.")
    return root
