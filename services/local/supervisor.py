"""How do five processes live as one? Started together, kept running, and ended in order, gateway first."""

import asyncio
import contextlib
import os
import signal
import time
from collections.abc import Callable, Sequence

from services.local import sample
from services.local.child import Child, Surroundings
from services.local.claim import Claim
from services.local.logs import BoundedLog
from services.local.plan import DRAIN_ORDER, gateway_url, plan
from services.local.readiness import StartFailed, wait_until_ready
from services.local.settings import LocalSettings

LOG_CHECK_S = 5.0
KILL_AFTER_DRAIN_S = 5.0
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Supervisor:
    """Runs the stack of one data folder until it is told to stop."""

    def __init__(self, settings: LocalSettings, claim: Claim, say: Callable[[str], None]) -> None:
        self._settings = settings
        self._claim = claim
        self._say = say
        self._url = gateway_url(settings)
        self._stop = asyncio.Event()
        self._children: Sequence[Child] = ()

    async def run(self) -> int:
        """The exit code: 0 after a stop that was asked for, 1 when the stack did not come up."""
        for number in STOP_SIGNALS:
            asyncio.get_running_loop().add_signal_handler(number, self._told_to_stop)
        tether, held = os.pipe()
        logs = self._settings.data / "logs"
        surroundings = Surroundings(self._settings, tether, self._claim.lock_fd, self._say, self._write_note)
        self._children = [
            Child(
                process, BoundedLog(logs / f"{process.name}.log", self._settings.log_file_bytes), surroundings
            )
            for process in plan(self._settings, self._claim.sockets)
        ]
        try:
            async with asyncio.TaskGroup() as group:
                for child in self._children:
                    group.create_task(child.keep())
                bounding = group.create_task(self._bound_logs())
                code = await self._until_stopped()
                await self._drain()
                bounding.cancel()
        finally:
            for child in self._children:
                child.kill()
            os.close(tether)
            os.close(held)
        return code

    async def _until_stopped(self) -> int:
        serving = asyncio.create_task(self._serve())
        stopping = asyncio.create_task(self._stop.wait())
        await asyncio.wait((serving, stopping), return_when=asyncio.FIRST_COMPLETED)
        stopping.cancel()
        if not self._stop.is_set() and (failure := serving.exception()) is not None:
            if not isinstance(failure, StartFailed):
                raise failure
            self._say(str(failure))
            return 1
        serving.cancel()
        await asyncio.wait((serving,))
        return 0

    async def _serve(self) -> None:
        started = time.monotonic()
        await wait_until_ready(self._children, self._url, self._settings.start_deadline_s)
        self._say(f"All services are ready after {time.monotonic() - started:.0f} s.")
        loaded = await self._load_sample() if self._settings.sample else False
        data = self._settings.data
        self._say(f"\nSightline is at {self._url}  (Ctrl-C ends it; data: {data}, logs: {data / 'logs'})")
        if loaded:
            self._say(f"Ask, for example: {sample.EXAMPLE_QUESTION}")
        else:
            self._say(f"Add a document there, or: curl -F file=@README.md {self._url}/v1/documents")
        await self._stop.wait()

    async def _load_sample(self) -> bool:
        marker = self._settings.data / "local" / "sample-loaded"
        if marker.exists():
            return True
        self._say("Loading the sample corpus …")
        try:
            count = await sample.load(self._url, self._settings.start_deadline_s)
        except sample.SampleFailed as failure:
            self._say(f"The sample corpus could not be loaded: {failure}")
            return False
        with contextlib.suppress(OSError):  # then it is offered again next time, as duplicates
            marker.touch()
        self._say(f"{count} sample documents can be searched.")
        return True

    def _told_to_stop(self) -> None:
        if self._stop.is_set():
            self._say("Killing what is left.")
            for child in self._children:
                child.kill()
        else:
            self._say("Ending (once more to kill) …")
            self._stop.set()

    async def _drain(self) -> None:
        deadline_s = self._settings.drain_s + KILL_AFTER_DRAIN_S
        for names in DRAIN_ORDER:
            await asyncio.gather(*(c.stop(deadline_s) for c in self._children if c.plan.name in names))

    async def _bound_logs(self) -> None:
        while True:
            await asyncio.sleep(LOG_CHECK_S)
            for child in self._children:
                child.log.bound()

    def _write_note(self) -> None:
        running = {child.plan.name: child.pid for child in self._children if child.pid is not None}
        self._claim.write_note(self._settings.port, running)
