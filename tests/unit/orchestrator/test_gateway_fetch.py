"""Can the gateway be made to fetch from where it must not?"""

import asyncio
import gzip
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

import httpx
import pytest

from services.orchestrator.gateway.fetch import Fetched, Fetcher, FetchLimits, name_of, resolve
from services.orchestrator.gateway.settings import networks_of
from shared.errors import InvalidInput, TooLarge
from tests.unit.orchestrator.gateway_fakes import gateway

PUBLIC = "93.184.216.34"


class Names:
    """A resolver with fixed answers; each answer of a list is given once, the last one for ever."""

    def __init__(self, **answers: Sequence[Sequence[str]]) -> None:
        self.answers = {host.replace("_", "."): list(given) for host, given in answers.items()}
        self.asked: list[str] = []

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        self.asked.append(host)
        given = self.answers.get(host)
        if given is None:
            raise OSError("unknown")
        return given.pop(0) if len(given) > 1 else given[0]


def fetcher(
    names: Names, answer: Callable[[httpx.Request], httpx.Response], limits: FetchLimits | None = None
) -> Fetcher:
    chosen = limits or FetchLimits(max_bytes=1000)
    return Fetcher(chosen, resolver=names, transport=httpx.MockTransport(answer))


def page(request: httpx.Request) -> httpx.Response:
    return httpx.Response(200, headers={"Content-Type": "text/html; charset=utf-8"}, content=b"<p>hello</p>")


def never(request: httpx.Request) -> httpx.Response:
    raise AssertionError(f"connected to {request.url}")


def body_of(fetched: Fetched) -> bytes:
    with fetched.file as file:
        return file.read()


@pytest.mark.parametrize(
    "address", ["127.0.0.1", "10.1.2.3", "169.254.169.254", "::ffff:10.0.0.1", "fd00::1"]
)
async def test_address_that_is_not_public_is_refused_before_any_connection(address: str) -> None:
    with pytest.raises(InvalidInput, match="not a public address"):
        await fetcher(Names(inside_test=[[address]]), never).fetch("http://inside.test/")


@pytest.mark.parametrize(
    "url",
    [
        "http://2130706433/",
        "http://0x7f.1/",
        "http://0177.0.0.1/",
        "http://127.1/",
        "http://[::1]:6379/",
        "http://[::ffff:127.0.0.1]/",
        "http://127.0.0.1:6379/",
        "http://localhost:6379/",
        "http://169.254.169.254/latest/meta-data/",
        "http://[fe80::1%25eth0]/",
        "http://0/",
        "file:///etc/passwd",
        "ftp://example.org/a.txt",
        "gopher://example.org/",
        "//example.org/",
        "example.org",
        "http://",
        "http:///path",
        "https://user:secret@example.org/",
        "",
        "http://exa mple.org/",
        "http://[::1/",
        "http://example.org:99999/",
        "http://\ud7ff/",
        "http://xn--a/",
        f"http://xn--{'a' * 300}/",
        "http://93.184.216.34:65536/",
        "http://93.184.216.34:0/",
        f"http://93.184.216.34:{'9' * 30}/",
    ],
)
async def test_url_is_refused_by_the_real_resolver_without_a_connection(url: str) -> None:
    refusing = Fetcher(FetchLimits(max_bytes=10), resolver=resolve, transport=httpx.MockTransport(never))
    with pytest.raises(InvalidInput, match=r"^url: "):
        await refusing.fetch(url)


async def test_host_with_one_private_address_among_public_ones_is_refused() -> None:
    names = Names(both_test=[[PUBLIC, "10.0.0.1"]])
    with pytest.raises(InvalidInput):
        await fetcher(names, never).fetch("http://both.test/")


async def test_connection_goes_to_the_address_that_was_checked_under_the_name_that_was_asked_for() -> None:
    seen: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return page(request)

    # The second answer is what a rebinding name server would give.
    names = Names(rebinding_test=[[PUBLIC], ["127.0.0.1"]])
    fetched = await fetcher(names, answer).fetch("https://rebinding.test:8443/a?b=c#d")
    assert body_of(fetched) == b"<p>hello</p>"
    assert names.asked == ["rebinding.test"]
    assert str(seen[0].url) == f"https://{PUBLIC}:8443/a?b=c"
    assert seen[0].headers["host"] == "rebinding.test:8443"
    assert seen[0].extensions["sni_hostname"] == "rebinding.test"


@pytest.mark.parametrize(
    "target",
    ["http://inside.test/", "http://127.0.0.1/", "file:///etc/passwd", "http://0x7f.1/", "//inside.test/"],
)
async def test_redirect_to_a_refused_target_is_refused(target: str) -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        assert request.headers["host"] == "outside.test"
        return httpx.Response(302, headers={"Location": target})

    names = Names(outside_test=[[PUBLIC]], inside_test=[["10.0.0.1"]])
    names.answers["127.0.0.1"] = [["127.0.0.1"]]
    with pytest.raises(InvalidInput):
        await fetcher(names, answer).fetch("http://outside.test/")


async def test_redirects_are_followed_to_the_name_of_the_last() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/":
            return httpx.Response(301, headers={"Location": "/guide/start"})
        return page(request)

    fetched = await fetcher(Names(outside_test=[[PUBLIC]]), answer).fetch("http://outside.test/")
    assert (fetched.name, fetched.media_type) == ("outside.test-guide-start.html", "text/html")
    assert body_of(fetched) == b"<p>hello</p>"


async def test_redirects_without_end_are_refused() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        return httpx.Response(302, headers={"Location": "/again"})

    names = Names(outside_test=[[PUBLIC]])
    with pytest.raises(InvalidInput, match="redirects more than 5 times"):
        await fetcher(names, answer).fetch("http://outside.test/")
    assert len(names.asked) == 6


async def test_file_over_the_limit_is_too_large_however_it_is_packed() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        packed = gzip.compress(bytes(100_000))
        assert len(packed) < 1000
        return httpx.Response(200, headers={"Content-Encoding": "gzip"}, content=packed)

    with pytest.raises(TooLarge, match="max_upload_bytes"):
        await fetcher(Names(outside_test=[[PUBLIC]]), answer).fetch("http://outside.test/")


async def test_server_that_never_ends_is_given_up() -> None:
    async def drip() -> AsyncIterator[bytes]:
        while True:
            yield b"x"
            await asyncio.sleep(0.01)

    def answer(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, content=drip())

    limits = FetchLimits(max_bytes=10**9, timeout_s=0.2)
    with pytest.raises(InvalidInput, match=r"0\.2 s"):
        await fetcher(Names(outside_test=[[PUBLIC]]), answer, limits).fetch("http://outside.test/")


@pytest.mark.parametrize("status", [204 + 200, 500, 304])
async def test_answer_that_is_no_success_is_refused_with_its_status(status: int) -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        return httpx.Response(status)

    with pytest.raises(InvalidInput, match=str(status)):
        await fetcher(Names(outside_test=[[PUBLIC]]), answer).fetch("http://outside.test/")


async def test_host_that_cannot_be_reached_is_refused_without_details_of_the_network() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("[Errno 111] Connection refused")

    with pytest.raises(InvalidInput, match="cannot be fetched") as raised:
        await fetcher(Names(outside_test=[[PUBLIC]]), answer).fetch("http://outside.test/")
    assert "111" not in str(raised.value)


@pytest.mark.parametrize(
    ("url", "media_type", "name"),
    [
        ("https://example.org/", "text/html", "example.org.html"),
        ("https://example.org", "", "example.org.html"),
        ("https://example.org/index.html", "text/html", "example.org-index.html"),
        ("https://example.net/index.html", "text/html", "example.net-index.html"),
        ("https://example.org/a/b.pdf", "application/pdf", "example.org-a-b.pdf"),
        ("https://example.org/README.md", "text/plain", "example.org-README.md"),
        ("https://example.org/notes", "text/plain", "example.org-notes.txt"),
        ("https://example.org/report", "application/pdf", "example.org-report.pdf"),
        ("https://example.org/../../etc/passwd", "text/plain", "example.org-etc-passwd.txt"),
        ("https://example.org/%2e%2e%2fx%0d%0a.txt", "text/plain", "example.org-x-.txt"),
        ("https://example.org/größe.csv", "text/csv", "example.org-größe.csv"),
    ],
)
def test_fetched_file_is_named_by_host_and_path(url: str, media_type: str, name: str) -> None:
    assert name_of(httpx.URL(url), media_type) == name


def test_pages_that_differ_in_their_query_have_two_names() -> None:
    one, two = (name_of(httpx.URL(f"https://example.org/p?id={n}"), "text/html") for n in (1, 2))
    assert one != two
    assert one.endswith(".html")


@asynccontextmanager
async def local_server() -> AsyncIterator[int]:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        body = "# Übersicht".encode()
        head = f"HTTP/1.1 200 OK\r\nContent-Type: text/markdown\r\nContent-Length: {len(body)}\r\n\r\n"
        writer.write(head.encode() + body)
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1]


async def test_allowed_network_is_fetched_from_over_a_real_connection() -> None:
    stand = gateway(fetch_allowed_networks="127.0.0.0/8, ::1/128")
    async with local_server() as port, stand.client() as client:
        url = f"http://127.0.0.1:{port}/guide.md"
        response = await client.post("/v1/documents", json={"url": url})
    assert response.status_code == 202, response.text
    assert response.json()["documents"][0]["name"] == "127.0.0.1-guide.md"
    assert stand.ingest.stored == {"127.0.0.1-guide.md": "# Übersicht".encode()}
    assert stand.ingest.media_types == {"127.0.0.1-guide.md": "text/markdown"}


async def test_same_server_is_refused_without_the_setting() -> None:
    async with local_server() as port, gateway().client() as client:
        response = await client.post("/v1/documents", json={"url": f"http://127.0.0.1:{port}/guide.md"})
    assert response.status_code == 422
    assert "url: 127.0.0.1 is not a public address" in response.json()["detail"]


@pytest.mark.parametrize("value", ["everywhere", "10.0.0.1/8", "10.0.0.0/8;11.0.0.0/8"])
def test_setting_that_names_no_network_is_refused(value: str) -> None:
    with pytest.raises(ValueError, match=r"10|everywhere"):
        networks_of(value)
