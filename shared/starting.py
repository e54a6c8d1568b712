"""How does a gRPC service begin, and what does it say when it cannot?"""

import asyncio
import sqlite3
import sys
from collections.abc import Callable, Coroutine
from typing import Any

from shared.errors import InvalidInput, SightlineError
from shared.settings import Settings, read_settings
from shared.telemetry import configure_logging


def run_service(name: str, kind: type[Settings], run: Callable[[Settings], Coroutine[Any, Any, None]]) -> int:
    """The exit code: 0 after a stop that was asked for, 1 when it could not start, 2 for a wrong setting."""
    try:
        settings = read_settings(kind)
    except InvalidInput as error:
        print(error, file=sys.stderr)
        return 2
    configure_logging(name, settings.log_level)
    try:
        asyncio.run(run(settings))
    except (SightlineError, OSError, sqlite3.Error) as error:
        print(f"{name} cannot start: {error}", file=sys.stderr)
        return 1
    return 0
