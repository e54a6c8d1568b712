"""How do documents, chunks, blocks and jobs look as JSON?"""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from services.orchestrator.core.records import (
    BlockRecord,
    BoxRecord,
    DocumentRecord,
    JobRecord,
    PageBoxes,
    StoredChunk,
    Submission,
)
from services.orchestrator.gateway.problems import reason_to_json


def submission_to_json(submission: Submission) -> dict[str, Any]:
    return {
        "id": submission.document_id,
        "name": submission.name,
        "status": submission.status,
        "duplicate": submission.duplicate,
        "job_id": submission.job_id,
        "error": reason_to_json(submission.reason),
    }


def document_to_json(document: DocumentRecord) -> dict[str, Any]:
    return {
        "id": document.id,
        "name": document.name,
        "title": document.title,
        "media_type": document.media_type,
        "size": document.size,
        "sha256": document.sha256,
        "version": document.version,
        "status": document.status,
        "error": reason_to_json(document.reason),
        "characters": document.characters,
        "chunk_count": document.chunk_count,
        "page_count": len(document.pages),
        "pages": [asdict(page) for page in document.pages],
        "warnings": list(document.warnings),
        "created_ms": document.created_ms,
        "updated_ms": document.updated_ms,
        "parent_id": document.parent_id or None,
    }


def chunk_to_json(chunk: StoredChunk) -> dict[str, Any]:
    """A chunk; what was added to its text stands there only where something was."""
    added = {
        "reading": chunk.reading,
        "annotation": chunk.annotation,
        "defines": list(chunk.defines),
        "mentions": list(chunk.mentions),
    }
    return {
        "chunk_id": chunk.chunk_id,
        "start": chunk.span.start,
        "end": chunk.span.end,
        "text": chunk.text,
        "section": list(chunk.source.section),
        "page_number": chunk.source.page_number,
        "page_label": chunk.source.page_label,
        "tokens": chunk.tokens,
        **{name: value for name, value in added.items() if value},
    }


def block_to_json(block: BlockRecord) -> dict[str, Any]:
    return {
        "kind": block.kind,
        "start": block.start,
        "end": block.end,
        "level": block.level,
        "section": list(block.section),
        "page_number": block.page_number,
        "boxes": boxes_to_json(block.boxes),
    }


def boxes_to_json(boxes: Sequence[BoxRecord]) -> list[dict[str, Any]]:
    return [asdict(box) for box in boxes]


def page_boxes_to_json(page: PageBoxes) -> dict[str, Any]:
    return {"width": page.width, "height": page.height, "boxes": boxes_to_json(page.boxes)}


def job_to_json(job: JobRecord) -> dict[str, Any]:
    return {
        "id": job.id,
        "document_id": job.document_id or None,
        "document_name": job.document_name,
        "state": job.state,
        "stage": job.stage,
        "progress": job.progress,
        "error": reason_to_json(job.reason),
        "created_ms": job.created_ms,
        "updated_ms": job.updated_ms,
    }
