"""How does one service call another? Round-robin over replicas, always a deadline, our own errors."""

import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, TypeVar

import grpc

from shared.errors import ERROR_METADATA_KEY, DeadlineExceeded, SightlineError, from_wire
from shared.telemetry import REQUEST_ID_KEY, request_id

Reply = TypeVar("Reply")

SERVICE_CONFIG = {
    "loadBalancingConfig": [{"round_robin": {}}],
    "methodConfig": [
        {
            "name": [{}],
            "retryPolicy": {
                "maxAttempts": 4,
                "initialBackoff": "0.05s",
                "maxBackoff": "0.5s",
                "backoffMultiplier": 2,
                "retryableStatusCodes": ["UNAVAILABLE"],
            },
        }
    ],
}

MAX_TRIES = 3


def open_channel(address: str, *, max_message_bytes: int = 64 * 1024 * 1024) -> grpc.aio.Channel:
    """A lazy channel to every address of a name: `dns:///rerank:50051`, `unix:///path` or `host:port`."""
    return grpc.aio.insecure_channel(
        address,
        options=[
            ("grpc.service_config", json.dumps(SERVICE_CONFIG)),
            ("grpc.dns_min_time_between_resolutions_ms", 1000),
            ("grpc.initial_reconnect_backoff_ms", 100),
            ("grpc.max_reconnect_backoff_ms", 2000),
            # A replica that hangs keeps its connections: only an unanswered ping tells. It ends them, and the
            # calls on them with UNAVAILABLE, which the policy tries elsewhere. (`ping_timeout` counts when
            # another ping is already on its way.)
            ("grpc.keepalive_time_ms", 2000),
            ("grpc.keepalive_timeout_ms", 4000),
            ("grpc.http2.ping_timeout_ms", 4000),
            ("grpc.http2.max_pings_without_data", 0),
            ("grpc.max_receive_message_length", max_message_bytes),
            ("grpc.max_send_message_length", max_message_bytes),
            # Requests are local: a proxy of the environment would only swallow them.
            ("grpc.enable_http_proxy", 0),
        ],
    )


async def call(
    method: Callable[..., Awaitable[Reply]],
    request: Any,
    *,
    deadline_s: float,
    try_deadline_s: float | None = None,
) -> Reply:
    """The reply to an idempotent unary call, or the error that the peer raised, as a SightlineError.

    A hung replica does not fail by itself: after `try_deadline_s` the call is tried on the next one, at most
    `MAX_TRIES` times within `deadline_s`. Retry by policy covers only replicas that are gone.
    """
    end = time.monotonic() + deadline_s
    tries = 1 if try_deadline_s is None else MAX_TRIES
    while True:
        left_s = end - time.monotonic()
        if left_s <= 0:
            raise DeadlineExceeded(_no_answer(method, deadline_s))
        tries -= 1
        timeout_s = left_s if try_deadline_s is None or tries == 0 else min(left_s, try_deadline_s)
        try:
            return await method(request, timeout=timeout_s, metadata=outgoing_metadata())
        except grpc.aio.AioRpcError as error:
            if error.code() is not grpc.StatusCode.DEADLINE_EXCEEDED:
                raise translated(error) from error
            if tries <= 0:
                raise translated(error, late=_no_answer(method, deadline_s)) from error


async def stream(call_object: Any) -> AsyncIterator[Any]:
    """The messages of a streamed reply, its failure as a SightlineError; closing early cancels the call."""
    try:
        async for message in call_object:
            yield message
    except grpc.aio.AioRpcError as error:
        raise translated(error) from error
    finally:
        call_object.cancel()


def outgoing_metadata() -> tuple[tuple[str, str], ...]:
    """What travels beside every call: the request id, when there is one."""
    return ((REQUEST_ID_KEY, request_id.get()),) if request_id.get() else ()


def translated(
    error: grpc.aio.AioRpcError, *, late: str = "the answer did not come in time"
) -> SightlineError:
    """The SightlineError that a failed call stands for; `late` says it where only the time ran out here."""
    trailing: Any = error.trailing_metadata() or ()
    slug = next((str(value) for key, value in trailing if key == ERROR_METADATA_KEY), "")
    if not slug and error.code() is grpc.StatusCode.DEADLINE_EXCEEDED:
        return DeadlineExceeded(late)
    return from_wire(slug, error.code(), error.details() or error.code().name)


def _no_answer(method: object, deadline_s: float) -> str:
    path = getattr(method, "_method", b"")  # the stub's own name of the call; nothing public tells it
    name = path.decode().rpartition(".")[2] if isinstance(path, bytes) else ""
    return f"{name or 'The call'} did not answer within {deadline_s:.1f} s"
