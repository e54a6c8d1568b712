"""Are entities listed for a document and a workspace, and do given ones reach every document at once?"""

from typing import Any

from shared.pb import ingest_pb2
from tests.unit.ingest.calling import Client

BOARD = "# Minutes\n\nThe main lift pump stopped. Ingrid Solheim called Ingrid Solheim about SEC-014.\n"
LOG = "# Log\n\nSEC-014: a cylinder of rubber that Ingrid Solheim chose.\n"


async def listed(client: Client, document_id: str = "", workspace: str = "") -> dict[str, Any]:
    request = ingest_pb2.EntitiesRequest(workspace=workspace, document_id=document_id)
    reply = await client.call("ListEntities", request)
    assert reply.total == len(reply.entities)
    return {each.name: (each.kind, each.mentions, each.documents) for each in reply.entities}


async def test_entities_of_all_documents_are_counted_together(client: Client) -> None:
    board = await client.add("board.md", BOARD.encode())
    await client.add("log.md", LOG.encode())
    assert await listed(client) == {
        "Ingrid Solheim": ("name", 3, 2),
        "SEC-014": ("code", 2, 2),
        "Log": ("title", 1, 1),
        "Minutes": ("title", 1, 1),
    }
    assert (await listed(client, board.document_id))["Ingrid Solheim"] == ("name", 2, 1)
    assert await listed(client, workspace="other") == {}
    await client.call("DeleteDocument", ingest_pb2.DocumentRequest(document_id=board.document_id))
    assert (await listed(client))["Ingrid Solheim"] == ("name", 1, 1)


async def test_given_entity_is_found_in_documents_that_were_there_before(client: Client) -> None:
    board = await client.add("board.md", BOARD.encode())
    pump = ingest_pb2.Entity(name="Pump 7", aliases=["MAIN LIFT PUMP"])
    given = ingest_pb2.GiveEntitiesRequest(entities=[pump])
    assert (await client.call("GiveEntities", given)).documents == 1
    jobs = await client.call("ListJobs", ingest_pb2.PageRequest())
    assert (await client.watch(jobs.jobs[0].id))[-1].state == "done"
    assert (await listed(client, board.document_id))["Pump 7"] == ("given", 1, 1)
    chunks = await client.call("ListChunks", ingest_pb2.DocumentPageRequest(document_id=board.document_id))
    assert "Pump 7" in chunks.chunks[0].mentions
    assert (await client.call("GiveEntities", given)).documents == 0, "nothing changes"
    assert (await client.submit("board.md", BOARD.encode())).duplicate
