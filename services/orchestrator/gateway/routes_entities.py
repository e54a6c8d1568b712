"""Which people, places, things and codes do the documents speak of, and which do people name themselves?"""

from typing import Any

from fastapi import APIRouter
from starlette.responses import JSONResponse, Response

from services.orchestrator.core.records import EntityRecord, Listed
from services.orchestrator.gateway.bodies import EntitiesBody, Limit, Offset
from services.orchestrator.gateway.parts import PartsOf, WorkspaceOf

router = APIRouter(tags=["entities"])


@router.get("/v1/entities")
async def list_entities(
    parts: PartsOf, workspace: WorkspaceOf, offset: Offset = 0, limit: Limit = 50
) -> Response:
    """The entities of all documents, those mentioned most first."""
    return JSONResponse(_to_json(await parts.ingest.entities(workspace, "", offset=offset, limit=limit)))


@router.get("/v1/documents/{document_id}/entities")
async def list_document_entities(
    document_id: str, parts: PartsOf, workspace: WorkspaceOf, offset: Offset = 0, limit: Limit = 50
) -> Response:
    """The entities of one document, those mentioned most first."""
    listed = await parts.ingest.entities(workspace, document_id, offset=offset, limit=limit)
    return JSONResponse(_to_json(listed))


@router.put("/v1/entities", status_code=202)
async def give_entities(body: EntitiesBody, parts: PartsOf, workspace: WorkspaceOf) -> Response:
    """Gives entities to be looked for, in any case and by their aliases, in the place of those given before.

    Every document that was read without them is read again; the old version is served until then.
    """
    given = [EntityRecord(e.name, e.kind, tuple(e.aliases)) for e in body.entities]
    reading = await parts.ingest.give_entities(workspace, given)
    return JSONResponse({"entities": len(given), "documents": reading.documents}, status_code=202)


def _to_json(listed: Listed[EntityRecord]) -> dict[str, Any]:
    entities = [
        {
            "name": entity.name,
            "kind": entity.kind,
            "aliases": list(entity.aliases),
            "mentions": entity.mentions,
            "documents": entity.documents,
        }
        for entity in listed.items
    ]
    return {"entities": entities, "total": listed.total}
