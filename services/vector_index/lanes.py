"""Who computes first? Questions, on a lane of their own, ahead of the passages of an ingestion."""

import asyncio
import contextlib
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from shared.errors import Overloaded

Result = TypeVar("Result")

# A passage waits this long at most for questions to be done, so that a steady stream of them cannot stop
# an ingestion altogether.
PATIENCE_S = 2.0
NICENESS = 10


class Lanes:
    """Two lanes of threads. While a question is being read no new passage is begun; one that has begun ends.

    The threads of passages also yield the processor to everybody else, the other services included.
    Belongs to one event loop.
    """

    def __init__(self, threads: int, max_waiting_queries: int) -> None:
        self._query_pool = ThreadPoolExecutor(threads, "query")
        self._document_pool = ThreadPoolExecutor(threads, "document", initializer=_be_nice)
        self._document_slots = asyncio.Semaphore(threads)
        self._max_queries = threads + max_waiting_queries
        self._queries = 0
        self._no_query = asyncio.Event()
        self._no_query.set()

    async def query(self, work: Callable[[], Result]) -> Result:
        """Runs at once, or after earlier questions. Overloaded if too many wait."""
        if self._queries >= self._max_queries:
            raise Overloaded(f"{self._queries} questions wait for the embedder already: try again soon.")
        self._queries += 1
        self._no_query.clear()
        try:
            return await asyncio.get_running_loop().run_in_executor(self._query_pool, work)
        finally:
            self._queries -= 1
            if self._queries == 0:
                self._no_query.set()

    async def document(self, work: Callable[[], Result]) -> Result:
        """Runs when a thread is free and no question is being read."""
        async with self._document_slots:
            if not self._no_query.is_set():
                with contextlib.suppress(TimeoutError):  # then it is its turn, questions or not
                    await asyncio.wait_for(self._no_query.wait(), PATIENCE_S)
            return await asyncio.get_running_loop().run_in_executor(self._document_pool, work)

    def close(self) -> None:
        self._query_pool.shutdown(wait=True, cancel_futures=True)
        self._document_pool.shutdown(wait=True, cancel_futures=True)


def _be_nice() -> None:
    if hasattr(os, "setpriority"):  # on Linux it holds for the calling thread alone
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
