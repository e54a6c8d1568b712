"""How is a CSV or TSV file read? Its dialect is found, and every row becomes a line that reads alone."""

import csv
import io
from collections import Counter
from collections.abc import Sequence

from services.ingest.core.document import PARAGRAPH, TABLE, ParsedDocument
from services.ingest.core.formats.csv_header import why_no_header
from services.ingest.core.formats.encoding import decode
from services.ingest.core.formats.limits import DEFAULT_LIMITS, Limits
from services.ingest.core.formats.table_text import named_row_line
from services.ingest.core.text import TextBuilder, one_line
from services.ingest.core.title import readable_stem, title_of
from shared.errors import InvalidDocument

CSV_MEDIA_TYPE = "text/csv"
TSV_MEDIA_TYPE = "text/tab-separated-values"
_DELIMITERS = {CSV_MEDIA_TYPE: ",;\t|", TSV_MEDIA_TYPE: "\t,;|"}
_SAMPLE_LINES = 200
_MAX_PREAMBLE_ROWS = 10

Rows = list[list[str]]


def parse_csv(name: str, data: bytes, *, limits: Limits = DEFAULT_LIMITS) -> ParsedDocument:
    return _parse(name, data, CSV_MEDIA_TYPE, limits)


def parse_tsv(name: str, data: bytes, *, limits: Limits = DEFAULT_LIMITS) -> ParsedDocument:
    return _parse(name, data, TSV_MEDIA_TYPE, limits)


def _parse(name: str, data: bytes, media_type: str, limits: Limits) -> ParsedDocument:
    text, warnings = decode(data)
    rows = _rows(text, _delimiter(text, _DELIMITERS[media_type]))
    preamble, rows = _split_preamble(rows)
    if len(rows) < 2:
        raise InvalidDocument(
            "The table has a single row: it needs one with the columns' names and rows below it."
        )
    header, body = rows[0], rows[1:]
    reason = why_no_header(header, body)
    if reason:
        raise InvalidDocument(
            f"The table has no header row: {reason}. "
            "Add a first row with the columns' names and upload it again."
        )
    builder = TextBuilder()
    for row in preamble:
        builder.add(PARAGRAPH, " ".join(filter(None, map(one_line, row))))
    names = _names(header, max(map(len, rows)))
    lines = [named_row_line(names, row) for row in body]
    builder.add(TABLE, "\n".join(line for line in lines if line))
    canonical, blocks = builder.finish()
    ragged = sum(len(row) != len(header) for row in body)
    if ragged:
        warnings += (f"{ragged} of {len(body)} rows have more or fewer cells than the header names.",)
    title = title_of([" ".join(filter(None, row)) for row in preamble[:1]], readable_stem(name))
    return ParsedDocument(canonical, title, blocks, (), None, warnings, media_type)


def _rows(text: str, delimiter: str) -> Rows:
    """The rows that are not blank. Raises InvalidDocument for quoting that cannot be read."""
    try:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True)
        return [row for row in reader if any(cell.strip() for cell in row)]
    except csv.Error as error:
        raise InvalidDocument(f"The table cannot be read ({error}): check its quotation marks.") from error


def _delimiter(text: str, candidates: str) -> str:
    """The candidate under which most rows of the sample have the same number of cells, more than one."""
    sample = "\n".join(text.split("\n", _SAMPLE_LINES)[:_SAMPLE_LINES])

    def agreement(delimiter: str) -> float:
        try:
            widths = Counter(
                len(row) for row in csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter) if row
            )
        except csv.Error:
            return 0.0
        width, count = max(widths.items(), key=lambda item: (item[1], item[0]), default=(1, 0))
        return count / widths.total() if width > 1 else 0.0

    return max(candidates, key=agreement)  # the first of equals


def _split_preamble(rows: Rows) -> tuple[Rows, Rows]:
    """Title lines above the header (one filled cell where the table is wider), and the rest."""
    width = Counter(len(row) for row in rows).most_common(1)[0][0] if rows else 0
    count = 0
    while width > 1 and count < min(_MAX_PREAMBLE_ROWS, len(rows) - 2) and _filled(rows[count]) == 1:
        count += 1
    return rows[:count], rows[count:]


def _filled(row: Sequence[str]) -> int:
    return sum(bool(cell.strip()) for cell in row)


def _names(header: Sequence[str], width: int) -> list[str]:
    """The columns' names; one without gets its number."""
    padded = [*header, *[""] * (width - len(header))]
    return [one_line(cell) or f"column {index}" for index, cell in enumerate(padded, start=1)]
