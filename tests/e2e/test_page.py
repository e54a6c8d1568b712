"""Does the page work in a real browser against real services? The checks are its own, in TypeScript."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from services.local.sample import sample_files
from tests.stack import Stack

pytestmark = [pytest.mark.stack, pytest.mark.models, pytest.mark.browser]

DEADLINE_S = 600


def test_page_answers_a_question_in_a_browser(stack: Stack, repository: Path) -> None:
    browser = shutil.which("chromium")
    assert browser, "Chromium is missing: install it (Debian: apt-get install chromium) and run this again."
    assert shutil.which("npm"), "Node.js 20 or newer is missing: install it and run this again."
    stack.add({path.name: path.read_bytes() for path in sample_files()})
    done = subprocess.run(
        ["npm", "run", "e2e"],
        cwd=repository / "services/orchestrator/ui",
        env=os.environ | {"SIGHTLINE_URL": stack.url, "CHROMIUM": browser},
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
    )
    assert done.returncode == 0, done.stdout[-8000:] + done.stderr[-4000:]
