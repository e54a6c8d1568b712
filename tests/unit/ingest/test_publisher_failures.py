"""Does a document that an index cannot take fail alone, and does everybody learn why?"""

from typing import Any

from services.ingest.records import DONE, FAILED
from shared.errors import PeerFailed, Unavailable
from tests.unit.ingest.publishing import Publishing


async def test_document_at_which_an_index_always_fails_does_not_hold_up_the_others(
    publishing: Publishing, vector: Any
) -> None:
    bad = await publishing.parsed("a.txt", ["bad"])
    original = vector.upsert

    async def upsert(workspace: str, batch_id: str, version: Any, chunks: Any) -> int:
        if version.document_id == bad.document_id:
            raise PeerFailed("an internal error; the log has the details")
        return int(await original(workspace, batch_id, version, chunks))

    vector.upsert = upsert
    good = await publishing.parsed("b.txt", ["good"])
    async with publishing.running():
        assert await publishing.final(bad) == FAILED
        assert await publishing.final(good) == DONE
    job = await publishing.board.get("default", bad.job.job_id)
    assert job.failure is not None
    assert job.failure.slug == "peer-failed"
    assert vector.texts() == {good.document_id: "good"}


async def test_index_that_fails_now_and_then_loses_nothing(publishing: Publishing, vector: Any) -> None:
    vector.failures["upsert"] = [PeerFailed("oops"), PeerFailed("oops"), Unavailable("gone")] * 3
    async with publishing.running():
        accepted = await publishing.parsed("a.txt", ["one"])
        assert await publishing.final(accepted) == DONE
