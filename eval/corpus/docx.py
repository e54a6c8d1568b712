"""How is a document written as a Word file whose bytes do not depend on when it was written?"""

import io
import zipfile
from datetime import UTC, datetime
from typing import Any

import docx
from docx.enum.style import WD_STYLE_TYPE
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Pt

from eval.corpus.blocks import Block, Code, Heading, ListItems, PageBreak, Paragraph, Source, Table

_WRITTEN_AT = datetime(2024, 1, 1, tzinfo=UTC)
_ZIP_TIME = (1980, 1, 1, 0, 0, 0)
_AUTHOR = "Norrholm Port and Water Board"
_CODE_STYLE = "Code"


def write_docx(source: Source) -> bytes:
    """The Word file of a source: Word's own styles for headings and lists, real tables, a fixed date."""
    document = docx.Document()
    _describe(document, source)
    code = document.styles.add_style(_CODE_STYLE, WD_STYLE_TYPE.PARAGRAPH)
    code.font.name, code.font.size = "Courier New", Pt(9)
    for block in source.blocks:
        _add(document, block)
    file = io.BytesIO()
    document.save(file)
    return _without_times(file)


def _describe(document: Any, source: Source) -> None:
    properties = document.core_properties
    properties.title, properties.author, properties.last_modified_by = source.title, _AUTHOR, _AUTHOR
    properties.comments, properties.revision = "", 1
    properties.created = properties.modified = _WRITTEN_AT.replace(tzinfo=None)
    section = document.sections[0]
    for part, words in ((section.header, source.options.header), (section.footer, source.options.footer)):
        if words:
            part.paragraphs[0].text = words


def _add(document: Any, block: Block) -> None:
    match block:
        case Heading(level, text):
            document.add_heading(text, level)
        case Paragraph(text):
            document.add_paragraph(text)
        case ListItems():
            _add_list(document, block)
        case Table():
            _add_table(document, block)
        case Code(text):
            document.add_paragraph(text, style=_CODE_STYLE)
        case PageBreak():
            document.add_page_break()


def _add_list(document: Any, block: ListItems) -> None:
    number_id = _new_numbering(document, block.start) if block.ordered else None
    for item in block.items:
        paragraph = document.add_paragraph(item, style="List Number" if block.ordered else "List Bullet")
        if number_id is not None:
            numbering = paragraph._p.get_or_add_pPr().get_or_add_numPr()
            numbering.get_or_add_ilvl().val = 0
            numbering.get_or_add_numId().val = number_id


def _new_numbering(document: Any, start: int) -> int:
    """The id of a numbering of its own, without which a second ordered list would count on from the first."""
    numbering = document.part.numbering_part.element
    style = document.styles["List Number"].element
    shared = numbering.num_having_numId(style.pPr.numPr.numId.val)
    number = numbering.add_num(shared.abstractNumId.val)
    number.add_lvlOverride(ilvl=0).add_startOverride(start)
    return int(number.numId)


def _add_table(document: Any, block: Table) -> None:
    table = document.add_table(rows=0, cols=len(block.header), style="Table Grid")
    for row in block.all_rows():
        for cell, text in zip(table.add_row().cells, row, strict=True):
            cell.text = text
    for cell in table.rows[0].cells:
        for run in cell.paragraphs[0].runs:
            run.bold = True
    mark = OxmlElement("w:tblHeader")
    mark.set(qn("w:val"), "true")
    table.rows[0]._tr.get_or_add_trPr().append(mark)


def _without_times(file: io.BytesIO) -> bytes:
    """The same package with one time on every part; stored, as zlib's versions compress differently."""
    written = io.BytesIO()
    with zipfile.ZipFile(file) as package, zipfile.ZipFile(written, "w", zipfile.ZIP_STORED) as copy:
        for part in package.infolist():
            entry = zipfile.ZipInfo(part.filename, _ZIP_TIME)
            entry.create_system = 0
            copy.writestr(entry, package.read(part.filename))
    return written.getvalue()
