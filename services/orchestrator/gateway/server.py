"""How does the gateway listen, drain and stop?"""

import asyncio
import contextlib
import logging
import signal
import socket
from collections.abc import Iterator

import uvicorn
from fastapi import FastAPI

from services.orchestrator.gateway.settings import GatewaySettings

log = logging.getLogger("sightline.gateway")

BACKLOG = 512
KEEP_ALIVE_S = 30
STOPPING = (signal.SIGTERM, signal.SIGINT)


class GatewayServer(uvicorn.Server):
    """uvicorn without its handling of signals, which would end the process by the signal it was sent."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leaves signals to `serve`."""
        yield


async def serve(app: FastAPI, settings: GatewaySettings) -> None:
    """Serves until SIGTERM or SIGINT, then lets running requests finish for `drain_s`, and returns.

    OSError if the address cannot be listened on.
    """
    listening = listening_socket(settings.http_host, settings.http_port)
    server = GatewayServer(
        uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            ws="none",
            lifespan="on",
            timeout_graceful_shutdown=max(1, round(settings.drain_s)),
            timeout_keep_alive=KEEP_ALIVE_S,
        )
    )
    loop = asyncio.get_running_loop()
    for number in STOPPING:
        loop.add_signal_handler(number, _stop, server)
    host, port = listening.getsockname()[:2]
    log.info("serving", extra={"fields": {"host": host, "port": port}})
    try:
        await server.serve(sockets=[listening])
    finally:
        for number in STOPPING:
            loop.remove_signal_handler(number)
    log.info("stopped")


def listening_socket(host: str, port: int) -> socket.socket:
    """A bound socket. OSError, in words for people, if the address is taken or not this machine's."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=BACKLOG)
    except OSError as error:
        said = f"{host}:{port} cannot be listened on ({error.strerror}); choose another SIGHTLINE_HTTP_PORT"
        raise OSError(said) from error


def _stop(server: uvicorn.Server) -> None:
    # A second signal does not wait for those who are still being answered.
    server.force_exit = server.should_exit
    server.should_exit = True
