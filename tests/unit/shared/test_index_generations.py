"""Are the transitions between generations what a list of plain facts says they are?"""

import numpy as np
import pytest

from shared.index_generations import (
    MAX_MERGED_ROWS,
    TIER_FACTOR,
    Change,
    Workspace,
    published,
    purged,
    rewrites,
    rows_to_keep,
    undone,
)
from shared.index_segments import ChunkRow, DocumentEntry, DocumentVersion, Segment, segment_of


def entry(entry_id: int, since: int, until: int | None = None) -> DocumentEntry:
    return DocumentEntry(entry_id, DocumentVersion(f"doc{entry_id}", 1, "d", 1), since, until)


def segment(segment_id: int, *entry_ids: int) -> Segment[None]:
    return segment_of(segment_id, None, (ChunkRow(f"c{segment_id}.{e}", e, 0, 1) for e in entry_ids))


def of_rows(segment_id: int, entry_id: int, rows: int) -> Segment[None]:
    return segment_of(segment_id, None, (ChunkRow(f"c{segment_id}.{n}", entry_id, 0, 1) for n in range(rows)))


def workspace(
    latest: int,
    oldest: int,
    batch_id: str,
    entries: dict[int, DocumentEntry],
    segments: tuple[Segment[None], ...],
) -> Workspace[None]:
    return Workspace("w", latest, oldest, batch_id, entries, segments)


@pytest.mark.parametrize(
    ("generation", "visible"), [(1, False), (2, True), (3, True), (4, False), (5, False)]
)
def test_entry_is_visible_from_since_up_to_but_not_until(generation: int, visible: bool) -> None:
    assert entry(1, since=2, until=4).visible_at(generation) is visible


def test_undone_restores_what_the_generation_had_removed() -> None:
    state = workspace(1, 0, "b1", {1: entry(1, 1), 2: entry(2, 1)}, (segment(10, 1, 2),))
    change = Change("b2", {"doc1"}, added=[entry(3, 2)], segment=segment(11, 3))
    after = published(state, 2, change)
    assert after.entries[1].until == 2
    back = undone(after)
    assert (back.entries, back.segments) == (state.entries, state.segments)
    assert back.served == (1,)
    with pytest.raises(ValueError, match="not held"):
        undone(back)


def test_published_refuses_a_gap_unless_the_batch_is_everything() -> None:
    state = workspace(1, 0, "b1", {1: entry(1, 1)}, (segment(10, 1),))
    with pytest.raises(ValueError, match="does not follow"):
        published(state, 3, Change("b"))
    after = published(state, 3, Change("b", replace_all=True))
    assert (after.served, after.entries, after.segments) == ((3,), {}, ())


def test_purged_drops_entries_that_no_served_generation_sees_and_nothing_else() -> None:
    entries = {1: entry(1, 1, until=4), 2: entry(2, 1, until=5), 3: entry(3, 1), 4: entry(4, 2, until=3)}
    state = workspace(5, 4, "b", entries, (segment(10, 1, 2), segment(11, 4), segment(12, 3)))
    after = purged(state)
    assert set(after.entries) == {2, 3}
    assert [s.segment_id for s in after.segments] == [10, 12]
    assert purged(after) is after


def test_rewrites_picks_segments_with_rows_of_purged_documents() -> None:
    state = workspace(5, 4, "b", {2: entry(2, 1)}, (segment(10, 1, 2), segment(11, 2)))
    assert [[s.segment_id for s in group] for group in rewrites(state)] == [[10]]
    assert rows_to_keep(state, state.segments[0]).tolist() == [1]


def test_rewrites_puts_a_full_tier_together() -> None:
    segments = tuple(segment(n, 1) for n in range(TIER_FACTOR + 1))
    state = workspace(5, 4, "b", {1: entry(1, 1)}, segments)
    assert rewrites(state) == [list(segments[:TIER_FACTOR])]
    one_less = workspace(5, 4, "b", {1: entry(1, 1)}, segments[: TIER_FACTOR - 1])
    assert rewrites(one_less) == []


def test_rewrites_leaves_large_segments_apart() -> None:
    large = tuple(of_rows(n, 1, MAX_MERGED_ROWS // TIER_FACTOR + 1) for n in range(TIER_FACTOR))
    assert rewrites(workspace(5, 4, "b", {1: entry(1, 1)}, large)) == []


def test_rewrites_puts_small_ones_of_a_tier_together_behind_large_ones() -> None:
    large = tuple(of_rows(n, 1, 4_000) for n in range(TIER_FACTOR))
    small = tuple(of_rows(100 + n, 1, 600) for n in range(TIER_FACTOR))
    state = workspace(5, 4, "b", {1: entry(1, 1)}, (*large, *small))
    assert rewrites(state) == [list(small)]


def test_segment_of_counts_each_entry_once() -> None:
    made = segment(10, 7, 8, 7)
    assert made.entry_ids == (7, 8)
    assert np.array_equal(made.row_entries, [0, 1, 0])
