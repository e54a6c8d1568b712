"""Threads follow the quota, not the machine."""

import math
from pathlib import Path

import pytest

from shared.cpu import available, quota_cores, threads


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "ascii")


@pytest.mark.parametrize(
    ("cpu_max", "cores"), [("200000 100000\n", 2.0), ("50000 100000\n", 0.5), ("max 100000\n", math.inf)]
)
def test_quota_of_a_container_stands_at_the_root(tmp_path: Path, cpu_max: str, cores: float) -> None:
    write(tmp_path / "self", "0::/\n")
    write(tmp_path / "fs" / "cpu.max", cpu_max)
    assert quota_cores(tmp_path / "fs", tmp_path / "self") == cores


def test_quota_is_the_least_from_the_own_group_up(tmp_path: Path) -> None:
    write(tmp_path / "self", "0::/a/b\n")
    write(tmp_path / "fs" / "a" / "cpu.max", "150000 100000")
    write(tmp_path / "fs" / "a" / "b" / "cpu.max", "400000 100000")
    assert quota_cores(tmp_path / "fs", tmp_path / "self") == 1.5


def test_quota_is_read_from_version_1_groups_too(tmp_path: Path) -> None:
    write(tmp_path / "self", "4:cpu,cpuacct:/docker/x\n0::/\n")
    write(tmp_path / "fs" / "cpu" / "docker" / "x" / "cpu.cfs_quota_us", "300000")
    write(tmp_path / "fs" / "cpu" / "docker" / "x" / "cpu.cfs_period_us", "100000")
    assert quota_cores(tmp_path / "fs", tmp_path / "self") == 3.0


def test_quota_without_a_limit_is_infinite(tmp_path: Path) -> None:
    write(tmp_path / "fs" / "cpu" / "cpu.cfs_quota_us", "-1")
    write(tmp_path / "fs" / "cpu" / "cpu.cfs_period_us", "100000")
    assert quota_cores(tmp_path / "fs", tmp_path / "none") == math.inf


def test_threads_are_as_set_or_as_available() -> None:
    assert threads(3) == 3
    assert threads(0) == available() >= 1
