"""Does staging keep one whole batch a workspace, within its bounds?"""

import pytest

from shared.candidate import TextSpan
from shared.errors import Conflict, InvalidInput, TooLarge
from shared.index_segments import DocumentVersion, IndexedChunk
from shared.index_staging import Staging

DOCUMENT = DocumentVersion("doc", 1, "digest", 2)


def chunk(chunk_id: str, start: int = 0, document_id: str = "doc") -> IndexedChunk:
    return IndexedChunk(chunk_id, TextSpan(document_id, start, start + 1), "text")


def staged(max_chunks: int = 100) -> Staging[str]:
    staging: Staging[str] = Staging(max_chunks)
    staging.begin("w", "b1")
    return staging


def test_chunk_sent_again_replaces_itself() -> None:
    staging = staged()
    assert staging.upsert("w", "b1", DOCUMENT, [chunk("c1"), chunk("c2")], "first") == 2
    assert staging.upsert("w", "b1", DOCUMENT, [chunk("c2", 7)], "second") == 2
    batch = staging.take("w", "b1", {"documents": 1, "chunks": 2}, may_be_empty=False)
    kept = [(s.payload, rows.tolist(), s.chunks) for s, rows in batch.documents["doc"].kept()]
    assert [(payload, rows) for payload, rows, _ in kept] == [("first", [0]), ("second", [0])]
    assert kept[1][2][0] == ("c2", TextSpan("doc", 7, 8))


def test_another_version_of_a_document_starts_it_anew() -> None:
    staging = staged()
    staging.upsert("w", "b1", DOCUMENT, [chunk("c1"), chunk("c2")], "old")
    newer = DocumentVersion("doc", 2, "digest 2", 1)
    assert staging.upsert("w", "b1", newer, [chunk("c3")], "new") == 1
    assert staging.take("w", "b1", {"documents": 1, "chunks": 1}, may_be_empty=False).held_rows == 1


def test_the_later_of_upsert_and_delete_counts() -> None:
    staging = staged()
    staging.upsert("w", "b1", DOCUMENT, [chunk("c1"), chunk("c2")], "p")
    staging.delete("w", "b1", ["doc", "other"])
    staging.upsert("w", "b1", DocumentVersion("other", 1, "d", 1), [chunk("c3", 0, "other")], "p")
    batch = staging.take("w", "b1", {"documents": 2, "chunks": 1}, may_be_empty=False)
    assert (set(batch.documents), batch.deleted) == ({"other"}, {"doc"})


def test_new_batch_forgets_the_old_one() -> None:
    staging = staged()
    staging.upsert("w", "b1", DOCUMENT, [chunk("c1"), chunk("c2")], "p")
    staging.begin("w", "b2")
    with pytest.raises(Conflict):
        staging.take("w", "b1", {"documents": 1, "chunks": 2}, may_be_empty=True)


def test_call_that_lingers_cannot_oust_a_newer_batch() -> None:
    staging = staged()
    staging.begin("w", "b2")
    with pytest.raises(Conflict, match="no longer"):
        staging.upsert("w", "b1", DOCUMENT, [chunk("c1")], "late")
    staging.upsert("w", "b2", DOCUMENT, [chunk("c1"), chunk("c2")], "p")
    staging.take("w", "b2", {"documents": 1, "chunks": 2}, may_be_empty=False)


def test_batch_that_could_not_be_published_can_be_put_back() -> None:
    staging = staged()
    counts = {"documents": 0, "chunks": 0}
    batch = staging.take("w", "b1", counts, may_be_empty=False)
    staging.put_back("w", batch)
    assert staging.take("w", "b1", counts, may_be_empty=False) is batch
    staging.begin("w", "b2")
    staging.put_back("w", batch)
    with pytest.raises(Conflict):
        staging.take("w", "b1", counts, may_be_empty=False)


def test_over_the_bound_the_batch_touched_longest_ago_goes() -> None:
    staging: Staging[str] = Staging(5)
    counts = {"documents": 1, "chunks": 2}
    for workspace in ("w", "x"):
        staging.begin(workspace, "b1")
        staging.upsert(workspace, "b1", DOCUMENT, [chunk("c1"), chunk("c2")], "p")
    staging.begin("w", "b1")
    staging.begin("y", "b1")
    staging.upsert("y", "b1", DOCUMENT, [chunk("c1"), chunk("c2")], "p")
    with pytest.raises(Conflict):
        staging.take("x", "b1", counts, may_be_empty=False)
    staging.take("w", "b1", counts, may_be_empty=False)
    staging.take("y", "b1", counts, may_be_empty=False)


def test_batch_too_large_by_itself_is_refused_and_forgotten() -> None:
    staging = staged(max_chunks=3)
    staging.upsert("w", "b1", DOCUMENT, [chunk("c1"), chunk("c2")], "p")
    with pytest.raises(TooLarge):
        staging.upsert("w", "b1", DocumentVersion("d2", 1, "", 2), [chunk("c3"), chunk("c4")], "p")
    with pytest.raises(Conflict):
        staging.take("w", "b1", {"documents": 1, "chunks": 2}, may_be_empty=False)


@pytest.mark.parametrize(("workspace", "batch_id"), [("", "b"), ("w", "")])
def test_begin_needs_workspace_and_batch(workspace: str, batch_id: str) -> None:
    with pytest.raises(InvalidInput):
        Staging[str](10).begin(workspace, batch_id)
