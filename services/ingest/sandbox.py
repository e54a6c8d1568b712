"""How is untrusted work kept from harming the service? Each piece runs in its own short-lived process.

The processes are forks of a template that has the parsers and the tokenizer loaded and knows no gRPC thread:
one costs a few milliseconds and starts from a clean state.
"""

import asyncio
import logging
import multiprocessing
import pickle
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, TypeAlias

from services.ingest.sandbox_child import OUT_OF_CPU, Bounds, template_main
from shared.errors import InvalidDocument, Unavailable, from_wire, mapping_of

log = logging.getLogger("sightline.ingest.sandbox")

Report: TypeAlias = Callable[[str, float], None]
Wanted: TypeAlias = Callable[[], bool]
Warm: TypeAlias = Callable[[], object]

MIB = 1024 * 1024
FILE_BYTES = 512 * MIB
OPEN_FILES = 256
ATTEMPTS = 2  # a process may be killed for its neighbours' memory; twice is no accident
# On a busy machine a second of work takes longer; a file may not fail for its neighbours.
CLOCK_FACTOR = 3
WANTED_EVERY_S = 0.5  # how often it is asked whether the work is still wanted
UNWANTED = "The document is no longer wanted."
STOPPING = "Ingest is stopping; the document is read after the next start."


@dataclass(frozen=True, slots=True, eq=False)
class Template:
    """A process that forks for one piece of work at a time, and our end of its pipe."""

    process: BaseProcess
    pipe: Connection

    def end(self) -> None:
        """Kill it, and with it the fork that may be at work."""
        self.process.kill()
        self.process.join()
        self.pipe.close()


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """A piece of work, pickled, and who hears of it."""

    work: bytes
    timeout_s: float
    report: Report
    is_wanted: Wanted


class Died(Exception):
    """A process ended without an answer."""


class Lost(Exception):
    """Work that its process did not live through; the message is a sentence for people."""


class OutOfTime(Lost):
    """Work that was ended because it took too long."""


class Sandbox:
    """Runs top-level functions in fresh processes, `slots` at a time; `warm` loads what all of them need."""

    def __init__(
        self,
        slots: int,
        memory_bytes: int,
        preload: Sequence[str],
        *,
        warm: Warm | None = None,
        file_bytes: int = FILE_BYTES,
        open_files: int = OPEN_FILES,
    ) -> None:
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload(list(preload))
        self._bounds = Bounds(memory_bytes, file_bytes, open_files)
        self._warm = warm
        self._threads = ThreadPoolExecutor(slots, thread_name_prefix="ingest-sandbox")
        self._lock = threading.Lock()
        self._idle: list[Template] = []
        self._busy: set[Template] = set()
        self._closed = False

    async def run(
        self, target: Callable[..., Any], *arguments: Any, timeout_s: float, on_stage: Report | None = None
    ) -> Any:
        """What `target(*arguments, report)` returns in its process; it may report stages and progress.

        Raises the SightlineError that it raised; InvalidDocument if it crashes, needs too much memory or more
        than `timeout_s` of CPU (or a multiple of that by the clock); Unavailable once closed.
        """
        try:
            return await self.attempt(target, *arguments, timeout_s=timeout_s, on_stage=on_stage)
        except Lost as lost:
            raise InvalidDocument(str(lost)) from lost

    async def attempt(
        self,
        target: Callable[..., Any],
        *arguments: Any,
        timeout_s: float,
        on_stage: Report | None = None,
        attempts: int = ATTEMPTS,
        is_wanted: Wanted = lambda: True,
    ) -> Any:
        """As `run`, but raises Lost if the process crashes, `attempts` times, OutOfTime if it takes long.

        The process is ended, with InvalidDocument, when the work is no longer wanted.
        """
        loop = asyncio.get_running_loop()

        def report(stage: str, progress: float) -> None:
            if on_stage is not None:
                loop.call_soon_threadsafe(on_stage, stage, progress)

        work = pickle.dumps((target, arguments, timeout_s))
        call = Call(work, timeout_s, report, is_wanted)
        return await loop.run_in_executor(self._threads, self._attempts, call, attempts)

    def close(self) -> None:
        """Kill what runs; nothing runs after this."""
        with self._lock:
            self._closed = True
            for template in self._busy:
                template.process.kill()
        self._threads.shutdown(wait=True, cancel_futures=True)
        for template in self._idle:
            template.end()
        self._idle.clear()

    def _attempts(self, call: Call, attempts: int) -> Any:
        for _ in range(attempts):
            template = self._take()
            healthy = False
            try:
                outcome = _outcome(template, call)
                healthy = True
                break
            except Died as death:
                if self._closed:
                    raise Unavailable(STOPPING) from death
                log.warning("a process died", extra={"fields": {"reason": str(death)}})
            finally:
                self._give_back(template, healthy=healthy)
        else:
            raise Lost("The file makes its reader crash; it may be corrupt. Try to save it anew.")
        return _value(outcome)

    def _take(self) -> Template:
        with self._lock:
            if self._closed:
                raise Unavailable(STOPPING)
            template = self._idle.pop() if self._idle else self._start()
            self._busy.add(template)
            return template

    def _start(self) -> Template:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(
            target=template_main, args=(theirs, self._warm, self._bounds), daemon=True
        )
        with theirs:
            process.start()
        return Template(process, ours)

    def _give_back(self, template: Template, *, healthy: bool) -> None:
        with self._lock:
            self._busy.discard(template)
            if healthy and not self._closed:
                self._idle.append(template)
                return
        template.end()


def _outcome(template: Template, call: Call) -> tuple[Any, ...]:
    """The message that ends the work. Raises Died, OutOfTime, and InvalidDocument for what nobody wants."""
    pipe = template.pipe
    end = time.monotonic() + call.timeout_s * CLOCK_FACTOR
    too_long = (
        f"Reading the file takes more than {call.timeout_s:.0f} s of processor time "
        "(SIGHTLINE_PARSE_TIMEOUT_S): split it into smaller files."
    )
    outcome: tuple[Any, ...] | None = None
    try:
        pipe.send_bytes(call.work)
        while True:
            left_s = max(0.0, end - time.monotonic())
            if not pipe.poll(min(left_s, WANTED_EVERY_S)):
                if not call.is_wanted():
                    raise InvalidDocument(UNWANTED)
                if left_s <= WANTED_EVERY_S:
                    raise OutOfTime(too_long)
                continue
            message = pickle.loads(pipe.recv_bytes())
            if message[0] == "stage":
                call.report(*message[1:])
            elif message[0] != "ended":
                outcome = message
            elif outcome is not None:
                return outcome
            else:
                raise Died("no answer")
    except (EOFError, OSError) as error:
        template.process.join(5.0)
        if template.process.exitcode == OUT_OF_CPU:
            raise OutOfTime(too_long) from error
        raise Died(f"exit code {template.process.exitcode}") from error


def _value(outcome: tuple[Any, ...]) -> Any:
    kind, *rest = outcome
    if kind == "result":
        return rest[0]
    if kind == "refused":
        slug, detail = rest
        raise from_wire(slug, mapping_of(InvalidDocument("")).grpc_status, detail)
    detail, trace = rest
    log.warning("a parser failed", extra={"fields": {"detail": detail, "trace": trace}})
    raise InvalidDocument(detail)
