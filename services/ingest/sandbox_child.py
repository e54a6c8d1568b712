"""What runs inside a sandbox process? Limits first, then one function, whose outcome goes back by a pipe."""

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
from typing import Any

from shared.errors import SightlineError, mapping_of


@dataclass(frozen=True, slots=True)
class Limits:
    """What a process may take: memory beyond what it starts with, and seconds of CPU."""

    memory_bytes: int
    cpu_s: float


def child_main(
    sender: Connection, target: Callable[..., Any], arguments: tuple[Any, ...], limits: Limits
) -> None:
    """Send ("stage", name) any number of times, then one of ("result", value), ("refused", slug, detail) or
    ("failed", detail, traceback). Whatever else ends the process is the caller's to see."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt at the terminal is for the service
    logging.disable(logging.CRITICAL)
    _die_with_the_service()
    _limit(limits)

    def report(stage: str) -> None:
        sender.send_bytes(pickle.dumps(("stage", stage)))

    message: tuple[Any, ...]
    try:
        message = ("result", target(*arguments, report))
    except SightlineError as error:
        message = ("refused", mapping_of(error).slug, str(error))
    except MemoryError:
        megabytes = limits.memory_bytes // (1024 * 1024)
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
    sender.send_bytes(pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL))
    sender.close()
    # The outcome is told; tearing an interpreter down full of parsed pages would only take time.
    os._exit(0)


def _limit(limits: Limits) -> None:
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    held_bytes = pages * resource.getpagesize()
    # Address space, as nothing else bounds malloc; what the interpreter has mapped already comes on top.
    _lower(resource.RLIMIT_AS, held_bytes + limits.memory_bytes)
    _lower(resource.RLIMIT_CPU, math.ceil(limits.cpu_s) + 1)
    _lower(resource.RLIMIT_CORE, 0)


def _lower(kind: int, value: int) -> None:
    _, hard = resource.getrlimit(kind)
    bound = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(kind, (bound, bound))


def _die_with_the_service() -> None:
    """A service that was killed cannot kill its children: watch it."""
    parent = parent_process()
    if parent is None:
        return
    sentinel = parent.sentinel

    def watch() -> None:
        connection.wait([sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
