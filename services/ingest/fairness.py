"""Who is next when many wait? The oldest, but a share of every turn goes to the newest."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

Item = TypeVar("Item")

# One in four: a single upload behind a queue of thousands is taken up soon, and the queue hardly slows down.
NEWEST_SHARE = 4


@dataclass(frozen=True, slots=True)
class Waiting:
    """A parsed document that could go into a batch; `position` is its place in the queue."""

    position: int
    chunks: int


def choose(waiting: Sequence[Waiting], max_documents: int, max_chunks: int) -> list[int]:
    """The positions that go into the next batch, oldest first; never empty if anything waits.

    The first is always taken, however large: only what joins it has to fit.
    """
    chosen: list[int] = []
    chunks = 0
    line = FairQueue(waiting)
    while len(chosen) < max_documents and (item := line.pop()) is not None:
        if chosen and chunks + item.chunks > max_chunks:
            continue
        chosen.append(item.position)
        chunks += item.chunks
    return sorted(chosen)


class FairQueue(Generic[Item]):
    """A queue from which every fourth item is taken at the end that arrived last."""

    def __init__(self, items: Sequence[Item] = ()) -> None:
        self._items = deque(items)
        self._turn = 0

    def __len__(self) -> int:
        return len(self._items)

    def push(self, item: Item) -> None:
        self._items.append(item)

    def pop(self) -> Item | None:
        """The next item, or None when nothing waits."""
        if not self._items:
            return None
        self._turn += 1
        return self._items.pop() if self._turn % NEWEST_SHARE == 0 else self._items.popleft()
