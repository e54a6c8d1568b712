"""How are pages, blocks and word boxes stored? As compact bytes that are read back whole."""

import json
import zlib
from collections.abc import Sequence

import numpy as np

from services.ingest.core.document import Block, Box, Page, WordBoxes

COMPRESSION = 1  # word boxes shrink to a third; more effort gains little


def encode_pages(pages: Sequence[Page]) -> bytes:
    return json.dumps(
        [[p.number, p.label, p.width, p.height, p.scanned, p.start, p.end, p.printed_label] for p in pages]
    ).encode()


def decode_pages(data: bytes) -> tuple[Page, ...]:
    return tuple(Page(*fields) for fields in json.loads(data)) if data else ()


def encode_blocks(blocks: Sequence[Block]) -> bytes:
    rows = [
        [
            b.kind,
            b.start,
            b.end,
            b.level,
            b.section,
            b.page_number,
            [[x.page_number, x.x0, x.top, x.x1, x.bottom] for x in b.boxes],
            b.header_lines,
        ]
        for b in blocks
    ]
    return zlib.compress(json.dumps(rows).encode(), COMPRESSION)


def decode_blocks(data: bytes) -> tuple[Block, ...]:
    return tuple(
        Block(
            kind=kind,
            start=start,
            end=end,
            level=level,
            section=tuple(section),
            page_number=page_number,
            boxes=tuple(Box(*box) for box in boxes),
            header_lines=header_lines,
        )
        for kind, start, end, level, section, page_number, boxes, header_lines in json.loads(
            zlib.decompress(data)
        )
    )


def encode_words(words: WordBoxes | None) -> bytes:
    """Start, end, page (int32[n] each) and box (float32[n, 4]), one after the other; empty for None."""
    if words is None:
        return b""
    whole = b"".join(
        (
            words.start.astype("<i4").tobytes(),
            words.end.astype("<i4").tobytes(),
            words.page.astype("<i4").tobytes(),
            words.box.astype("<f4").tobytes(),
        )
    )
    return zlib.compress(whole, COMPRESSION)


def decode_words(data: bytes) -> WordBoxes | None:
    if not data:
        return None
    whole = zlib.decompress(data)
    count = len(whole) // (3 * 4 + 4 * 4)
    numbers = np.frombuffer(whole, dtype="<i4", count=3 * count).astype(np.int32).reshape(3, count)
    box = np.frombuffer(whole, dtype="<f4", offset=3 * 4 * count).astype(np.float32).reshape(count, 4)
    return WordBoxes(start=numbers[0], end=numbers[1], page=numbers[2], box=box)
