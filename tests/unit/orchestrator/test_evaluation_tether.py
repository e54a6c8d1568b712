"""Does an evaluation end with the process that started it, however that ends?"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from services.orchestrator.eval_child import TETHERED
from tests.unit.orchestrator.evaluation_fakes import PATIENCE_S, alive

# Starts a tethered process that says who it is and how nice, and is killed without a chance to end it.
STARTER = """
import os, subprocess, sys
said = "import os, time; print(os.getpid(), os.nice(0), flush=True); time.sleep(600)"
tethered = [*sys.argv[1:], str(os.getpid()), sys.executable, "-c", said]
sys.exit(subprocess.run(tethered, process_group=0).returncode)
"""


def test_evaluation_is_nice_and_killed_with_the_process_that_started_it() -> None:
    line = [sys.executable, "-c", STARTER, *TETHERED]
    with subprocess.Popen(line, stdout=subprocess.PIPE, text=True) as starter:
        assert starter.stdout is not None
        pid, niceness = map(int, starter.stdout.readline().split())
        assert niceness == min(19, os.nice(0) + 5)
        assert alive(pid)
        starter.send_signal(signal.SIGKILL)
    until = time.monotonic() + PATIENCE_S
    while alive(pid) and time.monotonic() < until:
        time.sleep(0.02)
    assert not alive(pid)


def test_evaluation_whose_starter_is_gone_already_does_not_begin(tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    said = f"open({str(begun)!r}, 'w')"
    ended = subprocess.run([*TETHERED, "1", sys.executable, "-c", said], check=False)
    assert (ended.returncode, begun.exists()) == (126, False)


@pytest.mark.parametrize("command", ["/no/such/program", "/"])
def test_command_that_cannot_be_started_is_said(command: str) -> None:
    line = [*TETHERED, str(os.getpid()), command]
    ended = subprocess.run(line, capture_output=True, text=True, check=False)
    assert ended.returncode == 1
    assert "the evaluation cannot be started" in ended.stderr
    assert command in ended.stderr
