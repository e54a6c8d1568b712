"""What does a Word document become, and which are refused?"""

import io
import zipfile
from collections.abc import Callable
from typing import Any

import docx
import lxml.etree
import pytest

from services.ingest.core.document import FURNITURE, HEADING, LIST_ITEM, PARAGRAPH, TABLE, ParsedDocument
from services.ingest.core.formats.docx.parser import MEDIA_TYPE, parse
from services.ingest.core.formats.limits import Limits
from services.ingest.core.formats.registry import parse as parse_any
from services.ingest.core.formats.registry import sniff
from shared.errors import InvalidDocument

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def saved(document: object) -> bytes:
    stream = io.BytesIO()
    document.save(stream)  # type: ignore[attr-defined]
    return stream.getvalue()


def blocks(parsed: ParsedDocument) -> list[tuple[str, str]]:
    return [(block.kind, parsed.text[block.start : block.end]) for block in parsed.blocks]


def test_blocks_come_in_the_order_of_the_body() -> None:
    document = docx.Document()
    document.add_heading("Locks", 1)
    document.add_paragraph("They open at noon.")
    document.add_paragraph("first", style="List Bullet")
    document.add_paragraph("inner", style="List Bullet 2")
    table = document.add_table(rows=3, cols=2)
    for row, cells in zip(table.rows, [("name", "role"), ("Ada", "pilot"), ("Grace", "clerk")], strict=True):
        for cell, text in zip(row.cells, cells, strict=True):
            cell.text = text
    document.sections[0].header.paragraphs[0].text = "Running header"
    data = saved(document)
    assert sniff("a.docx", data) == sniff("no ending", data) == MEDIA_TYPE
    parsed = parse("a.docx", data)
    assert blocks(parsed) == [
        (FURNITURE, "Running header"),
        (HEADING, "Locks"),
        (PARAGRAPH, "They open at noon."),
        (LIST_ITEM, "- first"),
        (LIST_ITEM, "  - inner"),
        (TABLE, "name | role\nAda | pilot\nGrace | clerk"),
    ]
    assert parsed.blocks[-1].header_lines == 1
    assert parsed.title == "Locks"


def test_title_of_the_properties_comes_first() -> None:
    document = docx.Document()
    document.core_properties.title = "Harbour handbook"
    document.add_heading("Locks", 1)
    assert parse("a.docx", saved(document)).title == "Harbour handbook"


def test_merged_cells_are_said_once_and_nested_tables_are_kept() -> None:
    document = docx.Document()
    table = document.add_table(rows=2, cols=3)
    table.cell(0, 0).merge(table.cell(1, 0)).text = "tall"
    table.cell(0, 1).merge(table.cell(0, 2)).text = "wide"
    inner = table.cell(1, 1).add_table(rows=1, cols=2)
    inner.cell(0, 0).text, inner.cell(0, 1).text = "in one", "in two"
    table.cell(1, 2).text = "last"
    text = parse("a.docx", saved(document)).text
    assert text == "tall | wide\nin one | in two | last"


def test_deleted_words_are_left_out_and_inserted_ones_kept() -> None:
    document = docx.Document()
    paragraph: Any = document.add_paragraph("The lock ")
    paragraph._p.append(lxml.etree.fromstring(f"<w:del {W}><w:r><w:delText>shuts</w:delText></w:r></w:del>"))
    paragraph._p.append(lxml.etree.fromstring(f"<w:ins {W}><w:r><w:t>opens</w:t></w:r></w:ins>"))
    assert parse("a.docx", saved(document)).text == "The lock opens"


def test_content_controls_are_opened_up() -> None:
    document = docx.Document()
    control = f"<w:sdt {W}><w:sdtContent><w:p><w:r><w:t>Inside</w:t></w:r></w:p></w:sdtContent></w:sdt>"
    document.element.body.insert(0, lxml.etree.fromstring(control))
    assert parse("a.docx", saved(document)).text == "Inside"


def test_document_with_headers_alone_is_refused() -> None:
    document = docx.Document()
    document.sections[0].header.paragraphs[0].text = "Running header"
    with pytest.raises(InvalidDocument, match="no text"):
        parse_any("a.docx", saved(document), MEDIA_TYPE)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"PK\x03\x04" + b"\0" * 500, "damaged"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 500, "password"),
        (b"Just words", "no Word document"),
    ],
)
def test_what_only_calls_itself_docx_is_refused(data: bytes, reason: str) -> None:
    with pytest.raises(InvalidDocument, match=reason):
        sniff("a.docx", data)


def cut_off(content: bytes) -> bytes:
    return content[: len(content) // 2]


def without_body(content: bytes) -> bytes:
    return f"<w:document {W}/>".encode()


def with_entity(content: bytes) -> bytes:
    declared = b'<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/hostname">]>'
    words = b"<w:body><w:p><w:r><w:t>before &x; after</w:t></w:r></w:p></w:body>"
    return declared + b"<w:document " + W.encode() + b">" + words + b"</w:document>"


@pytest.mark.parametrize("edit", [cut_off, without_body, with_entity])
def test_document_that_cannot_be_read_whole_is_refused(edit: Callable[[bytes], bytes]) -> None:
    data = saved(docx.Document())
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as whole, zipfile.ZipFile(stream, "w") as edited:
        for name in whole.namelist():
            content = whole.read(name)
            edited.writestr(name, edit(content) if name == "word/document.xml" else content)
    with pytest.raises(InvalidDocument, match="damaged"):
        parse("a.docx", stream.getvalue())


def test_zip_bomb_is_refused_before_it_is_unpacked() -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("word/document.xml", b"\0" * 3_000_000)
    with pytest.raises(InvalidDocument, match="unpacks to far more"):
        parse("a.docx", stream.getvalue(), limits=Limits(max_member_bytes=1_000_000))


def test_package_of_countless_parts_is_refused() -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as package:
        for number in range(20):
            package.writestr(f"part{number}", b"")
    with pytest.raises(InvalidDocument, match="20 parts"):
        parse("a.docx", stream.getvalue(), limits=Limits(max_members=10))
