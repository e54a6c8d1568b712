"""What does a client hear while its question is answered?"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Event:
    """One step of an answer as it is streamed: trace, plan, stage, context, token, answer, done."""

    kind: str
    data: dict[str, Any]


Emit = Callable[[Event], Awaitable[None]]


async def unheard(event: Event) -> None:
    """Nobody listens to the steps of a plain search."""
