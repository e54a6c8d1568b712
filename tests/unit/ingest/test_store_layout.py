"""Do pages, blocks and word boxes come back as they were stored?"""

import numpy as np

from services.ingest.core.document import Block, Box, Page, WordBoxes
from services.ingest.layout import (
    decode_blocks,
    decode_pages,
    decode_words,
    encode_blocks,
    encode_pages,
    encode_words,
)


def test_pages_and_blocks_come_back_equal() -> None:
    pages = (Page(1, "iv", 612.0, 792.5, False, 0, 10), Page(2, "", 612.0, 792.0, True, 11, 11))
    blocks = (
        Block("heading", 0, 4, level=2, section=("A", "B é"), page_number=1, boxes=(Box(1, 1.5, 2, 3, 4),)),
        Block("table", 5, 10, header_lines=1),
    )
    assert decode_pages(encode_pages(pages)) == pages
    assert decode_blocks(encode_blocks(blocks)) == blocks
    assert decode_pages(b"") == ()


def test_word_boxes_come_back_with_their_types() -> None:
    words = WordBoxes(
        start=np.array([0, 4], dtype=np.int32),
        end=np.array([3, 7], dtype=np.int32),
        page=np.array([1, 1], dtype=np.int32),
        box=np.array([[1, 2, 3, 4], [3.5, 2, 9, 4]], dtype=np.float32),
    )
    decoded = decode_words(encode_words(words))
    assert decoded is not None
    for name in ("start", "end", "page", "box"):
        before, after = getattr(words, name), getattr(decoded, name)
        assert before.dtype == after.dtype
        assert np.array_equal(before, after)
    assert decoded.boxes_of(0, 7) == words.boxes_of(0, 7)
    assert decode_words(encode_words(None)) is None
