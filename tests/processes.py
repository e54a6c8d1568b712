"""Which processes belong to a stack, and what do they hold? Read from /proc."""

import time
from collections.abc import Iterable
from pathlib import Path

PROC = Path("/proc")


def parents() -> dict[int, int]:
    """The parent of every process of this machine; zombies are left out."""
    found = {}
    for folder in PROC.iterdir():
        if folder.name.isdigit():
            try:
                # the second field is the name in brackets and may hold anything
                state, parent = (folder / "stat").read_text().rpartition(")")[2].split()[:2]
            except (FileNotFoundError, ProcessLookupError):
                continue
            if state != "Z":
                found[int(folder.name)] = int(parent)
    return found


def family(pid: int) -> set[int]:
    """A process and all that descend from it."""
    by_child = parents()
    members = {pid} & by_child.keys()
    while added := {child for child, parent in by_child.items() if parent in members} - members:
        members |= added
    return members


def resident_bytes(pids: Iterable[int]) -> int:
    """Memory that the processes hold together; what they share is counted once, in shares."""
    return sum(_proportional_bytes(pid) for pid in pids)


def wait_until_gone(pids: Iterable[int], deadline_s: float) -> None:
    """Return once none of the processes runs."""
    until = time.monotonic() + deadline_s
    while left := set(pids) & parents().keys():
        commands = {pid: _command(pid) for pid in left}
        assert time.monotonic() < until, f"still running after {deadline_s} s: {commands}"
        time.sleep(0.1)


def _proportional_bytes(pid: int) -> int:
    try:
        lines = (PROC / str(pid) / "smaps_rollup").read_text().splitlines()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))


def _command(pid: int) -> str:
    try:
        return (PROC / str(pid) / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return "gone"
