"""How does a test get real processes? A stack of its own: a free port, its own data folder, no sample."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from services.local.settings import REPOSITORY
from tests.gateway import Gateway

START_DEADLINE_S = 180.0
STOP_DEADLINE_S = 60.0
# A test machine may be busy: what is tested is what comes, not how fast.
PATIENCE = {
    "SIGHTLINE_SEARCH_BUDGET_S": "120",
    "SIGHTLINE_READ_DEADLINE_S": "30",
    "SIGHTLINE_RETRIEVE_DEADLINE_S": "30",
    "SIGHTLINE_RERANK_DEADLINE_S": "60",
    "SIGHTLINE_RERANK_TRY_S": "30",
    "SIGHTLINE_EXTRACT_DEADLINE_S": "60",
}
SERVICES = ("ingest", "lexical-index", "vector-index", "rerank", "orchestrator")


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
    return port


class Stack(Gateway):
    """A running `python -m services.local`; what it printed is in `output`."""

    def __init__(
        self, data: Path, port: int | None = None, environment: dict[str, str] | None = None
    ) -> None:
        self.data = data
        self.port = port or free_port()
        self.output = data.with_name(f"{data.name}.out")
        super().__init__(f"http://127.0.0.1:{self.port}")
        own = {"PORT": str(self.port), "SIGHTLINE_DATA": str(data), "SAMPLE": "0"}
        with self.output.open("ab") as output:
            self._said_before = output.tell()
            self.process = subprocess.Popen(
                [sys.executable, "-m", "services.local"],
                cwd=REPOSITORY,
                env=os.environ | PATIENCE | own | (environment or {}),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def wait_until_up(self, deadline_s: float = START_DEADLINE_S) -> None:
        """Return once the supervisor has said where the stack is."""
        self.wait_until_said("Sightline is at", deadline_s)

    def wait_until_said(self, words: str, deadline_s: float) -> None:
        """Return once the words stand in what the supervisor printed."""
        until = time.monotonic() + deadline_s
        while words not in self.said():
            assert self.process.poll() is None, f"the stack ended:\n{self.said()}"
            assert time.monotonic() < until, f"no {words!r} in:\n{self.said()}"
            time.sleep(0.1)

    def said(self) -> str:
        """What this supervisor printed; one before it on the same folder wrote to the same file."""
        return self.output.read_bytes()[self._said_before :].decode(errors="replace")

    def log(self, service: str) -> str:
        return (self.data / "logs" / f"{service}.log").read_text(errors="replace")

    def note(self) -> dict[str, Any]:
        """What the data folder says of the running stack: port, sockets, process ids."""
        note: dict[str, Any] = json.loads((self.data / "local" / "stack.json").read_text())
        return note

    def pid(self, service: str) -> int:
        return int(self.note()["processes"][service])

    def kill(self, service: str) -> int:
        """End one service by SIGKILL: its process id."""
        pid = self.pid(service)
        os.kill(pid, signal.SIGKILL)
        return pid

    def wait_until_replaced(self, service: str, pid: int, deadline_s: float = 60) -> None:
        """Return once the service runs as another process and the gateway can answer again."""
        until = time.monotonic() + deadline_s
        while self.note()["processes"].get(service, pid) == pid:
            assert time.monotonic() < until, f"{service} did not come back:\n{self.said()}"
            time.sleep(0.1)
        self.wait_until_ready(until - time.monotonic())

    def stop(self, number: signal.Signals = signal.SIGTERM, deadline_s: float = STOP_DEADLINE_S) -> int:
        """The exit code after a signal to the supervisor."""
        self.close()
        if self.process.poll() is None:
            self.process.send_signal(number)
        try:
            return self.process.wait(deadline_s)
        except subprocess.TimeoutExpired:
            with contextlib.suppress(ProcessLookupError):
                self.process.kill()
            self.process.wait()
            raise
