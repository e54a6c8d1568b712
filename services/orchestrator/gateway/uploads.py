"""How do the files of one request reach ingest, and what became of each?"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from services.orchestrator.core.records import Submission
from services.orchestrator.gateway.problems import reason_of
from services.orchestrator.gateway.settings import GatewaySettings
from services.orchestrator.ingest_client import IngestClient
from shared.errors import InvalidInput, Overloaded, SightlineError, TooLarge

FIRST_PAUSE_S = 0.1
LONGEST_PAUSE_S = 2.0


@dataclass(frozen=True, slots=True)
class Upload:
    """A file to hand over; `pieces` begins anew each time it is called."""

    name: str
    media_type: str
    size: int
    pieces: Callable[[], AsyncIterator[bytes]]


async def submit_all(
    ingest: IngestClient, workspace: str, uploads: Sequence[Upload], settings: GatewaySettings
) -> list[Submission]:
    """What became of each file, in their order. Raises only when nothing was taken and ingest is the cause.

    Files go side by side, unless two have one name: then the later one must be the newer version.
    """
    names = {last_part(upload.name) for upload in uploads}
    width = asyncio.Semaphore(settings.upload_width if len(names) == len(uploads) else 1)

    async def one(upload: Upload) -> Submission | SightlineError:
        async with width:
            try:
                return await _submitted(ingest, workspace, upload, settings)
            except SightlineError as error:
                return error

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(one(upload)) for upload in uploads]
    outcomes = [task.result() for task in tasks]
    if all(isinstance(outcome, SightlineError) for outcome in outcomes):
        raise next(outcome for outcome in outcomes if isinstance(outcome, SightlineError))
    return [
        _refused(upload, outcome) if isinstance(outcome, SightlineError) else outcome
        for upload, outcome in zip(uploads, outcomes, strict=True)
    ]


async def _submitted(
    ingest: IngestClient, workspace: str, upload: Upload, settings: GatewaySettings
) -> Submission:
    """What ingest says of the file; while its queue is full, it is asked again for a time."""
    if upload.size > settings.max_upload_bytes:
        limit = f"{settings.max_upload_bytes:,} bytes (setting max_upload_bytes)"
        return _refused(upload, TooLarge(f"{last_part(upload.name)} is larger than {limit}; split it"))
    if not last_part(upload.name):
        return _refused(upload, InvalidInput("file: has no name; give the part a filename"))
    end = time.monotonic() + settings.upload_patience_s
    pause_s = FIRST_PAUSE_S
    while True:
        try:
            return await ingest.submit(workspace, upload.name, upload.media_type, upload.pieces())
        except Overloaded:
            if time.monotonic() + pause_s > end:
                raise
        await asyncio.sleep(pause_s)
        pause_s = min(2 * pause_s, LONGEST_PAUSE_S)


def _refused(upload: Upload, error: SightlineError) -> Submission:
    return Submission(
        document_id=None,
        name=last_part(upload.name),
        status="failed",
        duplicate=False,
        job_id=None,
        reason=reason_of(error),
    )


def last_part(name: str) -> str:
    """The file's own name without a path, whichever slash the client's system uses."""
    return PurePosixPath(name.replace("\\", "/")).name
