"""Does the index store serve what was published, and only that?"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from shared.errors import Conflict, InvalidInput, UnknownGeneration
from shared.index_segments import DocumentVersion
from shared.index_store import IndexStore, Publication, WorkspaceManifest
from tests.unit.shared.index_toys import (
    WORKSPACE,
    Numbers,
    numbers_at,
    open_numbers,
    publish,
    seen,
    stage,
    stage_in,
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[IndexStore[Numbers]]:
    opened = open_numbers(tmp_path)
    yield opened
    opened.close()


def test_snapshot_is_empty_for_unknown_workspace_at_generation_0(store: IndexStore[Numbers]) -> None:
    assert store.snapshot("nobody", 0).chunk_count == 0
    assert store.manifest("nobody") == [WorkspaceManifest("nobody", 0, (0,), ())]
    assert store.manifest() == []


def test_snapshot_refuses_every_generation_but_the_two_latest(store: IndexStore[Numbers]) -> None:
    for generation in (1, 2, 3):
        publish(store, generation, f"b{generation}", {f"doc{generation}": [generation]})
    assert numbers_at(store, 3) == [1, 2, 3]
    assert numbers_at(store, 2) == [1, 2]
    for absent in (0, 1, 4):
        with pytest.raises(UnknownGeneration):
            store.snapshot(WORKSPACE, absent)


def test_staged_chunks_are_unseen_until_published(store: IndexStore[Numbers]) -> None:
    publish(store, 1, "b1", {"a": [1, 2]})
    stage(store, "b2", "b", [3])
    store.delete(WORKSPACE, "b2", ["a"])
    assert numbers_at(store, 1) == [1, 2]
    with pytest.raises(UnknownGeneration):
        store.snapshot(WORKSPACE, 2)


def test_new_version_replaces_the_old_one_and_the_generation_before_keeps_it(
    store: IndexStore[Numbers],
) -> None:
    publish(store, 1, "b1", {"a": [1, 2], "b": [9]})
    publish(store, 2, "b2", {"a": [5]})
    assert numbers_at(store, 2) == [5, 9]
    assert numbers_at(store, 1) == [1, 2, 9]


def test_snapshot_in_hand_is_unchanged_by_later_publishing(store: IndexStore[Numbers]) -> None:
    publish(store, 1, "b1", {"a": [1, 2]})
    held = store.snapshot(WORKSPACE, 1)
    for generation in range(2, 14):
        publish(store, generation, f"b{generation}", {"a": [generation]})
    assert sorted(seen(held).values()) == [1, 2]


def test_publish_again_of_the_same_batch_changes_nothing(store: IndexStore[Numbers]) -> None:
    publish(store, 1, "b1", {"a": [1]})
    before = store.snapshot(WORKSPACE, 1)
    store.publish(Publication(WORKSPACE, 1, "b1", 1, 1))
    assert store.snapshot(WORKSPACE, 1) is before


def test_publish_of_another_batch_undoes_the_unflipped_generation(store: IndexStore[Numbers]) -> None:
    publish(store, 1, "b1", {"a": [1], "b": [2]})
    publish(store, 2, "lost", {"a": [100], "c": [101]}, deleted=["b"])
    publish(store, 2, "b2", {"d": [3]})
    assert numbers_at(store, 2) == [1, 2, 3]
    assert numbers_at(store, 1) == [1, 2]


def test_undo_of_the_first_generation_leaves_an_empty_base(store: IndexStore[Numbers]) -> None:
    publish(store, 1, "lost", {"a": [1]})
    publish(store, 1, "b1", {"b": [2]})
    assert numbers_at(store, 1) == [2]
    assert numbers_at(store, 0) == []


def test_publish_without_its_base_is_a_conflict_and_changes_nothing(store: IndexStore[Numbers]) -> None:
    publish(store, 1, "b1", {"a": [1]})
    for generation in (3, 7):
        with pytest.raises(Conflict, match="replace_all"):
            publish(store, generation, "gap", {"b": [2]})
    assert store.manifest(WORKSPACE)[0].served == (0, 1)
    publish(store, 2, "gap", {"b": [2]})
    assert numbers_at(store, 2) == [1, 2]


@pytest.mark.parametrize(("documents", "chunks"), [(2, 1), (1, 2), (0, 1), (1, 0)])
def test_publish_with_other_counts_is_a_conflict(
    store: IndexStore[Numbers], documents: int, chunks: int
) -> None:
    stage(store, "b1", "a", [1])
    with pytest.raises(Conflict, match="stage the whole batch again"):
        store.publish(Publication(WORKSPACE, 1, "b1", documents, chunks))
    assert store.manifest() == []


def test_publish_of_half_a_document_is_a_conflict(store: IndexStore[Numbers]) -> None:
    stage(store, "b1", "a", [1])
    store.upsert(WORKSPACE, "b1", DocumentVersion("b", 1, "d", 3), [], None)
    with pytest.raises(Conflict, match="0 of the 3 chunks"):
        store.publish(Publication(WORKSPACE, 1, "b1", 2, 1))


def test_publish_of_an_unknown_batch_is_a_conflict_even_if_it_claims_to_be_empty(
    store: IndexStore[Numbers],
) -> None:
    with pytest.raises(Conflict):
        store.publish(Publication(WORKSPACE, 1, "never", 0, 0))


def test_publish_of_a_batch_staged_before_a_restart_is_a_conflict(tmp_path: Path) -> None:
    store = open_numbers(tmp_path)
    stage(store, "b1", "a", [1])
    store.close()
    store = open_numbers(tmp_path)
    with pytest.raises(Conflict):
        store.publish(Publication(WORKSPACE, 1, "b1", 1, 1))
    store.close()


def test_publish_of_a_batch_that_lost_its_deletes_is_a_conflict(store: IndexStore[Numbers]) -> None:
    publish(store, 1, "b1", {"a": [1], "b": [2]})
    stage(store, "b2", "c", [3])  # the delete of "a" went to the process before a restart
    with pytest.raises(Conflict):
        store.publish(Publication(WORKSPACE, 2, "b2", 2, 1))
    assert numbers_at(store, 1) == [1, 2]


def test_empty_batch_may_be_published_after_an_empty_delete(store: IndexStore[Numbers]) -> None:
    publish(store, 1, "b1", {"a": [1]})
    store.delete(WORKSPACE, "b2", [])
    store.publish(Publication(WORKSPACE, 2, "b2", 0, 0))
    assert numbers_at(store, 2) == [1]


def test_replace_all_takes_any_base_and_serves_only_what_it_knows(store: IndexStore[Numbers]) -> None:
    publish(store, 1, "b1", {"a": [1]})
    publish(store, 9, "repair", {"b": [2]}, replace_all=True)
    assert store.manifest(WORKSPACE)[0].served == (9,)
    assert numbers_at(store, 9) == [2]
    publish(store, 3, "older", {"c": [3]}, replace_all=True)
    assert store.manifest(WORKSPACE)[0].served == (3,)
    publish(store, 4, "next", {"d": [4]})
    assert (numbers_at(store, 3), numbers_at(store, 4)) == ([3], [3, 4])


def test_replace_all_of_the_next_generation_keeps_the_one_before(store: IndexStore[Numbers]) -> None:
    publish(store, 1, "b1", {"a": [1], "b": [2]})
    publish(store, 2, "repair", {"a": [1]}, replace_all=True)
    assert (numbers_at(store, 1), numbers_at(store, 2)) == ([1, 2], [1])


def test_replace_all_of_the_latest_generation_replaces_it(store: IndexStore[Numbers]) -> None:
    publish(store, 5, "repair", {"a": [1]}, replace_all=True)
    publish(store, 5, "again", {"b": [2]}, replace_all=True)
    assert numbers_at(store, 5) == [2]
    with pytest.raises(Conflict):
        publish(store, 5, "no base to undo to", {"c": [3]})


def test_replace_all_with_nothing_empties_the_workspace(store: IndexStore[Numbers]) -> None:
    publish(store, 1, "b1", {"a": [1]})
    publish(store, 2, "none", {}, replace_all=True)
    assert numbers_at(store, 2) == []
    assert store.manifest(WORKSPACE)[0].documents == ()


def test_document_without_chunks_is_in_the_manifest(store: IndexStore[Numbers]) -> None:
    publish(store, 1, "b1", {"empty": [], "a": [1]})
    assert [d.document_id for d in store.manifest(WORKSPACE)[0].documents] == ["a", "empty"]


@pytest.mark.parametrize(("workspace", "generation", "batch_id"), [("", 1, "b"), ("w", 0, "b"), ("w", 1, "")])
def test_publish_needs_workspace_generation_and_batch(
    store: IndexStore[Numbers], workspace: str, generation: int, batch_id: str
) -> None:
    with pytest.raises(InvalidInput):
        store.publish(Publication(workspace, generation, batch_id, 0, 0, replace_all=True))


def test_workspaces_do_not_see_one_another(store: IndexStore[Numbers]) -> None:
    stage_in("one", store, "b", "a", [1])
    stage_in("two", store, "b", "a", [2])
    store.publish(Publication("one", 1, "b", 1, 1))
    store.publish(Publication("two", 1, "b", 1, 1))
    store.delete("two", "c", ["a"])
    store.publish(Publication("two", 2, "c", 1, 0))
    assert numbers_at(store, 1, "one") == [1]
    assert numbers_at(store, 2, "two") == []
    assert [m.workspace for m in store.manifest()] == ["one", "two"]


def test_restart_serves_the_same_generations_with_the_same_numbers(tmp_path: Path) -> None:
    store = open_numbers(tmp_path)
    numbers = [0.1, 1e-300, 3.0000000000000004]
    publish(store, 1, "b1", {"a": numbers})
    publish(store, 2, "b2", {"b": [7]}, deleted=["a"])
    before = {g: seen(store.snapshot(WORKSPACE, g)) for g in (1, 2)}
    manifest = store.manifest(WORKSPACE)
    store.close()
    store = open_numbers(tmp_path)
    assert {g: seen(store.snapshot(WORKSPACE, g)) for g in (1, 2)} == before
    assert store.manifest(WORKSPACE) == manifest
    store.publish(Publication(WORKSPACE, 2, "b2", 2, 1))  # idempotent across the restart
    publish(store, 2, "other", {"c": [8]})  # and so is the undo
    assert numbers_at(store, 2) == sorted([*numbers, 8])
    store.close()


def test_many_small_segments_are_merged_without_a_trace(tmp_path: Path) -> None:
    store = open_numbers(tmp_path)
    for generation in range(1, 41):
        publish(store, generation, f"b{generation}", {f"doc{generation}": [generation, generation + 0.5]})
        assert len(numbers_at(store, generation)) == 2 * generation
        assert len(numbers_at(store, generation - 1)) == 2 * (generation - 1)
    assert len(store.snapshot(WORKSPACE, 40).views) < 16
    before = [seen(store.snapshot(WORKSPACE, g)) for g in (39, 40)]
    store.close()
    store = open_numbers(tmp_path)
    assert [seen(store.snapshot(WORKSPACE, g)) for g in (39, 40)] == before
    store.close()


def test_nothing_of_a_deleted_document_stays_on_disk_after_the_generations_that_saw_it(
    tmp_path: Path,
) -> None:
    store = open_numbers(tmp_path)
    publish(store, 1, "b1", {"secret": [1], "kept": [2]})
    publish(store, 2, "b2", {}, deleted=["secret"])
    publish(store, 3, "b3", {"more": [3]})
    assert numbers_at(store, 3) == [2, 3]
    on_disk = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert b"secret" not in on_disk
    assert b"kept" in on_disk
    store.close()
