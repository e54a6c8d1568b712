"""What runs inside the sandbox? A template that has everything loaded, and a fork of it for each request.

Protocol on the pipe: the service sends (target, arguments, CPU seconds); the fork answers
("stage", name, progress) any number of times, then one of ("result", value), ("refused", slug, detail),
("failed", detail, traceback); the template adds ("ended",) once the fork is gone. A fork that dies takes its
template with it, so the pipe just ends.
"""

import contextlib
import ctypes
import gc
import logging
import math
import os
import pickle
import resource
import signal
import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing import connection, parent_process
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NoReturn

from shared.errors import SightlineError, mapping_of

PR_SET_PDEATHSIG = 1
# What a shell says of a process that a signal ended; the template's exit code tells what became of the fork.
SIGNALLED = 128
OUT_OF_CPU = SIGNALLED + signal.SIGXCPU
CPU_GRACE_S = 5


# Work that is soon over gains from letting garbage lie: a few megabytes for one part in sixteen of the time.
COLLECT_AFTER = 50_000


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a piece of work may take: memory beyond what it starts with, the size of a file, open files."""

    memory_bytes: int
    file_bytes: int
    open_files: int


def template_main(pipe: Connection, warm: Callable[[], object] | None, bounds: Bounds) -> None:
    """Fork for each piece of work that comes, one at a time, until the service is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt at the terminal is for the service
    logging.disable(logging.CRITICAL)
    if warm is not None:
        warm()
    gc.collect()
    gc.freeze()  # what is loaded is never garbage: no fork goes through it, or gets a copy of its pages
    template = os.getpid()
    while True:
        try:
            target, arguments, cpu_s = pickle.loads(pipe.recv_bytes())
        except (EOFError, OSError):
            return
        fork = os.fork()
        if fork == 0:
            _die_with(template)
            _work(pipe, (target, arguments), bounds, cpu_s)
        _, status = os.waitpid(fork, 0)
        exit_code = os.waitstatus_to_exitcode(status)
        if exit_code != 0:  # it may have written half a message: nothing can follow that
            os._exit(exit_code if exit_code > 0 else SIGNALLED - exit_code)
        with contextlib.suppress(OSError):
            pipe.send_bytes(pickle.dumps(("ended",)))


def _work(
    pipe: Connection, task: tuple[Callable[..., Any], tuple[Any, ...]], bounds: Bounds, cpu_s: float
) -> NoReturn:
    def report(stage: str, progress: float = 0.0) -> None:
        pipe.send_bytes(pickle.dumps(("stage", stage, progress)))

    target, arguments = task
    message: tuple[Any, ...]
    try:
        gc.set_threshold(COLLECT_AFTER)
        _die_with_the_service()
        _limit(bounds, cpu_s)
        message = ("result", target(*arguments, report))
    except SightlineError as error:
        message = ("refused", mapping_of(error).slug, str(error))
    except MemoryError:
        megabytes = bounds.memory_bytes // (1024 * 1024)
        message = (
            "failed",
            f"Reading the file needs more than {megabytes} MiB of memory (SIGHTLINE_PARSE_MEMORY_BYTES): "
            "split it into smaller files.",
            "",
        )
    except Exception as error:  # the edge: whatever a parser raises is the file's fault
        message = (
            "failed",
            f"The file cannot be read ({type(error).__name__}); it may be corrupt. Try to save it anew.",
            traceback.format_exc(limit=-12),
        )
    try:
        pipe.send_bytes(pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL))
    finally:
        # The outcome is told; tearing an interpreter down full of parsed pages would only take time.
        os._exit(0)


def _limit(bounds: Bounds, cpu_s: float) -> None:
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    held_bytes = pages * resource.getpagesize()
    # Address space, as nothing else bounds malloc; what the interpreter has mapped already comes on top.
    _lower(resource.RLIMIT_AS, held_bytes + bounds.memory_bytes)
    whole_s = max(1, math.ceil(cpu_s))
    # The signal comes at the first bound, the kill only at the second: so the service can tell them apart.
    resource.setrlimit(resource.RLIMIT_CPU, (whole_s, whole_s + CPU_GRACE_S))
    _lower(resource.RLIMIT_FSIZE, bounds.file_bytes)
    _lower(resource.RLIMIT_NOFILE, bounds.open_files)
    # No bound on processes: it would count those of every service of the same user.
    _lower(resource.RLIMIT_CORE, 0)


def _lower(kind: int, value: int) -> None:
    _, hard = resource.getrlimit(kind)
    bound = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(kind, (bound, bound))


def _die_with(template: int) -> None:
    """Killing the template is how the service ends a fork."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != template:
        os._exit(1)


def _die_with_the_service() -> None:
    """A service that was killed cannot kill anything: watch it."""
    parent = parent_process()
    if parent is None:
        return
    sentinel = parent.sentinel

    def watch() -> None:
        connection.wait([sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
