"""Who may write in this folder? One ingest at a time: a second would undo what the first has under way."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from shared.errors import Conflict


@contextmanager
def claimed(folder: Path) -> Iterator[None]:
    """The folder, made if need be, is this process's own within the block. Raises Conflict if it is taken.

    The lock ends with its process, however that ends.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise Conflict(
                f"Another ingest writes in {folder}: stop it, or choose another folder."
            ) from error
        yield
