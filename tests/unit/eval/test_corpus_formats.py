"""Does every format say what its source says, in the same bytes each time?"""

import io
import os
import re
import subprocess
import sys
import zipfile
from itertools import pairwise
from pathlib import Path

import docx
import pypdfium2
import pytest
from docx.text.paragraph import Paragraph as WordParagraph

from eval.corpus.blocks import Code, Heading, Layout, Paragraph, Source, Table
from eval.corpus.build import write_source
from services.ingest.core.document import FURNITURE, HEADING, LIST_ITEM, TABLE, ParsedDocument
from services.ingest.core.formats.registry import parse, sniff
from tests.unit.eval.corpus_samples import FORMATS, sample

_SENTENCE_END = re.compile(r"(?<=[.:])\s|\n")
_DIGESTS = """
import hashlib
from eval.corpus.build import write_source
from tests.unit.eval.corpus_samples import FORMATS, sample
print([hashlib.sha256(write_source(sample(format)).data).hexdigest() for format in FORMATS])
"""


def read(source: Source) -> ParsedDocument:
    written = write_source(source)
    return parse(written.name, written.data, sniff(written.name, written.data))


def bare(text: str) -> str:
    return re.sub(r"[\s|]", "", text)


def style_of(paragraph: WordParagraph) -> str:
    return "" if paragraph.style is None else paragraph.style.name or ""


def kinds(parsed: ParsedDocument, kind: str) -> list[str]:
    return [parsed.text[block.start : block.end] for block in parsed.blocks if block.kind == kind]


@pytest.mark.parametrize(("format", "columns"), [*((format, 1) for format in FORMATS), ("pdf", 2)])
def test_every_sentence_of_the_reference_is_read_back_in_order(format: str, columns: int) -> None:
    source = sample(format, columns=columns)
    text = bare(read(source).text)
    sentences = [bare(part) for part in _SENTENCE_END.split(write_source(source).reference) if bare(part)]
    assert len(sentences) > 20
    places = [text.find(sentence) for sentence in sentences]
    assert [sentence for sentence, place in zip(sentences, places, strict=True) if place < 0] == []
    quays = [
        text.find(bare(row)) for row in ("Quay 7 | 62", "Quay 8 | 58 | rep", "Quay 9 | 41", "Second list")
    ]
    assert quays == sorted(quays)


@pytest.mark.parametrize("format", FORMATS)
def test_headings_of_all_levels_are_read_as_headings(format: str) -> None:
    found = [heading.split("\n")[0].lstrip("# ") for heading in kinds(read(sample(format)), HEADING)]
    names = [block.text for block in sample(format).blocks if isinstance(block, Heading)]
    assert [heading for heading in found if heading in names] == names


def test_bytes_are_equal_in_processes_that_hash_and_tell_the_time_otherwise(repository: Path) -> None:
    outputs = {
        subprocess.run(
            [sys.executable, "-c", _DIGESTS],
            cwd=repository,
            env={**os.environ, "PYTHONHASHSEED": seed, "TZ": zone},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed, zone in (("1", "UTC"), ("2", "Asia/Tokyo"))
    }
    assert len(outputs) == 1
    assert outputs != {""}


def test_pdf_prints_its_labels_and_holds_them_in_its_label_tree() -> None:
    written = write_source(sample("pdf"))
    pdf = pypdfium2.PdfDocument(written.data)
    try:
        assert [pdf.get_page_label(number) for number in range(len(pdf))] == ["F-1", "F-2"]
        assert pdf.get_metadata_dict()["Title"] == "Havnesjø tide & fender report"
        for number, label in enumerate(("F-1", "F-2")):
            page = pdf[number].get_textpage().get_text_range()
            assert all(words in page for words in ("Norrholm board", "Internal copy", label))
    finally:
        pdf.close()


def test_pdf_without_labels_prints_page_numbers() -> None:
    source = Source("t", "pdf", "T", Layout(), (Heading(1, "Tide"), Paragraph("Low water was at noon.")))
    assert read(source).text.split()[-1] == "1"


def test_pdf_repeats_a_table_header_on_the_page_where_it_goes_on() -> None:
    rows = tuple((f"Bollard {number}", f"{number}.5", "sound") for number in range(90))
    source = Source(
        "t", "pdf", "T", Layout(), (Heading(1, "Bollards"), Table(("Name", "Pull", "State"), rows))
    )
    parsed = read(source)
    assert len(parsed.pages) > 1
    assert parsed.text.count("Name Pull State") == len(parsed.pages)


def test_pdf_refuses_what_no_column_holds() -> None:
    wide = Table(tuple(f"Unbreakable-name-{number}" for number in range(12)), (("x",) * 12,))
    with pytest.raises(ValueError, match="survey: a table of 12 columns"):
        write_source(Source("survey", "pdf", "T", Layout(2), (Heading(1, "T"), wide)))
    with pytest.raises(ValueError, match="survey: a line of code has 200 characters"):
        write_source(Source("survey", "pdf", "T", Layout(2), (Heading(1, "T"), Code("x" * 200))))


def test_pdf_columns_are_filled_one_after_the_other() -> None:
    paragraphs = tuple(Paragraph(f"Marker{number:03} " + "tide and quay " * 20) for number in range(60))
    text = read(Source("t", "pdf", "T", Layout(2), (Heading(1, "Columns"), *paragraphs))).text
    places = [text.index(f"Marker{number:03}") for number in range(60)]
    assert all(left < right for left, right in pairwise(places))


def test_docx_has_real_styles_tables_and_fixed_times() -> None:
    data = write_source(sample("docx")).data
    document = docx.Document(io.BytesIO(data))
    styles = [style_of(paragraph) for paragraph in document.paragraphs]
    assert {f"Heading {level}" for level in range(1, 5)} | {"List Bullet", "List Number", "Code"} <= set(
        styles
    )
    assert [cell.text for cell in document.tables[0].rows[2].cells] == [
        "Quay 8",
        "58",
        "repaired in the autumn",
    ]
    assert "w:tblHeader" in document.tables[0].rows[0]._tr.xml
    assert document.core_properties.created == document.core_properties.modified
    assert document.core_properties.title == "Havnesjø tide & fender report"
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        assert {part.date_time for part in package.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_docx_counts_each_ordered_list_from_its_start() -> None:
    document = docx.Document(io.BytesIO(write_source(sample("docx")).data))
    numbers = [
        re.findall(r'<w:numId w:val="(\d+)"/>', paragraph._p.xml)
        for paragraph in document.paragraphs
        if style_of(paragraph) == "List Number"
    ]
    assert len(numbers) == 4
    assert numbers[0] == numbers[1] != numbers[2] == numbers[3]


def test_html_puts_the_text_in_main_and_the_furniture_around_it() -> None:
    page = write_source(sample("html")).data.decode()
    before, rest = page.split("<main>")
    main, after = rest.split("</main>")
    assert "<title>Havnesjø tide &amp; fender report</title>" in before
    assert "<p>Norrholm board</p>" in before
    assert '<a href="#part-2">Measured loads</a>' in before
    assert '<h2 id="part-2">Measured loads</h2>' in main
    assert "<tr><th>Quay</th><th>Load in tonnes</th><th>Note</th></tr>" in main
    assert "40 kN &lt; 45 kN" in main
    assert "<p>Internal copy</p>" in after


def test_markdown_is_the_source_without_its_front_matter() -> None:
    text = write_source(sample("md")).data.decode()
    assert text.startswith("# Fender report of the inner quays\n\nThe survey of 3 May")
    assert "\n| Quay 7 | 62 |  |\n" in text
    assert "\n1. Close the quay.\n2. Lower the fender.\n" in text
    assert "+++" not in text


def test_markdown_fences_code_that_holds_a_fence() -> None:
    source = Source("t", "md", "T", Layout(), (Heading(1, "T"), Code("```\nx\n```")))
    assert write_source(source).data == b"# T\n\n````\n```\nx\n```\n````\n"


def test_plain_text_underlines_headings_fills_lines_and_tabs_rows() -> None:
    lines = write_source(sample("txt")).data.decode().split("\n")
    assert lines[:2] == ["Fender report of the inner quays", "=" * 32]
    assert lines[lines.index("Measured loads") + 1] == "-" * 14
    assert "Quay 8\t58\trepaired in the autumn" in lines
    assert max(map(len, lines)) <= 78
    item = lines.index(next(line for line in lines if line.startswith("- Quay 8")))
    assert lines[item + 1].startswith("  ")
    assert lines[item + 1].endswith("rather more.")


@pytest.mark.parametrize("format", ["pdf", "docx"])
def test_running_lines_are_read_as_furniture_where_pages_repeat_them(format: str) -> None:
    paragraphs = tuple(Paragraph(f"Paragraph {number} " + "tide and quay " * 60) for number in range(40))
    layout = Layout(header="Norrholm board", footer="Internal copy")
    parsed = read(Source("t", format, "T", layout, (Heading(1, "Pages"), *paragraphs)))
    assert any("Norrholm board" in words for words in kinds(parsed, FURNITURE))
    assert any("Internal copy" in words for words in kinds(parsed, FURNITURE))


@pytest.mark.parametrize("format", ["docx", "html", "md"])
def test_lists_and_tables_are_read_as_such(format: str) -> None:
    parsed = read(sample(format))
    assert len(kinds(parsed, LIST_ITEM)) == 6
    assert len(kinds(parsed, TABLE)) == 1
