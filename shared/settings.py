"""Which settings does every service share, and where do they come from? Environment variables, read once."""

from pathlib import Path
from typing import TypeVar

from pydantic import Field, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from shared.errors import InvalidInput


class ServiceSettings(BaseSettings):
    """Read in `__main__` and passed down; every variable is `SIGHTLINE_` and the field's name."""

    model_config = SettingsConfigDict(
        env_prefix="SIGHTLINE_", frozen=True, extra="ignore", env_ignore_empty=True
    )

    data: Path = Field(
        default=Path("data"), description="folder of all data; a service writes only below its own name"
    )
    models: Path = Field(default=Path("models"), description="folder that `make models` fills")
    listen: str = Field(default="127.0.0.1:50051", description="gRPC address, or unix:///path")
    metrics_listen: str = Field(default="", description="host:port of the Prometheus endpoint; empty: none")
    log_level: str = Field(default="INFO", pattern="^(?i:debug|info|warning|error|critical)$")
    log_questions: bool = Field(default=False, description="whether questions may stand in the log")
    drain_s: float = Field(default=10.0, gt=0, description="how long running calls may finish after SIGTERM")
    max_message_bytes: int = Field(default=64 * 1024 * 1024, gt=0)
    max_connection_age_s: float = Field(
        default=5.0,
        gt=0,
        description="connections are renewed after this, so that clients notice new replicas",
    )
    cpu_threads: int = Field(
        default=0, ge=0, description="threads for model and CPU work; 0: as many as the quota gives"
    )
    redis_url: str = Field(
        default="", description="cache shared by replicas; empty: the process's own memory"
    )
    cache_entries: int = Field(default=20_000, gt=0, description="bound of the process cache")
    cache_ttl_s: float = Field(default=7 * 24 * 3600, gt=0)


Settings = TypeVar("Settings", bound=ServiceSettings)


def read_settings(kind: type[Settings]) -> Settings:
    """The settings of a service. Raises InvalidInput with a sentence on the first that is wrong."""
    try:
        return kind()
    except ValidationError as error:
        first = error.errors()[0]
        raise InvalidInput(f"The setting {first['loc'][0]} is wrong: {first['msg']}.") from error
