"""Do both indexes keep the same promises to ingest, over gRPC?"""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from shared.channel import call
from shared.errors import Conflict, InvalidInput, SightlineError, UnknownGeneration
from shared.pb import candidate_pb2, index_pb2
from tests.contract.index_samples import INDEXES, TEXTS, WORKSPACE, Index, served


@pytest.fixture(params=list(INDEXES))
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
async def index(name: str, tmp_path: Path) -> AsyncIterator[Index]:
    async with served(name, tmp_path, tmp_path / "index.sock") as opened:
        yield opened


async def test_unknown_workspace_is_empty_at_generation_0(index: Index) -> None:
    assert await index.run(0) == ()
    (manifest,) = await index.manifest()
    assert (manifest.generation, list(manifest.served), len(manifest.documents)) == (0, [0], 0)
    with pytest.raises(UnknownGeneration):
        await index.run(1)


async def test_staged_changes_are_unseen_and_uncounted_until_published(index: Index) -> None:
    await index.fill()
    before = await index.run(1)
    await index.upsert("b2", "doc_new", ["The lock opens, the lock opens."])
    await index.delete("b2", "doc_lock")
    assert await index.run(1) == before
    assert await index.publish(2, "b2", 2, 1) == 2
    assert await index.run(1) == before
    assert "doc_new" in await index.documents(2)
    assert "doc_lock" not in await index.documents(2)


async def test_only_the_two_latest_generations_are_served(index: Index) -> None:
    await index.fill()
    for generation in (2, 3):
        await index.upsert(f"b{generation}", "doc_lock", ["The lock opens at ten."], version=generation)
        await index.publish(generation, f"b{generation}", 1, 1)
    (manifest,) = await index.manifest()
    assert list(manifest.served) == [2, 3]
    for absent in (1, 4):
        with pytest.raises(UnknownGeneration):
            await index.run(absent)


async def test_new_version_takes_the_place_of_the_old_one(index: Index) -> None:
    await index.fill()
    await index.upsert("b2", "doc_lock", ["The lock opens at ten."], version=2)
    await index.publish(2, "b2", 1, 1)
    assert "doc_lock.2.0" in {c.chunk_id for c in await index.run(2)}
    assert not {c.chunk_id for c in await index.run(2)} & {"doc_lock.1.0", "doc_lock.1.1"}
    (manifest,) = await index.manifest()
    assert {d.document_id: d.version for d in manifest.documents} == {
        "doc_lock": 2,
        "doc_pilot": 1,
        "doc_crane": 1,
    }


async def test_a_document_may_come_in_slices_and_twice(index: Index) -> None:
    texts = TEXTS["doc_lock"]
    assert await index.upsert("b1", "doc_lock", texts[:1], count=2) == 1
    assert await index.upsert("b1", "doc_lock", texts, count=2) == 2
    assert await index.upsert("b1", "doc_lock", texts, count=2) == 2
    await index.publish(1, "b1", 1, 2)
    found = await index.run(1)
    assert sorted(c.chunk_id for c in found) == ["doc_lock.1.0", "doc_lock.1.1"]
    assert {(c.span.start, c.span.end) for c in found} == {(0, 9), (10, 19)}


async def test_publishing_again_answers_the_same(index: Index) -> None:
    await index.fill()
    before = await index.run(1)
    assert await index.publish(1, "b1", 3, 5) == 1
    assert await index.run(1) == before


async def test_another_batch_of_the_same_generation_undoes_the_first(index: Index) -> None:
    await index.fill()
    base = await index.run(1)
    await index.delete("lost", "doc_lock", "doc_pilot", "doc_crane")
    await index.publish(2, "lost", 3, 0)
    assert await index.run(2) == ()
    await index.delete("b2", "doc_nobody_knows")
    await index.publish(2, "b2", 1, 0)
    assert await index.run(2) == base
    assert await index.run(1) == base


@pytest.mark.parametrize(("documents", "chunks"), [(1, 1), (2, 2), (0, 0)])
async def test_counts_that_differ_are_a_conflict(index: Index, documents: int, chunks: int) -> None:
    await index.upsert("b1", "doc_lock", TEXTS["doc_lock"])
    with pytest.raises(Conflict):
        await index.publish(1, "b1", documents, chunks)
    await index.publish(1, "b1", 1, 2)


async def test_unknown_batch_and_missing_base_are_conflicts(index: Index) -> None:
    with pytest.raises(Conflict):
        await index.publish(1, "never staged", 0, 0)
    await index.fill()
    await index.upsert("b9", "doc_new", ["The lock."])
    with pytest.raises(Conflict):
        await index.publish(9, "b9", 1, 1)
    assert await index.publish(9, "b9", 1, 1, replace_all=True) == 9
    assert await index.documents(9) == {"doc_new"}
    with pytest.raises(UnknownGeneration):
        await index.run(8)


async def test_a_new_batch_forgets_the_one_before(index: Index) -> None:
    await index.upsert("b1", "doc_lock", TEXTS["doc_lock"])
    await index.upsert("b2", "doc_crane", TEXTS["doc_crane"])
    with pytest.raises(Conflict):
        await index.publish(1, "b1", 1, 2)
    await index.publish(1, "b2", 1, 1)
    (manifest,) = await index.manifest()
    assert [d.document_id for d in manifest.documents] == ["doc_crane"]


async def test_workspaces_do_not_see_one_another(index: Index) -> None:
    await index.fill()
    assert await index.run(0, workspace="another") == ()
    with pytest.raises(UnknownGeneration):
        await index.run(1, workspace="another")
    (everything,) = await index.manifest("")
    assert (everything.workspace, everything.generation, len(everything.documents)) == (WORKSPACE, 1, 0)


async def test_wrong_requests_are_refused_by_name(index: Index) -> None:
    with pytest.raises(InvalidInput, match="document_id"):
        await index.upsert("b1", "", ["text"])
    with pytest.raises(InvalidInput, match="batch_id"):
        await index.upsert("", "doc_lock", ["text"])
    with pytest.raises(InvalidInput, match="generation"):
        await index.publish(0, "b1", 0, 0)
    chunk = index_pb2.IndexedChunk(chunk_id="c", span=candidate_pb2.TextSpan(document_id="other"), text="t")
    document = index_pb2.DocumentVersion(document_id="doc_lock", chunk_count=1)
    request = index_pb2.UpsertRequest(workspace=WORKSPACE, batch_id="b1", document=document, chunks=[chunk])
    with pytest.raises(InvalidInput, match="other"):
        await call(index.stub.Upsert, request, deadline_s=10)


async def test_restart_gives_the_same_lists_and_scores_to_the_bit(name: str, tmp_path: Path) -> None:
    async with served(name, tmp_path, tmp_path / "first.sock") as index:
        await index.fill()
        await index.upsert("b2", "doc_new", ["Six pilots ask for the lock."])
        await index.delete("b2", "doc_crane")
        await index.publish(2, "b2", 2, 1)
        await index.upsert("b3", "doc_unpublished", ["The lock."])
        before = [await index.run(1), await index.run(2), await index.manifest()]
    async with served(name, tmp_path, tmp_path / "second.sock") as index:
        assert [await index.run(1), await index.run(2), await index.manifest()] == before
        with pytest.raises(Conflict):
            await index.publish(3, "b3", 1, 1)
        assert await index.publish(2, "b2", 2, 1) == 2


async def test_lists_do_not_depend_on_how_documents_were_batched(name: str, tmp_path: Path) -> None:
    async with served(name, tmp_path / "one", tmp_path / "one.sock") as index:
        await index.fill()
        at_once = await index.run(1)
    async with served(name, tmp_path / "many", tmp_path / "many.sock") as index:
        for generation, (document_id, texts) in enumerate(sorted(TEXTS.items()), start=1):
            await index.upsert(f"b{generation}", document_id, texts)
            await index.publish(generation, f"b{generation}", 1, len(texts))
        assert await index.run(len(TEXTS)) == at_once


async def test_every_error_is_of_the_family(index: Index) -> None:
    with pytest.raises(SightlineError) as caught:
        await index.run(7)
    assert "read it anew" in str(caught.value)
