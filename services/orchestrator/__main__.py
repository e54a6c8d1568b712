"""Run the orchestrator with its HTTP gateway until it is told to stop."""

import asyncio
import sqlite3
import sys

from pydantic import ValidationError

from services.orchestrator.gateway.server import serve
from services.orchestrator.settings import OrchestratorSettings
from services.orchestrator.wiring import running
from shared.telemetry import configure_logging


def main() -> int:
    """The exit code: 0 after a stop that was asked for, 1 when it could not start, 2 for a wrong setting."""
    try:
        settings = OrchestratorSettings()
    except ValidationError as error:
        first = error.errors()[0]
        print(f"The setting {first['loc'][0]} is wrong: {first['msg']}.", file=sys.stderr)
        return 2
    configure_logging("orchestrator", settings.log_level)
    try:
        asyncio.run(_run(settings))
    except (OSError, sqlite3.Error) as error:
        print(f"orchestrator cannot start: {error}", file=sys.stderr)
        return 1
    return 0


async def _run(settings: OrchestratorSettings) -> None:
    async with running(settings) as app:
        await serve(app, settings)


if __name__ == "__main__":
    sys.exit(main())
