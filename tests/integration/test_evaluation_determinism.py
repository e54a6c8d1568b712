"""Is a suite ranked alike, to the bit, whatever the order of its documents and of hashes?"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from services.local.settings import REPOSITORY

pytestmark = [pytest.mark.stack, pytest.mark.models]

RUN = """
import json, sys
from dataclasses import replace
from pathlib import Path
from eval.datasets.prepared import prepared
from eval.runs.rows import HASH
from eval.runs.running import Plan, run

ready = prepared("regression", "development")
ready = replace(ready, documents=ready.documents[:: int(sys.argv[1])])
result = run(Plan(ready, HASH, Path(sys.argv[2]), "2026-11-30"), lambda share, words: None)
print(json.dumps(result))
"""


def measured(step: int, hash_seed: str, folder: Path) -> dict[str, Any]:
    """The suite on a stack of its own, its documents uploaded in their order (1) or against it (-1)."""
    done = subprocess.run(
        [sys.executable, "-c", RUN, str(step), str(folder)],
        cwd=REPOSITORY,
        env=os.environ | {"PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def test_order_of_documents_and_of_hashes_changes_no_rank(tmp_path: Path) -> None:
    first = measured(1, "1", tmp_path / "first")
    second = measured(-1, "2", tmp_path / "second")
    assert [row["name"] for row in first["rows"]] == [row["name"] for row in second["rows"]]
    for one, other in zip(first["rows"], second["rows"], strict=True):
        assert one["values"] == other["values"]
        assert one["orders"] == other["orders"]
        assert one["metrics"] == other["metrics"]
    assert first["corpus_digest"] == second["corpus_digest"]
    orders = {row["name"]: row["orders"] for row in first["rows"]}
    assert orders["keywords"] != orders["vectors"]
