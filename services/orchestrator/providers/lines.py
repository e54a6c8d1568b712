"""How are the lines of a streamed body read? Cut at line feeds only, as JSON may hold any other separator."""

from collections.abc import AsyncIterator


async def lines_of(chunks: AsyncIterator[bytes]) -> AsyncIterator[str]:
    """Lines without their ends; bytes that are no UTF-8 become U+FFFD."""
    rest = b""
    async for chunk in chunks:
        *whole, rest = (rest + chunk).split(b"\n")
        for line in whole:
            yield line.removesuffix(b"\r").decode("utf-8", "replace")
    if rest:
        yield rest.removesuffix(b"\r").decode("utf-8", "replace")
