"""How do several processes read one file? A long PDF goes out in slices of pages, and comes back as one."""

import asyncio
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from services.ingest.jobs import CHUNK, PARSE
from services.ingest.page_files import ReadPages
from services.ingest.parsing import PAGE, PAGES, Long, ParseRequest, assemble_parts, parse_file, read_part
from services.ingest.records import ParsedVersion
from services.ingest.sandbox import UNWANTED, Lost, OutOfTime, Sandbox, Wanted
from shared.errors import InvalidDocument

Progress: TypeAlias = Callable[[str, float], None]

MOST_PAGES = 24  # of a slice: so long waits a small file that comes while a large one is read
LEAST_SLICES = 16  # of a file, as long as they hold a few pages
# A page that takes its process down is left out; a file of more of them is not worth the time.
MAX_LOST_PAGES = 4
OCR_S_PER_PAGE = 8.0  # of CPU, more than twice what reading a dense page off its picture takes
ASSEMBLY_S_PER_PAGE = 0.5  # of CPU, more than ten times what it takes


@dataclass(frozen=True, slots=True)
class SliceOptions:
    """`slots` processes at once, each for at most `timeout_s` of CPU; few pages are read in one piece."""

    slots: int
    whole_pages: int
    timeout_s: float


@dataclass(slots=True)
class _Reading:
    """How far the slices of one file are: their parts, the pages read so far, and those that are lost."""

    page_count: int
    is_wanted: Wanted
    parts: list[ReadPages] = field(default_factory=list)
    lost: list[int] = field(default_factory=list)
    done: dict[int, int] = field(default_factory=dict)

    def share(self) -> float:
        return sum(self.done.values()) / self.page_count

    def lose(self, page: int, failure: Exception) -> None:
        """Go on without a page. Raises InvalidDocument when there are too many of them."""
        self.lost.append(page)
        if len(self.lost) > MAX_LOST_PAGES:
            pages = ", ".join(map(str, sorted(self.lost)))
            raise InvalidDocument(f"{failure} More than {MAX_LOST_PAGES} pages do so: {pages}.") from failure


class Slicer:
    """Parses files in sandboxed processes. Slices of all long files share as many slots as there are."""

    def __init__(
        self,
        sandbox: Sandbox,
        folder: Path,
        options: SliceOptions,
        checkpoint: Callable[[str], None] = lambda point: None,
    ) -> None:
        self._sandbox = sandbox
        self._folder = folder
        self._options = options
        self._checkpoint = checkpoint
        # Never more slices at once than processes: a small file is next in line whenever one is through.
        self._slots = asyncio.Semaphore(options.slots)

    def open(self) -> None:
        """Make the work folder, and drop what an earlier life left in it."""
        shutil.rmtree(self._folder, ignore_errors=True)
        self._folder.mkdir(parents=True)

    @contextmanager
    def work(self, job_id: str) -> Iterator[Path]:
        """A folder for a job, gone with the block."""
        folder = self._folder / job_id
        folder.mkdir(exist_ok=True)
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    async def parse(
        self, request: ParseRequest, progress: Progress, is_wanted: Wanted
    ) -> ParsedVersion | Long:
        """The document, or how long it is: then `parse_long` is to be called.

        Raises InvalidDocument (also as soon as `is_wanted` is false), TooLarge, and Unavailable once the
        sandbox is closed.
        """
        pages = 0

        def tell(stage: str, value: float) -> None:
            nonlocal pages
            if stage == PAGES:
                pages = int(value)
            elif stage == PAGE:
                progress(PARSE, (value - 1) / pages)
            else:
                progress(stage, value)

        timeout_s = self._time_s(request, self._options.whole_pages)
        try:
            outcome: ParsedVersion | Long = await self._sandbox.attempt(
                parse_file, request, timeout_s=timeout_s, on_stage=tell, is_wanted=is_wanted
            )
        except Lost as lost:
            if pages < 2:
                raise InvalidDocument(str(lost)) from lost
            return Long(pages)  # one of the pages did it: the others may be saved
        return outcome

    async def parse_long(
        self, request: ParseRequest, page_count: int, progress: Progress, is_wanted: Wanted
    ) -> ParsedVersion:
        """The document from slices of its pages, just what one process would have made of it.

        A page that its process does not live through is unreadable; more than a few of them are too many.
        Raises as `parse` does, and InvalidDocument as soon as `is_wanted` is false.
        """
        reading = _Reading(page_count, is_wanted)
        slices = iter(_slices(page_count, self._options.whole_pages))

        async def take_turns() -> None:
            for numbers in slices:
                if not is_wanted():
                    raise InvalidDocument(UNWANTED)
                async with self._slots:
                    await self._read(request, numbers, reading, progress)
                self._checkpoint("sliced")

        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(self._options.slots):
                    group.create_task(take_turns())
        except ExceptionGroup as failures:
            raise failures.exceptions[0] from None
        version: ParsedVersion = await self._sandbox.run(
            assemble_parts,
            request,
            tuple(reading.parts),
            page_count,
            timeout_s=self._options.timeout_s + page_count * ASSEMBLY_S_PER_PAGE,
            on_stage=lambda stage, value: progress(CHUNK, 0.0),
        )
        return version

    def _time_s(self, request: ParseRequest, pages: int) -> float:
        """The CPU time for a piece of work on so many pages: each may turn out to be a scan."""
        return self._options.timeout_s + (pages * OCR_S_PER_PAGE if request.ocr else 0)

    async def _read(
        self, request: ParseRequest, numbers: range, reading: _Reading, progress: Progress
    ) -> None:
        first, suspect = numbers.start, 0
        while first < numbers.stop:
            part = ReadPages(request.work / f"pages-{first}-{suspect}", first, numbers.stop - first)
            at = first

            def tell(stage: str, value: float, start: int = first) -> None:
                nonlocal at
                at = int(value)
                reading.done[start] = at - start
                progress(PARSE, reading.share())

            try:
                await self._sandbox.attempt(
                    read_part,
                    request,
                    part,
                    timeout_s=self._time_s(request, part.count),
                    on_stage=tell,
                    attempts=1,
                    is_wanted=reading.is_wanted,
                )
            except (Lost, InvalidDocument) as failure:  # too much time, too much memory, or a crash
                if not reading.is_wanted():
                    raise
                reading.parts.append(ReadPages(part.path, first, at - first))
                first = at
                if at == suspect or isinstance(failure, OutOfTime):
                    reading.lose(at, failure)
                    first = at + 1
                suspect = at  # its process may have been killed for its neighbours' memory: once is no proof
            else:
                reading.parts.append(part)
                first = numbers.stop
            reading.done[part.first] = first - part.first
            progress(PARSE, reading.share())


def _slices(page_count: int, least_pages: int) -> Iterator[range]:
    """Ranges of page numbers from 1: short ones, longer ones of long files."""
    size = max(least_pages, min(MOST_PAGES, page_count // LEAST_SLICES), 1)
    for first in range(1, page_count + 1, size):
        yield range(first, min(first + size, page_count + 1))
