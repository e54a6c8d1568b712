"""Who owns a data folder? The stack whose processes hold its lock; a second one is refused."""

import contextlib
import fcntl
import json
import os
import shutil
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

SOCKETS_PREFIX = "sightline-"


class FolderInUse(Exception):
    """Another stack works in this data folder."""


class Claim:
    """An exclusive hold on a data folder, and the note in it that says who holds it and where.

    The lock is shared with the child processes by inheritance, so that a folder is free again only when the
    last of them has ended, even if their supervisor was killed.
    """

    def __init__(self, data: Path, wait_s: float) -> None:
        folder = data / "local"
        folder.mkdir(parents=True, exist_ok=True)
        self._note = folder / "stack.json"
        self.lock_fd = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        self._acquire(data, wait_s)
        self._sweep()
        self.sockets = Path(tempfile.mkdtemp(prefix=SOCKETS_PREFIX))

    def write_note(self, port: int, processes: Mapping[str, int]) -> None:
        """Say in the folder which processes work in it: their ids by service, the supervisor's, the port."""
        note = {"pid": os.getpid(), "port": port, "sockets": str(self.sockets), "processes": dict(processes)}
        fresh = self._note.with_suffix(".new")
        with contextlib.suppress(OSError):  # on a full disk the stack lives on without the note
            fresh.write_text(json.dumps(note, indent=2))
            fresh.replace(self._note)

    def release(self) -> None:
        """Give the folder back and leave nothing behind."""
        shutil.rmtree(self.sockets, ignore_errors=True)
        self._note.unlink(missing_ok=True)
        os.close(self.lock_fd)

    def _acquire(self, data: Path, wait_s: float) -> None:
        until = time.monotonic() + wait_s
        while True:
            try:
                fcntl.flock(self.lock_fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            except BlockingIOError:
                note = self._read_note()
                owner = note.get("pid")
                left_over = isinstance(owner, int) and not _lives(owner)
                if not left_over or time.monotonic() > until:
                    os.close(self.lock_fd)
                    where = f" at http://127.0.0.1:{note['port']}" if "port" in note else ""
                    raise FolderInUse(
                        f"The data folder {data} is in use by another stack{where}: "
                        "end that one, or choose another folder with SIGHTLINE_DATA."
                    ) from None
                time.sleep(0.2)  # processes of a supervisor that was killed are still draining

    def _sweep(self) -> None:
        """Remove the socket folder of a supervisor that could not do it itself."""
        sockets = Path(str(self._read_note().get("sockets", "")))
        if sockets.name.startswith(SOCKETS_PREFIX) and sockets.parent == Path(tempfile.gettempdir()):
            shutil.rmtree(sockets, ignore_errors=True)
        self._note.unlink(missing_ok=True)

    def _read_note(self) -> dict[str, object]:
        try:
            note = json.loads(self._note.read_text())
        except (FileNotFoundError, ValueError):
            return {}
        return note if isinstance(note, dict) else {}


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
