"""What does each text format become: which blocks, which title, which words?"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.ingest.core.document import (
    CODE,
    FURNITURE,
    HEADING,
    LIST_ITEM,
    PARAGRAPH,
    TABLE,
)
from services.ingest.core.formats.registry import parse, sniff
from shared.errors import InvalidDocument, SightlineError, UnsupportedType
from tests.unit.ingest.reading_files import FRENCH, blocks, read


@settings(deadline=None, max_examples=100)
@given(st.text(max_size=300), st.sampled_from(["a.md", "a.txt", "a.html", "a.csv", "a.tsv"]))
def test_any_text_is_read_or_refused_with_a_sentence(text: str, name: str) -> None:
    raw = text.encode("utf-8", "surrogatepass")
    refusal, parsed = "", None
    try:
        parsed = read(name, raw)
    except SightlineError as error:
        refusal = str(error)
    if parsed is None:
        assert refusal.endswith(".")
    else:
        parsed.text.encode()
        assert not {"\r", "\0"} & set(parsed.text)


# Sniffing


@pytest.mark.parametrize("data", [b"", b" \n\t\n", b"\xef\xbb\xbf", "\u200b\n".encode()])
def test_file_without_anything_to_see_is_refused(data: bytes) -> None:
    with pytest.raises(InvalidDocument):
        read("a.txt", data)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("blob.bin", bytes(range(256)) * 40),
        ("blob.txt", bytes(range(256)) * 40),
        ("photo", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"),
        ("page.djvu", b"words"),
        ("notes.rtf", b"{\\rtf1 words}"),
        ("archive.zip", b"PK\x03\x04" + bytes(100)),
    ],
)
def test_what_no_extractor_reads_is_unsupported(name: str, data: bytes) -> None:
    with pytest.raises(UnsupportedType, match="PDF, DOCX"):
        sniff(name, data)


@pytest.mark.parametrize("name", ["blob.txt", "blob.csv", "blob"])
def test_binary_data_under_a_text_name_is_not_blamed_on_the_name(name: str) -> None:
    with pytest.raises(UnsupportedType, match=r"^The file holds binary data"):
        sniff(name, bytes(range(256)) * 40)


def test_page_without_an_ending_is_told_by_its_bytes() -> None:
    assert sniff("page", b"<!DOCTYPE html><html><body>x</body></html>") == "text/html"


def test_pdf_is_told_by_its_bytes_whatever_its_name() -> None:
    assert sniff("report.txt", b"%PDF-1.7\n") == "application/pdf"


def test_name_that_promises_a_pdf_is_not_believed() -> None:
    with pytest.raises(InvalidDocument, match="no PDF"):
        sniff("report.pdf", b"Just some words.")


# Encodings

HEBREW = "שלום לכולם. זהו מסמך קצר בעברית שנכתב כדי לבדוק את זיהוי הקידוד של הטקסט בקובץ הזה. " * 3


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_unicode_encodings_are_told_apart(encoding: str) -> None:
    text = "The lock – 🚢 – opens at noon, says the harbour master."
    assert read("a.txt", text.encode(encoding)).text == text


@pytest.mark.parametrize(
    ("text", "encoding"), [(HEBREW, "iso-8859-8"), (HEBREW, "cp1255"), (FRENCH, "cp1252")]
)
def test_old_encodings_are_found_from_the_letters(text: str, encoding: str) -> None:
    assert read("a.txt", text.encode(encoding)).text == text


def test_a_few_broken_bytes_in_utf8_are_shown_and_warned_of() -> None:
    parsed = read("a.txt", "naïve café über ".encode() * 20 + b"\xff end")
    assert parsed.text.endswith("\ufffd end")
    assert "not valid UTF-8" in parsed.warnings[0]


def test_newlines_and_controls_are_normalised_and_nothing_else() -> None:
    assert read("a.txt", "a\r\nb\rc\x0cd\x07e\u2028f e\u0301 🚢").text == "a\nb\nc\nde\u2028f e\u0301 🚢"


# Plain text


def test_text_has_paragraphs_and_underlined_headings() -> None:
    parsed = read("my_notes.txt", "Harbour\n=======\n\nOne line\nand another.\n\n\nLocks\n-----\nThey open.")
    assert blocks(parsed) == [
        (HEADING, "Harbour\n======="),
        (PARAGRAPH, "One line\nand another."),
        (HEADING, "Locks\n-----"),
        (PARAGRAPH, "They open."),
    ]
    assert parsed.blocks[-1].section == ("Harbour", "Locks")
    assert parsed.title == "Harbour"


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("yearly_report-2020.txt", "Yearly report 2020"),
        ("Übersicht.md", "Übersicht"),
        (".txt", ".txt"),
        ("a/b\\c.txt", "C"),
    ],
)
def test_title_is_the_readable_name_without_a_heading(name: str, title: str) -> None:
    assert parse(name, b"Nothing but words.", "text/plain").title == title


# Markdown

MARKDOWN = """---
title: "Harbour handbook"
---

# The **harbour** `rules`

Some *prose* here.

- first item
  goes on
- second item
  - nested

1. one
2. two

| name | role |
|------|------|
| Ada  | pilot |

```python
# not a heading
```

> quoted

Setext
------

<!-- hidden -->

[ref]: https://example.org
"""


def test_markdown_keeps_its_source_and_types_its_blocks() -> None:
    parsed = read("a.md", MARKDOWN)
    assert parsed.text == MARKDOWN
    assert [kind for kind, _ in blocks(parsed)] == [
        FURNITURE, HEADING, PARAGRAPH, LIST_ITEM, LIST_ITEM, LIST_ITEM, LIST_ITEM, TABLE, CODE,
        PARAGRAPH, HEADING, FURNITURE, PARAGRAPH,
    ]  # fmt: skip
    assert parsed.title == "Harbour handbook"
    assert parsed.blocks[2].section == ("The harbour rules",)
    assert parsed.blocks[-1].section == ("The harbour rules", "Setext")


def test_markdown_list_item_holds_what_is_nested_in_it() -> None:
    items = [text for kind, text in blocks(read("a.md", MARKDOWN)) if kind == LIST_ITEM]
    assert items[1] == "- second item\n  - nested"


def test_markdown_table_knows_its_header() -> None:
    table = next(block for block in read("a.md", MARKDOWN).blocks if block.kind == TABLE)
    assert table.header_lines == 2


@pytest.mark.parametrize(
    "heading", ["# 1. Introduction", "# SEC-014", "# Chapter 3", "# 2.1 Locks", "# Contents", "#"]
)
def test_numbered_heading_or_code_is_never_the_title(heading: str) -> None:
    assert read("lock_manual.md", f"{heading}\n\nWords.").title == "Lock manual"


def test_markdown_of_nothing_but_front_matter_is_refused() -> None:
    with pytest.raises(InvalidDocument, match="no text"):
        read("a.md", "---\ntitle: x\n---\n")
