"""Does a tethered process end when the pipe of its supervisor closes?"""

import os
import signal
import subprocess
import sys

from services.local.settings import REPOSITORY


def test_process_ends_by_sigterm_when_the_pipe_closes() -> None:
    tether, held = os.pipe()
    process = subprocess.Popen(
        [sys.executable, "-m", "services.local.tethered", "http.server", "0"],
        cwd=REPOSITORY,
        stdin=tether,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
        start_new_session=True,
    )
    os.close(tether)
    assert process.stdout is not None
    with process.stdout as output:
        assert b"Serving HTTP" in output.readline()
    assert process.poll() is None
    os.close(held)
    assert process.wait(15) == -signal.SIGTERM
