"""A small real HTTP server whose answers are given byte by byte."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field


@dataclass
class Reply:
    """A response: status, body in pieces that are sent one by one, how it ends.

    `breaks` closes the connection before the body is complete; `hangs` keeps it open and silent.
    """

    pieces: list[bytes]
    status: int = 200
    media_type: str = "application/x-ndjson"
    breaks: bool = False
    hangs: bool = False


@dataclass
class Server:
    """What was asked, and what is answered to each path; a list is used up until its last."""

    replies: Mapping[str, list[Reply]]
    url: str = ""
    asked: list[tuple[str, str, bytes]] = field(default_factory=list)
    left: asyncio.Event = field(default_factory=asyncio.Event)

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                await self._one(head.decode("latin-1"), reader, writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            return
        finally:
            writer.close()

    async def _one(self, head: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        method, path, _ = head.split("\r\n")[0].split(" ")
        length = next(
            (int(h.split(":")[1]) for h in head.lower().split("\r\n") if h.startswith("content-length")), 0
        )
        self.asked.append((method, path, await reader.readexactly(length)))
        queue = self.replies[path]
        reply = queue.pop(0) if len(queue) > 1 else queue[0]
        writer.write(
            f"HTTP/1.1 {reply.status} X\r\nContent-Type: {reply.media_type}\r\n"
            "Transfer-Encoding: chunked\r\n\r\n".encode()
        )
        for piece in reply.pieces:
            writer.write(b"%x\r\n%s\r\n" % (len(piece), piece))
            await writer.drain()
            await asyncio.sleep(0)
        if reply.hangs:
            await reader.read(1)  # b"" when the client goes away
            self.left.set()
            raise ConnectionResetError
        if reply.breaks:
            raise ConnectionResetError
        writer.write(b"0\r\n\r\n")
        await writer.drain()


@asynccontextmanager
async def serving(replies: Mapping[str, list[Reply]]) -> AsyncIterator[Server]:
    """The server on a free port of this machine."""
    server = Server(replies)
    listening = await asyncio.start_server(server.handle, "127.0.0.1", 0)
    server.url = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}"
    try:
        yield server
    finally:
        listening.close()
        await listening.wait_closed()
