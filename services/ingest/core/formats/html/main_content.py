"""Which part of a web page is its content, and what on it belongs to the site?"""

from collections.abc import Iterator
from dataclasses import dataclass

from lxml.html import HtmlElement

from services.ingest.core.formats.html.tags import is_layout, is_left_out, tag_of, tokens_of

MIN_CHARACTERS = 200
MIN_SHARE = 0.25  # of the text that can be seen: with less left, the heuristics are not believed
_MAIN_SHARE = 0.5  # of the text outside links
_LINK_SHARE = 0.66
_MIN_LINKS = 3
_BANNER_CHARACTERS = 1_500
_WEIGHED = frozenset(
    (
        *(
            "body",
            "main",
            "article",
            "section",
            "div",
            "nav",
            "aside",
            "header",
            "footer",
            "form",
            "ul",
            "ol",
        ),
        *("dl", "table", "figure", "blockquote", "details"),
    )
)
_ROLES = {
    **dict.fromkeys(("navigation", "search", "dialog", "alertdialog", "menu", "menubar", "toolbar"), "nav"),
    "banner": "header",
    "contentinfo": "footer",
    "complementary": "aside",
    "main": "main",
    "article": "article",
}
_BANNER = frozenset(("cookie", "cookies", "cookiebanner", "consent", "gdpr"))
_LINK_BLOCK = frozenset(
    (
        *("breadcrumb", "breadcrumbs", "toc", "share", "sharing", "social", "pagination", "pager", "navbar"),
        *("nav", "sidebar", "menu", "related"),
    )
)


@dataclass(slots=True, eq=False)
class _Part:
    """A block of the page and what is in it: characters in all and in links, links, what is never dropped."""

    element: HtmlElement
    kind: str
    parent: "_Part | None"
    own: int = 0
    text: int = 0
    linked: int = 0
    links: int = 0
    titles: int = 0
    keeps: bool = False  # code or a table of data
    left_out: bool = False

    def within(self, *kinds: str) -> bool:
        part = self.parent
        while part is not None and part.kind not in kinds:
            part = part.parent
        return part is not None

    @property
    def link_heavy(self) -> bool:
        return self.links >= _MIN_LINKS and self.linked > _LINK_SHARE * self.text


def content_of(root: HtmlElement) -> tuple[HtmlElement, frozenset[HtmlElement]]:
    """The element to read and those in it to leave out, each with all that it holds.

    Too little left over by the stricter rules (under 200 characters or a quarter of what can be seen) makes
    way for the whole page without its `nav` and `footer`, and that for everything.
    """
    parts = list(_weighed(root))
    for part in reversed(parts):  # children before their parents
        part.text += part.own
        if part.parent is not None:
            part.parent.text += part.text
            part.parent.linked += part.linked
            part.parent.links += part.links
            part.parent.titles += part.titles
            part.parent.keeps |= part.keeps
    page = parts[0]
    main = _main(parts)
    for part in parts:
        above = part.parent is not None and part.parent.left_out
        part.left_out = above or (not _holds(part, main) and _is_furniture(part, page))
    kept = [part for part in parts if not part.left_out and (main is None or _holds(main, part))]
    if _enough(kept, page):
        return (main or page).element, _outermost(parts)
    for part in parts:
        above = part.parent is not None and part.parent.left_out
        part.left_out = above or part.kind in ("nav", "footer")
    kept = [part for part in parts if not part.left_out]
    if sum(part.own for part in kept) >= MIN_SHARE * (page.text - page.linked) or page.text < 1_000:
        return page.element, _outermost(parts)
    return page.element, frozenset()


def _weighed(root: HtmlElement) -> Iterator[_Part]:
    """The blocks of the page in document order; their own characters are counted as the walk goes on."""
    top = _Part(root, "html", None)
    yield top
    stack = [(iter(root), top, False)]
    while stack:
        children, part, in_link = stack[-1]
        child = next(children, None)
        if child is None:
            stack.pop()
            continue
        _count(part, child.tail, in_link)
        if is_left_out(child):
            continue
        tag = tag_of(child)
        linked = in_link or tag == "a"
        part.links += tag == "a"
        part.titles += tag == "h1"
        part.keeps |= tag == "pre"
        kind = _ROLES.get(child.get("role") or "", tag)
        inner = part
        if tag in _WEIGHED or kind != tag:
            inner = _Part(child, kind, part, keeps=tag == "table" and not is_layout(child))
            yield inner
        _count(inner, child.text, linked)
        stack.append((iter(child), inner, linked))


def _count(part: _Part, text: str | None, in_link: bool) -> None:
    length = len(text.strip()) if text else 0
    part.own += length
    part.linked += length if in_link else 0


def _main(parts: list[_Part]) -> _Part | None:
    """The one `main`, or else the one article, if it holds most of what is said outside links."""
    page = parts[0]
    for kind in ("main", "article"):
        found = [part for part in parts if part.kind == kind and not part.within(kind)]
        if len(found) == 1:
            said = found[0].text - found[0].linked
            if said >= _MAIN_SHARE * (page.text - page.linked) and said > 0:
                return found[0]
    return None


def _is_furniture(part: _Part, page: _Part) -> bool:
    in_content = part.within("main", "article")
    match part.kind:
        case "html" | "body" | "main" | "article":
            return False
        case "nav":
            return True
        case "footer":
            return part.link_heavy or not part.within("main", "article", "section", "blockquote", "figure")
        case "aside":
            return not part.keeps and (part.link_heavy or not in_content)
        case "header" if not part.within("main", "article", "section", "aside", "blockquote"):
            return not _heads_the_page(part, page)
    tokens = tokens_of(part.element)
    if not in_content and tokens & _BANNER and part.text < min(_BANNER_CHARACTERS, page.text / 2):
        return not part.titles
    if part.keeps or not part.link_heavy or part.kind == "table":
        return False
    return not in_content or bool(tokens & _LINK_BLOCK)


def _heads_the_page(header: _Part, page: _Part) -> bool:
    """Whether a header names the page, not the site: the only title is in it, or much is said in it."""
    if header.titles and header.titles == page.titles:
        return True
    return header.keeps or (not header.link_heavy and header.text - header.linked >= MIN_CHARACTERS)


def _enough(kept: list[_Part], page: _Part) -> bool:
    left = sum(part.own for part in kept)
    return left >= MIN_CHARACTERS and left >= MIN_SHARE * page.text


def _holds(outer: _Part, inner: _Part | None) -> bool:
    while inner is not None and inner is not outer:
        inner = inner.parent
    return inner is outer


def _outermost(parts: list[_Part]) -> frozenset[HtmlElement]:
    return frozenset(
        part.element for part in parts if part.left_out and (part.parent is None or not part.parent.left_out)
    )
