"""Which settings does the orchestrator read?"""

import json
import os
import sys
from typing import Annotated, Any

from pydantic import Field, SecretStr, field_validator
from pydantic_settings import NoDecode

from services.orchestrator.gateway.settings import GatewaySettings

# Where programs, modules, models, certificates and temporary files are, and in which language is spoken.
_PASSED_ON = frozenset(
    {
        *("PATH", "HOME", "TMPDIR", "LANG", "TZ", "VIRTUAL_ENV", "PYTHONPATH"),
        *("SSL_CERT_FILE", "SSL_CERT_DIR", "SIGHTLINE_MODELS"),
    }
)
_PASSED_ON_PREFIXES = ("LC_", "SIGHTLINE_EVAL_")


class OrchestratorSettings(GatewaySettings):
    """Peers, providers, time limits and retention, beside what the gateway reads."""

    ingest_address: str = Field(default="127.0.0.1:50051", description="gRPC address of ingest")
    lexical_address: str = Field(default="127.0.0.1:50052", description="gRPC address of lexical-index")
    vector_address: str = Field(default="127.0.0.1:50053", description="gRPC address of vector-index")
    rerank_address: str = Field(default="127.0.0.1:50054", description="gRPC address of rerank")

    ollama_url: str = Field(
        default="http://127.0.0.1:11434", description="Ollama's address; empty: never asked"
    )
    ollama_model: str = Field(default="llama3.2:3b", description="model that Ollama answers with")
    ollama_pull: bool = Field(default=False, description="whether a missing model is fetched by itself")
    ollama_keep_alive: str = Field(default="10m", description="how long Ollama keeps the model loaded")
    openai_url: str = Field(default="", description="OpenAI-compatible base address; empty: none")
    openai_model: str = Field(default="", description="model that is asked for there")
    openai_api_key: SecretStr = Field(default=SecretStr(""), description="key for it, if it wants one")
    provider_silence_s: float = Field(default=120.0, gt=0, description="longest wait for a model's next word")

    search_budget_s: float = Field(default=40.0, gt=0, description="for a question until its answer begins")
    read_deadline_s: float = Field(default=3.0, gt=0, description="for reading texts or the generation")
    retrieve_deadline_s: float = Field(default=6.0, gt=0, description="for one list")
    rerank_deadline_s: float = Field(default=25.0, gt=0, description="for reranking the shortlist")
    rerank_try_s: float = Field(default=12.0, gt=0, description="for one shard on one replica, then the next")
    extract_deadline_s: float = Field(default=10.0, gt=0, description="for scoring sentences to quote")

    keep_traces: int = Field(
        default=2000, gt=0, description="how many traces a workspace keeps; the oldest go first"
    )

    eval_command: Annotated[tuple[str, ...], NoDecode] = Field(
        default=(sys.executable, "-m", "eval"),
        min_length=1,
        description="what runs an evaluation, as a JSON list",
    )
    eval_timeout_s: float = Field(default=7200.0, gt=0, description="longest evaluation")
    eval_stop_s: float = Field(default=3.0, gt=0, description="what an evaluation is given to end by itself")
    max_waiting_runs: int = Field(default=4, ge=0, description="evaluations that may wait; more: 503")
    keep_runs: int = Field(default=200, gt=0, description="how many finished evaluations are kept")

    @field_validator("eval_command", mode="before")
    @classmethod
    def _command_is_a_list(cls, value: Any) -> Any:
        return json.loads(value) if isinstance(value, str) else value


def environment_for_evaluations() -> dict[str, str]:
    """Of this process's environment what an evaluation needs to run: no key, and no setting of a service."""
    return {
        name: value
        for name, value in os.environ.items()
        if name in _PASSED_ON or name.startswith(_PASSED_ON_PREFIXES)
    }
