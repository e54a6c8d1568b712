"""How is a publisher run in a test: over a store and two fake indexes, inside a block?"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from itertools import count
from typing import Any

from services.ingest.delivery import Delivery, Patience
from services.ingest.jobs import JobBoard
from services.ingest.publisher import Publisher, PublishOptions

WAIT_S = 10.0
TOKENIZER = "t" * 64


class Killed(BaseException):
    """Stands for a kill: nothing catches it, nothing is tidied."""


class Publishing:
    """A publisher over a store and two indexes, run inside a block."""

    def __init__(
        self, shelf: Any, indexes: list[Any], *, max_documents: int = 64, max_chunks: int = 512
    ) -> None:
        self.shelf = shelf
        self.board = JobBoard(shelf.reading)
        self.killed_at = ""
        ids = count(1)
        self.publisher = Publisher(
            shelf.store,
            shelf.reading,
            self.board,
            [
                Delivery(
                    index,
                    shelf.reading,
                    Patience(slice_chunks=3, base_s=0.001, max_s=0.01),
                    tokenizer_sha256=TOKENIZER if index.name == "vector-index" else None,
                )
                for index in indexes
            ],
            options=PublishOptions(max_documents, max_chunks, check_every_s=0.02, pause_s=0.01),
            new_id=lambda prefix: f"{prefix}_{next(ids)}_{id(self)}",
            checkpoint=self._checkpoint,
        )

    def _checkpoint(self, point: str) -> None:
        if point == self.killed_at:
            raise Killed

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        task = asyncio.create_task(self.publisher.run())
        try:
            yield
        finally:
            task.cancel()
            await asyncio.wait([task])

    async def parsed(self, name: str, words: list[str], workspace: str = "default") -> Any:
        accepted = await self.shelf.parsed(name, words, workspace)
        self.board.add(accepted.job)
        self.board.advance(accepted.job.job_id, "index")
        self.publisher.wake(workspace)
        return accepted

    async def final(self, accepted: Any) -> str:
        async with asyncio.timeout(WAIT_S):
            async for job in self.board.watch(accepted.job.workspace, accepted.job.job_id):
                state = job.state
        return str(state)


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(WAIT_S):
        while not condition():  # noqa: ASYNC110 - the condition is another object's state
            await asyncio.sleep(0.005)
