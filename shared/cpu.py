"""How many processor cores may this process use? The least of affinity and quotas."""

import math
import os
from pathlib import Path

CGROUP_ROOT = Path("/sys/fs/cgroup")
OWN_CGROUP = Path("/proc/self/cgroup")


def available() -> int:
    """Whole cores, at least 1: more threads than the quota pays for would only be throttled."""
    cores = float(_affinity())
    quota = quota_cores(CGROUP_ROOT, OWN_CGROUP)
    return max(1, math.floor(min(cores, quota) + 0.01))


def threads(configured: int) -> int:
    """A setting's number of threads, where 0 stands for what is available."""
    return configured or available()


def quota_cores(root: Path, own: Path) -> float:
    """Cores that the control groups (version 2, else 1) from this process's own up to the root allow.

    Infinite without a limit; a group that cannot be read sets none.
    """
    paths = _group_paths(own)
    version_2 = [_version_2(folder / "cpu.max") for folder in _lineage(root, paths.get("", "/"))]
    hierarchy = root / "cpu"
    version_1 = [_version_1(folder) for folder in _lineage(hierarchy, paths.get("cpu", "/"))]
    return min([math.inf, *version_2, *version_1])


def _affinity() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _group_paths(own: Path) -> dict[str, str]:
    """This process's group by controller; "" is version 2."""
    paths: dict[str, str] = {}
    for line in _read(own).splitlines():
        _, controllers, path = line.split(":", 2)
        paths.update((controller, path) for controller in controllers.split(","))
    return paths


def _lineage(root: Path, path: str) -> list[Path]:
    """The group's folder and every one above it; in a container the path may lie outside what is mounted."""
    folder = root / path.strip("/")
    return [folder, *(parent for parent in folder.parents if parent.is_relative_to(root))]


def _version_2(file: Path) -> float:
    quota, _, period = _read(file).strip().partition(" ")
    return int(quota) / int(period) if quota.isdigit() and period.isdigit() else math.inf


def _version_1(folder: Path) -> float:
    quota = _read(folder / "cpu.cfs_quota_us").strip()
    period = _read(folder / "cpu.cfs_period_us").strip()
    return int(quota) / int(period) if quota.isdigit() and period.isdigit() else math.inf


def _read(file: Path) -> str:
    try:
        return file.read_text("ascii")
    except OSError:
        return ""
