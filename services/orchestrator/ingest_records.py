"""What do the messages of the Ingest service say in our own types?"""

from services.orchestrator.core.records import (
    BlockRecord,
    BoxRecord,
    DocumentRecord,
    EntityRecord,
    JobRecord,
    PageBoxes,
    PageRecord,
    Reason,
    StoredChunk,
    Submission,
)
from shared.codec import source_from_pb, span_from_pb
from shared.pb import ingest_pb2


def submission_from_pb(message: ingest_pb2.SubmitReply) -> Submission:
    return Submission(
        document_id=message.document_id or None,
        name=message.name,
        status=message.status or ("failed" if message.HasField("problem") else "queued"),
        duplicate=message.duplicate,
        job_id=message.job_id or None,
        reason=reason_from_pb(message.problem) if message.HasField("problem") else None,
    )


def reason_from_pb(message: ingest_pb2.Problem) -> Reason:
    return Reason(slug=message.type, title=message.title, status=message.status, detail=message.detail)


def document_from_pb(message: ingest_pb2.Document) -> DocumentRecord:
    return DocumentRecord(
        id=message.id,
        name=message.name,
        title=message.title,
        media_type=message.media_type,
        size=message.size,
        sha256=message.sha256,
        version=message.version,
        status=message.status,
        reason=reason_from_pb(message.error) if message.HasField("error") else None,
        characters=message.characters,
        chunk_count=message.chunk_count,
        pages=tuple(
            PageRecord(p.number, p.label, p.width, p.height, p.scanned, p.printed_label)
            for p in message.pages
        ),
        warnings=tuple(message.warnings),
        created_ms=message.created_ms,
        updated_ms=message.updated_ms,
        parent_id=message.parent_id,
    )


def box_from_pb(message: ingest_pb2.Box) -> BoxRecord:
    return BoxRecord(message.page_number, message.x0, message.top, message.x1, message.bottom)


def page_boxes_from_pb(message: ingest_pb2.PageBoxes) -> PageBoxes:
    return PageBoxes(message.width, message.height, tuple(box_from_pb(b) for b in message.boxes))


def block_from_pb(message: ingest_pb2.Block) -> BlockRecord:
    return BlockRecord(
        kind=message.kind,
        start=message.start,
        end=message.end,
        level=message.level,
        section=tuple(message.section),
        page_number=message.page_number if message.HasField("page_number") else None,
        boxes=tuple(box_from_pb(b) for b in message.boxes),
    )


def chunk_from_pb(message: ingest_pb2.Chunk) -> StoredChunk:
    return StoredChunk(
        chunk_id=message.chunk_id,
        span=span_from_pb(message.span),
        source=source_from_pb(message.source),
        text=message.text,
        tokens=message.tokens,
        reading=message.reading,
        annotation=message.annotation,
        defines=tuple(message.defines),
        mentions=tuple(message.mentions),
    )


def job_from_pb(message: ingest_pb2.Job) -> JobRecord:
    return JobRecord(
        id=message.id,
        document_id=message.document_id,
        document_name=message.document_name,
        state=message.state,
        stage=message.stage,
        progress=message.progress,
        reason=reason_from_pb(message.error) if message.HasField("error") else None,
        created_ms=message.created_ms,
        updated_ms=message.updated_ms,
    )


def entity_from_pb(message: ingest_pb2.Entity) -> EntityRecord:
    return EntityRecord(
        message.name, message.kind, tuple(message.aliases), message.mentions, message.documents
    )


def entity_to_pb(entity: EntityRecord) -> ingest_pb2.Entity:
    return ingest_pb2.Entity(name=entity.name, kind=entity.kind, aliases=entity.aliases)
