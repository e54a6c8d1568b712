"""Are the words of a PDF those that a reader sees, each in one rectangle, and in the order of reading?"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.ingest.core.pdf.bidi import logical_line, logical_word
from services.ingest.core.pdf.device import Glyph
from services.ingest.core.pdf.marks import composed, folded, with_scripts
from services.ingest.core.pdf.word import Word
from tests.unit.ingest.drawing import Sheet, prose, read


def word(text: str, x0: float, *, base: float = 100.0, size: float = 10.0) -> Word:
    x1 = x0 + len(text) * size / 2
    box = (x0, base - 0.8 * size, x1, base + 0.2 * size)
    return Word(text, *box, size, False, box, base)


def line(text: str) -> list[Word]:
    return [word(part, 60.0 * number) for number, part in enumerate(text.split())]


def said(words: list[Word]) -> str:
    return " ".join(word.text for word in words)


@pytest.mark.parametrize(
    ("glyphs", "text"),
    [
        ("abc", "abc"),
        ("םולש", "שלום"),
        ("42םולש", "שלום42"),
        ("abcםולש", "שלוםabc"),
        (["ي", "ب", "\u064e"], "بَي"),
    ],
)
def test_word_is_written_in_logical_order(glyphs: list[str], text: str) -> None:
    assert logical_word(list(glyphs)) == text


@pytest.mark.parametrize(
    ("seen", "meant"),
    [
        ("2020 תנשב דומע", "עמוד בשנת 2020"),
        ("2020 12 תנשב", "בשנת 2020 12"),
        ("The word שלום עולם means peace", "The word עולם שלום means peace"),
        ("תירבעב Hello World בתכ", "כתב Hello World בעברית"),
        ("plain words stay", "plain words stay"),
    ],
)
def test_line_is_read_in_logical_order(seen: str, meant: str) -> None:
    drawn_reversed = not seen.startswith("The")
    parts = [logical_word(list(part)) if drawn_reversed else part for part in seen.split()]
    words = [word(part, 60.0 * at) for at, part in enumerate(parts)]
    assert said(logical_line(words)) == meant


@pytest.mark.parametrize("visual", [["(םולש)"], [")םולש("]])
def test_brackets_of_right_to_left_words_open_before_they_close(visual: list[str]) -> None:
    words = [word(logical_word(list(part)), 60.0 * at) for at, part in enumerate(visual)]
    assert said(logical_line(words)) == "(שלום)"


def test_forms_of_letters_are_folded_and_marks_composed() -> None:
    assert folded("o\ufb03ce \ufb06 cafe\u0301") == "office st café"
    assert folded("\ufefb") == "لا"


def test_accent_drawn_over_a_letter_is_put_into_it() -> None:
    drawn = [
        Glyph("g", 0, 10, 5, 20, 18, 10, False, 0),
        Glyph("\u02d8", 0.5, 10, 4.5, 20, 18, 10, False, 0),
        Glyph("u", 5, 10, 10, 20, 18, 10, False, 0),
    ]
    assert [glyph.text for glyph in composed(drawn)] == ["ğ", "u"]


def test_raised_mark_stands_apart_and_an_exponent_does_not() -> None:
    words = with_scripts(
        [
            word("word", 0),
            word("12", 20.5, base=96, size=7),
            word(",", 27.7),
            word("10", 60),
            word("6", 70.2, base=96, size=6),
        ]
    )
    assert [word.text for word in words] == ["word", "¹²", ",", "10", "⁶"]
    assert [word.glued for word in words] == [False, False, True, False, True]
    assert [word.mark for word in words] == [False, True, False, False, False]


def test_subscript_is_glued_to_its_letter() -> None:
    words = with_scripts([word("d", 0), word("1", 5.1, base=102, size=6)])
    assert [(word.text, word.glued) for word in words] == [("d", False), ("1", True)]


def test_superscript_of_a_page_is_found_by_search_of_the_word_before_it() -> None:
    sheet = Sheet()
    sheet.write(50, 100, "The tide")
    sheet.write(87, 96, "7", size=6)
    sheet.write(95, 100, "turns at noon.")
    assert read(sheet).text == "The tide ⁷ turns at noon."


def test_text_upside_down_is_read() -> None:
    sheet = Sheet()
    sheet.write(300, 100, "Words upside down", turn="-1 0 0 -1")
    assert read(sheet).text == "Words upside down"


def test_watermark_across_the_page_parts_no_line() -> None:
    sheet = Sheet()
    sheet.column(60, 300, prose(8, mark="q"))
    sheet.write(150, 450, "DRAFT COPY", size=60, turn="0.7 0.7 -0.7 0.7")
    parsed = read(sheet)
    assert parsed.blocks[-1].kind == "furniture"
    assert parsed.text.endswith("DRAFT COPY")


def test_hyphen_is_kept_where_it_is_the_words_own() -> None:
    sheet = Sheet()
    sheet.column(
        50,
        100,
        [
            "Die Ein-",
            "und Ausfahrt der Donau-",
            "dampfer liegt am well-",
            "known Kai (known) der Schiff-",
            "Linie",
        ],
    )
    assert (
        read(sheet).text
        == "Die Ein- und Ausfahrt der Donaudampfer liegt am well-known Kai (known) der Schiff-Linie"
    )


SAID = st.text(alphabet="abcXYZ019.,;:()-'\"/&%", min_size=1, max_size=9)


@settings(max_examples=25, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(30, 500), st.integers(40, 760), st.lists(SAID, min_size=1, max_size=6)),
        min_size=1,
        max_size=12,
    ),
    st.integers(1, 3),
)
def test_every_visible_character_lies_in_one_rectangle(
    written: list[tuple[int, int, list[str]]], pages: int
) -> None:
    sheets = [Sheet() for _ in range(pages)]
    for number, (x, y, words) in enumerate(written):
        sheets[number % pages].write(x, y, "w" + " ".join(words))
    parsed = read(*sheets)
    assert parsed.words is not None
    owners = [0] * len(parsed.text)
    for start, end, page in zip(parsed.words.start, parsed.words.end, parsed.words.page, strict=True):
        own = parsed.pages[page - 1]
        assert own.start <= start < end <= own.end
        for position in range(start, end):
            owners[position] += 1
    in_table = {
        position
        for block in parsed.blocks
        if block.kind == "table"
        for position in range(block.start, block.end)
    }
    for position, character in enumerate(parsed.text):
        if character.isspace() or (character == "|" and position in in_table):
            assert owners[position] == 0
        else:
            assert owners[position] == 1
