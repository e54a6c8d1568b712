"""Which processes make a local stack, and how do they find each other?"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from services.local.settings import LocalSettings

GATEWAY = "orchestrator"
# Who ends when: the gateway first, so that nothing new comes in, then the writer, then what it writes to.
DRAIN_ORDER: tuple[tuple[str, ...], ...] = (
    (GATEWAY,),
    ("ingest",),
    ("lexical-index", "vector-index", "rerank"),
)
# How each caller's setting names the peer it calls.
PEERS: Mapping[str, Mapping[str, str]] = {
    "ingest": {"SIGHTLINE_LEXICAL_ADDRESS": "lexical-index", "SIGHTLINE_VECTOR_ADDRESS": "vector-index"},
    GATEWAY: {
        "SIGHTLINE_INGEST_ADDRESS": "ingest",
        "SIGHTLINE_LEXICAL_ADDRESS": "lexical-index",
        "SIGHTLINE_VECTOR_ADDRESS": "vector-index",
        "SIGHTLINE_RERANK_ADDRESS": "rerank",
    },
}


@dataclass(frozen=True, slots=True)
class ProcessPlan:
    """One process: name, module, the gRPC address it listens on ("" for the gateway), variables."""

    name: str
    module: str
    address: str
    environment: Mapping[str, str]


def plan(settings: LocalSettings, sockets: Path) -> tuple[ProcessPlan, ...]:
    """The five processes, callees before callers; their sockets lie in the folder `sockets`."""
    names = [name for group in reversed(DRAIN_ORDER) for name in group]
    return tuple(_process(name, settings, sockets) for name in names)


def gateway_url(settings: LocalSettings) -> str:
    """Where people and clients find the stack."""
    return f"http://127.0.0.1:{settings.port}"


def _process(name: str, settings: LocalSettings, sockets: Path) -> ProcessPlan:
    environment = {
        "SIGHTLINE_DATA": str(settings.data.absolute()),
        "SIGHTLINE_MODELS": str(settings.models.absolute()),
        "SIGHTLINE_DRAIN_S": str(settings.drain_s),
        "PYTHONUNBUFFERED": "1",
    }
    environment |= {variable: _address(peer, sockets) for variable, peer in PEERS.get(name, {}).items()}
    address = "" if name == GATEWAY else _address(name, sockets)
    if name == GATEWAY:
        environment |= {"SIGHTLINE_HTTP_HOST": "127.0.0.1", "SIGHTLINE_HTTP_PORT": str(settings.port)}
    else:
        environment |= {"SIGHTLINE_LISTEN": address}
    return ProcessPlan(name, f"services.{name.replace('-', '_')}", address, environment)


def _address(name: str, sockets: Path) -> str:
    return f"unix://{sockets / name}.sock"
