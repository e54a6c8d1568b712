"""Run Sightline on this machine: five plain processes, in the foreground, until interrupted."""

import asyncio
import contextlib
import socket
import sys

from pydantic import ValidationError

from services.local.claim import Claim, FolderInUse
from services.local.settings import LocalSettings
from services.local.supervisor import Supervisor


def main() -> int:
    """The exit code: 0 after a stop that was asked for, 1 when it could not run, 2 for a wrong setting."""
    try:
        settings = LocalSettings()
    except ValidationError as error:
        first = error.errors()[0]
        _say(f"The setting {first['loc'][0]} is wrong ({first['input']!r}): {first['msg']}.")
        return 2
    try:
        claim = Claim(settings.data, wait_s=settings.drain_s * 3)
    except FolderInUse as error:
        _say(str(error))
        return 1
    except OSError as error:
        _say(f"The data folder {settings.data} cannot be used: {error}. Choose another with SIGHTLINE_DATA=…")
        return 1
    try:
        if not _is_free(settings.port):
            _say(f"Port {settings.port} is in use: end what uses it, or choose another with PORT=…")
            return 1
        return asyncio.run(_run(settings, claim))
    finally:
        claim.release()


async def _run(settings: LocalSettings, claim: Claim) -> int:
    return await Supervisor(settings, claim, _say).run()


def _is_free(port: int) -> bool:
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def _say(line: str) -> None:
    with contextlib.suppress(OSError):  # nobody reads any more: no reason to end
        print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main())
