"""Does a document that an index cannot take fail alone, and does everybody learn why?"""

import asyncio
import sqlite3
from typing import Any

import pytest

from services.ingest.records import DONE, FAILED
from shared.errors import PeerFailed, TooLarge, Unavailable
from tests.unit.ingest.publishing import WAIT_S, Publishing, until


async def test_document_at_which_an_index_always_fails_does_not_hold_up_the_others(
    publishing: Publishing, vector: Any
) -> None:
    bad = await publishing.parsed("a.txt", ["bad"])
    original = vector.upsert

    async def upsert(workspace: str, batch_id: str, version: Any, chunks: Any) -> Any:
        if version.document_id == bad.document_id:
            raise PeerFailed("an internal error; the log has the details")
        return await original(workspace, batch_id, version, chunks)

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


async def test_index_that_refuses_a_whole_workspace_is_named_to_those_who_wait(
    publishing: Publishing, lexical: Any, vector: Any
) -> None:
    async with publishing.running():
        first = await publishing.parsed("a.txt", ["one", "two"])
        assert await publishing.final(first) == DONE
        original = vector.upsert

        async def upsert(workspace: str, batch_id: str, version: Any, chunks: Any) -> Any:
            if version.document_id == first.document_id:
                raise TooLarge("A batch may hold 1 chunk: raise it.")
            return await original(workspace, batch_id, version, chunks)

        vector.upsert = upsert
        vector.lose_everything()
        second = await publishing.parsed("b.txt", ["three"])
        async with asyncio.timeout(WAIT_S):
            async for job in publishing.board.watch("default", second.job.job_id):
                if job.failure is not None and job.failure.slug == "too-large":
                    break
        assert job.failure is not None
        assert "vector-index has to be written anew and refuses the 2 chunks" in job.failure.detail
        assert "may hold 1 chunk" in job.failure.detail
        vector.upsert = original
        assert await publishing.final(second) == DONE
    expected = {first.document_id: "one|two", second.document_id: "three"}
    assert lexical.texts() == vector.texts() == expected


async def test_database_that_cannot_be_read_for_a_moment_does_not_end_the_watch(
    publishing: Publishing, lexical: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    reading = publishing.shelf.reading
    original, failed = reading.generations, asyncio.Event()

    async def generations() -> dict[str, int]:
        if not failed.is_set():
            failed.set()
            raise sqlite3.OperationalError("disk I/O error")
        return dict(await original())

    monkeypatch.setattr(reading, "generations", generations)
    async with publishing.running():
        accepted = await publishing.parsed("a.txt", ["one"])
        assert await publishing.final(accepted) == DONE
        await until(failed.is_set)
        lexical.lose_everything()
        await until(lambda: lexical.latest() == 1)
