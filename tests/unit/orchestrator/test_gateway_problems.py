"""Is every error a problem document that says what to do?"""

import asyncio
import json
from collections.abc import AsyncIterator

import httpx
import pytest

from shared.errors import Overloaded, Unavailable
from tests.unit.orchestrator.gateway_fakes import gateway


def is_problem(response: httpx.Response, status: int, *needles: str) -> bool:
    body = response.json()
    return (
        response.status_code == status
        and response.headers["content-type"] == "application/problem+json"
        and body["type"].startswith("urn:sightline:problem:")
        and body["status"] == status
        and bool(body["title"])
        and body["request_id"] == response.headers["x-request-id"]
        and all(needle in body["detail"] for needle in needles)
    )


@pytest.mark.parametrize(
    ("method", "path", "status", "needle"),
    [
        ("GET", "/nowhere", 404, "/nowhere"),
        ("POST", "/nowhere", 404, "/nowhere"),
        ("GET", "/v1/search", 405, "GET"),
        ("PUT", "/v1/documents", 405, "PUT"),
        ("GET", "/v1/documents/nope", 404, "nope"),
        ("DELETE", "/v1/documents/nope", 404, "nope"),
        ("GET", "/v1/documents/nope/text", 404, "nope"),
        ("GET", "/v1/documents/nope/original", 404, "nope"),
        ("GET", "/v1/jobs/nope", 404, "nope"),
        ("GET", "/v1/jobs/nope/events", 404, "nope"),
        ("GET", "/v1/traces/nope", 404, "nope"),
        ("POST", "/v1/traces/nope/replay", 404, "nope"),
        ("GET", "/v1/documents?limit=201", 422, "limit"),
        ("GET", "/v1/documents?offset=-1", 422, "offset"),
        ("GET", "/v1/documents/doc_1/text?start=9&end=3", 422, "end"),
        ("GET", "/v1/documents/doc_1/pages/0.png", 422, "number"),
        ("POST", "/v1/chat/completions", 404, "/v1/chat/completions"),
    ],
)
async def test_error_is_a_problem_document(method: str, path: str, status: int, needle: str) -> None:
    async with gateway().client() as client:
        assert is_problem(await client.request(method, path), status, needle)


@pytest.mark.parametrize(
    ("body", "needle"),
    [
        ({}, "question"),
        ({"question": ""}, "question"),
        ({"question": " \n\t"}, "question"),
        ({"question": "x" * 5000}, "question"),
        ({"question": 7}, "question"),
        ({"question": "\ud800"}, "question"),
        ({"question": "x", "config": {"fusion": {"weights": {"\ud800": 1}}}}, "config"),
        ({"question": "x", "config": {"fusion": {"k": -1}}}, "config.fusion.k"),
        ({"question": "x", "config": {"nonsense": 1}}, "config.nonsense"),
        ({"question": "x", "config": {"fusion": {"kind": "sum"}}}, "config.fusion.kind"),
        ({"question": "x", "config": {"gate": {"thresholds": {"MOOD": 1}}}}, "config.gate.thresholds.MOOD"),
        (
            {"question": "x", "config": {"select": {"budget_tokens": 1_000_001}}},
            "config.select.budget_tokens",
        ),
        ({"question": "x", "colour": "red"}, "colour"),
        ({"question": "x", "config": None}, "config: must be a JSON object"),
        ({"question": "x", "config": {"lexical": []}}, "config.lexical: must be a JSON object"),
        ({"question": "x", "config": {"lexical": {"nonsense": 1}}}, "config.lexical.nonsense: is not known"),
    ],
)
@pytest.mark.parametrize("path", ["/v1/search", "/v1/query"])
async def test_bad_field_is_named_by_its_path(path: str, body: dict[str, object], needle: str) -> None:
    async with gateway().client() as client:
        headers = {"Content-Type": "application/json"}
        response = await client.post(path, content=json.dumps(body), headers=headers)
    assert is_problem(response, 422, needle)


@pytest.mark.parametrize("content", [b"", b"{", b"[1]", b'"x"', b"\xff", b"[" * 100_000])
async def test_body_that_is_no_fitting_json_is_refused_without_a_500(content: bytes) -> None:
    async with gateway().client() as client:
        headers = {"Content-Type": "application/json"}
        response = await client.post("/v1/search", content=content, headers=headers)
    assert is_problem(response, 422)


@pytest.mark.parametrize(
    ("content", "needle"),
    [
        (b'{"question": "caf\xe9"}', "UTF-8"),
        (b'{"question": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "too deeply"),
        (b'{"question": "x", "config": {"fusion": {"k": ' + b"9" * 5000 + b"}}}", "too many digits"),
    ],
)
async def test_json_that_is_given_up_before_its_fields_says_why(content: bytes, needle: str) -> None:
    async with gateway().client() as client:
        headers = {"Content-Type": "application/json"}
        response = await client.post("/v1/search", content=content, headers=headers)
    assert is_problem(response, 422, "not valid JSON", needle)


async def test_name_of_an_unknown_field_is_cut_in_the_answer() -> None:
    async with gateway().client() as client:
        response = await client.post("/v1/search", json={"question": "x", "k" * 20_000: 1})
    assert is_problem(response, 422, "k" * 100 + ": is not known")
    assert len(response.content) < 1000


@pytest.mark.parametrize("path", ["/v1/search", "/v1/documents"])
@pytest.mark.parametrize("content_type", ["application/json", "multipart/form-data; boundary=x"])
async def test_body_that_stops_arriving_is_given_up(path: str, content_type: str) -> None:
    async def stuck() -> AsyncIterator[bytes]:
        yield b"--x\r\n" if "form" in content_type else b"{"
        await asyncio.sleep(60)

    async with gateway(body_patience_s=0.05).client() as client:
        headers = {"Content-Type": content_type}
        response = await client.post(path, content=stuck(), headers=headers)
    assert is_problem(response, 408, "body_patience_s")
    assert response.headers["connection"] == "close"


async def test_streamed_query_is_refused_with_a_status_when_it_fails_before_its_first_event() -> None:
    stand = gateway()
    stand.engine.failure = Unavailable("no index answers; start one")
    async with stand.client() as client:
        headers = {"Accept": "text/event-stream"}
        response = await client.post("/v1/query", json={"question": "why"}, headers=headers)
    assert is_problem(response, 503, "no index answers")
    assert int(response.headers["retry-after"]) > 0


async def test_unexpected_error_shows_nothing_of_itself() -> None:
    stand = gateway()
    stand.engine.failure = RuntimeError("secret of the machine")
    async with stand.client() as client:
        response = await client.post("/v1/search", json={"question": "why"})
    assert is_problem(response, 500)
    assert "secret" not in response.text
    assert "Traceback" not in response.text


async def test_overload_says_when_to_come_again() -> None:
    stand = gateway()
    stand.engine.failure = Overloaded("too many at once")
    async with stand.client() as client:
        response = await client.post("/v1/search", json={"question": "why"})
    assert is_problem(response, 503, "too many")
    assert int(response.headers["retry-after"]) > 0


@pytest.mark.parametrize(
    ("given", "kept"), [("abc-1.2_3", True), ("a b", False), ("x" * 65, False), ("", False)]
)
async def test_request_id_of_the_client_is_kept_if_sane(given: str, kept: bool) -> None:
    async with gateway().client() as client:
        response = await client.get("/healthz", headers={"X-Request-Id": given})
    assert (response.headers["x-request-id"] == given) is kept
    assert response.headers["x-request-id"]


async def test_body_over_the_limit_is_413_whether_announced_or_not() -> None:
    async def trickle() -> AsyncIterator[bytes]:
        for _ in range(20):
            yield b" " * 100

    async with gateway(max_body_bytes=1000).client() as client:
        headers = {"Content-Type": "application/json"}
        announced = await client.post("/v1/search", content=b" " * 1001, headers=headers)
        silent = await client.post("/v1/search", content=trickle(), headers=headers)
    assert is_problem(announced, 413, "max_body_bytes")
    assert is_problem(silent, 413, "max_body_bytes")


async def test_change_asked_for_by_a_page_of_another_site_is_refused() -> None:
    async with gateway().client() as client:
        headers = {"Sec-Fetch-Site": "cross-site"}
        response = await client.post("/v1/documents", files={"file": ("a.txt", b"x")}, headers=headers)
        reading = await client.get("/healthz", headers=headers)
    assert is_problem(response, 403)
    assert reading.status_code == 200


async def test_every_response_carries_the_security_headers() -> None:
    async with gateway().client() as client:
        for path in ("/", "/v1/documents", "/nowhere"):
            headers = (await client.get(path)).headers
            assert "default-src 'self'" in headers["content-security-policy"]
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["referrer-policy"] == "no-referrer"


async def test_openapi_describes_errors_as_problem_documents() -> None:
    async with gateway().client() as client:
        described = (await client.get("/openapi.json")).json()
    search = described["paths"]["/v1/search"]["post"]
    assert "application/problem+json" in search["responses"]["default"]["content"]
    assert "HTTPValidationError" not in json.dumps(described)


async def test_reference_page_lists_every_path_without_assets_from_elsewhere() -> None:
    async with gateway().client() as client:
        described = (await client.get("/openapi.json")).json()
        page = (await client.get("/docs")).text
    assert all(f"<code>{path}</code>" in page for path in described["paths"])
    assert "//" not in page
