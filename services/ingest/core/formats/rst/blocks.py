"""Which blocks does a document tree of reStructuredText hold?"""

import re
from collections.abc import Callable, Iterable

from docutils import nodes

from services.ingest.core.document import CAPTION, CODE, FOOTNOTE, HEADING, LIST_ITEM, PARAGRAPH, TABLE
from services.ingest.core.formats.rst.tables import table_of
from services.ingest.core.formats.table_text import table_lines
from services.ingest.core.text import TextBuilder, one_line

_SKIPPED = (
    *(nodes.comment, nodes.substitution_definition, nodes.target, nodes.pending, nodes.image, nodes.raw),
    *(nodes.decoration, nodes.meta),
)
_NO_WORDS = re.compile(r"\.\. (?:\|[^|]*\| )?(?:include|raw|image)::")


class TreeReader:
    """Reads a tree into a builder. As deep as docutils nests, which bounds it by its own recursion."""

    def __init__(self, builder: TextBuilder) -> None:
        self._builder = builder
        self._depth = 0  # of sections
        self._lists = 0
        self._opening = ""  # what stands before the words of the next paragraph
        self._kind = PARAGRAPH
        self._readers: dict[type[nodes.Element], Callable[[nodes.Element], None]] = {
            nodes.title: self._title,
            nodes.subtitle: self._title,
            nodes.rubric: self._words,
            nodes.section: self._section,
            nodes.bullet_list: self._list,
            nodes.enumerated_list: self._list,
            nodes.literal_block: self._code,
            nodes.doctest_block: self._code,
            nodes.math_block: self._code,
            nodes.table: self._table,
            nodes.footnote: self._note,
            nodes.citation: self._note,
            nodes.definition_list_item: self._definition,
            nodes.option_list_item: self._definition,
            nodes.field: self._definition,
            nodes.line_block: self._lines,
            nodes.caption: self._caption,
            nodes.system_message: self._message,
            nodes.topic: self._topic,
        }

    def read(self, node: nodes.Node) -> None:
        """The block or the blocks of a node, in order."""
        if isinstance(node, _SKIPPED) or not isinstance(node, nodes.Element):
            return
        reader = self._readers.get(type(node))
        if reader is not None:
            reader(node)
        elif isinstance(node, nodes.Admonition):
            self._admonition(node)
        elif isinstance(node, nodes.TextElement):
            self._words(node)
        else:
            self._all(node.children)

    def _all(self, children: Iterable[nodes.Node]) -> None:
        for child in children:
            self.read(child)

    def _add(self, text: str) -> None:
        """A paragraph, or a list item while a list is open."""
        words = self._opening + text
        if not text.strip():
            return
        if self._lists and self._kind == PARAGRAPH:
            indent = "  " * (self._lists - 1)
            mark = "" if self._opening else "  "
            self._builder.add(LIST_ITEM, indent + mark + words, level=self._lists, tight=True)
        else:
            self._builder.add(self._kind, words)
        self._opening = ""

    def _words(self, node: nodes.Element) -> None:
        self._add(one_line(inline_words(node)))

    def _title(self, node: nodes.Element) -> None:
        parent = node.parent
        if isinstance(parent, (nodes.document, nodes.section)):
            level = self._depth + (2 if isinstance(node, nodes.subtitle) else 1)
            self._builder.add(HEADING, one_line(inline_words(node)), level=min(6, level))
        elif isinstance(parent, nodes.table):
            self._caption(node)
        else:
            self._words(node)

    def _section(self, node: nodes.Element) -> None:
        if "system-messages" in node["classes"]:
            return
        document = node.parent
        below_title = isinstance(document, nodes.document) and _heads(document)
        self._depth += below_title
        self._all(child for child in node.children if isinstance(child, nodes.title))
        self._depth += 1
        self._all(child for child in node.children if not isinstance(child, nodes.title))
        self._depth -= 1 + below_title

    def _list(self, node: nodes.Element) -> None:
        self._lists += 1
        number = int(node.get("start", 1))
        for item in node.children:
            self._opening = f"{number}. " if isinstance(node, nodes.enumerated_list) else "- "
            number += 1
            if isinstance(item, nodes.Element):
                self._all(item.children)
        self._opening = ""
        self._lists -= 1

    def _code(self, node: nodes.Element) -> None:
        self._opening = ""
        self._builder.add(CODE, node.astext())

    def _caption(self, node: nodes.Element) -> None:
        self._builder.add(CAPTION, one_line(inline_words(node)))

    def _table(self, node: nodes.Element) -> None:
        self._all(child for child in node.children if isinstance(child, nodes.title))
        rows, header_lines = table_of(node, lambda entry: one_line(inline_words(entry)))
        self._builder.add(
            TABLE, "\n".join(table_lines(rows, named=header_lines > 0)), header_lines=header_lines
        )

    def _note(self, node: nodes.Element) -> None:
        label = next((child.astext() for child in node.children if isinstance(child, nodes.label)), "")
        kind, self._kind = self._kind, FOOTNOTE
        self._opening = f"[{label}] " if label else ""
        self._all(child for child in node.children if not isinstance(child, nodes.label))
        self._opening, self._kind = "", kind

    def _definition(self, node: nodes.Element) -> None:
        """A term, an option or a field with what it means: `term: meaning`."""
        *names, meaning = node.children
        term = ", ".join(filter(None, (one_line(inline_words(name)) for name in names)))
        if not meaning.astext().strip():
            self._add(term)
            return
        self._opening += f"{term}: "
        self._all([meaning])

    def _lines(self, node: nodes.Element) -> None:
        lines = [one_line(inline_words(line)) for line in node.findall(nodes.line)]
        self._add("\n".join(lines).strip())

    def _admonition(self, node: nodes.Element) -> None:
        title = next((child for child in node.children if isinstance(child, nodes.title)), None)
        name = type(node).__name__.capitalize() if title is None else one_line(inline_words(title))
        self._opening += f"{name.removesuffix(':')}: "
        self._all(child for child in node.children if child is not title)
        self._opening = ""

    def _topic(self, node: nodes.Element) -> None:
        if "contents" not in node["classes"]:
            self._all(node.children)

    def _message(self, node: nodes.Element) -> None:
        """What docutils could not read stands in its complaint: that is kept as it is written."""
        for source in node.children:
            if isinstance(source, nodes.literal_block) and not _NO_WORDS.match(source.astext()):
                self._add(source.astext())


def inline_words(node: nodes.Node) -> str:
    """Its words in order, references to footnotes in brackets, without images."""
    parts: list[str] = []
    stack: list[nodes.Node] = [node]
    while stack:
        current = stack.pop()
        if isinstance(current, nodes.Text):
            parts.append(str(current))
        elif isinstance(current, (nodes.footnote_reference, nodes.citation_reference)):
            parts.append(f"[{current.astext()}]")
        elif isinstance(current, nodes.Element) and not isinstance(current, _SKIPPED):
            if isinstance(current, nodes.option_argument):
                parts.append(current.get("delimiter", " "))
            if not isinstance(current, (nodes.Inline, nodes.TextElement)) and parts:
                parts.append(" ")
            stack.extend(reversed(current.children))
            if isinstance(current, nodes.paragraph) and parts:
                parts.append(" ")
    return "".join(parts)


def _heads(document: nodes.document) -> bool:
    return any(isinstance(child, nodes.title) for child in document.children)
