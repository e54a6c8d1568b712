"""Does the plan name every process, every peer and every folder?"""

from pathlib import Path

import pytest
from pydantic import ValidationError

from services.local.plan import DRAIN_ORDER, GATEWAY, PEERS, gateway_url, plan
from services.local.settings import LocalSettings

SETTINGS = LocalSettings(port=9123, data=Path("/tmp/of-a-test"))


def test_gateway_ends_first_and_starts_last() -> None:
    names = [process.name for process in plan(SETTINGS, Path("/sockets"))]
    assert names[-1] == GATEWAY
    assert DRAIN_ORDER[0] == (GATEWAY,)
    assert sorted(names) == sorted(name for group in DRAIN_ORDER for name in group)


def test_every_peer_is_where_its_callers_look() -> None:
    processes = {process.name: process for process in plan(SETTINGS, Path("/sockets"))}
    for caller, peers in PEERS.items():
        for variable, peer in peers.items():
            assert processes[caller].environment[variable] == processes[peer].address
            assert processes[peer].environment["SIGHTLINE_LISTEN"] == processes[peer].address


def test_gateway_listens_on_this_machine_alone() -> None:
    environment = plan(SETTINGS, Path("/sockets"))[-1].environment
    assert environment["SIGHTLINE_HTTP_HOST"] == "127.0.0.1"
    assert gateway_url(SETTINGS) == "http://127.0.0.1:9123"


def test_every_process_works_in_the_data_folder() -> None:
    for process in plan(SETTINGS, Path("/sockets")):
        assert process.environment["SIGHTLINE_DATA"] == "/tmp/of-a-test"
        assert process.module == f"services.{process.name.replace('-', '_')}"


@pytest.mark.parametrize("port", [0, 65536])
def test_port_out_of_range_is_refused(port: int) -> None:
    with pytest.raises(ValidationError):
        LocalSettings(port=port)
