"""How is a file taken in? Streamed to disk within bounds, looked at, and promised when it is durable."""

import asyncio
from collections.abc import AsyncIterator, Callable

from services.ingest.core.formats.registry import sniff
from services.ingest.identity import DEFAULT_WORKSPACE
from services.ingest.jobs import JobBoard
from services.ingest.metrics import UPLOADS
from services.ingest.originals import Originals, Spool
from services.ingest.pipeline import Pipeline
from services.ingest.records import Accepted, Unparsed, Upload
from services.ingest.store import Store
from shared.errors import InvalidInput, Overloaded, TooLarge

MAX_WORKSPACE_CHARACTERS = 200


class Intake:
    """Turns streamed bytes into a durable job, or into the reason why not."""

    def __init__(
        self,
        store: Store,
        originals: Originals,
        board: JobBoard,
        pipeline: Pipeline,
        *,
        max_upload_bytes: int,
        queue_limit: int,
        checkpoint: Callable[[str], None],
    ) -> None:
        self._store = store
        self._originals = originals
        self._board = board
        self._pipeline = pipeline
        self._max_upload_bytes = max_upload_bytes
        self._queue_limit = queue_limit
        self._checkpoint = checkpoint

    def check_room(self) -> None:
        """Raises Overloaded while too many jobs are unfinished."""
        if len(self._board) >= self._queue_limit:
            raise Overloaded(f"{len(self._board)} documents wait already; try again in a minute.")

    async def take(self, workspace: str, name: str, pieces: AsyncIterator[bytes]) -> Accepted:
        """The durable acceptance of a file whose name is clean.

        Raises InvalidDocument, UnsupportedType or TooLarge, and then nothing is left of it.
        """
        spool = await asyncio.to_thread(self._originals.spool)
        try:
            async for piece in pieces:
                if spool.size + len(piece) > self._max_upload_bytes:
                    raise TooLarge(
                        f"The file has more than {self._max_upload_bytes} bytes (SIGHTLINE_MAX_UPLOAD_BYTES)."
                    )
                await asyncio.to_thread(spool.write, piece)
            upload = await asyncio.to_thread(_examined, spool, workspace, name)
        except BaseException:
            spool.discard()
            UPLOADS.labels("refused").inc()
            raise
        # A client that leaves now must not leave a durable job that nobody works on.
        return await asyncio.shield(self._accept(spool, upload))

    async def _accept(self, spool: Spool, upload: Upload) -> Accepted:
        try:
            accepted = await self._store.submit(upload)
        finally:
            spool.discard()
        UPLOADS.labels("duplicate" if accepted.duplicate else "accepted").inc()
        if accepted.job is not None:
            self._pipeline.add(Unparsed(accepted.job, upload.sha256, upload.media_type))
            self._checkpoint("accepted")
        return accepted


def checked_workspace(workspace: str) -> str:
    """The workspace, or the default for none. Raises InvalidInput."""
    if len(workspace) > MAX_WORKSPACE_CHARACTERS or "\0" in workspace:
        raise InvalidInput(f"A workspace's name has at most {MAX_WORKSPACE_CHARACTERS} characters.")
    return workspace or DEFAULT_WORKSPACE


def _examined(spool: Spool, workspace: str, name: str) -> Upload:
    sha256 = spool.finish()
    media_type = sniff(name, spool.path.read_bytes())
    return Upload(workspace, name, media_type, spool.size, sha256, spool.path)
