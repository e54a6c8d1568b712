"""Which files are written from a folder of document sources, and what does each of them say?"""

import csv
import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from eval.corpus.blocks import Row, Source, reference_text
from eval.corpus.docx import write_docx
from eval.corpus.html import write_html
from eval.corpus.markdown import write_markdown
from eval.corpus.pdf import write_pdf
from eval.corpus.source import parse_source
from eval.corpus.text import write_text

_TABLE_SUFFIX = ".csv"
_SOURCE_SUFFIX = ".md"


@dataclass(frozen=True, slots=True)
class Written:
    """A file for upload, the text that labels are resolved in, the rows of each table, and its source."""

    name: str
    data: bytes
    reference: str
    tables: tuple[tuple[Row, ...], ...] = ()
    source: str = ""


def write_documents(folder: Path) -> tuple[Written, ...]:
    """Every `*.md` source and every `*.csv` of `folder` as files, ordered by name.

    Raises ValueError naming document and line for a source outside the subset.
    """
    paths = [path for path in folder.iterdir() if path.suffix in (_SOURCE_SUFFIX, _TABLE_SUFFIX)]
    texts = {
        path.stem if path.suffix == _SOURCE_SUFFIX else path.name: path.read_bytes().decode("utf-8")
        for path in paths
    }
    return write_texts(texts)


def write_texts(texts: Mapping[str, str]) -> tuple[Written, ...]:
    """The files of sources by stem, and of CSV texts by file name ("name.csv"), ordered by name."""
    written = [
        write_csv(key, text)
        if key.endswith(_TABLE_SUFFIX)
        else replace(write_source(parse_source(key, text)), source=text)
        for key, text in texts.items()
    ]
    return tuple(sorted(written, key=lambda document: document.name))


def write_csv(name: str, text: str) -> Written:
    """A CSV file as it is: its text is its own reference, its records are one table."""
    rows = tuple(tuple(cell.strip() for cell in record) for record in csv.reader(io.StringIO(text)) if record)
    return Written(name, text.encode("utf-8"), text, (rows,), text)


def write_source(source: Source) -> Written:
    """The file of a source in its own format; equal sources give equal bytes."""
    return Written(source.name, _WRITERS[source.format](source), reference_text(source), source.tables())


_WRITERS: Mapping[str, Callable[[Source], bytes]] = {
    "pdf": write_pdf,
    "docx": write_docx,
    "html": write_html,
    "md": write_markdown,
    "txt": write_text,
}
