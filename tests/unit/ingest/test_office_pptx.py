"""What does a presentation become: pages, headings, lists, tables, notes?"""

import io
from typing import Any

import pptx
import pytest
from PIL import Image
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches, Pt

from services.ingest.core.document import FURNITURE, HEADING, LIST_ITEM, PARAGRAPH, TABLE, ParsedDocument
from services.ingest.core.formats.limits import Limits
from services.ingest.core.formats.pptx.parser import parse
from shared.errors import InvalidDocument, TooLarge

TITLE_AND_BODY, TITLE_ONLY, EMPTY = 1, 5, 6


def read(presentation: Any, **given: Any) -> ParsedDocument:
    stream = io.BytesIO()
    presentation.save(stream)
    return parse("talk.pptx", stream.getvalue(), **given)


def slide_of(presentation: Any, layout: int, title: str = "") -> Any:
    slide = presentation.slides.add_slide(presentation.slide_layouts[layout])
    if title:
        slide.shapes.title.text = title
    return slide


def box(shapes: Any, words: str, left: float, top: float) -> Any:
    shape = shapes.add_textbox(Inches(left), Inches(top), Inches(2), Inches(0.5))
    shape.text_frame.text = words
    return shape


def blocks(parsed: ParsedDocument) -> list[tuple[str, str]]:
    return [(block.kind, parsed.text[block.start : block.end]) for block in parsed.blocks]


def test_slide_is_a_page_with_its_title_list_and_notes() -> None:
    presentation = pptx.Presentation()
    slide = slide_of(presentation, TITLE_AND_BODY, "Harbour dues")
    frame = slide.placeholders[1].text_frame
    frame.text = "Boats pay"
    inner = frame.add_paragraph()
    inner.text, inner.level = "by length", 1
    slide.notes_slide.notes_text_frame.text = "Say why."
    slide_of(presentation, EMPTY)
    parsed = read(presentation)
    assert blocks(parsed) == [
        (HEADING, "Harbour dues"),
        (LIST_ITEM, "- Boats pay"),
        (LIST_ITEM, "  - by length"),
        (HEADING, "Notes"),
        (PARAGRAPH, "Say why."),
    ]
    assert parsed.blocks[-1].section == ("Harbour dues", "Notes")
    assert [(page.number, page.label, page.width, page.scanned) for page in parsed.pages] == [
        (1, "1", 720.0, False),
        (2, "2", 720.0, False),
    ]
    assert parsed.title == "Harbour dues"


def test_section_of_a_slide_ends_with_it() -> None:
    presentation = pptx.Presentation()
    slide_of(presentation, TITLE_ONLY, "First")
    box(slide_of(presentation, EMPTY).shapes, "alone", 1, 1)
    assert read(presentation).blocks[-1].section == ()


def test_shapes_are_read_from_the_top_and_in_a_row_from_the_left() -> None:
    presentation = pptx.Presentation()
    shapes = slide_of(presentation, EMPTY).shapes
    box(shapes, "below", 1, 3)
    box(shapes, "right", 5, 1)
    box(shapes, "left", 1, 1.05)
    parsed = read(presentation)
    assert [text for _, text in blocks(parsed)] == ["left", "right", "below"]
    assert parsed.blocks[0].boxes[0].x0 == 72.0
    assert parsed.blocks[0].boxes[0].page_number == 1


def test_title_is_read_first_wherever_it_stands() -> None:
    presentation = pptx.Presentation()
    slide = slide_of(presentation, TITLE_ONLY, "At the foot")
    slide.shapes.title.top = Inches(6)
    box(slide.shapes, "above", 1, 1)
    assert [text for _, text in blocks(read(presentation))] == ["At the foot", "above"]


def test_group_is_read_where_it_stands_with_boxes_on_the_slide() -> None:
    presentation = pptx.Presentation()
    shapes = slide_of(presentation, EMPTY).shapes
    box(shapes, "last", 1, 5)
    group = shapes.add_group_shape()
    box(group.shapes, "grouped", 1, 1)
    group.left, group.top, group.width, group.height = Inches(2), Inches(2), Inches(4), Inches(1)
    parsed = read(presentation)
    assert [text for _, text in blocks(parsed)] == ["grouped", "last"]
    edges = parsed.blocks[0].boxes[0]
    assert (edges.x0, edges.top, edges.x1, edges.bottom) == pytest.approx((144, 144, 432, 216))


def test_table_keeps_its_columns_where_cells_are_merged() -> None:
    presentation = pptx.Presentation()
    shapes = slide_of(presentation, EMPTY).shapes
    table = shapes.add_table(3, 3, Inches(1), Inches(1), Inches(5), Inches(1)).table
    for row in range(3):
        for column in range(3):
            table.cell(row, column).text = f"{row}{column}"
    table.cell(0, 1).merge(table.cell(0, 2))
    table.cell(1, 0).merge(table.cell(2, 0))
    table.cell(0, 1).text, table.cell(1, 0).text = "wide", "tall"
    parsed = read(presentation)
    assert blocks(parsed) == [(TABLE, "00 | wide |\ntall | 11 | 12\ntall | 21 | 22")]
    assert parsed.blocks[0].header_lines == 1


def test_chart_is_its_title_and_a_table_of_what_it_shows() -> None:
    presentation = pptx.Presentation()
    kind: Any = CategoryChartData  # which has no types
    data = kind(number_format="0.0%")
    data.categories = ["North", "South"]
    data.add_series("2022", (0.1, 0.25))
    data.add_series("2023", (0.3, None))
    shapes = slide_of(presentation, EMPTY).shapes
    frame = shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, Inches(1), Inches(1), Inches(4), Inches(3), data)
    frame.chart.has_title = True
    frame.chart.chart_title.text_frame.text = "Share by area"
    assert blocks(read(presentation)) == [
        (PARAGRAPH, "Share by area"),
        (TABLE, "Category | 2022 | 2023\nNorth | 10.0% | 30.0%\nSouth | 25.0% |"),
    ]


def test_slide_of_pictures_alone_is_counted_and_hidden_one_is_read() -> None:
    presentation = pptx.Presentation()
    picture = io.BytesIO()
    Image.new("RGB", (4, 4)).save(picture, "PNG")
    slide_of(presentation, EMPTY).shapes.add_picture(picture, 0, 0)
    hidden = slide_of(presentation, EMPTY)
    hidden._element.set("show", "0")
    box(hidden.shapes, "still here", 1, 1)
    parsed = read(presentation)
    assert parsed.text == "still here"
    assert [page.scanned for page in parsed.pages] == [True, False]
    assert parsed.warnings == (
        "1 hidden slide is read all the same.",
        "1 slide is nothing but pictures: the words in them are not read.",
    )


def test_footer_and_number_are_furniture_and_the_number_a_printed_label() -> None:
    presentation = pptx.Presentation()
    layout: Any = presentation.slide_layouts[TITLE_ONLY]
    slide = slide_of(presentation, TITLE_ONLY, "Words")
    for placeholder in layout.placeholders:
        if placeholder.placeholder_format.idx in (11, 12):  # footer, slide number
            slide.shapes.clone_placeholder(placeholder)
    for shape in slide.placeholders:
        if shape.placeholder_format.idx == 11:
            shape.text_frame.text = "Harbour office"
        elif shape.placeholder_format.idx == 12:
            shape.text_frame.text = "7"
    parsed = read(presentation)
    assert {text for kind, text in blocks(parsed) if kind == FURNITURE} == {"Harbour office", "7"}
    assert parsed.pages[0].printed_label == "7"


@pytest.mark.parametrize(
    ("kind", "marks"),
    [
        ("arabicPeriod", ["1.", "2."]),
        ("alphaLcParenR", ["a)", "b)"]),
        ("romanUcParenBoth", ["(I)", "(II)"]),
    ],
)
def test_numbered_paragraphs_carry_the_numbers_that_are_shown(kind: str, marks: list[str]) -> None:
    presentation = pptx.Presentation()
    frame = box(slide_of(presentation, EMPTY).shapes, "one", 1, 1).text_frame
    frame.add_paragraph().text = "two"
    for paragraph in frame.paragraphs:
        paragraph.font.size = Pt(12)
        properties = paragraph._p.get_or_add_pPr()
        mark = properties.makeelement(
            "{http://schemas.openxmlformats.org/drawingml/2006/main}buAutoNum", {"type": kind}
        )
        properties.append(mark)
    assert [text.split()[0] for _, text in blocks(read(presentation))] == marks


def test_presentation_of_too_many_slides_is_refused() -> None:
    presentation = pptx.Presentation()
    for _ in range(3):
        slide_of(presentation, EMPTY)
    with pytest.raises(TooLarge, match="2 slides"):
        read(presentation, limits=Limits(max_pages=2))


def test_package_of_another_kind_is_refused() -> None:
    stream = io.BytesIO()
    pptx.Presentation().save(stream)
    with pytest.raises(InvalidDocument, match="damaged"):
        parse("a.pptx", stream.getvalue()[:2000])
