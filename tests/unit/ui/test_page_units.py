"""Do the page's own unit tests and type checks pass? They are TypeScript and run by npm."""

import shutil
import subprocess
from pathlib import Path

import pytest

DEADLINE_S = 300


@pytest.mark.parametrize("script", ["check", "test"])
def test_page_passes_its_own(script: str, repository: Path) -> None:
    assert shutil.which("npm"), "Node.js 20 or newer is missing: install it and run this again."
    done = subprocess.run(
        ["npm", "run", script],
        cwd=repository / "services/orchestrator/ui",
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
    )
    assert done.returncode == 0, done.stdout[-8000:] + done.stderr[-4000:]
