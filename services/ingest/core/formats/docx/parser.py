"""How is a Word document read? Paragraphs, headings, lists, tables and notes in the order of its body."""

import io
import zipfile
from typing import Any

from services.ingest.core.document import (
    CAPTION,
    CODE,
    FOOTNOTE,
    FURNITURE,
    HEADING,
    LIST_ITEM,
    PARAGRAPH,
    TABLE,
    ParsedDocument,
)
from services.ingest.core.formats.docx.notes import Notes
from services.ingest.core.formats.docx.numbering import Numbering
from services.ingest.core.formats.docx.styles import Reading, Styles
from services.ingest.core.formats.docx.tables import table_text
from services.ingest.core.formats.docx.words import (
    PARAGRAPH_TAG,
    TABLE_TAG,
    boxes_in,
    flow,
    word_name,
    words_of,
)
from services.ingest.core.formats.limits import DEFAULT_LIMITS, Limits
from services.ingest.core.formats.office_xml import (
    READING_ERRORS,
    declared_title,
    part_tree,
    refuse_declarations,
    related_parts,
)
from services.ingest.core.formats.package import check_package
from services.ingest.core.text import TextBuilder, one_line
from services.ingest.core.title import first_headings, title_of
from shared.errors import InvalidDocument

MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
_DAMAGED = "The Word file is damaged: open it in a word processor, save it anew and upload it again."
_DOCUMENT = "word/document.xml"


def parse(name: str, data: bytes, *, limits: Limits = DEFAULT_LIMITS) -> ParsedDocument:
    check_package(data, limits)
    refuse_declarations(data, _DAMAGED)  # no word processor declares entities, and their text is not read
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            return _parsed(name, package)
    except READING_ERRORS as error:
        raise InvalidDocument(_DAMAGED) from error


def _parsed(name: str, package: zipfile.ZipFile) -> ParsedDocument:
    main = next(
        (target for kind, target in related_parts(package, "").values() if kind == "officeDocument"),
        _DOCUMENT,
    )
    tree = part_tree(package, main)
    body = None if tree is None else tree.find(word_name("body"))
    if body is None:
        raise InvalidDocument(_DAMAGED)
    reader = _Reader(package, related_parts(package, main))
    reader.add_furniture(body, "header")
    for element in flow(body):
        reader.add(element)
    reader.add_notes()
    reader.add_furniture(body, "footer")
    text, blocks = reader.builder.finish()
    title = title_of([declared_title(package), *first_headings(blocks, text)], name)
    return ParsedDocument(text, title, blocks, (), None, (), MEDIA_TYPE)


class _Reader:
    """Reads the body in order, as numbers go on from paragraph to paragraph."""

    def __init__(self, package: zipfile.ZipFile, relations: dict[str, tuple[str, str]]) -> None:
        self.builder = TextBuilder()
        self._package = package
        self._relations = relations
        parts = dict(relations.values())
        trees = {
            kind: part_tree(package, parts[kind]) if kind in parts else None
            for kind in ("styles", "numbering", "footnotes", "endnotes", "settings")
        }
        self._styles = Styles(trees["styles"], Numbering(trees["numbering"]))
        self._notes = Notes({"footnote": trees["footnotes"], "endnote": trees["endnotes"]}, trees["settings"])

    def add(self, element: Any) -> None:
        if element.tag == TABLE_TAG:
            self.add_notes()
            lines, header_lines = table_text(element, self._marked_words)
            self.builder.add(TABLE, "\n".join(lines), header_lines=header_lines)
        elif len(element):  # a paragraph without anything in it is passed over quickly: there may be millions
            reading = self._styles.reading_of(element)
            if not reading.depth:
                self.add_notes()  # between list items they would tear the list apart
            self._add_paragraph(reading, words_of(element, self._notes.mark_of))
            for box in boxes_in(element):
                for inner in flow(box):
                    self.add(inner)

    def add_notes(self) -> None:
        """The notes to what was added last."""
        for note in self._notes.taken():
            self.builder.add(FOOTNOTE, note)

    def add_furniture(self, body: Any, which: str) -> None:
        """The different running headers or footers of all sections, each once."""
        seen: set[str] = set()
        for reference in body.iter(word_name(f"{which}Reference")):
            ids = [value for name, value in reference.attrib.items() if name.endswith("}id")]
            kind, part = self._relations.get(ids[0] if ids else "", ("", ""))
            tree = part_tree(self._package, part) if kind == which and part not in seen else None
            seen.add(part)
            paragraphs = () if tree is None else tree.iter(PARAGRAPH_TAG)
            words = "\n".join(filter(None, (words_of(paragraph).strip() for paragraph in paragraphs)))
            if words and words not in seen:
                seen.add(words)
                self.builder.add(FURNITURE, words)

    def _add_paragraph(self, reading: Reading, words: str) -> None:
        if not words.strip():
            return
        if reading.heading:
            self.builder.add(HEADING, one_line(f"{reading.mark} {words}"), level=reading.heading)
        elif reading.depth:
            line = f"{'  ' * (reading.depth - 1)}{reading.mark} {one_line(words)}"
            self.builder.add(LIST_ITEM, line, level=reading.depth, tight=True)
        elif reading.caption:
            self.builder.add(CAPTION, words.strip())
        else:
            self.builder.add(CODE if reading.code else PARAGRAPH, words.strip("\n"))

    def _marked_words(self, paragraph: Any) -> str:
        """A paragraph in a table's cell, with its number where it has one."""
        reading = self._styles.reading_of(paragraph)
        words = words_of(paragraph, self._notes.mark_of)
        numbered = bool(words.strip()) and bool(reading.depth or reading.heading)
        return f"{reading.mark} {words}" if numbered and reading.mark != "-" else words
