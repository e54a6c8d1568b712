"""Where do uploaded bytes live? Once per content, named by their sha256, written before they are promised."""

import hashlib
import os
import uuid
from collections.abc import Iterator
from pathlib import Path

PIECE_BYTES = 1024 * 1024


class Originals:
    """Files under `folder`; an upload is spooled, then adopted under its digest by an atomic rename."""

    def __init__(self, folder: Path) -> None:
        self._files = folder / "originals"
        self._spool = folder / "spool"

    def open(self) -> None:
        """Make the folders and drop what an upload that was never acknowledged left behind."""
        self._files.mkdir(parents=True, exist_ok=True)
        self._spool.mkdir(parents=True, exist_ok=True)
        for leftover in self._spool.iterdir():
            leftover.unlink(missing_ok=True)

    def spool(self) -> "Spool":
        return Spool(self._spool / uuid.uuid4().hex)

    def adopt(self, path: Path, sha256: str) -> None:
        """Move a finished spool file to its place, durably; the same content is stored once."""
        target = self.path(sha256)
        if target.exists():
            path.unlink(missing_ok=True)
            return
        fresh_folder = not target.parent.exists()
        target.parent.mkdir(exist_ok=True)
        os.replace(path, target)
        _sync_folder(target.parent)
        if fresh_folder:
            _sync_folder(self._files)

    def path(self, sha256: str) -> Path:
        return self._files / sha256[:2] / sha256

    def remove(self, sha256: str) -> None:
        self.path(sha256).unlink(missing_ok=True)

    def stored(self) -> Iterator[str]:
        """The digests of all files."""
        for folder in self._files.iterdir():
            for path in folder.iterdir():
                yield path.name


class Spool:
    """A file that is arriving: hashed as it is written, synced when it is complete."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.size = 0
        self._hash = hashlib.sha256()
        self._file = path.open("wb")

    def write(self, data: bytes) -> None:
        self._file.write(data)
        self._hash.update(data)
        self.size += len(data)

    def finish(self) -> str:
        """Put the bytes on disk; returns their hex sha256."""
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()
        return self._hash.hexdigest()

    def discard(self) -> None:
        """Leave nothing behind; harmless after the file was adopted."""
        self._file.close()
        self.path.unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
