"""Is reindexing accepted over HTTP with what it did?"""

from tests.unit.orchestrator.gateway_fakes import gateway


async def test_reindexing_is_accepted_and_tells_how_many_documents_are_read_again() -> None:
    stand = gateway()
    stand.ingest.stored = {"a.txt": b"a", "b.txt": b"b"}
    async with stand.client() as client:
        response = await client.post("/v1/reindex")
    assert response.status_code == 202
    assert response.json() == {"documents": 2, "vocabulary": 3}
