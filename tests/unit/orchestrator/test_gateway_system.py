"""Does the gateway say how it is, what can be configured and what it counted, and does it serve its page?"""

import json
import logging
from pathlib import Path

import pytest

from services.orchestrator.core.config import QueryConfig
from shared.errors import Unavailable
from tests.unit.orchestrator.gateway_fakes import gateway


async def test_health_needs_nothing() -> None:
    stand = gateway()
    stand.engine.states = {}
    async with stand.client() as client:
        assert (await client.get("/healthz")).status_code == 200


@pytest.mark.parametrize(
    ("down", "status"),
    [
        ((), 200),
        (("rerank",), 200),
        (("lexical-index",), 200),
        (("vector-index", "rerank"), 200),
        (("lexical-index", "vector-index"), 503),
        (("ingest",), 503),
    ],
)
async def test_ready_means_that_a_search_can_be_answered(down: tuple[str, ...], status: int) -> None:
    stand = gateway()
    stand.engine.states.update(dict.fromkeys(down, "down"))
    async with stand.client() as client:
        response = await client.get("/readyz")
    body = response.json()
    assert (response.status_code, body["ready"]) == (status, status == 200)
    assert {name for name, found in body["dependencies"].items() if found["state"] == "down"} == set(down)


async def test_config_gives_schema_defaults_and_what_is_available() -> None:
    async with gateway().client() as client:
        body = (await client.get("/v1/config")).json()
        accepted = await client.post("/v1/search", json={"question": "why", "config": body["defaults"]})
    assert body["defaults"]["fusion"]["k"] == QueryConfig().fusion.k
    assert "fusion" in body["schema"]["properties"]
    assert body["available"]
    assert accepted.status_code == 200


async def test_metrics_count_by_route_template_and_stage() -> None:
    async with gateway().client() as client:
        await client.post("/v1/search", json={"question": "why"})
        await client.get("/v1/documents/doc_1")
        await client.post("/v1/documents", files={"file": ("a.txt", b"x")})
        response = await client.get("/metrics")
    text = response.text
    assert response.headers["content-type"].startswith("text/plain")
    assert "# TYPE sightline_http_requests_total counter" in text
    assert 'route="/v1/documents/{document_id}",status="200"' in text
    assert 'sightline_stage_seconds_count{stage="select"}' in text
    assert 'sightline_uploads_total{outcome="accepted"}' in text
    assert "sightline_jobs 1.0" in text
    assert "doc_1" not in text


async def test_metrics_are_served_while_ingest_is_away() -> None:
    stand = gateway()
    stand.ingest.failure = Unavailable("away")
    async with stand.client() as client:
        assert (await client.get("/metrics")).status_code == 200


@pytest.mark.parametrize("told", [True, False])
async def test_log_line_holds_the_question_only_if_asked(
    told: bool, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, logger="sightline.gateway"):
        async with gateway(log_questions=told).client() as client:
            await client.post("/v1/search", json={"question": "who stole the ledger"})
    lines = [record for record in caplog.records if record.getMessage() == "request"]
    assert len(lines) == 1
    fields = json.dumps(lines[0].__dict__["fields"])
    assert '"route": "/v1/search"' in fields
    assert ("ledger" in fields) is told


async def test_page_that_is_not_built_says_how_to_build_it() -> None:
    async with gateway().client() as client:
        response = await client.get("/")
    assert response.headers["content-type"].startswith("text/html")
    assert "make page" in response.text
    assert "nodejs.org" in response.text


@pytest.fixture
def dist(tmp_path: Path) -> Path:
    folder = tmp_path / "dist"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<title>built</title>")
    (folder / "favicon.svg").write_text("<svg/>")
    (folder / "assets" / "main-1a2b.js").write_text("let x")
    (tmp_path / "secret.txt").write_text("secret")
    return folder


async def test_built_page_is_served_with_its_files(dist: Path) -> None:
    async with gateway(ui_dist=dist).client() as client:
        index = await client.get("/")
        icon = await client.get("/favicon.svg")
        script = await client.get("/assets/main-1a2b.js")
    assert "built" in index.text
    assert index.headers["cache-control"] == "no-cache"
    assert icon.headers["content-type"].startswith("image/svg")
    assert "javascript" in script.headers["content-type"]
    assert "immutable" in script.headers["cache-control"]


@pytest.mark.parametrize(
    "path",
    [
        "/assets/../../secret.txt",
        "/assets/%2e%2e/%2e%2e/secret.txt",
        "/assets//etc/passwd",
        "/assets/a%00b",
        "/assets/",
        "/assets/" + "a" * 5000,
    ],
)
async def test_page_files_stay_within_their_folder(dist: Path, path: str) -> None:
    async with gateway(ui_dist=dist).client() as client:
        response = await client.get(path)
    assert response.status_code == 404
    assert "secret" not in response.text.replace("secret.txt", "")


async def test_api_is_not_hidden_by_the_page(dist: Path) -> None:
    async with gateway(ui_dist=dist).client() as client:
        assert (await client.get("/nowhere.html")).status_code == 404
        assert (await client.get("/v1/search")).status_code == 405


async def test_engine_runs_as_long_as_the_app() -> None:
    stand = gateway()
    async with stand.app.router.lifespan_context(stand.app):
        assert stand.engine.running
    assert not stand.engine.running
