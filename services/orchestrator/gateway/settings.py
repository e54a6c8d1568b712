"""Which limits does the HTTP gateway keep, and where does it listen?"""

from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path

from pydantic import Field, field_validator

from shared.settings import ServiceSettings

MIB = 1024 * 1024


class GatewaySettings(ServiceSettings):
    """The gateway's part of the orchestrator's settings."""

    http_host: str = "127.0.0.1"
    http_port: int = Field(default=8080, ge=0, le=65535, description="0: any free port")
    ui_dist: Path = Field(
        default=Path(__file__).resolve().parent.parent / "ui" / "dist",
        description="folder of the built browser page",
    )

    max_upload_bytes: int = Field(default=100 * MIB, gt=0, description="largest single file")
    max_request_bytes: int = Field(default=1024 * MIB, gt=0, description="largest upload request")
    max_body_bytes: int = Field(default=2 * MIB, gt=0, description="largest body of any other request")
    max_bundle_bytes: int = Field(default=8 * MIB, gt=0, description="largest replay bundle taken")
    body_patience_s: float = Field(default=30.0, gt=0, description="how long a body may stop arriving")
    max_files: int = Field(default=200, gt=0, description="most files in one upload request")
    max_question_characters: int = Field(default=4000, gt=0)

    max_queries: int = Field(default=16, gt=0, description="questions answered at the same time")
    max_waiting_queries: int = Field(default=32, ge=0, description="questions that may wait; more: 503")
    max_uploads: int = Field(default=8, gt=0, description="upload requests taken at the same time")
    max_waiting_uploads: int = Field(default=64, ge=0, description="upload requests that may wait; more: 503")
    upload_width: int = Field(default=8, gt=0, description="files of one request handed over side by side")
    upload_patience_s: float = Field(
        default=30.0, ge=0, description="how long to try again while ingest's queue is full"
    )

    heartbeat_s: float = Field(default=15.0, gt=0, description="between comments on a silent event stream")
    fetch_timeout_s: float = Field(default=30.0, gt=0, description="for a web page, redirects included")
    fetch_max_redirects: int = Field(default=5, ge=0)
    fetch_allowed_networks: str = Field(
        default="",
        description="networks, separated by commas, from which documents are fetched although not public",
    )

    @field_validator("fetch_allowed_networks")
    @classmethod
    def _networks_are_networks(cls, value: str) -> str:
        networks_of(value)
        return value


def networks_of(value: str) -> tuple[IPv4Network | IPv6Network, ...]:
    """The networks of a comma-separated list. ValueError for anything that is not one."""
    return tuple(ip_network(part.strip()) for part in value.split(",") if part.strip())
