"""What is in a document: its text, chunks, blocks, pages and bytes?"""

from collections.abc import AsyncIterator
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Query
from starlette.responses import JSONResponse, Response, StreamingResponse

from services.orchestrator.gateway import representations
from services.orchestrator.gateway.bodies import MAX_NUMBER, CodePoint, Limit, Offset, PageNumber
from services.orchestrator.gateway.parts import PartsOf, WorkspaceOf
from shared.errors import InvalidInput

router = APIRouter(tags=["content"])

EndCodePoint = Annotated[
    int | None,
    Query(ge=0, le=MAX_NUMBER, description="end of the span, exclusive; none: the end of the text"),
]

# Types that a browser may be told of; anything that could run in our origin is bytes to it.
PLAIN_TYPES = frozenset(
    {
        "application/pdf",
        "text/plain",
        "text/csv",
        "text/markdown",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    }
)


@router.get("/v1/documents/{document_id}/text")
async def get_text(
    document_id: str, parts: PartsOf, workspace: WorkspaceOf, start: CodePoint = 0, end: EndCodePoint = None
) -> Response:
    """The canonical text, or a span of it in code points, half-open."""
    _require_order(start, end)
    return JSONResponse({"text": await parts.ingest.text(workspace, document_id, start=start, end=end)})


@router.get("/v1/documents/{document_id}/chunks")
async def list_chunks(
    document_id: str, parts: PartsOf, workspace: WorkspaceOf, offset: Offset = 0, limit: Limit = 50
) -> Response:
    """The passages that are searched, in the order of the text."""
    listed = await parts.ingest.chunks(workspace, document_id, offset=offset, limit=limit)
    chunks = [representations.chunk_to_json(chunk) for chunk in listed.items]
    return JSONResponse({"chunks": chunks, "total": listed.total})


@router.get("/v1/documents/{document_id}/blocks")
async def list_blocks(
    document_id: str, parts: PartsOf, workspace: WorkspaceOf, offset: Offset = 0, limit: Limit = 200
) -> Response:
    """The parsed blocks, in the order of the text."""
    listed = await parts.ingest.blocks(workspace, document_id, offset=offset, limit=limit)
    blocks = [representations.block_to_json(block) for block in listed.items]
    return JSONResponse({"blocks": blocks, "total": listed.total})


@router.get("/v1/documents/{document_id}/original")
async def get_original(document_id: str, parts: PartsOf, workspace: WorkspaceOf) -> Response:
    """The bytes as uploaded, always as a download."""
    original = await parts.ingest.original(workspace, document_id)
    media_type = original.media_type if original.media_type in PLAIN_TYPES else "application/octet-stream"
    headers = {
        "Content-Disposition": attachment(original.name),
        "Content-Security-Policy": "default-src 'none'; sandbox",
        # Set here, as a text type would be given a charset that the bytes may not have.
        "Content-Type": media_type,
    }
    return StreamingResponse(_nonempty(original.pieces), headers=headers)


@router.get("/v1/documents/{document_id}/pages/{number}.png", responses={200: {"content": {"image/png": {}}}})
async def get_page_image(
    document_id: str,
    number: PageNumber,
    parts: PartsOf,
    workspace: WorkspaceOf,
    *,
    start: CodePoint = 0,
    end: CodePoint = 0,
) -> Response:
    """A rendered page, the span's place on it marked."""
    _require_order(start, end)
    png = await parts.ingest.page_png(workspace, document_id, number, start=start, end=end)
    return Response(png, media_type="image/png")


@router.get("/v1/documents/{document_id}/pages/{number}/boxes")
async def get_page_boxes(
    document_id: str,
    number: PageNumber,
    parts: PartsOf,
    workspace: WorkspaceOf,
    *,
    start: CodePoint = 0,
    end: CodePoint = 0,
) -> Response:
    """The span's place on a page as rectangles in points, origin top left."""
    _require_order(start, end)
    page = await parts.ingest.page_boxes(workspace, document_id, number, start=start, end=end)
    return JSONResponse(representations.page_boxes_to_json(page))


@router.get("/v1/documents/{document_id}/boxes")
async def get_span_boxes(
    document_id: str, parts: PartsOf, workspace: WorkspaceOf, *, start: CodePoint = 0, end: CodePoint = 0
) -> Response:
    """The span's place on all pages that it touches, as rectangles in points, origin top left."""
    _require_order(start, end)
    boxes = await parts.ingest.span_boxes(workspace, document_id, start=start, end=end)
    return JSONResponse({"boxes": representations.boxes_to_json(boxes)})


def attachment(name: str) -> str:
    """The header for a download under any file name (RFC 6266, RFC 5987), which nothing in it can end."""
    plain = "".join(c if c.isascii() and (c.isalnum() or c in " ._-") else "_" for c in name) or "document"
    whole = quote(name.encode("utf-8", "replace"), safe="")
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{whole}"


def _require_order(start: int, end: int | None) -> None:
    if end is not None and end < start:
        raise InvalidInput(f"end: {end} is before start {start}; a span is half-open and may be empty")


async def _nonempty(pieces: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    async for piece in pieces:
        if piece:
            yield piece
