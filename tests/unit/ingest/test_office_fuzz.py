"""Is a damaged office file read or refused with a sentence, whatever was done to it?"""

import io
import zipfile
from collections.abc import Callable
from functools import cache

import docx
import openpyxl
import pptx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pptx.util import Inches

from services.ingest.core.document import ParsedDocument
from services.ingest.core.formats.docx import parser as word
from services.ingest.core.formats.pptx import parser as slides
from services.ingest.core.formats.xlsx import parser as sheets
from shared.errors import InvalidDocument, SightlineError

Parts = list[tuple[str, bytes]]


@cache
def parts_of_word() -> Parts:
    document = docx.Document()
    document.add_heading("Locks", 1)
    document.add_paragraph("one", style="List Number")
    document.add_paragraph("two", style="List Bullet 2")
    table = document.add_table(rows=3, cols=3)
    for row in table.rows:
        for cell in row.cells:
            cell.text = "cell"
    table.cell(0, 0).merge(table.cell(1, 1))
    document.sections[0].header.paragraphs[0].text = "Header"
    return _parts(document.save)


@cache
def parts_of_slides() -> Parts:
    presentation = pptx.Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[1])
    slide.shapes.title.text = "Dues"
    slide.shapes.add_table(2, 2, Inches(1), Inches(3), Inches(3), Inches(1)).table.cell(0, 0).text = "cell"
    slide.shapes.add_group_shape().shapes.add_textbox(0, 0, 9, 9).text_frame.text = "grouped"
    slide.notes_slide.notes_text_frame.text = "A note"
    return _parts(presentation.save)


@cache
def parts_of_sheets() -> Parts:
    workbook = openpyxl.Workbook()
    sheet = workbook["Sheet"]
    for row in (["area", "dues", None], [None, "2022", "2023"], ["North", 1.5, 2], ["South", 3, "=1+1"]):
        sheet.append(row)
    sheet.merge_cells("B1:C1")
    sheet["B3"].number_format = "#,##0.00;[Red](0)"
    workbook.create_sheet("Other")["C7"] = "alone"
    return _parts(workbook.save)


def _parts(save: Callable[[io.BytesIO], None]) -> Parts:
    stream = io.BytesIO()
    save(stream)
    with zipfile.ZipFile(stream) as package:
        return [(name, package.read(name)) for name in package.namelist()]


def packed(parts: Parts) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as package:
        for name, content in parts:
            package.writestr(name, content)
    return stream.getvalue()


READERS: list[tuple[Callable[[], Parts], Callable[[str, bytes], ParsedDocument], str]] = [
    (parts_of_word, word.parse, "a.docx"),
    (parts_of_slides, slides.parse, "a.pptx"),
    (parts_of_sheets, sheets.parse, "a.xlsx"),
]
ODD = st.sampled_from(
    [b"", b"<", b">", b'"', b"-1", b"0", b"99999999999", b"x", b"/>", b"\0", b"\xff", b"&x;", b"A1"]
)


@pytest.mark.parametrize(("parts_of", "parse", "name"), READERS)
@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_damaged_package_is_read_or_refused(
    parts_of: Callable[[], Parts],
    parse: Callable[[str, bytes], ParsedDocument],
    name: str,
    data: st.DataObject,
) -> None:
    parts = list(parts_of())
    for _ in range(data.draw(st.integers(1, 4))):
        index = data.draw(st.integers(0, len(parts) - 1))
        part, content = parts[index]
        what = data.draw(st.sampled_from(["digit", "bytes", "bytes", "drop", "move", "swap"]))
        if what == "drop" and len(parts) > 1:
            del parts[index]
        elif what == "move":
            parts.append(parts.pop(index))
        elif what == "swap":
            other = data.draw(st.integers(0, len(parts) - 1))
            parts[index], parts[other] = (part, parts[other][1]), (parts[other][0], content)
        else:
            digits = [place for place, byte in enumerate(content) if chr(byte).isdigit()]
            start = data.draw(
                st.sampled_from(digits) if what == "digit" and digits else st.integers(0, len(content))
            )
            end = start + data.draw(st.integers(0, 3))
            parts[index] = (part, content[:start] + data.draw(ODD) + content[end:])
    refusal, parsed = "", None
    try:
        parsed = parse(name, packed(parts))
    except SightlineError as error:
        refusal = str(error)
    if parsed is None:
        assert refusal.endswith(".")
    else:
        assert all(parsed.text[block.start : block.end].strip() for block in parsed.blocks)


@pytest.mark.parametrize(("parts_of", "parse", "name"), READERS)
@settings(deadline=None, max_examples=40)
@given(junk=st.binary(max_size=400), keep=st.integers(0, 4000))
def test_bytes_that_are_no_package_are_refused(
    parts_of: Callable[[], Parts],
    parse: Callable[[str, bytes], ParsedDocument],
    name: str,
    junk: bytes,
    keep: int,
) -> None:
    with pytest.raises(InvalidDocument):
        parse(name, packed(parts_of())[:keep] + junk)


@pytest.mark.parametrize(("parts_of", "parse", "name"), READERS)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_part_that_declares_entities_is_refused(
    parts_of: Callable[[], Parts],
    parse: Callable[[str, bytes], ParsedDocument],
    name: str,
    encoding: str,
) -> None:
    declared = '<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/hostname">]><d>&x;</d>'.encode(encoding)
    parts = [(part, declared if part.endswith("styles.xml") else content) for part, content in parts_of()]
    parts.append(("docProps/extra.xml", declared))
    with pytest.raises(InvalidDocument, match="damaged"):
        parse(name, packed(parts))
