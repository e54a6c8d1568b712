"""How many requests of a kind are worked on at once, and what of those that come on top?"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from services.orchestrator.gateway.metrics import PLACES
from shared.errors import Overloaded


class Admission:
    """`limit` places and `waiting` seats before them; whoever finds no seat is turned away at once."""

    def __init__(self, kind: str, *, limit: int, waiting: int) -> None:
        self._kind = kind
        self._limit = limit
        self._seats = limit + waiting
        self._taken = 0
        self._places = asyncio.Semaphore(limit)

    @asynccontextmanager
    async def place(self) -> AsyncIterator[None]:
        """A place, for as long as the block runs. Raises Overloaded when even the seats are taken."""
        if self._taken >= self._seats:
            raise Overloaded(f"too many {self._kind} at once; try again in a moment")
        self._taken += 1
        PLACES.labels(self._kind).set(self._taken)
        try:
            async with self._places:
                yield
        finally:
            self._taken -= 1
            PLACES.labels(self._kind).set(self._taken)
