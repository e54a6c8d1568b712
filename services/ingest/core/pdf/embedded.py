"""Which files are embedded in a PDF, in its own list or as a pin on a page?"""

from collections.abc import Iterator, Sequence
from typing import Any

from pdfminer.pdftypes import PDFStream, resolve1
from pdfminer.psparser import PSLiteral
from pdfminer.utils import decode_text

from services.ingest.core.document import Attachment
from services.ingest.core.formats.limits import Limits
from services.ingest.core.text import clean, one_line

_MAX_NODES = 2_000
_MAX_DEPTH = 20


def embedded_files(
    catalog: Any, annotations: Sequence[Any], limits: Limits
) -> tuple[tuple[Attachment, ...], tuple[str, ...]]:
    """The files, and sentences on them: all are named, also those that are too large or cannot be read."""
    found: list[Attachment] = []
    left_out: list[str] = []
    seen: set[int] = set()
    room = limits.max_unpacked_bytes
    for name, stream in _specifications(catalog, annotations):
        if id(stream) in seen:
            continue
        seen.add(id(stream))
        data = _bytes_of(stream)
        called = _unique(name, found, len(found) + len(left_out) + 1)
        if not data or len(data) > min(room, limits.max_member_bytes) or len(found) >= limits.max_attachments:
            left_out.append(called)
            continue
        room -= len(data)
        found.append(Attachment(called, data))
    warnings = []
    if found:
        warnings.append(f"Files attached to the PDF: {', '.join(file.name for file in found)}.")
    if left_out:
        warnings.append(f"Attached files that could not be taken out: {', '.join(left_out[:20])}.")
    return tuple(found), tuple(warnings)


def _specifications(catalog: Any, annotations: Sequence[Any]) -> Iterator[tuple[str, PDFStream]]:
    names = _dict(_dict(_dict(catalog).get("Names")).get("EmbeddedFiles"))
    for specification in _leaves(names):
        yield from _stream_of(specification)
    for annotation in annotations:
        if _literal(annotation.get("Subtype")) == "FileAttachment":
            yield from _stream_of(annotation.get("FS"))


def _leaves(tree: dict[str, Any]) -> Iterator[Any]:
    """The values of a name tree, which may be broken or loop."""
    stack, visited = [(tree, 0)], 0
    while stack and visited < _MAX_NODES:
        node, depth = stack.pop()
        visited += 1
        yield from _list(node.get("Names"))[1::2]
        if depth < _MAX_DEPTH:
            stack += [(_dict(kid), depth + 1) for kid in reversed(_list(node.get("Kids")))]


def _stream_of(specification: Any) -> Iterator[tuple[str, PDFStream]]:
    described = _dict(specification)
    stream = next(
        (
            found
            for key in ("UF", "F")
            if isinstance(found := resolve1(_dict(described.get("EF")).get(key)), PDFStream)
        ),
        None,
    )
    if stream is not None:
        yield _text(described.get("UF")) or _text(described.get("F")), stream


def _bytes_of(stream: PDFStream) -> bytes:
    try:
        data = stream.get_data()
    except Exception:  # pdfminer lets whatever a broken stream provokes through
        return b""
    return data if isinstance(data, bytes) else b""


def _unique(name: str, found: Sequence[Attachment], number: int) -> str:
    base = name.replace("\\", "/").rsplit("/", 1)[-1] or f"attachment-{number}"
    taken = {file.name for file in found}
    if base not in taken:
        return base
    stem, dot, suffix = base.rpartition(".")
    return f"{stem} ({number}){dot}{suffix}" if dot else f"{base} ({number})"


def _dict(value: Any) -> dict[str, Any]:
    found = resolve1(value)
    return found if isinstance(found, dict) else {}


def _list(value: Any) -> list[Any]:
    found = resolve1(value)
    return found if isinstance(found, list) else []


def _text(value: Any) -> str:
    found = resolve1(value)
    if isinstance(found, bytes):
        return one_line(clean(decode_text(found)))
    return one_line(clean(found)) if isinstance(found, str) else ""


def _literal(value: Any) -> str:
    found = resolve1(value)
    return str(found.name) if isinstance(found, PSLiteral) else ""
