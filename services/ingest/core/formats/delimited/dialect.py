"""How are the cells of this CSV or TSV file set apart, and what are its rows?"""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice

from services.ingest.core.formats.limits import Limits
from shared.errors import InvalidDocument

_CANDIDATES = "\t;|,"
_SAMPLE_LINES = 200
_SAMPLE_CHARACTERS = 256 * 1024
_NAMED_DELIMITER = re.compile(r"\s*\"?sep=(.)\"?\s*", re.IGNORECASE)


class Rows:
    """The rows of a file that are not blank, read as they are asked for; bytes are decoded on the way."""

    def __init__(self, data: bytes, encoding: str, usual: str, limits: Limits) -> None:
        self._data = data
        self._encoding = encoding
        sample = self._sample()
        named = _NAMED_DELIMITER.fullmatch(sample[0]) if sample else None
        self._skipped_lines = 1 if named else 0
        self._delimiter = named.group(1) if named else _delimiter(sample, usual)
        csv.field_size_limit(limits.max_characters)  # the library's own is 128 KiB

    def __iter__(self) -> Iterator[list[str]]:
        """Raises InvalidDocument for quoting that cannot be read."""
        lines = islice(self._lines(), self._skipped_lines, None)
        try:
            for row in csv.reader(lines, delimiter=self._delimiter, skipinitialspace=True):
                if any(cell.strip() for cell in row):
                    yield row
        except csv.Error as error:
            raise InvalidDocument(
                f"The table cannot be read ({error}): check its quotation marks."
            ) from error

    def _lines(self) -> Iterator[str]:
        """Ends of lines inside quotation marks are part of their cells, as the reader puts them together."""
        return io.TextIOWrapper(io.BytesIO(self._data), self._encoding, errors="replace")

    def _sample(self) -> list[str]:
        lines: list[str] = []
        characters = 0
        for line in self._lines():
            lines.append(line)
            characters += len(line)
            if len(lines) >= _SAMPLE_LINES or characters > _SAMPLE_CHARACTERS:
                break
        return lines


def _delimiter(sample: list[str], usual: str) -> str:
    """The candidate under which most rows of the sample have the same number of cells, more than one.

    The first of equals, so the comma, which also stands in decimals and in prose, comes last. Where none
    sets anything apart, the usual one of this kind of file.
    """

    def agreement(delimiter: str) -> float:
        try:
            widths = Counter(len(row) for row in csv.reader(sample, delimiter=delimiter) if row)
        except csv.Error:
            return 0.0
        width, count = max(widths.items(), key=lambda item: (item[1], item[0]), default=(1, 0))
        return count / widths.total() if width > 1 else 0.0

    best = max(_CANDIDATES, key=agreement)
    return best if agreement(best) else usual
