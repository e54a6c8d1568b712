"""What does an EPUB's package say: which documents in which order, under which names, and is it locked?"""

import posixpath
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote

import lxml.etree
from lxml.etree import _Element as Element

from services.ingest.core.text import one_line
from shared.errors import InvalidDocument

_DAMAGED = "The book is damaged: its list of contents cannot be read. Export it anew and upload it again."
_LOCKED = "The book is protected against copying (DRM): upload a copy without protection."
_CONTAINER, _ENCRYPTION = "META-INF/container.xml", "META-INF/encryption.xml"
_FONTS_ONLY = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")
_PAGES = ("application/xhtml+xml", "text/html", "text/x-oeb1-document")
_EPUB_TYPE = "{http://www.idpf.org/2007/ops}type"


@dataclass(frozen=True, slots=True)
class Book:
    """The package: its title, the members of its spine in reading order, and what points into them.

    `contents` are members that only list the others; `names` gives a member's entry in the table of contents.
    """

    title: str
    spine: tuple[str, ...]
    contents: frozenset[str]
    names: dict[str, str]
    has_page_list: bool


def read_book(package: zipfile.ZipFile) -> Book:
    """Raises InvalidDocument for a locked or damaged package."""
    members = frozenset(package.namelist())
    if _ENCRYPTION in members and _is_locked(xml_of(package, _ENCRYPTION)):
        raise InvalidDocument(_LOCKED)
    roots = [element.get("full-path") or "" for element in xml_of(package, _CONTAINER).iter("{*}rootfile")]
    opf_name = next((name for name in roots if name in members), None)
    if opf_name is None:
        raise InvalidDocument(_DAMAGED)
    opf = xml_of(package, opf_name)
    items = {item.get("id") or "": item for item in opf.iter("{*}item")}
    places = {key: member_of(opf_name, item.get("href") or "") for key, item in items.items()}
    references = sorted(opf.iter("{*}itemref"), key=lambda reference: reference.get("linear") == "no")
    spine = [
        places[key]
        for reference in references
        if (key := reference.get("idref") or "") in items and items[key].get("media-type") in _PAGES
    ]
    navs = [places[key] for key, item in items.items() if "nav" in (item.get("properties") or "").split()]
    ncxs = [
        places[key] for key, item in items.items() if item.get("media-type") == "application/x-dtbncx+xml"
    ]
    toc_pages = [
        member_of(opf_name, reference.get("href") or "")
        for reference in opf.iter("{*}reference")
        if reference.get("type") == "toc"
    ]
    names: dict[str, str] = {}
    has_page_list = False
    for name in (*navs, *ncxs):
        if name in members:
            tree = xml_of(package, name)
            for target, label in _entries(tree):
                names.setdefault(member_of(name, target), label)
            has_page_list |= _has_page_list(tree)
    title = next((one_line("".join(found.itertext())) for found in opf.iter("{*}title")), "")
    unique = tuple(dict.fromkeys(spine))
    return Book(title, unique, frozenset((*navs, *toc_pages)), names, has_page_list)


def xml_of(package: zipfile.ZipFile, name: str) -> Element:
    """A member's tree, entities left alone. Raises InvalidDocument when it is missing or none."""
    parser = lxml.etree.XMLParser(resolve_entities=False, load_dtd=False, no_network=True, recover=True)
    try:
        root = lxml.etree.fromstring(package.read(name), parser=parser)
    except (KeyError, ValueError, lxml.etree.LxmlError) as error:
        raise InvalidDocument(_DAMAGED) from error
    if root is None:
        raise InvalidDocument(_DAMAGED)
    return root


def member_of(base: str, href: str) -> str:
    """The member that a reference leads to, without the place in it."""
    path = unquote(href.partition("#")[0])
    return posixpath.normpath(posixpath.join(posixpath.dirname(base), path)) if path else base


def _is_locked(encryption: Element) -> bool:
    """Whether more than fonts is encrypted."""
    methods = [method.get("Algorithm") for method in encryption.iter("{*}EncryptionMethod")]
    return any(method not in _FONTS_ONLY for method in methods)


def _entries(tree: Element) -> Iterator[tuple[str, str]]:
    """The targets and labels of a table of contents, EPUB 3's or EPUB 2's."""
    for nav in tree.iter("{*}nav"):
        if "toc" in (nav.get(_EPUB_TYPE) or "toc").split():
            for link in nav.iter("{*}a"):
                yield link.get("href") or "", one_line("".join(link.itertext()))
    for point in tree.iter("{*}navPoint"):
        content, label = point.find("{*}content"), point.find("{*}navLabel")
        if content is not None and label is not None:
            yield content.get("src") or "", one_line("".join(label.itertext()))


def _has_page_list(tree: Element) -> bool:
    if next(tree.iter("{*}pageTarget"), None) is not None:
        return True
    return any("page-list" in (nav.get(_EPUB_TYPE) or "").split() for nav in tree.iter("{*}nav"))
