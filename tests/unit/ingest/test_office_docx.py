"""Does a Word document keep its numbers, notes, captions and columns, as its readers see them?"""

import io
import zipfile

import pytest

from services.ingest.core.document import (
    CAPTION,
    FOOTNOTE,
    HEADING,
    LIST_ITEM,
    PARAGRAPH,
    TABLE,
    ParsedDocument,
)
from services.ingest.core.formats.docx.parser import parse

SPACE = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
TYPES = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def package(body: str, **parts: str) -> bytes:
    """A Word file of this body and these further parts, each given by what stands in its root element."""
    roots = {"styles": "styles", "numbering": "numbering", "settings": "settings"}
    relations = "".join(
        f'<Relationship Id="r{number}" Type="{TYPES}/{part}" Target="{part}.xml"/>'
        for number, part in enumerate(parts)
    )
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as made:
        made.writestr(
            "word/document.xml", f'<w:document xmlns:w="{SPACE}"><w:body>{body}</w:body></w:document>'
        )
        made.writestr("word/_rels/document.xml.rels", f"<Relationships>{relations}</Relationships>")
        for part, content in parts.items():
            root = roots.get(part, part)
            made.writestr(f"word/{part}.xml", f'<w:{root} xmlns:w="{SPACE}">{content}</w:{root}>')
    return stream.getvalue()


def read(body: str, **parts: str) -> ParsedDocument:
    return parse("a.docx", package(body, **parts))


def run(text: str) -> str:
    return f'<w:r><w:t xml:space="preserve">{text}</w:t></w:r>'


def paragraph(text: str, properties: str = "", more: str = "") -> str:
    return f"<w:p><w:pPr>{properties}</w:pPr>{run(text)}{more}</w:p>"


def item(text: str, level: int = 0, number: int = 1) -> str:
    return paragraph(text, f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr>')


def level(index: int, kind: str, text: str, more: str = "") -> str:
    return (
        f'<w:lvl w:ilvl="{index}"><w:start w:val="1"/><w:numFmt w:val="{kind}"/>{more}'
        f'<w:lvlText w:val="{text}"/></w:lvl>'
    )


def numbering(*levels: str) -> str:
    return (
        f'<w:abstractNum w:abstractNumId="7">{"".join(levels)}</w:abstractNum>'
        '<w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num>'
        '<w:num w:numId="2"><w:abstractNumId w:val="7"/>'
        '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride></w:num>'
    )


def blocks(parsed: ParsedDocument) -> list[tuple[str, str]]:
    return [(block.kind, parsed.text[block.start : block.end]) for block in parsed.blocks]


def texts(parsed: ParsedDocument) -> list[str]:
    return [text for _, text in blocks(parsed)]


# Lists


def test_list_items_carry_their_numbers_and_inner_ones_begin_anew() -> None:
    body = "".join([item("a"), item("b", 1), item("c", 1), item("d"), item("e", 1)])
    defined = numbering(level(0, "decimal", "%1."), level(1, "lowerLetter", "%2)"))
    parsed = read(body, numbering=defined)
    assert texts(parsed) == ["1. a", "  a) b", "  b) c", "2. d", "  a) e"]
    assert {kind for kind, _ in blocks(parsed)} == {LIST_ITEM}
    assert [block.level for block in parsed.blocks] == [1, 2, 2, 1, 2]


def test_number_of_an_inner_level_names_the_outer_one() -> None:
    defined = numbering(level(0, "upperRoman", "%1"), level(1, "decimal", "%1.%2"))
    assert texts(read(item("a") + item("b", 1), numbering=defined)) == ["I a", "  I.1 b"]


def test_legal_numbering_shows_digits_throughout() -> None:
    defined = numbering(level(0, "upperRoman", "%1"), level(1, "decimal", "%1.%2", "<w:isLgl/>"))
    assert texts(read(item("a") + item("b", 1), numbering=defined)) == ["I a", "  1.1 b"]


def test_level_that_never_restarts_counts_on() -> None:
    defined = numbering(level(0, "decimal", "%1."), level(1, "decimal", "(%2)", '<w:lvlRestart w:val="0"/>'))
    body = item("a") + item("b", 1) + item("c") + item("d", 1)
    assert texts(read(body, numbering=defined)) == ["1. a", "  (1) b", "2. c", "  (2) d"]


def test_list_that_is_told_to_start_anew_does() -> None:
    defined = numbering(level(0, "decimal", "%1."))
    body = item("a") + item("b") + item("c", number=2) + item("d", number=2)
    assert texts(read(body, numbering=defined)) == ["1. a", "2. b", "1. c", "2. d"]


def test_bullets_and_lists_without_a_definition_have_a_hyphen() -> None:
    defined = numbering(level(0, "bullet", "\uf0b7"))
    assert texts(read(item("a") + item("b", number=9), numbering=defined)) == ["- a", "- b"]


def test_numbered_heading_is_shown_with_its_number() -> None:
    style = (
        '<w:style w:type="paragraph" w:styleId="H1"><w:name w:val="heading 1"/>'
        '<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>'
    )
    body = paragraph("Locks", '<w:pStyle w:val="H1"/>') + paragraph("Gates", '<w:pStyle w:val="H1"/>')
    parsed = read(body, styles=style, numbering=numbering(level(0, "decimal", "%1")))
    assert blocks(parsed) == [(HEADING, "1 Locks"), (HEADING, "2 Gates")]


# Headings, captions


def test_heading_is_inherited_and_taken_back_by_a_paragraph() -> None:
    styles = (
        '<w:style w:type="paragraph" w:styleId="H2"><w:name w:val="heading 2"/></w:style>'
        '<w:style w:type="paragraph" w:styleId="Own"><w:name w:val="Ours"/><w:basedOn w:val="H2"/></w:style>'
        '<w:style w:type="paragraph" w:styleId="C"><w:name w:val="caption"/></w:style>'
    )
    body = (
        paragraph("Gates", '<w:pStyle w:val="Own"/>')
        + paragraph("no heading", '<w:pStyle w:val="Own"/><w:outlineLvl w:val="9"/>')
        + paragraph("Table 1: dues", '<w:pStyle w:val="C"/>')
        + paragraph("by outline", '<w:outlineLvl w:val="2"/>')
    )
    parsed = read(body, styles=styles)
    assert blocks(parsed) == [
        (HEADING, "Gates"),
        (PARAGRAPH, "no heading"),
        (CAPTION, "Table 1: dues"),
        (HEADING, "by outline"),
    ]
    assert [block.level for block in parsed.blocks] == [2, 0, 0, 3]


# Notes


def note(kind: str, identifier: int, text: str) -> str:
    return f'<w:{kind} w:id="{identifier}"><w:p>{run(text)}</w:p></w:{kind}>'


def reference(kind: str, identifier: int) -> str:
    return f'<w:r><w:{kind}Reference w:id="{identifier}"/></w:r>'


def test_notes_stand_behind_the_paragraph_that_refers_to_them() -> None:
    body = paragraph("Dues rose", more=reference("footnote", 5) + run(".") + reference("endnote", 2))
    parsed = read(
        body + paragraph("More."),
        footnotes=note("footnote", 5, "By a tenth."),
        endnotes=note("endnote", 2, "See the ledger."),
    )
    assert blocks(parsed) == [
        (PARAGRAPH, "Dues rose[1].[i]"),
        (FOOTNOTE, "[1] By a tenth."),
        (FOOTNOTE, "[i] See the ledger."),
        (PARAGRAPH, "More."),
    ]


def test_notes_do_not_tear_a_list_apart() -> None:
    first = item("a").replace("</w:p>", reference("footnote", 1) + "</w:p>")
    parsed = read(first + item("b") + paragraph("End."), footnotes=note("footnote", 1, "Why."))
    assert texts(parsed) == ["- a[1]", "- b", "[1] Why.", "End."]


def test_reference_to_a_note_that_is_missing_leaves_no_mark() -> None:
    assert read(paragraph("Dues", more=reference("footnote", 9))).text == "Dues"


# Words


@pytest.mark.parametrize(
    ("inside", "shown"),
    [
        ('<w:r><w:sym w:font="Symbol" w:char="F061"/></w:r>', "xα"),
        ('<w:r><w:sym w:font="Wingdings" w:char="F0FC"/></w:r>', "x✓"),
        ('<w:r><w:sym w:font="Arial" w:char="00A7"/></w:r>', "x§"),
        (run("co\u00adop"), "xcoop"),
        (run("a\u00a0b"), "xa\u00a0b"),
        ("<w:moveFrom>" + run("gone") + "</w:moveFrom><w:moveTo>" + run(" here") + "</w:moveTo>", "x here"),
        ("<w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r>", "x"),
        (f"<w:r><w:instrText>PAGEREF a</w:instrText></w:r>{run('12')}", "x12"),
        ("<w:hyperlink>" + run("link") + "</w:hyperlink>", "xlink"),
        (f"<w:ruby><w:rt>{run('re')}</w:rt><w:rubyBase>{run('ba')}</w:rubyBase></w:ruby>", "xba"),
        ('<w:commentRangeStart w:id="1"/><w:r><w:commentReference w:id="1"/></w:r>', "x"),
    ],
)  # fmt: skip
def test_words_are_those_that_are_shown(inside: str, shown: str) -> None:
    assert read(paragraph("x", "<w:tabs><w:tab/></w:tabs>", inside)).text == shown


def test_text_boxes_of_either_kind_are_read_once_each() -> None:
    inner = f"<w:r><w:pict><w:txbxContent>{paragraph('inner')}</w:txbxContent></w:pict></w:r>"
    box = f"<w:r><w:pict><w:txbxContent>{paragraph('outer', more=inner)}</w:txbxContent></w:pict></w:r>"
    assert texts(read(paragraph("text", more=box))) == ["text", "outer", "inner"]


def test_text_box_in_a_cell_is_part_of_the_cell() -> None:
    box = f"<w:r><w:pict><w:txbxContent>{paragraph('boxed')}</w:txbxContent></w:pict></w:r>"
    table = f"<w:tbl><w:tr><w:tc>{paragraph('cell', more=box)}</w:tc></w:tr></w:tbl>"
    assert blocks(read(table)) == [(TABLE, "cell boxed")]


# Tables


def row(*cells: str, header: bool = False) -> str:
    mark = "<w:trPr><w:tblHeader/></w:trPr>" if header else ""
    return f"<w:tr>{mark}{''.join(cells)}</w:tr>"


def cell(text: str, properties: str = "") -> str:
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{paragraph(text)}</w:tc>"


def test_columns_stay_in_place_under_a_header_with_merged_cells() -> None:
    begin, on, wide = '<w:vMerge w:val="restart"/>', "<w:vMerge/>", '<w:gridSpan w:val="2"/>'
    table = (
        row(cell("area", begin), cell("dues", wide), header=True)
        + row(cell("", on), cell("2022"), cell("2023"), header=True)
        + row(cell("North", begin), cell("1"), cell("2"))
        + row(cell("", on), cell("3", wide))
    )
    parsed = read(f"<w:tbl>{table}</w:tbl>")
    assert parsed.text == "area | dues |\narea | 2022 | 2023\nNorth | 1 | 2\nNorth | 3 |"
    assert parsed.blocks[0].header_lines == 2


def test_many_empty_paragraphs_cost_next_to_nothing() -> None:
    parsed = read("<w:p/>" * 50_000 + paragraph("end"))
    assert parsed.text == "end"
