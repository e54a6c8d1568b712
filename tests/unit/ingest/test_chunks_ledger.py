"""Is a chunk of which the embedder read another number of tokens than it has ever published?"""

from typing import Any

from services.ingest.records import DONE, FAILED
from tests.unit.ingest.publishing import Publishing


async def test_document_of_which_less_was_read_than_it_has_fails_with_both_numbers(
    publishing: Publishing, vector: Any, lexical: Any
) -> None:
    vector.read = lambda chunks: [c.tokens if c.position != 2 else c.tokens + 5 for c in chunks]
    async with publishing.running():
        bad = await publishing.parsed("a.txt", ["one", "two", "three"])
        good = await publishing.parsed("b.txt", ["one", "two"])
        assert await publishing.final(bad) == FAILED
        assert await publishing.final(good) == DONE
    job = await publishing.board.get("default", bad.job.job_id)
    assert job.failure is not None
    assert job.failure.detail.startswith("Chunk 3 has 1 tokens; the embedder read 6.")
    assert set(vector.texts()) == set(lexical.texts()) == {good.document_id}


async def test_every_chunk_of_every_slice_is_compared(publishing: Publishing, vector: Any) -> None:
    vector.read = lambda chunks: [c.tokens if c.position != 7 else 9 for c in chunks]
    async with publishing.running():
        bad = await publishing.parsed("a.txt", [f"w{number}" for number in range(8)])
        assert await publishing.final(bad) == FAILED
    job = await publishing.board.get("default", bad.job.job_id)
    assert job.failure is not None
    assert "Chunk 8 has 1 tokens" in job.failure.detail


async def test_embedder_that_does_not_tell_is_taken_at_its_word(publishing: Publishing, vector: Any) -> None:
    vector.read = lambda chunks: [0] * len(chunks)
    async with publishing.running():
        accepted = await publishing.parsed("a.txt", ["one", "two"])
        assert await publishing.final(accepted) == DONE


async def test_rebuild_of_what_is_served_goes_on(publishing: Publishing, vector: Any) -> None:
    async with publishing.running():
        first = await publishing.parsed("a.txt", ["one"])
        assert await publishing.final(first) == DONE
        # The rebuilt document has one chunk, the new one two: only the former is told to be too long.
        vector.read = lambda chunks: [7 if len(chunks) == 1 else c.tokens for c in chunks]
        vector.lose_everything()
        second = await publishing.parsed("b.txt", ["two", "three"])
        assert await publishing.final(second) == DONE
    assert set(vector.texts()) == {first.document_id, second.document_id}
