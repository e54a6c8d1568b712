"""Run the orchestrator with its HTTP gateway until it is told to stop."""

import asyncio
import sqlite3
import sys

import uvicorn
from pydantic import ValidationError

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
        return 0 if asyncio.run(_run(settings)) else 1
    except (OSError, sqlite3.Error) as error:
        print(f"orchestrator cannot start: {error}", file=sys.stderr)
        return 1


async def _run(settings: OrchestratorSettings) -> bool:
    """Whether it was started at all; uvicorn ends by itself on SIGTERM and SIGINT."""
    async with running(settings) as app:
        server = uvicorn.Server(
            uvicorn.Config(
                app,
                host=settings.http_host,
                port=settings.http_port,
                log_config=None,
                access_log=False,
                server_header=False,
                timeout_graceful_shutdown=int(settings.drain_s),
                timeout_keep_alive=30,
            )
        )
        await server.serve()
        return server.started


if __name__ == "__main__":
    sys.exit(main())
