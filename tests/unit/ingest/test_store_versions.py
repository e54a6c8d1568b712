"""Does a document's life leave exactly the rows and files that it should?"""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from services.ingest.records import FAILED, Failure, Upload
from services.ingest.store import Store
from shared.errors import Conflict, NotFound

REASON = Failure("invalid-document", "no")


async def publish(shelf: Any, workspace: str = "default") -> tuple[str, ...]:
    batch = await shelf.store.next_batch(workspace, 64, 512)
    assert batch is not None
    done: tuple[str, ...] = (await shelf.store.flip(batch)).done
    return done


async def test_upload_is_pending_until_the_flip_makes_it_ready(shelf: Any) -> None:
    accepted = await shelf.parsed("a.txt", ["one", "two"])
    document = await shelf.reading.document("default", accepted.document_id)
    assert (document.live_version, document.version, document.chunk_count) == (0, 1, 2)
    done = await publish(shelf)
    assert done == (accepted.job.job_id,)
    document = await shelf.reading.document("default", accepted.document_id)
    assert (document.live_version, document.version) == (1, 1)
    assert await shelf.reading.generation("default") == 1


async def test_same_bytes_are_a_duplicate_while_in_progress_and_when_ready(shelf: Any) -> None:
    first = await shelf.submit("a.txt", b"one")
    again = await shelf.submit("a.txt", b"one")
    assert (again.duplicate, again.job, again.document_id) == (True, None, first.document_id)
    assert shelf.original_count() == 1


async def test_same_bytes_under_another_name_share_the_original_until_both_are_gone(shelf: Any) -> None:
    one = await shelf.parsed("a.txt", ["same"])
    two = await shelf.parsed("b.txt", ["same"])
    assert one.document_id != two.document_id
    assert not two.duplicate
    assert shelf.original_count() == 1
    await shelf.store.erase("default", one.document_id)
    assert shelf.original_count() == 1
    await shelf.store.erase("default", two.document_id)
    assert shelf.original_count() == 0


async def test_new_version_is_served_only_after_its_flip_and_the_old_can_be_hydrated_once_more(
    shelf: Any,
) -> None:
    old = await shelf.parsed("a.txt", ["old"])
    await publish(shelf)
    (old_chunk,), _ = await shelf.reading.chunks(old.document_id, 1, 0, 9)
    new = await shelf.parsed("a.txt", ["new"])
    assert new.document_id == old.document_id
    (new_chunk,), _ = await shelf.reading.chunks(old.document_id, 2, 0, 9)
    ids = [new_chunk.chunk_id, old_chunk.chunk_id]

    found = await shelf.reading.hydrate("default", ids, with_text=True)
    assert [chunk.text for chunk in found] == ["old"]
    await publish(shelf)
    found = await shelf.reading.hydrate("default", ids, with_text=True)
    assert [chunk.text for chunk in found] == ["new", "old"]
    assert (await shelf.reading.document("default", old.document_id)).version == 2
    await shelf.parsed("b.txt", ["other"])
    await publish(shelf)
    found = await shelf.reading.hydrate("default", ids, with_text=True)
    assert [chunk.text for chunk in found] == ["new"]
    assert shelf.original_count() == 2


async def test_content_that_returns_after_another_version_is_no_duplicate(shelf: Any) -> None:
    await shelf.parsed("a.txt", ["one"])
    await publish(shelf)
    await shelf.parsed("a.txt", ["two"])
    await publish(shelf)
    back = await shelf.parsed("a.txt", ["one"])
    assert not back.duplicate
    await publish(shelf)
    document = await shelf.reading.document("default", back.document_id)
    assert document.version == 3
    (chunk,), _ = await shelf.reading.chunks(back.document_id, 3, 0, 9)
    found = await shelf.reading.hydrate("default", [chunk.chunk_id], with_text=True)
    assert [each.text for each in found] == ["one"]


async def test_later_version_waits_for_an_earlier_one_that_is_not_parsed_yet(shelf: Any) -> None:
    first = await shelf.submit("a.txt", b"one")
    second = await shelf.parsed("a.txt", ["two"])
    assert await shelf.store.next_batch("default", 64, 512) is None
    await shelf.store.fail(first.job.job_id, REASON)
    batch = await shelf.store.next_batch("default", 64, 512)
    assert [document.job_id for document in batch.documents] == [second.job.job_id]


async def test_first_version_that_fails_leaves_nothing_but_its_job(shelf: Any) -> None:
    accepted = await shelf.submit("a.txt", b"one")
    await shelf.store.fail(accepted.job.job_id, REASON)
    with pytest.raises(NotFound):
        await shelf.reading.document("default", accepted.document_id)
    job = await shelf.reading.job("default", accepted.job.job_id)
    assert (job.state, job.failure) == (FAILED, REASON)
    assert shelf.original_count() == 0
    again = await shelf.submit("a.txt", b"one")
    assert not again.duplicate


async def test_later_version_that_fails_leaves_the_old_one_as_it_was(shelf: Any) -> None:
    await shelf.parsed("a.txt", ["good"])
    await publish(shelf)
    bad = await shelf.submit("a.txt", b"bad")
    await shelf.store.fail(bad.job.job_id, REASON)
    document = await shelf.reading.document("default", bad.document_id)
    assert (document.live_version, document.version) == (1, 1)
    assert await shelf.reading.text(bad.document_id, 1, 0, 4) == "good"


async def test_erased_document_is_gone_at_once_and_its_jobs_end(shelf: Any) -> None:
    await shelf.parsed("a.txt", ["good"])
    await publish(shelf)
    (chunk,), _ = await shelf.reading.chunks((await shelf.submit("a.txt", b"two")).document_id, 1, 0, 9)
    document_id = (await shelf.submit("a.txt", b"two")).document_id
    tombstone, ended = await shelf.store.erase("default", document_id)
    assert len(ended) == 1
    with pytest.raises(NotFound):
        await shelf.reading.document("default", document_id)
    assert await shelf.reading.hydrate("default", [chunk.chunk_id], with_text=True) == []
    assert await shelf.reading.text(document_id, 1, 0, 4) is None
    assert shelf.original_count() == 0
    assert await shelf.reading.is_buried(tombstone)
    batch = await shelf.store.next_batch("default", 64, 512)
    assert (batch.deleted, batch.documents) == ((document_id,), ())
    await shelf.store.flip(batch)
    assert not await shelf.reading.is_buried(tombstone)


async def test_document_erased_while_its_batch_is_published_stays_away(shelf: Any) -> None:
    accepted = await shelf.parsed("a.txt", ["one"])
    batch = await shelf.store.next_batch("default", 64, 512)
    await shelf.store.erase("default", accepted.document_id)
    assert (await shelf.store.flip(batch)).done == ()
    with pytest.raises(NotFound):
        await shelf.reading.document("default", accepted.document_id)
    follow_up = await shelf.store.next_batch("default", 64, 512)
    assert follow_up.deleted == (accepted.document_id,)


async def test_upload_after_a_delete_replaces_instead_of_being_deleted(shelf: Any) -> None:
    first = await shelf.parsed("a.txt", ["one"])
    await publish(shelf)
    await shelf.store.erase("default", first.document_id)
    again = await shelf.parsed("a.txt", ["one"])
    assert not again.duplicate
    batch = await shelf.store.next_batch("default", 64, 512)
    assert batch.deleted == ()
    assert len(batch.documents) == 1
    await shelf.store.flip(batch)
    assert await shelf.store.next_batch("default", 64, 512) is None


async def test_another_workspace_sees_nothing(shelf: Any) -> None:
    accepted = await shelf.parsed("a.txt", ["one"], "alpha")
    await publish(shelf, "alpha")
    (chunk,), _ = await shelf.reading.chunks(accepted.document_id, 1, 0, 9)
    with pytest.raises(NotFound):
        await shelf.reading.document("beta", accepted.document_id)
    with pytest.raises(NotFound):
        await shelf.reading.job("beta", accepted.job.job_id)
    with pytest.raises(NotFound):
        await shelf.store.erase("beta", accepted.document_id)
    assert await shelf.reading.hydrate("beta", [chunk.chunk_id], with_text=True) == []
    assert await shelf.reading.generation("beta") == 0


async def test_flip_from_another_base_is_refused_and_changes_nothing(shelf: Any) -> None:
    await shelf.parsed("a.txt", ["one"])
    batch = await shelf.store.next_batch("default", 64, 512)
    await shelf.store.advance("default", 0, 5)
    with pytest.raises(Conflict):
        await shelf.store.flip(batch)
    assert await shelf.reading.generation("default") == 5
    assert (await shelf.store.next_batch("default", 64, 512)).documents == batch.documents


async def test_restart_finds_unfinished_jobs_and_drops_what_nobody_refers_to(
    shelf: Any, open_again: Callable[[], Any]
) -> None:
    waiting = await shelf.submit("a.txt", b"one")
    parsed = await shelf.parsed("b.txt", ["two"])
    stray = shelf.originals.spool()
    stray.write(b"never acknowledged")
    shelf.originals.adopt(stray.path, stray.finish())
    half = shelf.originals.spool()
    half.write(b"half an upload")
    half.finish()
    await shelf.database.close()

    second = open_again()
    await second.database.open()
    try:
        unparsed, unpublished = await second.store.resume()
        assert [each.job.job_id for each in unparsed] == [waiting.job.job_id]
        assert [job.job_id for job in unpublished] == [parsed.job.job_id]
        assert second.original_count() == 2
        assert list((second.folder / "spool").iterdir()) == []
    finally:
        await second.database.close()


async def test_list_is_newest_first_and_paged(shelf: Any) -> None:
    for number in range(5):
        await shelf.submit(f"{number}.txt", f"text {number}".encode())
    page, total = await shelf.reading.documents("default", 1, 2)
    assert ([document.name for document in page], total) == (["3.txt", "2.txt"], 5)


async def test_concurrent_uploads_of_one_name_become_versions_in_order(shelf: Any) -> None:
    accepted = await asyncio.gather(*(shelf.submit("a.txt", b"text %d" % n) for n in range(6)))
    assert sorted(each.job.version for each in accepted) == [1, 2, 3, 4, 5, 6]
    assert len({each.document_id for each in accepted}) == 1


async def test_text_of_many_parts_is_sliced_by_code_points(shelf: Any) -> None:
    text = "".join(chr(0x1F600 + n % 50) if n % 3 else "a" for n in range(30_000))
    accepted = await shelf.parsed("a.txt", [text])
    for start, end in ((0, 30_000), (8191, 8193), (8192, 16_384), (29_999, 30_000), (5, 5), (30_000, 30_000)):
        assert await shelf.reading.text(accepted.document_id, 1, start, end) == text[start:end]


async def test_upload_that_waited_through_a_change_of_configuration_is_known_by_the_new_one(
    shelf: Any,
) -> None:
    await shelf.submit("a.txt", b"one")
    later = Store(
        shelf.database,
        shelf.originals,
        config="d" * 64,
        clock=lambda: 1.0,
        new_id=lambda prefix: f"{prefix}_n",
    )
    await later.resume()
    spool = shelf.originals.spool()
    spool.write(b"one")
    upload = Upload("default", "a.txt", "text/plain", 3, spool.finish(), spool.path)
    assert (await later.submit(upload)).duplicate
