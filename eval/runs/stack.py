"""How does an evaluation get a Sightline of its own? One stack of real processes per ingest configuration."""

import json
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

import psutil

from client.gateway import Sightline
from eval.settings import neutral_environment

REPOSITORY = Path(__file__).resolve().parents[2]
START_DEADLINE_S = 180.0
STOP_DEADLINE_S = 60.0
# What is measured here is what comes, however busy the machine: nothing is given up for being slow.
_PATIENCE = {
    "SIGHTLINE_SEARCH_BUDGET_S": "120",
    "SIGHTLINE_READ_DEADLINE_S": "30",
    "SIGHTLINE_RETRIEVE_DEADLINE_S": "30",
    "SIGHTLINE_RERANK_DEADLINE_S": "60",
    "SIGHTLINE_RERANK_TRY_S": "30",
    "SIGHTLINE_EXTRACT_DEADLINE_S": "60",
}


class StackFailed(Exception):
    """The stack did not come up; what it said last."""


@dataclass(frozen=True, slots=True)
class IngestConfig:
    """What is decided when documents come in, and cannot be changed by a question."""

    embedder: str = "onnx"
    chunk_kind: str = "structure"
    chunk_max_tokens: int = 448
    chunk_overlap_tokens: int = 64
    chunk_prefix: bool = True
    welds: bool = True

    def environment(self) -> dict[str, str]:
        """As the services read it."""
        return {f"SIGHTLINE_{name.upper()}": str(value) for name, value in asdict(self).items()}


@dataclass(frozen=True, slots=True)
class Stack:
    """A running stack: its gateway, and the process that looks after the services."""

    gateway: Sightline
    process: "subprocess.Popen[bytes]"
    data: Path

    def memory_mib(self) -> dict[str, float]:
        """Resident memory of each service with its children, of the supervisor, and of all, in MiB."""
        note = json.loads((self.data / "local" / "stack.json").read_text())
        by_name = {name: _resident_mib(pid) for name, pid in note["processes"].items()}
        own_mib = round(psutil.Process(self.process.pid).memory_info().rss / 2**20, 1)
        return {**by_name, "supervisor": own_mib, "total": round(sum(by_name.values()) + own_mib, 1)}


@contextmanager
def running_stack(
    data: Path, ingest: IngestConfig, environment: Mapping[str, str] | None = None
) -> Iterator[Stack]:
    """A stack over a data folder, ended with the block. StackFailed when it does not start."""
    port = _free_port()
    own = {"PORT": str(port), "SIGHTLINE_DATA": str(data), "SAMPLE": "0", "SIGHTLINE_OLLAMA_URL": ""}
    data.mkdir(parents=True, exist_ok=True)
    said = data / "stack.out"
    with said.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "services.local"],
            cwd=REPOSITORY,
            env={
                **neutral_environment(),
                **_PATIENCE,
                **ingest.environment(),
                **own,
                **(environment or {}),
            },
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        _wait_until_up(process, said)
        with Sightline(f"http://127.0.0.1:{port}") as gateway:
            yield Stack(gateway, process, data)
    finally:
        _end(process)


def in_use(data: Path) -> bool:
    """Whether a stack is running over this folder."""
    note = data / "local" / "stack.json"
    return note.exists() and psutil.pid_exists(json.loads(note.read_text()).get("pid", 0))


def _wait_until_up(process: "subprocess.Popen[bytes]", said: Path) -> None:
    until = time.monotonic() + START_DEADLINE_S
    while "Sightline is at" not in (words := said.read_text(errors="replace")):
        if process.poll() is not None or time.monotonic() > until:
            raise StackFailed(f"the stack did not start:\n{words}")
        time.sleep(0.1)


def _end(process: "subprocess.Popen[bytes]") -> None:
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
    try:
        process.wait(STOP_DEADLINE_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
    return port


def _resident_mib(pid: int) -> float:
    process = psutil.Process(pid)
    family = [process, *process.children(recursive=True)]
    return round(sum(p.memory_info().rss for p in family) / 2**20, 1)
