"""Are a document's invariants checked, and are rectangles found for a span?"""

import numpy as np
import pytest

from services.ingest.core.document import HEADING, PARAGRAPH, Block, Box, Page, ParsedDocument, WordBoxes
from services.ingest.core.text import MAX_SECTION_CHARACTERS, TextBuilder


def parsed(text: str, *blocks: Block, pages: tuple[Page, ...] = ()) -> ParsedDocument:
    return ParsedDocument(text, "T", blocks, pages, None, (), "text/plain")


def test_blocks_in_order_are_taken() -> None:
    assert parsed("ab  cd", Block(PARAGRAPH, 0, 2), Block(PARAGRAPH, 4, 6)).blocks[1].end == 6


@pytest.mark.parametrize(
    "blocks",
    [
        [Block(PARAGRAPH, 0, 4), Block(PARAGRAPH, 3, 6)],
        [Block(PARAGRAPH, 4, 6), Block(PARAGRAPH, 0, 2)],
        [Block(PARAGRAPH, 0, 7)],
        [Block(PARAGRAPH, 0, 2), Block(PARAGRAPH, 2, 2)],
        [Block(PARAGRAPH, 0, 2)],
        [Block("poem", 0, 6)],
        [Block(PARAGRAPH, 0, 6, page_number=1)],
    ],
)
def test_blocks_that_break_an_invariant_are_refused(blocks: list[Block]) -> None:
    with pytest.raises(ValueError, match=r"block|text"):
        parsed("ab  cd", *blocks)


def test_block_outside_its_page_is_refused() -> None:
    page = Page(1, "1", 10, 10, False, 0, 2)
    with pytest.raises(ValueError, match="outside its page"):
        parsed("ab  cd", Block(PARAGRAPH, 0, 6, page_number=1), pages=(page,))


def words() -> WordBoxes:
    return WordBoxes(
        np.array([0, 4, 8, 12], dtype=np.int32),
        np.array([3, 7, 11, 15], dtype=np.int32),
        np.array([1, 1, 1, 2], dtype=np.int32),
        np.array([[10, 10, 20, 20], [22, 10, 30, 20], [10, 22, 20, 32], [10, 10, 20, 20]], dtype=np.float32),
    )


def test_boxes_are_merged_line_by_line() -> None:
    assert words().boxes_of(0, 15) == [Box(1, 10, 10, 30, 20), Box(1, 10, 22, 20, 32), Box(2, 10, 10, 20, 20)]


def test_boxes_of_part_of_a_word_are_the_words() -> None:
    assert words().boxes_of(5, 6) == [Box(1, 22, 10, 30, 20)]


def test_boxes_between_words_are_none() -> None:
    assert words().boxes_of(3, 4) == []


def test_section_is_named_in_reasonable_length_however_long_its_heading() -> None:
    builder = TextBuilder()
    builder.add(HEADING, "x" * 100_000, level=1)
    builder.add(PARAGRAPH, "The sluice is open.")
    _, blocks = builder.finish()
    assert blocks[1].section == ("x" * MAX_SECTION_CHARACTERS,)
