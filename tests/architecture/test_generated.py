"""Is the generated code what its sources give?"""

import subprocess
from pathlib import Path


def test_protobuf_is_fresh(repository: Path) -> None:
    """`make proto-fresh` generates anew and compares."""
    done = subprocess.run(["make", "--silent", "proto-fresh"], cwd=repository, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
