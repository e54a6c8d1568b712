"""Which port, data folder and limits does the local stack run with? Environment variables, read once."""

import os
from pathlib import Path

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict

REPOSITORY = Path(__file__).resolve().parents[2]


class LocalSettings(BaseSettings):
    """`PORT` and `SAMPLE` are short, as people type them; the rest is `SIGHTLINE_` and the field's name."""

    model_config = SettingsConfigDict(
        env_prefix="SIGHTLINE_", frozen=True, extra="ignore", env_ignore_empty=True, populate_by_name=True
    )

    port: int = Field(default=8080, ge=1, le=65535, validation_alias="PORT")
    sample: bool = Field(default=True, validation_alias="SAMPLE", description="load samples/ once")
    data: Path = Path("data")
    models: Path = Path("models")
    drain_s: float = Field(default=10.0, gt=0, description="what each service is given to end")
    start_deadline_s: float = Field(default=180.0, gt=0)
    restart_backoff_s: float = Field(
        default=0.5, gt=0, description="doubles with each crash soon after a start"
    )
    restart_backoff_max_s: float = Field(default=15.0, gt=0)
    steady_after_s: float = Field(
        default=30.0, gt=0, description="a process this old starts its backoff anew"
    )
    log_file_bytes: int = Field(default=5_000_000, gt=0, description="a log is kept twice: now and before")


def inherited_environment() -> dict[str, str]:
    """The environment of this process, which its children share."""
    return dict(os.environ)
