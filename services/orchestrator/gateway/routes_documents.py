"""How do documents come in, how are they listed, and how do they go?"""

import re
from collections.abc import Sequence
from functools import partial
from typing import Any

from fastapi import APIRouter, Request
from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from services.orchestrator.core.records import Reason, Submission
from services.orchestrator.gateway import representations
from services.orchestrator.gateway.bodies import Limit, Offset, UrlBody
from services.orchestrator.gateway.edge import add_log_fields
from services.orchestrator.gateway.fetch import pieces_of
from services.orchestrator.gateway.metrics import count_uploads
from services.orchestrator.gateway.parts import PartsOf, WorkspaceOf
from services.orchestrator.gateway.presence import while_connected
from services.orchestrator.gateway.problems import problem_response
from services.orchestrator.gateway.uploads import Upload, submit_all
from shared.errors import InvalidInput, NotFound

router = APIRouter(tags=["documents"])

OTHER_FIELDS = 20
DOCUMENT_ID = re.compile(r"doc_[0-9a-f]{20}")
ADD_BODY = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["file"],
                    "properties": {
                        "file": {"type": "array", "items": {"type": "string", "format": "binary"}}
                    },
                }
            },
            "application/json": {"schema": UrlBody.model_json_schema()},
        },
    }
}


@router.post("/v1/documents", status_code=202, openapi_extra=ADD_BODY)
async def add_documents(request: Request, parts: PartsOf, workspace: WorkspaceOf) -> Response:
    """Takes files (multipart, field `file`, one or many) or fetches `{"url": …}`."""
    media_type = request.headers.get("content-type", "").split(";")[0].strip().lower()
    if media_type == "multipart/form-data":
        add = _add_files
    elif media_type == "application/json":
        add = _add_url
    else:
        said = 'send multipart/form-data with the field file, or application/json with {"url": "https://…"}'
        raise HTTPException(415, said)
    async with parts.uploads.place():
        submissions = await add(request, parts, workspace)
    count_uploads(submissions)
    add_log_fields(request, files=len(submissions))
    return _answer(submissions)


async def _add_files(request: Request, parts: PartsOf, workspace: str) -> list[Submission]:
    most = parts.settings.max_files
    try:
        async with request.form(max_files=most, max_fields=OTHER_FIELDS) as form:
            files = form.getlist("file")
            if not files or not all(isinstance(file, UploadFile) for file in files):
                raise InvalidInput("file: is missing; send each file as a part named file, with a filename")
            uploads = [_upload(file) for file in files if isinstance(file, UploadFile)]
            return await while_connected(
                request, lambda: submit_all(parts.ingest, workspace, uploads, parts.settings)
            )
    except HTTPException as error:
        if str(error.detail).startswith("Too many files"):
            said = (
                f"at most {most} files are taken in one request (setting max_files); send the rest in another"
            )
            raise HTTPException(413, said) from error
        if error.status_code == 400:
            said = f"the form cannot be read ({error.detail}); send each file as a part named file"
            raise HTTPException(400, said) from error
        raise


def _upload(file: UploadFile) -> Upload:
    # A part may claim any charset for its name, and with it lone surrogates, which no file name has.
    name = (file.filename or "").encode("utf-8", "replace").decode("utf-8")
    return Upload(name, file.content_type or "", file.size or 0, partial(pieces_of, file.file))


async def _add_url(request: Request, parts: PartsOf, workspace: str) -> list[Submission]:
    try:
        body = UrlBody.model_validate_json(await request.body())
    except ValidationError as error:
        faults = [{**fault, "loc": ("body", *fault["loc"])} for fault in error.errors()]
        raise RequestValidationError(faults) from error

    async def fetch_and_submit() -> list[Submission]:
        fetched = await parts.fetcher.fetch(body.url)
        with fetched.file as file:
            upload = Upload(fetched.name, fetched.media_type, fetched.size, partial(pieces_of, file))
            return await submit_all(parts.ingest, workspace, [upload], parts.settings)

    return await while_connected(request, fetch_and_submit)


def _answer(submissions: Sequence[Submission]) -> Response:
    """202 with every file's own result; a problem document if all were refused at once."""
    entries = [representations.submission_to_json(submission) for submission in submissions]
    reasons = [s.reason for s in submissions if s.reason is not None and s.job_id is None]
    if len(reasons) < len(submissions):
        return JSONResponse({"documents": entries}, status_code=202)
    first = reasons[0]
    if len(reasons) > 1:
        status = first.status if len({r.status for r in reasons}) == 1 else 422
        said = f"none of the {len(reasons)} files was taken; first: {first.detail}"
        first = Reason(first.slug, first.title, status, said)
    return problem_response(first, {"documents": entries})


@router.get("/v1/documents")
async def list_documents(
    parts: PartsOf, workspace: WorkspaceOf, offset: Offset = 0, limit: Limit = 50
) -> Response:
    """Lists documents, with how many there are."""
    listed = await parts.ingest.documents(workspace, offset=offset, limit=limit)
    documents = [representations.document_to_json(document) for document in listed.items]
    return JSONResponse({"documents": documents, "total": listed.total})


@router.get("/v1/documents/{document_id}")
async def get_document(document_id: str, parts: PartsOf, workspace: WorkspaceOf) -> Response:
    """One document with its pages, labels and warnings."""
    document = await parts.ingest.document(workspace, document_id)
    return JSONResponse(representations.document_to_json(document))


@router.delete("/v1/documents/{document_id}")
async def delete_document(document_id: str, parts: PartsOf, workspace: WorkspaceOf) -> Response:
    """Removes a document everywhere: 200 when it is gone, 202 while the indexes still follow."""
    try:
        finished = await parts.ingest.delete_document(workspace, document_id)
    except NotFound:
        # An earlier attempt may have ended between ingest and the traces.
        if DOCUMENT_ID.fullmatch(document_id):
            await parts.traces.erase_document(workspace, document_id)
        raise
    await parts.traces.erase_document(workspace, document_id)
    body: dict[str, Any] = {"id": document_id, "status": "deleted" if finished else "deleting"}
    return JSONResponse(body, status_code=200 if finished else 202)
