"""Do the lock files name what will be installed, and nothing about where it was fetched?"""

import re
import tomllib
from pathlib import Path

LOCKS = ("requirements.lock", "deploy/runtime.lock")
# Extras for comparison alone: gigabytes, which nobody should have to install.
UNLOCKED = {"docling", "marker"}
PIN = re.compile(r"^(?P<name>[a-z0-9][a-z0-9._-]*)==(?P<version>[^\s;]+)")


def _pins(path: Path) -> set[tuple[str, str]]:
    matches = (PIN.match(line) for line in path.read_text().splitlines())
    return {(m["name"], m["version"]) for m in matches if m}


def _normal(requirement: str) -> str:
    name = re.split(r"[\s<>=!~;\[]", requirement, maxsplit=1)[0]
    return re.sub(r"[-_.]+", "-", name).lower()


def test_locks_hold_no_address(repository: Path) -> None:
    for lock in LOCKS:
        text = (repository / lock).read_text()
        assert not re.search(r"https?://|--(extra-)?index-url|--find-links|--trusted-host| @ ", text), lock


def test_every_pin_has_a_digest(repository: Path) -> None:
    for lock in LOCKS:
        lines = (repository / lock).read_text().splitlines()
        pinned = [index for index, line in enumerate(lines) if PIN.match(line)]
        assert pinned
        assert [lines[i] for i in pinned if "--hash=sha256:" not in lines[i + 1]] == []


def test_every_declared_dependency_is_locked(repository: Path) -> None:
    project = tomllib.loads((repository / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    declared = [*project["dependencies"], *(d for e in extras.keys() - UNLOCKED for d in extras[e])]
    locked = {name for name, _ in _pins(repository / "requirements.lock")}
    assert {_normal(d) for d in declared} - locked == set()


def test_containers_install_a_part_of_the_one_lock(repository: Path) -> None:
    whole, part = (_pins(repository / lock) for lock in LOCKS)
    assert part < whole
    assert not {"pytest", "mypy", "ruff", "testcontainers"} & {name for name, _ in part}


def test_page_lock_holds_no_foreign_address(repository: Path) -> None:
    """npm writes where it fetched each package: the public registry, or nothing."""
    lock = (repository / "services/orchestrator/ui/package-lock.json").read_text()
    foreign = re.findall(r'"resolved": "(?!https://registry\.npmjs\.org/)([^"]*)"', lock)
    assert foreign == []
