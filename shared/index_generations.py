"""How does a workspace get from one generation to the next? Pure transitions between immutable states."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Generic

import numpy as np

from shared.index_segments import DocumentEntry, Payload, Segment, rows_of_entries

# A tier holds segments of like size; this many of them become one of the next tier.
TIER_FACTOR = 8
# Segments are not merged beyond this, so that rewriting one stays a matter of a second.
MAX_MERGED_ROWS = 16_384


@dataclass(frozen=True, slots=True, eq=False)
class Workspace(Generic[Payload]):
    """A workspace's documents and segments; generations `oldest` to `latest` (one or two) are served.

    A workspace that nobody wrote to is at generation 0 and empty.
    """

    name: str
    latest: int = 0
    oldest: int = 0
    batch_id: str = ""  # of the batch that made `latest`
    entries: Mapping[int, DocumentEntry] = field(default_factory=dict)  # by entry id
    segments: tuple[Segment[Payload], ...] = ()

    @property
    def served(self) -> tuple[int, ...]:
        return tuple(range(self.oldest, self.latest + 1))

    def documents(self) -> list[DocumentEntry]:
        """What the latest generation sees, by document id."""
        seen = (e for e in self.entries.values() if e.visible_at(self.latest))
        return sorted(seen, key=lambda e: e.document.document_id)


def undone(state: Workspace[Payload]) -> Workspace[Payload]:
    """The state one generation back, as if `latest` had never been. ValueError if that one is not held."""
    if state.oldest == state.latest:
        raise ValueError(f"generation {state.latest - 1} of workspace {state.name} is not held")
    entries = {
        e.entry_id: replace(e, until=None) if e.until == state.latest else e
        for e in state.entries.values()
        if e.since != state.latest
    }
    held = tuple(s for s in state.segments if any(e in entries for e in s.entry_ids))
    return Workspace(state.name, state.oldest, state.oldest, "", entries, held)


@dataclass(frozen=True, slots=True, eq=False)
class Change(Generic[Payload]):
    """What a batch does: documents that leave (or all of them), entries and a segment that come."""

    batch_id: str
    removed: Collection[str] = ()
    replace_all: bool = False
    added: Sequence[DocumentEntry] = ()
    segment: Segment[Payload] | None = None


def published(state: Workspace[Payload], generation: int, change: Change[Payload]) -> Workspace[Payload]:
    """The state with `generation` as its latest; the one before stays served if the state holds it.

    ValueError if the base generation is not the state's latest and the batch is not the whole workspace.
    """
    follows = generation == state.latest + 1
    if not follows and not change.replace_all:
        raise ValueError(f"generation {generation} does not follow {state.latest}")
    entries: dict[int, DocumentEntry] = {}
    if follows:
        for e in state.entries.values():
            leaves = e.until is None and (change.replace_all or e.document.document_id in change.removed)
            entries[e.entry_id] = replace(e, until=generation) if leaves else e
    entries.update((e.entry_id, e) for e in change.added)
    kept = state.segments if follows else ()
    added = () if change.segment is None else (change.segment,)
    return Workspace(
        state.name,
        generation,
        state.latest if follows else generation,
        change.batch_id,
        entries,
        (*kept, *added),
    )


def purged(state: Workspace[Payload]) -> Workspace[Payload]:
    """The state without the entries that no served generation sees; their rows stay behind in segments."""
    gone = {e.entry_id for e in state.entries.values() if e.until is not None and e.until <= state.oldest}
    if not gone:
        return state
    entries = {entry_id: e for entry_id, e in state.entries.items() if entry_id not in gone}
    held = tuple(s for s in state.segments if any(e in entries for e in s.entry_ids))
    return replace(state, entries=entries, segments=held)


def rewrites(state: Workspace[Payload]) -> list[list[Segment[Payload]]]:
    """Groups of segments that should each become one segment of the rows that have an entry.

    A segment with rows of purged documents is rewritten, so that nothing of them stays on disk;
    segments of one tier are put together when there are TIER_FACTOR of them.
    """
    tiers: dict[int, list[Segment[Payload]]] = {}
    for segment in state.segments:
        tiers.setdefault(_tier(len(segment.rows)), []).append(segment)
    groups: list[list[Segment[Payload]]] = []
    for _, tier in sorted(tiers.items()):
        tier.sort(key=lambda segment: len(segment.rows))  # a few large ones may not keep all others apart
        while len(tier) >= TIER_FACTOR:
            group, tier = tier[:TIER_FACTOR], tier[TIER_FACTOR:]
            if sum(len(s.rows) for s in group) > MAX_MERGED_ROWS:
                tier = group + tier
                break
            groups.append(group)
        groups.extend([s] for s in tier if any(e not in state.entries for e in s.entry_ids))
    return groups


def rewritten(
    state: Workspace[Payload], group: Collection[Segment[Payload]], merged: Segment[Payload]
) -> Workspace[Payload]:
    """The state with one segment in the place of several."""
    return replace(state, segments=(*(s for s in state.segments if s not in group), merged))


def rows_to_keep(
    state: Workspace[Payload], segment: Segment[Payload]
) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """int64[n]: the segment's rows whose document has an entry."""
    return rows_of_entries(segment, (e for e in segment.entry_ids if e in state.entries))


def _tier(rows: int) -> int:
    tier = 0
    while rows >= TIER_FACTOR:
        rows //= TIER_FACTOR
        tier += 1
    return tier
