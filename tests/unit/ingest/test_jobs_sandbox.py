"""Does untrusted work stay in its box, whatever it does?"""

import asyncio
import importlib
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from services.ingest.sandbox import Lost, Sandbox
from shared.errors import InvalidDocument, TooLarge, Unavailable

MIB = 1024 * 1024
TARGETS = """
import os
import time

from shared.errors import TooLarge


def double(number, report):
    report("chunk")
    return number * 2


def refuse(report):
    raise TooLarge("too many pages")


def crash(report):
    os.abort()


def crash_once(marker, report):
    if not os.path.exists(marker):
        open(marker, "w").close()
        os.abort()
    return "second time"


def fail(report):
    raise KeyError("/secret/path")


def hang(report):
    time.sleep(60)


def spin(report):
    while True:
        pass


def fill(path, report):
    with open(path, "wb") as file:
        for _ in range(4):
            file.write(b"x" * (1024 * 1024))


def open_many(report):
    return [open(os.devnull) for _ in range(100)]


def hog(report):
    return len(bytearray(600 * 1024 * 1024))


def large(report):
    return b"x" * (40 * 1024 * 1024)


def warm():
    global loaded
    loaded = os.getpid()


def lineage(report):
    return loaded, os.getppid(), os.getpid()


def pid(report):
    time.sleep(0.2)
    return os.getpid()
"""


@pytest.fixture
def targets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    name = f"sandbox_targets_{tmp_path.name}"
    (tmp_path / f"{name}.py").write_text(TARGETS)
    monkeypatch.syspath_prepend(tmp_path)
    return importlib.import_module(name)


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    opened = Sandbox(2, 400 * MIB, ("services.ingest.sandbox_child",))
    yield opened
    await asyncio.to_thread(opened.close)


async def test_result_and_stages_come_back(sandbox: Sandbox, targets: Any) -> None:
    stages: list[tuple[str, float]] = []

    def tell(stage: str, progress: float) -> None:
        stages.append((stage, progress))

    assert await sandbox.run(targets.double, 21, timeout_s=20, on_stage=tell) == 42
    assert stages == [("chunk", 0.0)]


async def test_refusal_keeps_its_type_and_words(sandbox: Sandbox, targets: Any) -> None:
    with pytest.raises(TooLarge, match="too many pages"):
        await sandbox.run(targets.refuse, timeout_s=20)


async def test_crash_becomes_a_sentence(sandbox: Sandbox, targets: Any) -> None:
    with pytest.raises(InvalidDocument, match="crash"):
        await sandbox.run(targets.crash, timeout_s=20)


async def test_process_that_dies_once_is_given_another_try(
    sandbox: Sandbox, targets: Any, tmp_path: Path
) -> None:
    assert await sandbox.run(targets.crash_once, str(tmp_path / "marker"), timeout_s=20) == "second time"


async def test_unexpected_error_becomes_a_sentence_without_its_details(
    sandbox: Sandbox, targets: Any
) -> None:
    with pytest.raises(InvalidDocument, match="KeyError") as caught:
        await sandbox.run(targets.fail, timeout_s=20)
    assert "secret" not in str(caught.value)


async def test_work_that_takes_too_long_is_killed(sandbox: Sandbox, targets: Any) -> None:
    started = time.monotonic()
    with pytest.raises(InvalidDocument, match="more than 1 s of processor time"):
        await sandbox.run(targets.hang, timeout_s=1)
    assert time.monotonic() - started < 10


async def test_work_that_uses_up_its_cpu_time_is_ended_with_the_same_words(
    sandbox: Sandbox, targets: Any
) -> None:
    with pytest.raises(InvalidDocument, match="more than 1 s of processor time"):
        await sandbox.run(targets.spin, timeout_s=1)


async def test_work_that_needs_too_much_memory_is_stopped(sandbox: Sandbox, targets: Any) -> None:
    with pytest.raises(InvalidDocument, match="400 MiB of memory"):
        await sandbox.run(targets.hog, timeout_s=20)


async def test_large_result_arrives_whole(sandbox: Sandbox, targets: Any) -> None:
    assert len(await sandbox.run(targets.large, timeout_s=20)) == 40 * MIB


async def test_each_piece_of_work_has_a_process_of_its_own(sandbox: Sandbox, targets: Any) -> None:
    pids = await asyncio.gather(*(sandbox.run(targets.pid, timeout_s=20) for _ in range(4)))
    assert len(set(pids)) == 4


async def test_what_was_loaded_once_is_found_by_every_fork(targets: Any) -> None:
    warmed = Sandbox(1, 400 * MIB, (), warm=targets.warm)
    try:
        loaded, parent, first = await warmed.run(targets.lineage, timeout_s=20)
        assert loaded == parent
        assert await warmed.run(targets.lineage, timeout_s=20) != (loaded, parent, first)
        again, _, _ = await warmed.run(targets.lineage, timeout_s=20)
        assert again == loaded
        with pytest.raises(InvalidDocument):
            await warmed.run(targets.crash, timeout_s=20)
        anew, _, _ = await warmed.run(targets.lineage, timeout_s=20)
        assert anew != loaded
    finally:
        await asyncio.to_thread(warmed.close)


async def test_closing_ends_what_runs_without_blaming_the_file(sandbox: Sandbox, targets: Any) -> None:
    task = asyncio.create_task(sandbox.run(targets.hang, timeout_s=60))
    await asyncio.sleep(1.0)
    started = time.monotonic()
    await asyncio.to_thread(sandbox.close)
    with pytest.raises(Unavailable):
        await task
    assert time.monotonic() - started < 10


async def test_bounds_on_files_hold_in_the_process(targets: Any, tmp_path: Path) -> None:
    bounded = Sandbox(1, 400 * MIB, (), file_bytes=MIB, open_files=60)
    try:
        with pytest.raises(InvalidDocument, match="OSError"):
            await bounded.run(targets.fill, str(tmp_path / "full"), timeout_s=20)
        assert (tmp_path / "full").stat().st_size <= MIB
        with pytest.raises(InvalidDocument, match="OSError"):
            await bounded.run(targets.open_many, timeout_s=20)
    finally:
        await asyncio.to_thread(bounded.close)


async def test_lost_work_can_be_told_from_refused_work(sandbox: Sandbox, targets: Any) -> None:
    with pytest.raises(Lost, match="crash"):
        await sandbox.attempt(targets.crash, timeout_s=20, attempts=1)
    with pytest.raises(Lost, match="more than 1 s of processor time"):
        await sandbox.attempt(targets.spin, timeout_s=1)
    with pytest.raises(TooLarge):
        await sandbox.attempt(targets.refuse, timeout_s=20)


async def test_work_that_nobody_wants_any_more_is_ended(sandbox: Sandbox, targets: Any) -> None:
    started = time.monotonic()
    with pytest.raises(InvalidDocument, match="no longer wanted"):
        await sandbox.attempt(targets.hang, timeout_s=60.0, is_wanted=lambda: False)
    assert time.monotonic() - started < 30
    assert await sandbox.run(targets.double, 4, timeout_s=30.0) == 8, "its place is free"
