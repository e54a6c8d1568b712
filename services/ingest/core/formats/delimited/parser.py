"""How is a CSV or TSV file read? Its dialect is found, and every row becomes a line that reads alone."""

import io
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain, islice

from services.ingest.core.document import PARAGRAPH, TABLE, ParsedDocument
from services.ingest.core.formats.delimited.dialect import Rows
from services.ingest.core.formats.delimited.header import ROWS_CONSULTED, why_no_header
from services.ingest.core.formats.encoding import encoding_of
from services.ingest.core.formats.limits import DEFAULT_LIMITS, Limits, check_characters
from services.ingest.core.formats.table_text import named_row_line
from services.ingest.core.text import TextBuilder, one_line
from services.ingest.core.title import readable_stem, title_of
from shared.errors import InvalidDocument

CSV_MEDIA_TYPE = "text/csv"
TSV_MEDIA_TYPE = "text/tab-separated-values"
_USUAL_DELIMITERS = {CSV_MEDIA_TYPE: ",", TSV_MEDIA_TYPE: "\t"}
_MAX_PREAMBLE_ROWS = 10


def parse_csv(name: str, data: bytes, *, limits: Limits = DEFAULT_LIMITS) -> ParsedDocument:
    return _parse(name, data, CSV_MEDIA_TYPE, limits)


def parse_tsv(name: str, data: bytes, *, limits: Limits = DEFAULT_LIMITS) -> ParsedDocument:
    return _parse(name, data, TSV_MEDIA_TYPE, limits)


def _parse(name: str, data: bytes, media_type: str, limits: Limits) -> ParsedDocument:
    """Rows are read one after the other: only the text that comes of them is ever held whole."""
    encoding, warnings = encoding_of(data)
    rows = iter(Rows(data, encoding, _USUAL_DELIMITERS[media_type], limits))
    preamble, first = _split_preamble(list(islice(rows, ROWS_CONSULTED)))
    if len(first) < 2:
        raise InvalidDocument(
            "The table has a single row: it needs one with the columns' names and rows below it."
        )
    header = first[0]
    reason = why_no_header(header, first[1:])
    if reason:
        raise InvalidDocument(
            f"The table has no header row: {reason}. "
            "Add a first row with the columns' names and upload it again."
        )
    builder = TextBuilder()
    for row in preamble:
        builder.add(PARAGRAPH, " ".join(filter(None, map(one_line, row))))
    table, count, ragged = _written(header, chain(first[1:], rows), limits)
    builder.add(TABLE, table)
    canonical, blocks = builder.finish()
    if ragged:
        warnings += (f"{ragged} of {count} rows have more or fewer cells than the header names.",)
    title = title_of([" ".join(filter(None, row)) for row in preamble[:1]], readable_stem(name))
    return ParsedDocument(canonical, title, blocks, (), None, warnings, media_type)


def _written(header: Sequence[str], body: Iterable[Sequence[str]], limits: Limits) -> tuple[str, int, int]:
    """A line for each row, how many rows there are, and how many are not as wide as the header.

    Raises TooLarge as soon as the text is.
    """
    names = [one_line(cell) or f"column {index}" for index, cell in enumerate(header, start=1)]
    text = io.StringIO()
    length = count = ragged = 0
    for row in body:
        count += 1
        ragged += len(row) != len(header)
        line = named_row_line(names, row)
        if line:
            length += text.write(f"{line}\n")
            check_characters(length, limits)
    return text.getvalue(), count, ragged


def _split_preamble(rows: list[list[str]]) -> tuple[list[list[str]], list[list[str]]]:
    """Title lines above the header (one filled cell where the table is wider), and the rest."""
    width = Counter(len(row) for row in rows).most_common(1)[0][0] if rows else 0
    count = 0
    while width > 1 and count < min(_MAX_PREAMBLE_ROWS, len(rows) - 2) and _filled(rows[count]) == 1:
        count += 1
    return rows[:count], rows[count:]


def _filled(row: Sequence[str]) -> int:
    return sum(bool(cell.strip()) for cell in row)
