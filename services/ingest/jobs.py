"""How far is a job? What runs is kept in memory for those who watch; what is final is in the database."""

import asyncio
import contextlib
import time
from collections.abc import AsyncGenerator, Callable, Iterable
from dataclasses import replace

from services.ingest.reading import Reading
from services.ingest.records import FINAL_STATES, RUNNING, Failure, Job

PARSE, CHUNK, ANNOTATE, INDEX, PUBLISH = "parse", "chunk", "annotate", "index", "publish"

# Where each stage begins and ends on the way from 0 to 1: embedding takes nearly all of the time.
STAGE_SPANS = {
    PARSE: (0.02, 0.15),
    CHUNK: (0.15, 0.2),
    ANNOTATE: (0.2, 0.2),
    INDEX: (0.2, 0.95),
    PUBLISH: (0.95, 0.99),
}

# A watcher looks again after this long even without news.
REREAD_S = 5.0


class JobBoard:
    """The unfinished jobs, and everyone who waits for news of one."""

    def __init__(self, reading: Reading, clock: Callable[[], float] = time.time) -> None:
        self._reading = reading
        self._clock = clock
        self._open: dict[str, Job] = {}
        self._news: dict[str, asyncio.Event] = {}

    def __len__(self) -> int:
        return len(self._open)

    def add(self, job: Job) -> None:
        self._open[job.job_id] = job

    def is_open(self, job_id: str) -> bool:
        return job_id in self._open

    def state(self, job_id: str) -> str | None:
        """The state of an unfinished job, else None."""
        job = self._open.get(job_id)
        return job.state if job else None

    def advance(self, job_id: str, stage: str, fraction: float = 0.0) -> None:
        """Say that a job is running, `fraction` (0 to 1) through a stage. Progress never falls within one."""
        job = self._open.get(job_id)
        if job is None:
            return
        start, end = STAGE_SPANS[stage]
        progress = start + (end - start) * min(max(fraction, 0.0), 1.0)
        if job.stage == stage:
            progress = max(progress, job.progress)
        advanced = replace(job, state=RUNNING, stage=stage, progress=progress, failure=None)
        if advanced != job:
            self._put(advanced)

    def note(self, job_ids: Iterable[str], failure: Failure) -> None:
        """Say what running jobs wait for; the next advance takes it back."""
        for job_id in job_ids:
            job = self._open.get(job_id)
            if job is not None and job.failure != failure:
                self._put(replace(job, state=RUNNING, failure=failure))

    def close(self, job_id: str) -> None:
        """A job's final state is in the database now."""
        self._open.pop(job_id, None)
        self._tell(job_id)

    async def get(self, workspace: str, job_id: str) -> Job:
        """The job as it is now. Raises NotFound, also for another workspace's id."""
        job = self._open.get(job_id)
        if job is not None and job.workspace == workspace:
            return job
        return await self._reading.job(workspace, job_id)

    async def page(self, workspace: str, offset: int, limit: int) -> tuple[list[Job], int]:
        """A page of the newest first, and how many there are."""
        jobs, total = await self._reading.jobs(workspace, offset, limit)
        return [self._open.get(job.job_id, job) for job in jobs], total

    async def watch(self, workspace: str, job_id: str) -> AsyncGenerator[Job, None]:
        """The job now and after each change, some skipped if they come fast; ends with its final state.

        Raises NotFound as `get` does.
        """
        last: Job | None = None
        await self.get(workspace, job_id)  # nothing is kept for an id that nobody will have news of
        while True:
            news = self._news.setdefault(job_id, asyncio.Event())
            job = await self.get(workspace, job_id)
            if job.state in FINAL_STATES:
                self._news.pop(job_id, None)
            if job != last:
                yield job
                last = job
            if job.state in FINAL_STATES:
                return
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(REREAD_S):
                    await news.wait()

    def parsed(self, workspace: str) -> list[str]:
        """The unfinished jobs that wait for the indexes."""
        return [
            job.job_id
            for job in self._open.values()
            if job.workspace == workspace and job.stage in (INDEX, PUBLISH)
        ]

    def states(self) -> dict[str, int]:
        """How many unfinished jobs are in each state."""
        counts: dict[str, int] = {}
        for job in self._open.values():
            counts[job.state] = counts.get(job.state, 0) + 1
        return counts

    def _put(self, job: Job) -> None:
        self._open[job.job_id] = replace(job, updated_ms=int(self._clock() * 1000))
        self._tell(job.job_id)

    def _tell(self, job_id: str) -> None:
        news = self._news.pop(job_id, None)
        if news is not None:
            news.set()
