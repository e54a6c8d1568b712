"""What of a trace belongs to which document, and what is left of the trace when a document is gone?"""

import copy
import hashlib
from collections.abc import Iterator, Mapping
from typing import Any

# Chunk id -> source and text, for one document.
Passages = dict[str, dict[str, Any]]

_NO_SOURCE: Mapping[str, Any] = {
    "title": "",
    "section": [],
    "page_label": "",
    "page_number": None,
    "file_name": "",
}


def parted(body: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Passages]]:
    """A trace's JSON without the words of any document, and those words by document id.

    Scores, spans and a digest of each text stay. The final list is dropped, being that of a stage.
    """
    passages: dict[str, Passages] = {}
    for candidate in _candidates(body):
        of_document = passages.setdefault(candidate["span"]["document_id"], {})
        known = of_document.setdefault(candidate["chunk_id"], {"source": candidate["source"], "text": ""})
        known["text"] = known["text"] or candidate["text"]
        candidate["has_text"] = bool(candidate["text"])
        candidate["digest"] = _digest(candidate["text"])
        candidate["text"], candidate["source"] = "", {}
    body.pop("candidates", None)
    return body, passages


def joined(body: dict[str, Any], passages: Mapping[str, Passages]) -> dict[str, Any]:
    """The trace's JSON with the words that are still there."""
    for candidate in _candidates(body):
        kept = passages.get(candidate["span"]["document_id"], {}).get(candidate["chunk_id"])
        candidate["source"] = kept["source"] if kept else dict(_NO_SOURCE)
        candidate["text"] = kept["text"] if kept and candidate.pop("has_text", True) else ""
    return body


def without_document(body: dict[str, Any], document_id: str) -> dict[str, Any]:
    """The trace's JSON marked redacted, without an answer that may have been drawn from the document."""
    body["redacted"] = True
    packed = (body.get("context") or {}).get("packed") or []
    if body.get("answer") and any(p["document_id"] == document_id for p in packed):
        answer = body["answer"] = copy.deepcopy(body["answer"])  # others may still hold the old one
        answer["answer"] = ""
        for citation in answer["citations"]:
            if citation["document_id"] == document_id:
                citation |= {"quote": "", "title": "", "section": [], "file_name": "", "page_label": ""}
    return body


def _candidates(body: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for stage in body["stages"]:
        yield from stage["candidates"]


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16] if text else ""
