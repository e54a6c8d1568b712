"""What does the file's own table of contents say: which title, on which page, how deep?"""

from collections.abc import Sequence
from typing import Any

from pdfminer.pdftypes import PDFObjRef, resolve1

from services.ingest.core.pdf.headings import bare_title

_MAX_ENTRIES = 5_000
_MAX_LEVEL = 6


def read_outline(document: Any, page_ids: Sequence[object]) -> dict[tuple[int, str], int]:
    """Page number and bare title to level from 1; `page_ids` are those of the pages' objects, in order.

    Empty where there is no outline or it is broken.
    """
    found: dict[tuple[int, str], int] = {}
    numbers = {page_id: number for number, page_id in enumerate(page_ids, start=1)}
    try:
        for entries, (level, title, destination, action, _) in enumerate(document.get_outlines()):
            if entries >= _MAX_ENTRIES:
                break
            page = _page_of(document, destination, action)
            number = numbers.get(page.objid, 0) if isinstance(page, PDFObjRef) else 0
            bare = bare_title(title) if isinstance(title, str) else ""
            if number and bare:
                found.setdefault((number, bare), min(level, _MAX_LEVEL))
    except Exception:  # pdfminer lets whatever a broken outline provokes through
        return found
    return found


def _page_of(document: Any, destination: Any, action: Any) -> Any:
    """The reference to the page that an entry leads to; None where it leads elsewhere."""
    target = resolve1(destination)
    if target is None:
        steps = resolve1(action)
        target = resolve1(steps.get("D")) if isinstance(steps, dict) else None
    if target is not None and not isinstance(target, list | dict):
        target = resolve1(document.get_dest(getattr(target, "name", target)))
    if isinstance(target, dict):
        target = resolve1(target.get("D"))
    return target[0] if isinstance(target, list) and target else None
