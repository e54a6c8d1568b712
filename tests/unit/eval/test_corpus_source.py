"""Is a document's source read as written, and every slip in it named by document and line?"""

import pytest

from eval.corpus.blocks import (
    Code,
    Heading,
    Layout,
    ListItems,
    PageBreak,
    Paragraph,
    Source,
    Table,
    reference_text,
)
from eval.corpus.source import parse_source

FRONT = '+++\nformat = "pdf"\ntitle = "Fender survey"\n+++\n'
BODY = """# Fender survey of Quay 7

Two lines of the source
are one line (a_b_c, 3 < 4 & 5).

- first
- second

3. third
4. fourth

<!-- page -->

| Quay | Depth | Note |
|---|---:|---|
| Quay 7 | 9.5 |  |
| Quay 8 | 11.2 | silted |

```
a  b

c
```
"""


def test_parse_source_reads_every_block_of_the_subset() -> None:
    source = parse_source("fenders", FRONT + BODY)
    assert source == Source(
        "fenders",
        "pdf",
        "Fender survey",
        Layout(),
        (
            Heading(1, "Fender survey of Quay 7"),
            Paragraph("Two lines of the source are one line (a_b_c, 3 < 4 & 5)."),
            ListItems(("first", "second")),
            ListItems(("third", "fourth"), ordered=True, start=3),
            PageBreak(),
            Table(("Quay", "Depth", "Note"), (("Quay 7", "9.5", ""), ("Quay 8", "11.2", "silted"))),
            Code("a  b\n\nc"),
        ),
    )
    assert source.name == "fenders.pdf"


def test_reference_text_joins_blocks_by_blank_lines_and_cells_by_bars() -> None:
    assert reference_text(parse_source("fenders", FRONT + BODY)) == (
        "Fender survey of Quay 7\n\n"
        "Two lines of the source are one line (a_b_c, 3 < 4 & 5).\n\n"
        "first\nsecond\n\n"
        "third\nfourth\n\n"
        "Quay | Depth | Note\nQuay 7 | 9.5 | \nQuay 8 | 11.2 | silted\n\n"
        "a  b\n\nc"
    )


def test_parse_source_reads_the_layout_of_the_front_matter() -> None:
    front = (
        'format = "pdf"\ntitle = "T"\ncolumns = 2\npage_labels = "F-"\nheader = "Board"\nfooter = "Internal"'
    )
    assert parse_source("t", f"+++\n{front}\n+++\n# T\n").options == Layout(2, "F-", "Board", "Internal")


@pytest.mark.parametrize(
    ("body", "line", "reason"),
    [
        ("# T\n\nA *stressed* word\n", 7, "em_open"),
        ("# T\n\nA `code` word\n", 7, "code_inline"),
        ("# T\n\nA [link](there)\n", 7, "link_open"),
        ("# T\n\n[there]: http://there\n", 7, "link definition"),
        ("# T\n\nA \\* star\n", 7, "escapes"),
        ("# T\n\nSalt &amp; water\n", 7, "entities"),
        ("# T\n\ntwo spaces  \nand a break\n", 7, "hardbreak"),
        ("# T\n\n> quoted\n", 7, "blockquote"),
        ("# T\n\n    indented\n", 7, "code_block"),
        ("# T\n\n---\n", 7, "hr"),
        ("# T\n\n<p>x</p>\n", 7, "html_block"),
        ("# T\n\nText\n----\n", 7, "written with #"),
        ("##### T\n", 5, "written with #"),
        ("#\n", 5, "nothing is written"),
        ("# T\n\n- a\n  - b\n", 8, "flat"),
        ("# T\n\n- a\n\n  b\n", 7, "one paragraph"),
        ("# T\n\n| A | B |\n|---|---|\n| 1 | 2 | 3 |\n", 9, "3 cells under 2"),
        ("# T\n\n| A | B |\n|---|---|\n| 1 |\n", 9, "1 cells under 2"),
        ("# T\n\n| A | B |\n|---|---|\n| *1* | 2 |\n", 9, "em_open"),
        ("# T\n\n| A | B |\n|---|---|\n", 7, "at least one more"),
        ("# T\n\n| A | B |\n|---|---|\n| 1 \\| 2 | 3 |\n", 9, "no |"),
        ("# T\n\nat 10 ≤ 12\n", 7, "'≤' is not in the fonts"),
        ("No heading\n", 5, "no heading"),
    ],
)
def test_parse_source_names_document_and_line_outside_the_subset(body: str, line: int, reason: str) -> None:
    with pytest.raises(ValueError, match="fenders") as raised:
        parse_source("fenders", FRONT + body)
    assert f"fenders, line {line}: " in str(raised.value)
    assert reason in str(raised.value)


def test_parse_source_takes_any_character_where_no_font_limits_it() -> None:
    source = parse_source("t", FRONT.replace("pdf", "html") + "# T\n\nat 10 ≤ 12\n")
    assert source.blocks[1] == Paragraph("at 10 ≤ 12")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("# T\n", "no front matter"),
        ('+++\nformat = "pdf"\n', "not closed"),
        ("+++\nformat = pdf\n+++\n# T\n", "Invalid value"),
        ('+++\nformat = "pdf"\n+++\n# T\n', "no title"),
        ('+++\nformat = "odt"\ntitle = "T"\n+++\n# T\n', "'odt' is none of pdf, docx"),
        ('+++\nformat = "md"\ntitle = "T"\nheader = "H"\n+++\n# T\n', "'header' means nothing"),
        ('+++\nformat = "pdf"\ntitle = "T"\nauthor = "A"\n+++\n# T\n', "'author' means nothing"),
        ('+++\nformat = "pdf"\ntitle = "T"\nheader = 3\n+++\n# T\n', "header is no string"),
        ('+++\nformat = "pdf"\ntitle = "T"\ncolumns = 3\n+++\n# T\n', "columns is 3"),
        ('+++\nformat = "pdf"\ntitle = "T"\ncolumns = true\n+++\n# T\n', "columns is True"),
    ],
)
def test_parse_source_refuses_front_matter_that_it_does_not_know(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match="fenders") as raised:
        parse_source("fenders", text)
    assert reason in str(raised.value)
