"""How is a server-sent event stream read?"""

import json
from collections.abc import Iterable, Iterator

from client.replies import Event


def lines_of(pieces: Iterable[bytes]) -> Iterator[str]:
    """Lines that end at a line feed and nowhere else: the data may hold every other kind of line end."""
    rest = b""
    for piece in pieces:
        *whole, rest = (rest + piece).split(b"\n")
        for line in whole:
            yield line.removesuffix(b"\r").decode()


def events_of(pieces: Iterable[bytes]) -> Iterator[Event]:
    """The events of a body; comments are left out, and so is an event that the end cuts off."""
    kind, data = "", []
    for line in lines_of(pieces):
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "event":
            kind = value
        elif name == "data":
            data.append(value)
        elif not line:
            if data:
                yield Event(kind or "message", json.loads("\n".join(data)))
            kind, data = "", []
