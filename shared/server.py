"""How does a gRPC service run? Health, reflection, error mapping, a log line a call, draining on SIGTERM."""

import asyncio
import logging
import signal
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias, cast

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection
from prometheus_client import Counter, Histogram, start_http_server

from shared.errors import ERROR_METADATA_KEY, SightlineError, mapping_of
from shared.settings import ServiceSettings
from shared.telemetry import REQUEST_ID_KEY, configure_logging, request_id

log = logging.getLogger("sightline.server")

RPC_SECONDS = Histogram("sightline_rpc_seconds", "Time of a served call", ["method"])
RPC_TOTAL = Counter("sightline_rpc_total", "Served calls by outcome", ["method", "code"])

Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"

# A status travels in the metadata: over some 8 KiB the client would get another error in its place.
MAX_DETAIL_CHARACTERS = 600

# Clients ping to find out whether we hang; by default they would be turned away for it.
PINGS_WELCOME = (
    ("grpc.http2.min_ping_interval_without_data_ms", 1000),
    ("grpc.http2.max_ping_strikes", 0),
)

QUIET_METHODS = ("/grpc.health.v1.Health/", "/grpc.reflection.")


@dataclass(frozen=True, slots=True)
class Offer:
    """A servicer to add: its full proto name, for health and reflection, and how it is added."""

    service_name: str
    add: Callable[[grpc.aio.Server], None]


async def serve(
    name: str,
    settings: ServiceSettings,
    offers: Sequence[Offer],
    *,
    on_stop: Callable[[], Awaitable[None]] | None = None,
) -> None:
    """Serve until SIGTERM or SIGINT, then refuse new calls, let running ones finish and return.

    OSError if the address cannot be bound.
    """
    configure_logging(name, settings.log_level)
    server = grpc.aio.server(
        interceptors=[EdgeInterceptor()],
        options=[
            ("grpc.max_receive_message_length", settings.max_message_bytes),
            ("grpc.max_send_message_length", settings.max_message_bytes),
            # A client resolves its name again only when a connection ends: this is how it finds new replicas.
            ("grpc.max_connection_age_ms", int(settings.max_connection_age_s * 1000)),
            ("grpc.max_connection_age_grace_ms", 600_000),
            *PINGS_WELCOME,
            ("grpc.so_reuseport", 0),
        ],
    )
    health_servicer = health.aio.HealthServicer()  # type: ignore[attr-defined]
    health_pb2_grpc.add_HealthServicer_to_server(health_servicer, server)
    for offer in offers:
        offer.add(server)
    names = [offer.service_name for offer in offers]
    reflection.enable_server_reflection([*names, reflection.SERVICE_NAME, health.SERVICE_NAME], server)
    if settings.listen.startswith("unix:"):
        stale = Path(settings.listen.removeprefix("unix:").removeprefix("//"))  # of a killed predecessor
        stale.unlink(missing_ok=True)  # noqa: ASYNC240 - nothing is served yet
    try:
        bound = server.add_insecure_port(settings.listen)
    except RuntimeError as error:
        raise OSError(f"{name} cannot listen on {settings.listen}: {error}") from error
    if settings.metrics_listen:
        host, _, port = settings.metrics_listen.rpartition(":")
        start_http_server(int(port), addr=host or "0.0.0.0")
    await server.start()
    for service_name in ["", *names]:
        await health_servicer.set(service_name, health_pb2.HealthCheckResponse.SERVING)
    log.info("serving", extra={"fields": {"listen": settings.listen, "port": bound, "services": names}})

    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for signal_number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(signal_number, stopping.set)
    await stopping.wait()
    log.info("draining", extra={"fields": {"drain_s": settings.drain_s}})
    await health_servicer.enter_graceful_shutdown()
    await server.stop(grace=settings.drain_s)
    if on_stop is not None:
        await on_stop()
    log.info("stopped")


class EdgeInterceptor(grpc.aio.ServerInterceptor):  # type: ignore[type-arg]
    """Maps our errors to statuses, times every call, and writes one log line for it."""

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Handler]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Handler:
        handler: Any = await continuation(handler_call_details)
        method: str = handler_call_details.method
        if handler is None or method.startswith(QUIET_METHODS):
            return cast(Handler, handler)
        wrap = _stream_edge if handler.response_streaming else _unary_edge
        inner = (
            handler.stream_stream or handler.unary_stream
            if handler.response_streaming
            else handler.stream_unary or handler.unary_unary
        )
        taken = "stream" if handler.request_streaming else "unary"
        given = "stream" if handler.response_streaming else "unary"
        wrapped: Handler = getattr(grpc, f"{taken}_{given}_rpc_method_handler")(
            wrap(method, inner), handler.request_deserializer, handler.response_serializer
        )
        return wrapped


def _unary_edge(
    method: str, inner: Callable[[Any, Any], Awaitable[Any]]
) -> Callable[[Any, Any], Awaitable[Any]]:
    async def call(request: Any, context: grpc.aio.ServicerContext[Any, Any]) -> Any:
        started = _begin(context)
        try:
            reply = await inner(request, context)
        except Exception as error:  # the edge: nothing of ours may cross it unmapped
            await _fail(method, started, context, error)
        except asyncio.CancelledError:
            _finish(method, started, "CANCELLED")
            raise
        _finish(method, started, "OK")
        return reply

    return call


def _stream_edge(
    method: str, inner: Callable[[Any, Any], AsyncIterator[Any]]
) -> Callable[[Any, Any], AsyncIterator[Any]]:
    async def call(request: Any, context: grpc.aio.ServicerContext[Any, Any]) -> AsyncIterator[Any]:
        started = _begin(context)
        try:
            async for reply in inner(request, context):
                yield reply
        except Exception as error:  # the edge: nothing of ours may cross it unmapped
            await _fail(method, started, context, error)
        except asyncio.CancelledError:
            _finish(method, started, "CANCELLED")
            raise
        _finish(method, started, "OK")

    return call


def _begin(context: grpc.aio.ServicerContext[Any, Any]) -> float:
    metadata = {str(key): str(value) for key, value in context.invocation_metadata() or ()}
    request_id.set(metadata.get(REQUEST_ID_KEY, ""))
    return time.monotonic()


async def _fail(
    method: str, started: float, context: grpc.aio.ServicerContext[Any, Any], error: Exception
) -> None:
    if isinstance(error, grpc.aio.AbortError):
        _finish(method, started, str(context.code()))
        raise error
    mapping = mapping_of(error)
    if not isinstance(error, SightlineError):
        log.error("unexpected error", exc_info=error, extra={"fields": {"method": method}})
    _finish(method, started, mapping.grpc_status.name)
    detail = str(error) if isinstance(error, SightlineError) else "an internal error; the log has the details"
    detail = detail if len(detail) <= MAX_DETAIL_CHARACTERS else detail[: MAX_DETAIL_CHARACTERS - 1] + "…"
    await context.abort(mapping.grpc_status, detail, ((ERROR_METADATA_KEY, mapping.slug),))


def _finish(method: str, started: float, code: str) -> None:
    elapsed_s = time.monotonic() - started
    RPC_SECONDS.labels(method).observe(elapsed_s)
    RPC_TOTAL.labels(method, code).inc()
    log.info(
        "call", extra={"fields": {"method": method, "code": code, "elapsed_ms": round(elapsed_s * 1000, 1)}}
    )
