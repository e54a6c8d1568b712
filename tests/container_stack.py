"""How does a test get containers? A compose project of its own, built from a clean copy of the sources."""

import json
import os
import shutil
import subprocess
import time
import uuid
from pathlib import Path
from typing import Any

from testcontainers.compose import DockerCompose

from services.local.settings import REPOSITORY
from tests.gateway import Gateway
from tests.stack import free_port

COMMAND_DEADLINE_S = 180
READ_METRIC = (
    "from urllib.request import urlopen; print(urlopen('http://127.0.0.1:9090/metrics').read().decode())"
)


def engine_answers() -> bool:
    """Whether a container engine with Compose v2 can be used here."""
    try:
        for command in (["docker", "info"], ["docker", "compose", "version"]):
            subprocess.run(command, capture_output=True, check=True, timeout=30)
    except (FileNotFoundError, subprocess.SubprocessError):
        return False
    return True


def required() -> bool:
    return os.environ.get("SIGHTLINE_REQUIRE_CONTAINERS") == "1"


def copy_sources(target: Path) -> None:
    """What a clean clone would hold, changes that are not committed yet included."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=REPOSITORY,
        capture_output=True,
        check=True,
    ).stdout
    for name in listed.decode().split("\0"):
        if name and (REPOSITORY / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(REPOSITORY / name, target / name)


class ContainerStack(Gateway):
    """The seven services of compose.yaml under a project name and a port that nobody else has."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.project = f"sightline-test-{uuid.uuid4().hex[:8]}"
        port = free_port()
        super().__init__(f"http://127.0.0.1:{port}")
        copy_sources(folder)
        # Compose reads .env beside compose.yaml, for every command that is given here.
        (folder / ".env").write_text(f"COMPOSE_PROJECT_NAME={self.project}\nPORT={port}\n")
        self._compose = DockerCompose(folder, build=True, wait=True)

    def up(self) -> None:
        """`docker compose up --build --wait`."""
        self._compose.start()

    def down(self) -> None:
        """`docker compose down --volumes`, and the images that were built go too."""
        self.close()
        self._compose.stop()
        self.compose("down", "--rmi", "local")

    def compose(self, *arguments: str) -> str:
        return _run(["docker", "compose", *arguments], self.folder)

    def logs(self) -> str:
        return self.compose("logs", "--no-color", "--tail", "60")

    def containers(self, service: str) -> list[str]:
        """Ids of a service's running containers."""
        return self.compose("ps", "--quiet", "--status", "running", service).split()

    def published(self) -> dict[str, set[int]]:
        """Published ports by service."""
        listed = [json.loads(line) for line in self.compose("ps", "--format", "json").splitlines()]
        return {
            entry["Service"]: {p["PublishedPort"] for p in entry["Publishers"] or () if p["PublishedPort"]}
            for entry in listed
        }

    def inspect(self, container: str) -> dict[str, Any]:
        inspected: dict[str, Any] = json.loads(self.docker("inspect", container))[0]
        return inspected

    def docker(self, *arguments: str) -> str:
        return _run(["docker", *arguments], self.folder)

    def execute(self, container: str, *command: str) -> str:
        return self.docker("exec", container, *command)

    def pause(self, container: str, deadline_s: float = 30) -> None:
        """Hang a container; the kernel may refuse to freeze one that is busy, so ask more than once."""
        until = time.monotonic() + deadline_s
        while not self.inspect(container)["State"]["Paused"]:
            assert time.monotonic() < until, f"{container} could not be paused"
            subprocess.run(["docker", "pause", container], capture_output=True, timeout=COMMAND_DEADLINE_S)
            time.sleep(0.2)

    def pairs(self, container: str) -> float:
        """How many pairs a rerank replica has scored."""
        lines = self.execute(container, "python", "-c", READ_METRIC).splitlines()
        return sum(
            float(line.split()[-1]) for line in lines if line.startswith("sightline_rerank_pairs_total")
        )

    def leftovers(self) -> str:
        """Containers, volumes and networks that bear the project's name."""
        own = f"label=com.docker.compose.project={self.project}"
        return "".join(
            (
                self.docker("ps", "--all", "--quiet", "--filter", own),
                self.docker("volume", "ls", "--quiet", "--filter", own),
                self.docker("network", "ls", "--quiet", "--filter", own),
            )
        )

    def wait_for_replicas(self, service: str, count: int, deadline_s: float = 120) -> list[str]:
        """Ids of the replicas once all are healthy."""
        until = time.monotonic() + deadline_s
        while True:
            found = self.containers(service)
            states = [self.inspect(container)["State"]["Health"]["Status"] for container in found]
            if states == ["healthy"] * count:
                return found
            assert time.monotonic() < until, f"{service}: {states}\n{self.logs()}"
            time.sleep(0.5)


def _run(command: list[str], folder: Path) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=COMMAND_DEADLINE_S)
    assert done.returncode == 0, f"{' '.join(command)}:\n{done.stdout}{done.stderr}"
    return done.stdout
