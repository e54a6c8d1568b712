"""How does a web page say a document: its text in main, a site's furniture around it?"""

from collections.abc import Iterator
from html import escape

from eval.corpus.blocks import Block, Code, Heading, ListItems, PageBreak, Paragraph, Row, Source, Table


def write_html(source: Source) -> bytes:
    """A page in UTF-8; its navigation lists the headings of level 2."""
    return ("\n".join(_lines(source)) + "\n").encode("utf-8")


def _lines(source: Source) -> Iterator[str]:
    yield "<!DOCTYPE html>"
    yield "<html>"
    yield f'<head>\n<meta charset="utf-8">\n<title>{escape(source.title)}</title>\n</head>'
    yield "<body>"
    if source.options.header:
        yield f"<header>\n<p>{escape(source.options.header)}</p>\n</header>"
    yield from _navigation(source)
    yield "<main>"
    for number, block in enumerate(source.blocks):
        yield from _element(block, _anchor(number))
    yield "</main>"
    if source.options.footer:
        yield f"<footer>\n<p>{escape(source.options.footer)}</p>\n</footer>"
    yield "</body>\n</html>"


def _navigation(source: Source) -> Iterator[str]:
    parts = [
        f'<li><a href="#{_anchor(number)}">{escape(block.text)}</a></li>'
        for number, block in enumerate(source.blocks)
        if isinstance(block, Heading) and block.level == 2
    ]
    if parts:
        yield "\n".join(["<nav>", "<ul>", *parts, "</ul>", "</nav>"])


def _element(block: Block, anchor: str) -> Iterator[str]:
    match block:
        case Heading(level, text):
            yield f'<h{level} id="{anchor}">{escape(text)}</h{level}>'
        case Paragraph(text):
            yield f"<p>{escape(text)}</p>"
        case ListItems(items, ordered, start):
            tag = "ol" if ordered else "ul"
            yield f'<ol start="{start}">' if ordered and start != 1 else f"<{tag}>"
            yield from (f"<li>{escape(item)}</li>" for item in items)
            yield f"</{tag}>"
        case Table(header, rows):
            yield f"<table>\n<thead>\n{_row(header, 'th')}\n</thead>\n<tbody>"
            yield from (_row(row, "td") for row in rows)
            yield "</tbody>\n</table>"
        case Code(text):
            yield f"<pre><code>{escape(text)}</code></pre>"
        case PageBreak():
            pass


def _row(row: Row, tag: str) -> str:
    return "<tr>" + "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in row) + "</tr>"


def _anchor(number: int) -> str:
    return f"part-{number}"
