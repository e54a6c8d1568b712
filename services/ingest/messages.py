"""How do ingest's records look on the wire?"""

from services.ingest.core.document import LIST_ITEM, Block, Box
from services.ingest.core.entities import Entity
from services.ingest.layout import decode_pages
from services.ingest.records import Document, Failure, HydratedChunk, Job, StoredChunk, failure_parts
from shared.pb import candidate_pb2, ingest_pb2

# The wire names a list item by the list it makes up.
WIRE_KINDS = {LIST_ITEM: "list"}


def problem_to_pb(failure: Failure) -> ingest_pb2.Problem:
    title, status = failure_parts(failure)
    return ingest_pb2.Problem(type=failure.slug, title=title, status=status, detail=failure.detail)


def document_to_pb(document: Document, status: str) -> ingest_pb2.Document:
    return ingest_pb2.Document(
        id=document.document_id,
        name=document.name,
        media_type=document.media_type,
        size=document.size,
        sha256=document.sha256,
        version=document.version,
        status=status,
        characters=document.characters,
        chunk_count=document.chunk_count,
        pages=[
            ingest_pb2.Page(
                number=page.number,
                label=page.label,
                width=page.width,
                height=page.height,
                scanned=page.scanned,
                printed_label=page.printed_label,
            )
            for page in decode_pages(document.pages)
        ],
        warnings=document.warnings,
        title=document.title,
        created_ms=document.created_ms,
        updated_ms=document.updated_ms,
        parent_id=document.parent_id,
    )


def job_to_pb(job: Job) -> ingest_pb2.Job:
    return ingest_pb2.Job(
        id=job.job_id,
        document_id=job.document_id,
        document_name=job.document_name,
        state=job.state,
        stage=job.stage,
        progress=job.progress,
        error=problem_to_pb(job.failure) if job.failure else None,
        created_ms=job.created_ms,
        updated_ms=job.updated_ms,
    )


def chunk_to_pb(hydrated: HydratedChunk) -> ingest_pb2.Chunk:
    chunk = hydrated.chunk
    return ingest_pb2.Chunk(
        chunk_id=chunk.chunk_id,
        span=candidate_pb2.TextSpan(document_id=hydrated.document_id, start=chunk.start, end=chunk.end),
        text=hydrated.text,
        source=candidate_pb2.Source(
            title=hydrated.title,
            section=chunk.section,
            page_label=chunk.page_label,
            page_number=chunk.page_number,
            file_name=hydrated.file_name,
        ),
        tokens=chunk.tokens,
        reading=chunk.reading,
        annotation=chunk.annotation,
        defines=chunk.defines,
        mentions=chunk.mentions,
    )


def own_chunk_to_pb(document: Document, chunk: StoredChunk, text: str) -> ingest_pb2.Chunk:
    """A chunk of a document that is known already."""
    return chunk_to_pb(HydratedChunk(document.document_id, document.name, document.title, chunk, text))


def box_to_pb(box: Box) -> ingest_pb2.Box:
    return ingest_pb2.Box(page_number=box.page_number, x0=box.x0, top=box.top, x1=box.x1, bottom=box.bottom)


def block_to_pb(block: Block) -> ingest_pb2.Block:
    return ingest_pb2.Block(
        kind=WIRE_KINDS.get(block.kind, block.kind),
        start=block.start,
        end=block.end,
        level=block.level,
        section=block.section,
        page_number=block.page_number,
        boxes=[box_to_pb(box) for box in block.boxes],
    )


def entity_to_pb(entity: Entity, documents: int) -> ingest_pb2.Entity:
    return ingest_pb2.Entity(
        name=entity.name,
        kind=entity.kind,
        aliases=entity.aliases,
        mentions=entity.mentions,
        documents=documents,
    )
