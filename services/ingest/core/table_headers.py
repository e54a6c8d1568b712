"""Which tables go on from the page before, and where do the names of their columns stand?"""

from collections.abc import Sequence

from services.ingest.core.document import CAPTION, FOOTNOTE, FURNITURE, TABLE, Block
from services.ingest.core.sentences import line_spans

Span = tuple[int, int]


def continued_headers(text: str, blocks: Sequence[Block]) -> dict[int, Span]:
    """By the start of a table without a header of its own: the header of the table that it continues.

    It continues the table at the end of the page before if their columns are as many; what stands at the
    foot and head of pages may come between.
    """
    headers: dict[int, Span] = {}
    before: Block | None = None
    header: Span | None = None
    for block in blocks:
        if block.kind in (FURNITURE, FOOTNOTE, CAPTION):
            continue
        if block.kind != TABLE:
            before = None
            continue
        rows = line_spans(text, block.start, block.end)
        if 0 < block.header_lines < len(rows):
            header = (rows[0][0], rows[block.header_lines - 1][1])
        elif before is None or header is None or not _follows(text, before, block):
            header = None
        elif columns(text[rows[0][0] : rows[0][1]]) == columns(text[header[0] : header[1]].split("\n")[-1]):
            headers[block.start] = header
        else:
            header = None
        before = block
    return headers


def columns(row: str) -> int:
    """How many cells a row of a table's text has."""
    if "|" not in row:
        return row.count("\t") + 1
    return row.strip().removeprefix("|").removesuffix("|").count("|") + 1


def _follows(text: str, before: Block, block: Block) -> bool:
    pages = (before.page_number, block.page_number)
    return pages[0] is not None and pages[1] is not None and pages[1] == pages[0] + 1
