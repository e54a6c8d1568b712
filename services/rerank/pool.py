"""Who scores which pair when? A bounded queue over the cores; what nobody waits for any more is dropped."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from prometheus_client import Gauge

from shared.errors import Overloaded

Task = TypeVar("Task")
Result = TypeVar("Result")

WAITING = Gauge("sightline_rerank_waiting_pairs", "Pairs accepted and not yet scored")


class PairPool:
    """Single pairs side by side on threads of their own. Belongs to one event loop."""

    def __init__(self, threads: int, max_waiting: int) -> None:
        self._pool = ThreadPoolExecutor(threads, "pair")
        self._max_waiting = max_waiting
        self._waiting = 0

    async def map(
        self, work: Callable[[Task], Result], tasks: Sequence[Task], cost: Callable[[Task], int]
    ) -> list[Result]:
        """The results in the order of the tasks, begun by falling cost, so that no long one is last.

        Overloaded, and nothing begun, if they do not fit in the queue. When the caller is cancelled, or one
        task fails, those that have not begun never do.
        """
        if self._waiting + len(tasks) > self._max_waiting:
            raise Overloaded(
                f"{self._waiting} pairs wait for the reranker already and {len(tasks)} more do not fit: "
                "try again soon."
            )
        futures: dict[int, Future[Result]] = {}
        self._count(len(tasks))
        try:
            for position in sorted(range(len(tasks)), key=lambda i: -cost(tasks[i])):
                futures[position] = self._pool.submit(work, tasks[position])
            return list(await asyncio.gather(*(asyncio.wrap_future(futures[i]) for i in range(len(tasks)))))
        finally:
            for future in futures.values():
                future.cancel()
            self._count(-len(tasks))

    def close(self) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _count(self, more: int) -> None:
        self._waiting += more
        WAITING.set(self._waiting)
