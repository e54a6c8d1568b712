"""Does compose.yaml describe the same stack as `make up`, confined as promised?"""

from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]

from services.local.plan import GATEWAY, PEERS
from tests.stack import SERVICES

Compose = dict[str, Any]


@pytest.fixture(scope="module")
def compose(repository: Path) -> Compose:
    described: Compose = yaml.safe_load((repository / "compose.yaml").read_text())
    return described


def test_compose_starts_the_seven_services(compose: Compose) -> None:
    assert set(compose["services"]) == {*SERVICES, "redis", "ollama"}


def test_only_the_gateway_publishes_a_port(compose: Compose) -> None:
    assert [name for name, service in compose["services"].items() if "ports" in service] == [GATEWAY]


def test_only_gateway_and_ollama_reach_out(compose: Compose) -> None:
    assert compose["networks"]["backend"]["internal"] is True
    outside = {name for name, service in compose["services"].items() if "edge" in service["networks"]}
    assert outside == {GATEWAY, "ollama"}


def test_every_container_is_confined_and_bounded(compose: Compose) -> None:
    for name, service in compose["services"].items():
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert "healthcheck" in service, name
        assert service["deploy"]["resources"]["limits"]["memory"].startswith("${"), name


def test_every_service_is_built_from_the_one_dockerfile(compose: Compose) -> None:
    for name in SERVICES:
        build = compose["services"][name]["build"]
        assert build["dockerfile"] == "deploy/Dockerfile"
        assert build["args"]["SERVICE"] == name.replace("-", "_")


def test_callers_know_the_same_peers_as_on_one_machine(compose: Compose) -> None:
    for caller, peers in PEERS.items():
        environment = compose["services"][caller]["environment"]
        assert {v: environment[v] for v in peers} == {v: f"dns:///{peer}:50051" for v, peer in peers.items()}


def test_nothing_waits_for_a_chat_model(compose: Compose) -> None:
    waits = [
        s["depends_on"]["ollama"] for s in compose["services"].values() if "ollama" in s.get("depends_on", {})
    ]
    assert waits == [{"condition": "service_started"}]


def test_dockerfile_keeps_to_what_old_engines_know(repository: Path) -> None:
    lines = (repository / "deploy/Dockerfile").read_text().splitlines()
    assert not lines[0].startswith("# syntax=")
    assert [line for line in lines if "--link" in line or "--exclude" in line or "<<" in line] == []
