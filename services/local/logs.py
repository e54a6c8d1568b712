"""Where does a service's output go, and what keeps it from filling the disk?"""

import contextlib
import os
import shutil
from pathlib import Path


class BoundedLog:
    """An append-only file that processes write to by themselves; past its limit it is moved to `<name>.1`.

    The file is copied and then cut, as its writers keep it open: they append, so they go on at its start.
    """

    def __init__(self, path: Path, limit_bytes: int) -> None:
        self.path = path
        self._limit_bytes = limit_bytes
        path.parent.mkdir(parents=True, exist_ok=True)

    def open(self) -> int:
        """A file descriptor to give to a new process."""
        return os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def bound(self) -> None:
        """Keep the file within its limit."""
        if self.path.exists() and self.path.stat().st_size > self._limit_bytes:
            with contextlib.suppress(OSError):  # a full disk needs the room more than the copy
                shutil.copyfile(self.path, self.path.with_name(self.path.name + ".1"))
            os.truncate(self.path, 0)

    def last_line(self) -> str:
        """The newest line that is not empty; "" without any."""
        if not self.path.exists():
            return ""
        with self.path.open("rb") as file:
            file.seek(max(0, self.path.stat().st_size - 8192))
            lines = [line for line in file.read().decode(errors="replace").splitlines() if line.strip()]
        return lines[-1].strip() if lines else ""
