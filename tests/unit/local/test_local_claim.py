"""Is a data folder held by one stack at a time, and given back in every case?"""

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from services.local.claim import Claim, FolderInUse


def test_second_claim_on_the_same_folder_is_refused(tmp_path: Path) -> None:
    first = Claim(tmp_path, wait_s=0)
    first.write_note(8123, {"ingest": 1})
    with pytest.raises(FolderInUse, match=r"in use by another stack at http://127\.0\.0\.1:8123"):
        Claim(tmp_path, wait_s=0)
    first.release()


def test_claims_on_two_folders_stand_side_by_side(tmp_path: Path) -> None:
    first, second = Claim(tmp_path / "a", wait_s=0), Claim(tmp_path / "b", wait_s=0)
    assert first.sockets != second.sockets
    first.release()
    second.release()


def test_release_leaves_no_sockets_and_no_note(tmp_path: Path) -> None:
    claim = Claim(tmp_path, wait_s=0)
    claim.write_note(8123, {})
    assert stat.S_IMODE(claim.sockets.stat().st_mode) == 0o700
    claim.release()
    assert not claim.sockets.exists()
    assert [path.name for path in (tmp_path / "local").iterdir()] == ["lock"]
    Claim(tmp_path, wait_s=0).release()


def test_note_that_cannot_be_written_does_not_end_the_stack(tmp_path: Path) -> None:
    claim = Claim(tmp_path, wait_s=0)
    (tmp_path / "local" / "stack.new").mkdir()
    claim.write_note(8123, {})
    assert not (tmp_path / "local" / "stack.json").exists()
    claim.release()


def test_claim_removes_the_sockets_of_a_killed_supervisor(tmp_path: Path) -> None:
    killed = Claim(tmp_path, wait_s=0)
    killed.write_note(8123, {})
    os.close(killed.lock_fd)  # as the kernel does
    claim = Claim(tmp_path, wait_s=0)
    assert not killed.sockets.exists()
    claim.release()


def test_claim_removes_only_folders_of_its_own(tmp_path: Path) -> None:
    precious = tmp_path / "sightline-precious"
    precious.mkdir()
    (tmp_path / "local").mkdir()
    (tmp_path / "local" / "stack.json").write_text(json.dumps({"sockets": str(precious)}))
    Claim(tmp_path, wait_s=0).release()
    assert precious.exists()


def test_claim_waits_for_children_that_outlive_their_supervisor(tmp_path: Path) -> None:
    killed = Claim(tmp_path, wait_s=0)
    killed.write_note(8123, {})
    note = tmp_path / "local" / "stack.json"
    supervisor = subprocess.Popen([sys.executable, "-c", ""])
    supervisor.wait()
    note.write_text(json.dumps(json.loads(note.read_text()) | {"pid": supervisor.pid}))
    draining = subprocess.Popen(
        [sys.executable, "-c", "import time; time.sleep(0.5)"], pass_fds=(killed.lock_fd,)
    )
    os.close(killed.lock_fd)
    claim = Claim(tmp_path, wait_s=20)
    assert draining.wait() == 0
    claim.release()
