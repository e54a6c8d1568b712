"""How is untrusted work kept from harming the service? Each piece runs in its own short-lived process.

The processes are forked from a server that has the parsers loaded already and knows no gRPC thread, so one
costs some milliseconds and starts from a clean state.
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

from services.ingest.sandbox_child import Limits, child_main
from shared.errors import InvalidDocument, Unavailable, from_wire, mapping_of

log = logging.getLogger("sightline.ingest.sandbox")

Report: TypeAlias = Callable[[str], None]

ATTEMPTS = 2  # a process may be killed for its neighbours' memory; twice is no accident


@dataclass(frozen=True, slots=True)
class _Died:
    """A process that ended without an answer."""

    exit_code: int | None


class Sandbox:
    """Runs top-level functions in fresh processes, `slots` at a time."""

    def __init__(self, slots: int, memory_bytes: int, preload: Sequence[str]) -> None:
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload(list(preload))
        self._memory_bytes = memory_bytes
        self._threads = ThreadPoolExecutor(slots, thread_name_prefix="ingest-sandbox")
        self._free = asyncio.Semaphore(slots)
        self._running: set[BaseProcess] = set()
        self._lock = threading.Lock()
        self._closed = False

    async def run(
        self, target: Callable[..., Any], *arguments: Any, timeout_s: float, on_stage: Report | None = None
    ) -> Any:
        """What `target(*arguments, report)` returns in its process; it may report the stage it is at.

        Raises the SightlineError that it raised; InvalidDocument if it crashes, needs too much memory or more
        than `timeout_s`; Unavailable once closed.
        """
        loop = asyncio.get_running_loop()

        def report(stage: str) -> None:
            if on_stage is not None:
                loop.call_soon_threadsafe(on_stage, stage)

        async with self._free:
            return await loop.run_in_executor(
                self._threads, self._attempts, target, arguments, timeout_s, report
            )

    def close(self) -> None:
        """Kill what runs; nothing runs after this."""
        with self._lock:
            self._closed = True
            for process in self._running:
                process.kill()
        self._threads.shutdown(wait=True, cancel_futures=True)

    def _attempts(
        self, target: Callable[..., Any], arguments: tuple[Any, ...], timeout_s: float, report: Report
    ) -> Any:
        for _ in range(ATTEMPTS):
            outcome = self._once(target, arguments, timeout_s, report)
            if not isinstance(outcome, _Died):
                return outcome
            if self._closed:
                raise Unavailable("Ingest is stopping; the document is read after the next start.")
            log.warning("a process died", extra={"fields": {"exit_code": outcome.exit_code}})
        raise InvalidDocument("The file makes its reader crash; it may be corrupt. Try to save it anew.")

    def _once(
        self, target: Callable[..., Any], arguments: tuple[Any, ...], timeout_s: float, report: Report
    ) -> Any:
        receiver, sender = self._context.Pipe(duplex=False)
        limits = Limits(self._memory_bytes, timeout_s)
        process = self._context.Process(
            target=child_main, args=(sender, target, arguments, limits), daemon=True
        )
        with receiver:
            with self._lock:
                if self._closed:
                    raise Unavailable("Ingest is stopping; the document is read after the next start.")
                self._running.add(process)
                with sender:
                    process.start()
            try:
                return _outcome(receiver, process, timeout_s, report)
            finally:
                process.kill()
                process.join()
                with self._lock:
                    self._running.discard(process)
                process.close()


def _outcome(receiver: Connection, process: BaseProcess, timeout_s: float, report: Report) -> Any:
    end = time.monotonic() + timeout_s
    while True:
        if not receiver.poll(max(0.0, end - time.monotonic())):
            raise InvalidDocument(
                f"Reading the file took longer than {timeout_s:.0f} s: split it into smaller files."
            )
        try:
            kind, *rest = pickle.loads(receiver.recv_bytes())
        except (EOFError, OSError):
            process.join(5.0)
            return _Died(process.exitcode)
        if kind == "stage":
            report(rest[0])
        elif kind == "result":
            return rest[0]
        elif kind == "refused":
            slug, detail = rest
            raise from_wire(slug, mapping_of(InvalidDocument("")).grpc_status, detail)
        else:
            detail, trace = rest
            log.warning("a parser failed", extra={"fields": {"detail": detail, "trace": trace}})
            raise InvalidDocument(detail)
