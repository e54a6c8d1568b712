"""What happens to one service process: started, watched, started again when it crashes, ended."""

import asyncio
import contextlib
import os
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

from services.local.logs import BoundedLog
from services.local.plan import ProcessPlan
from services.local.settings import REPOSITORY, LocalSettings, inherited_environment


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What all children share: settings, the pipe whose end tells them to go, the lock, a voice."""

    settings: LocalSettings
    tether_fd: int
    lock_fd: int
    say: Callable[[str], None]
    changed: Callable[[], None]


class Child:
    """One service as a process in a session of its own, so that the terminal's Ctrl-C does not reach it."""

    def __init__(self, plan: ProcessPlan, log: BoundedLog, shared: Surroundings) -> None:
        self.plan = plan
        self.log = log
        self.restarts = 0
        self._shared = shared
        self._process: asyncio.subprocess.Process | None = None
        self._ending = asyncio.Event()

    @property
    def pid(self) -> int | None:
        """Of the running process; None between two."""
        return self._process.pid if self._process is not None and self._process.returncode is None else None

    async def keep(self) -> None:
        """Run the service until `stop`; after a crash wait a little longer each time, and say so."""
        settings = self._shared.settings
        backoff_s = settings.restart_backoff_s
        while not self._ending.is_set():
            started = time.monotonic()
            code = await self._run()
            if self._ending.is_set():
                return
            if time.monotonic() - started > settings.steady_after_s:
                backoff_s = settings.restart_backoff_s
            self.restarts += 1
            self._shared.say(
                f"{self.plan.name} {_ended(code)}; starting it again in {backoff_s:g} s (see {self.log.path})"
            )
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(backoff_s):
                    await self._ending.wait()
            backoff_s = min(backoff_s * 2, settings.restart_backoff_max_s)

    async def stop(self, deadline_s: float) -> None:
        """Ask the process to end, and kill it and all that it started if it does not within `deadline_s`."""
        self._ending.set()
        process = self._process
        if process is None or process.returncode is not None:
            return
        with contextlib.suppress(ProcessLookupError):
            process.send_signal(signal.SIGTERM)
        try:
            async with asyncio.timeout(deadline_s):
                await process.wait()
        except TimeoutError:
            self._shared.say(f"{self.plan.name} did not end within {deadline_s:g} s and was killed")
            self.kill()
            await process.wait()

    def kill(self) -> None:
        """End the process and everything in its group at once."""
        self._ending.set()
        if self.pid is not None:
            _kill_group(self.pid)

    async def _run(self) -> int:
        output = self.log.open()
        try:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                *("-m", "services.local.tethered", self.plan.module),
                stdin=self._shared.tether_fd,
                stdout=output,
                stderr=output,
                cwd=REPOSITORY,
                env=inherited_environment() | dict(self.plan.environment),
                pass_fds=(self._shared.lock_fd,),
                start_new_session=True,
            )
        finally:
            os.close(output)
        self._shared.changed()
        if self._ending.is_set():  # told to stop while it was being started
            self._process.terminate()
        code = await self._process.wait()
        _kill_group(self._process.pid)  # what a crash left behind: workers without their parent
        return code


def _kill_group(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)


def _ended(code: int) -> str:
    return (
        f"was ended by signal {-code} ({signal.strsignal(-code)})" if code < 0 else f"ended with code {code}"
    )
