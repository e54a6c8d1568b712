"""Are words that a file runs together found by their parts, and is ordinary prose left as it is?"""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from eval.corpus.pages.welds import TAUGHT, WELDED, Weld, welded_documents
from eval.measures.statistics import proportion_interval
from eval.runs.collection import ingest
from eval.runs.parsers import fresh_stack
from eval.runs.progress import Progress
from eval.runs.provenance import versions

DEEP = 10
_KEYWORDS_ONLY: Mapping[str, Any] = {
    "vector": {"enabled": False},
    "rerank": {"kind": "none"},
    "select": {"limit": DEEP},
}


def welds(today: str, progress: Progress) -> dict[str, Any]:
    """By kind of weld, the share found within the first ten by its parts, and how much prose was changed.

    Keywords alone are asked. The passage of a weld holds none of its parts by themselves, so only a repair
    finds it. The prose that knows the words comes first; of its passages none should have another reading.
    """
    documents, known = welded_documents()
    with fresh_stack() as stack:
        ids: dict[str, str] = {}
        for document in documents:
            ids |= ingest(stack.gateway, [document], progress).document_ids
        text = stack.gateway.text(ids[WELDED])
        found: dict[str, list[bool]] = {}
        for number, weld in enumerate(known):
            progress(number / len(known), f"asking for weld {number + 1} of {len(known)}")
            reply = stack.gateway.search_json(" ".join(weld.parts), _KEYWORDS_ONLY)
            spans = [c["span"] for c in reply["candidates"][:DEEP]]
            found.setdefault(weld.kind, []).append(_holds(spans, ids[WELDED], _place(text, weld)))
        chunks = list(stack.gateway.chunks(ids[TAUGHT]))
    changed = sum(bool(chunk.get("reading")) for chunk in chunks)
    return {
        "date": today,
        "versions": versions(),
        "kinds": [
            {"name": kind, "n": len(hits), "found": asdict(proportion_interval(sum(hits), len(hits)))}
            for kind, hits in found.items()
        ],
        "prose": {"n": len(chunks), "changed": asdict(proportion_interval(changed, len(chunks)))},
    }


def _holds(spans: list[dict[str, Any]], document_id: str, place: int) -> bool:
    return any(s["document_id"] == document_id and s["start"] <= place < s["end"] for s in spans)


def _place(text: str, weld: Weld) -> int:
    return text.index(f": {weld.written}, ") + 2
