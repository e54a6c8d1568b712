"""How is the evaluation run as a process of its own, which says how far it is, and why it failed?"""

import asyncio
import contextlib
import json
import os
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from shared.errors import DeadlineExceeded, PeerFailed

Read = TypeVar("Read")

LONGEST_LINE = 64 * 1024
LARGEST_ANSWER = 64 * 1024 * 1024
TAIL_BYTES = 8192
TAIL_LINES = 5
# Isolated, so that what the evaluation's environment says of Python is heard by the evaluation alone.
TETHERED = (sys.executable, "-I", "-S", str(Path(__file__).with_name("eval_tether.py")))


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalChild:
    """Starts the evaluation; `stop_s` is what it is given to end by itself before it is killed.

    It does not outlive this process, and yields the processors to it.
    """

    command: Sequence[str]
    environment: Mapping[str, str]
    cwd: Path
    stop_s: float = 5.0

    async def follow(
        self, arguments: Sequence[str], heard: Callable[[Mapping[str, Any]], None], *, timeout_s: float
    ) -> None:
        """Hands on each JSON object that the process prints on a line of its own, until it is over.

        Raises PeerFailed with its last words if it fails, DeadlineExceeded if it takes too long. The process
        has ended when this returns, raises or is cancelled.
        """

        async def lines(stream: asyncio.StreamReader) -> None:
            while True:
                try:
                    line = await stream.readline()
                except ValueError:  # longer than any word on progress: left out
                    continue
                if not line:
                    return
                with contextlib.suppress(ValueError, RecursionError):
                    message = json.loads(line)
                    if isinstance(message, dict):
                        heard(message)

        await self._run(arguments, lines, timeout_s)

    async def ask(self, arguments: Sequence[str], *, timeout_s: float) -> Any:
        """The JSON that the process prints. Raises as `follow` does."""

        async def everything(stream: asyncio.StreamReader) -> bytes:
            pieces: list[bytes] = []
            size = 0
            while piece := await stream.read(LONGEST_LINE):
                size += len(piece)
                if size <= LARGEST_ANSWER:
                    pieces.append(piece)
            return b"".join(pieces)

        return await asyncio.to_thread(parsed, await self._run(arguments, everything, timeout_s))

    async def _run(
        self,
        arguments: Sequence[str],
        read: Callable[[asyncio.StreamReader], Awaitable[Read]],
        timeout_s: float,
    ) -> Read:
        try:
            process = await asyncio.create_subprocess_exec(
                *TETHERED,
                str(os.getpid()),
                *self.command,
                *arguments,
                stdin=DEVNULL,
                stdout=PIPE,
                stderr=PIPE,
                cwd=self.cwd,
                env=dict(self.environment),
                limit=LONGEST_LINE,
                process_group=0,  # so that what it starts can be ended with it
            )
        except OSError as error:
            raise PeerFailed(f"the evaluation cannot be started: {error}") from error
        assert process.stdout is not None
        assert process.stderr is not None
        try:
            async with asyncio.timeout(timeout_s):
                told, words = await asyncio.gather(read(process.stdout), _last_words(process.stderr))
                code = await process.wait()
        except TimeoutError as error:
            said = f"the evaluation took longer than {timeout_s:g} s and was ended"
            raise DeadlineExceeded(said) from error
        finally:
            await self._ended(process)
        if code:
            raise PeerFailed(words or _ending(code))
        return told

    async def _ended(self, process: Process) -> None:
        """The process and all that it started are gone, even when this is cancelled too."""
        try:
            if process.returncode is None:
                _signalled(process.pid, signal.SIGTERM)
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(self.stop_s):
                        await process.wait()
        finally:
            _signalled(process.pid, signal.SIGKILL)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self.stop_s):
                    await process.communicate()  # what is left in the pipes, so that they are closed


def parsed(data: bytes) -> Any:
    """The JSON value. PeerFailed for what is none, numbers included that JSON does not have."""
    try:
        value = json.loads(data)
        json.dumps(value, allow_nan=False).encode()
    except (ValueError, RecursionError) as error:
        raise PeerFailed(f"the evaluation answered with something that is not JSON: {error}") from error
    return value


def result_in(path: Path) -> dict[str, Any]:
    """The JSON object that a run has written. PeerFailed if there is none."""
    try:
        with path.open("rb") as file:
            result = parsed(file.read(LARGEST_ANSWER))
    except FileNotFoundError as error:
        raise PeerFailed("the evaluation ended without a result") from error
    if not isinstance(result, dict):
        raise PeerFailed("the evaluation's result is not a JSON object")
    return result


async def _last_words(stream: asyncio.StreamReader) -> str:
    tail = b""
    while piece := await stream.read(TAIL_BYTES):
        tail = (tail + piece)[-TAIL_BYTES:]
    text = "".join(c for c in tail.decode("utf-8", "replace") if c == "\n" or c.isprintable())
    return "\n".join([line.strip() for line in text.split("\n") if line.strip()][-TAIL_LINES:])


def _ending(code: int) -> str:
    if code < 0:
        return f"the evaluation was ended by signal {-code} ({signal.strsignal(-code)})"
    return f"the evaluation ended with code {code} and said nothing"


def _signalled(pid: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, number)
