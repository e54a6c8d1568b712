"""Is an index that lost or never had what ingest holds written anew?"""

from typing import Any

from services.ingest.records import DONE
from tests.unit.ingest.publishing import Publishing, until


async def test_index_that_lost_everything_in_the_middle_of_a_batch_is_written_anew(
    publishing: Publishing, lexical: Any, vector: Any
) -> None:
    async with publishing.running():
        first = await publishing.parsed("a.txt", ["one"])
        assert await publishing.final(first) == DONE
        losses = iter([True])
        vector.before = lambda method: (
            vector.lose_everything() if method == "publish" and next(losses, False) else None
        )
        second = await publishing.parsed("b.txt", ["two"])
        assert await publishing.final(second) == DONE
    expected = {first.document_id: "one", second.document_id: "two"}
    assert lexical.texts() == vector.texts() == expected
    assert lexical.latest() == vector.latest() == 2


async def test_index_that_comes_back_empty_is_repaired_without_a_new_upload(
    publishing: Publishing, lexical: Any
) -> None:
    async with publishing.running():
        accepted = await publishing.parsed("a.txt", ["one"])
        assert await publishing.final(accepted) == DONE
        lexical.lose_everything()
        await until(lambda: lexical.latest() == 1)
    assert lexical.texts() == {accepted.document_id: "one"}


async def test_start_repairs_an_index_whose_documents_differ(shelf: Any, lexical: Any, vector: Any) -> None:
    first = Publishing(shelf, [lexical, vector])
    async with first.running():
        one = await first.parsed("a.txt", ["one"])
        two = await first.parsed("b.txt", ["two"])
        assert await first.final(one) == await first.final(two) == DONE
    generation = lexical.latest()
    del lexical.generations["default"][generation][one.document_id]
    vector.calls.clear()
    again = Publishing(shelf, [lexical, vector])
    async with again.running():
        await until(lambda: len(lexical.texts()) == 2 and "manifest" in vector.calls)
    assert lexical.texts() == vector.texts()
    assert "publish" not in vector.calls


async def test_ingest_that_starts_empty_takes_over_indexes_that_are_not(
    publishing: Publishing, lexical: Any, vector: Any
) -> None:
    for index in (lexical, vector):
        index.generations = {"default": {6: {}, 7: {}}}
        index.batches = {"default": "old"}
    async with publishing.running():
        accepted = await publishing.parsed("a.txt", ["one"])
        assert await publishing.final(accepted) == DONE
    generation = await publishing.shelf.reading.generation("default")
    assert lexical.texts(generation=generation) == vector.texts(generation=generation)
    assert lexical.texts(generation=generation) == {accepted.document_id: "one"}
