"""How is a document fetched from a URL without becoming a door into the private network?"""

import asyncio
import hashlib
import ipaddress
import re
import socket
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import IO
from urllib.parse import unquote

import httpx

from services.orchestrator.gateway.addresses import Address, Network, is_allowed, is_disguised
from shared.errors import InvalidInput, TooLarge

Resolver = Callable[[str, int], Awaitable[Sequence[str]]]

REDIRECTS = (301, 302, 303, 307, 308)
MAX_PORT = 65535
SPOOL_BYTES = 1024 * 1024
EXTENSIONS = {
    "text/html": ".html",
    "application/xhtml+xml": ".html",
    "application/pdf": ".pdf",
    "text/plain": ".txt",
    "text/markdown": ".md",
    "text/csv": ".csv",
    "text/tab-separated-values": ".tsv",
    "text/x-rst": ".rst",
    "message/rfc822": ".eml",
    "application/epub+zip": ".epub",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": ".docx",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation": ".pptx",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": ".xlsx",
}
KNOWN_ENDINGS = (*dict.fromkeys(EXTENSIONS.values()), ".htm", ".markdown", ".rest")


@dataclass(frozen=True, slots=True)
class FetchLimits:
    """What a fetch may take, and which networks it may reach although they are not public."""

    max_bytes: int
    timeout_s: float = 30.0
    max_redirects: int = 5
    allowed_networks: tuple[Network, ...] = ()


@dataclass(frozen=True, slots=True)
class Fetched:
    """A fetched file, rewound, which the caller closes."""

    name: str
    media_type: str
    size: int
    file: IO[bytes]


async def resolve(host: str, port: int) -> list[str]:
    """Every address of a host, as the system resolves it. OSError if there is none."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(entry[4][0]) for entry in found]


class Fetcher:
    """Fetches over http and https, from addresses that were checked before the connection is made."""

    def __init__(
        self,
        limits: FetchLimits,
        *,
        resolver: Resolver = resolve,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._limits = limits
        self._resolver = resolver
        self._transport = transport

    async def fetch(self, url: str) -> Fetched:
        """The file behind a URL. InvalidInput for whatever is refused or fails, TooLarge over the limit."""
        try:
            async with asyncio.timeout(self._limits.timeout_s):
                return await self._follow(_parsed(url))
        except TimeoutError as error:
            limit = f"{self._limits.timeout_s:g} s"
            raise InvalidInput(f"url: was not read to its end within {limit}; upload the file") from error
        except httpx.HTTPError as error:
            raise InvalidInput(
                f"url: cannot be fetched ({type(error).__name__}); check the address"
            ) from error

    async def _follow(self, url: httpx.URL) -> Fetched:
        # The environment's proxies would connect for us, to addresses that nobody has checked.
        async with httpx.AsyncClient(transport=self._transport, trust_env=False) as client:
            for _ in range(self._limits.max_redirects + 1):
                address = await self._checked(url)
                async with _Pinned(client, url, address) as response:
                    if response.status_code not in REDIRECTS or "location" not in response.headers:
                        return await self._received(url, response)
                    url = _parsed(response.headers["location"], base=url)
        most = self._limits.max_redirects
        raise InvalidInput(f"url: redirects more than {most} times; give its final address")

    async def _checked(self, url: httpx.URL) -> Address:
        """An address of the host, after every one of them has been found allowed."""
        host = url.raw_host.decode("ascii")
        if is_disguised(host):
            raise InvalidInput(f"url: {host} is not an ordinary way to write an address; use a name")
        try:
            port = url.port or (443 if url.scheme == "https" else 80)
            found = [ipaddress.ip_address(text) for text in await self._resolver(host, port)]
        except (OSError, UnicodeError) as error:
            raise InvalidInput(f"url: the host {host} cannot be found; check its spelling") from error
        if not found:
            raise InvalidInput(f"url: the host {host} has no address; check its spelling")
        if not all(is_allowed(address, self._limits.allowed_networks) for address in found):
            raise InvalidInput(f"url: {host} is not a public address; download the file and upload it")
        return found[0]

    async def _received(self, url: httpx.URL, response: httpx.Response) -> Fetched:
        if not response.is_success:
            raise InvalidInput(f"url: the server answered {response.status_code}; check the address")
        media_type = response.headers.get("content-type", "").split(";")[0].strip().lower()
        file = tempfile.SpooledTemporaryFile(max_size=SPOOL_BYTES)  # noqa: SIM115 - the caller closes it
        try:
            size = 0
            async for piece in response.aiter_bytes():
                size += len(piece)
                if size > self._limits.max_bytes:
                    limit = f"{self._limits.max_bytes:,} bytes (setting max_upload_bytes)"
                    raise TooLarge(f"url: the file is larger than {limit}")
                file.write(piece)
            file.seek(0)
        except BaseException:
            file.close()
            raise
        return Fetched(name_of(url, media_type), media_type, size, file)


class _Pinned:
    """A streamed GET to the very address that was checked, under the name that was asked for."""

    def __init__(self, client: httpx.AsyncClient, url: httpx.URL, address: Address) -> None:
        self._client = client
        host = f"[{address}]" if address.version == 6 else str(address)
        headers = {
            "Host": url.netloc.decode("ascii"),
            "Accept": "text/html, application/pdf, text/*, */*;q=0.5",
            "User-Agent": "Sightline/0.1 (document fetcher)",
        }
        self._request = client.build_request(
            "GET",
            url.copy_with(host=host, fragment=None),
            headers=headers,
            extensions={"sni_hostname": url.raw_host.decode("ascii")},
        )

    async def __aenter__(self) -> httpx.Response:
        self._response = await self._client.send(self._request, stream=True, follow_redirects=False)
        return self._response

    async def __aexit__(self, *exc_info: object) -> None:
        await self._response.aclose()


def _parsed(text: str, base: httpx.URL | None = None) -> httpx.URL:
    try:
        url = httpx.URL(text.strip()) if base is None else base.join(text.strip())
        host = url.host  # decoded only here, so that a malformed `xn--` name fails here
    except (httpx.InvalidURL, ValueError) as error:
        raise InvalidInput(f"url: is not a URL ({error}); give one that begins with https://") from error
    if url.scheme not in ("http", "https"):
        raise InvalidInput("url: only http and https are fetched; give a URL that begins with https://")
    if not host:
        raise InvalidInput("url: names no host; give one such as https://example.org/page.html")
    if url.userinfo:
        raise InvalidInput("url: carries a user name or password; remove it, or download and upload the file")
    if url.port is not None and not 0 < url.port <= MAX_PORT:
        raise InvalidInput(f"url: no port is {url.port}; ports are 1 to {MAX_PORT}")
    return url


def name_of(url: httpx.URL, media_type: str) -> str:
    """A file name of host and path, so that two sites' index pages are two documents.

    A query becomes a short digest; the ending is the media type's, or else the path's if it is known.
    """
    path = unquote(url.path).strip("/")
    stem = re.sub(r"([^\w.-]|\.\.+|-)+", "-", f"{url.host}-{path}" if path else url.host).strip("-.")[:150]
    ending = next((e for e in KNOWN_ENDINGS if stem.lower().endswith(e) and path), "")
    stem = stem[: len(stem) - len(ending)]
    if url.query:
        stem += "-" + hashlib.sha256(url.query).hexdigest()[:8]
    told = EXTENSIONS.get(media_type)
    # Servers call any text plain, Markdown and CSV included; the path knows better.
    return stem + ((ending or told if media_type == "text/plain" else told or ending) or ".html")


async def pieces_of(file: IO[bytes], piece_bytes: int = SPOOL_BYTES) -> AsyncIterator[bytes]:
    """The file from its beginning, in pieces, read off the event loop."""
    await asyncio.to_thread(file.seek, 0)
    while piece := await asyncio.to_thread(file.read, piece_bytes):
        yield piece
