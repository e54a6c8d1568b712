"""When is the stack up? When each service says SERVING and the gateway can answer a search."""

import asyncio
from collections.abc import Sequence

import httpx

from services.local.child import Child
from shared.probe import is_serving

CRASHES_BEFORE_GIVING_UP = 3
PROBE_DEADLINE_S = 1.0
PAUSE_S = 0.2


class StartFailed(Exception):
    """The stack did not come up; the message says which service and why."""


async def wait_until_ready(children: Sequence[Child], url: str, deadline_s: float) -> None:
    """Return when all children can serve; StartFailed when one keeps crashing or the time is over."""
    try:
        async with asyncio.timeout(deadline_s), asyncio.TaskGroup() as group:
            for child in children:
                group.create_task(_wait_for(child, url))
    except TimeoutError:
        logs = children[0].log.path.parent
        raise StartFailed(f"The services were not ready within {deadline_s:g} s: see {logs}.") from None
    except ExceptionGroup as failures:
        raise failures.exceptions[0] from None


async def _wait_for(child: Child, url: str) -> None:
    while not await _is_ready(child, url):
        if child.restarts >= CRASHES_BEFORE_GIVING_UP:
            reason = f"{child.log.last_line()} (log: {child.log.path})"
            raise StartFailed(f"{child.plan.name} does not start: {reason}")
        await asyncio.sleep(PAUSE_S)


async def _is_ready(child: Child, url: str) -> bool:
    if child.pid is None:
        return False
    if child.plan.address:
        return await asyncio.to_thread(is_serving, child.plan.address, PROBE_DEADLINE_S)
    try:
        async with httpx.AsyncClient(timeout=PROBE_DEADLINE_S) as http:
            return (await http.get(f"{url}/readyz")).status_code == httpx.codes.OK
    except httpx.HTTPError:
        return False
