"""How do events reach a client while the work goes on, and how does the work end when the client leaves?"""

import asyncio
import json
import logging
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Any

from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from services.orchestrator.gateway.edge import FIELDS_KEY
from services.orchestrator.gateway.presence import until_gone
from services.orchestrator.gateway.problems import problem_response, problem_to_json, reason_of
from shared.errors import SightlineError

log = logging.getLogger("sightline.gateway")

HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]

Events = AsyncGenerator[tuple[str, Mapping[str, Any]], None]


def encode(number: int, kind: str, data: Mapping[str, Any]) -> bytes:
    """One event. ASCII, so that no reader can take a character of the data for the end of a line."""
    return f"event: {kind}\nid: {number}\ndata: {json.dumps(data)}\n\n".encode("ascii")


class EventStream(Response):
    """Events numbered from 1. An error before the first one is an ordinary problem document."""

    def __init__(self, events: Events, *, heartbeat_s: float) -> None:
        super().__init__()
        self._events = events
        self._heartbeat_s = heartbeat_s
        self._begun = False
        self._silent = True
        self._line = asyncio.Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Runs the events in one task, which is cancelled as soon as the client has left.

        Raises ClientDisconnect if that was before anything could be said.
        """
        async with asyncio.TaskGroup() as group:
            gone = group.create_task(until_gone(receive))
            beating = group.create_task(self._beat(send))
            writing = group.create_task(self._write(scope, receive, send))
            await asyncio.wait({gone, writing}, return_when=asyncio.FIRST_COMPLETED)
            left = not writing.done()
            if left:
                scope.setdefault(FIELDS_KEY, {})["client_left"] = True
            for task in (gone, beating, writing):
                task.cancel()
        if left and not self._begun:
            raise ClientDisconnect

    async def _write(self, scope: Scope, receive: Receive, send: Send) -> None:
        number = 0
        try:
            async with aclosing(self._events) as events:
                async for kind, data in events:
                    number += 1
                    await self._say(send, encode(number, kind, data))
        except Exception as error:  # the edge: what is left of the stream is this event
            if not isinstance(error, SightlineError):
                log.error("unexpected error in a stream", exc_info=error)
            reason = reason_of(error)
            if not self._begun:
                self._begun = True
                await problem_response(reason)(scope, receive, send)
                return
            await self._say(send, encode(number + 1, "error", problem_to_json(reason)))
        await self._say(send, b"", more=False)

    async def _beat(self, send: Send) -> None:
        while True:
            await asyncio.sleep(self._heartbeat_s)
            if self._silent:
                await self._say(send, b": still here\n\n")
            self._silent = True

    async def _say(self, send: Send, body: bytes, *, more: bool = True) -> None:
        async with self._line:
            self._silent = False
            if not self._begun:
                self._begun = True
                await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
            await send({"type": "http.response.body", "body": body, "more_body": more})
