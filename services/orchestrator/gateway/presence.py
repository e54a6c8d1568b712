"""Is anybody still waiting for the answer? If not, the work behind it is cancelled."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from starlette.requests import ClientDisconnect, Request
from starlette.types import Receive

Result = TypeVar("Result")


async def until_gone(receive: Receive) -> None:
    """Returns when the client has left. The request's body must have been read."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def while_connected(request: Request, work: Callable[[], Awaitable[Result]]) -> Result:
    """What the work returns or raises; ClientDisconnect, with the work cancelled, if the client leaves."""
    failure: Exception | None = None

    async def outcome() -> Result | None:
        nonlocal failure
        try:
            return await work()
        except Exception as error:  # carried out of the group as it is, not as an ExceptionGroup
            failure = error
            return None

    async with asyncio.TaskGroup() as group:
        gone = group.create_task(until_gone(request.receive))
        working = group.create_task(outcome())
        await asyncio.wait({gone, working}, return_when=asyncio.FIRST_COMPLETED)
        left = not working.done()
        gone.cancel()
        working.cancel()
    if failure is not None:
        raise failure
    if left:
        raise ClientDisconnect
    return working.result()  # type: ignore[return-value]  # None only where there was a failure
