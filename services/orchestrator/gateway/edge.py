"""What happens to every request, whichever route it takes? Id, limits, headers, one log line, last resort."""

import asyncio
import logging
import re
import time
import uuid
from dataclasses import dataclass
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from services.orchestrator.core.records import Reason
from services.orchestrator.gateway.metrics import REQUEST_SECONDS, REQUESTS
from services.orchestrator.gateway.problems import problem_response, reason_of
from services.orchestrator.gateway.settings import GatewaySettings
from shared.telemetry import request_id

log = logging.getLogger("sightline.gateway")

CLIENT_LEFT = 499
# Paths whose bodies have a limit of their own, and the setting that says which.
LIMITS = {"/v1/documents": "max_request_bytes", "/v1/traces/bundles": "max_bundle_bytes"}
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
SANE_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
QUIET_ROUTES = ("/healthz", "/readyz", "/metrics")
FIELDS_KEY = "sightline.log_fields"

CONTENT_SECURITY_POLICY = (
    "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'"
)
DEFAULT_HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


def add_log_fields(request: Request, **fields: object) -> None:
    """Fields for the log line of this request."""
    request.scope.setdefault(FIELDS_KEY, {}).update(fields)


@dataclass(slots=True)
class Outcome:
    """What is known of the response so far; 0 before it has begun."""

    status: int = 0


class Edge:
    """The outermost middleware; nothing raised behind it reaches the server unmapped."""

    def __init__(self, app: ASGIApp, settings: GatewaySettings) -> None:
        self._app = app
        self._settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        given = Headers(scope=scope).get("x-request-id", "")
        token = request_id.set(given if SANE_REQUEST_ID.fullmatch(given) else f"req_{uuid.uuid4().hex[:20]}")
        started = time.monotonic()
        outcome = Outcome()

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                outcome.status = message["status"]
                headers = MutableHeaders(scope=message)
                headers["X-Request-Id"] = request_id.get()
                for name, value in DEFAULT_HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        try:
            await self._serve(scope, receive, send_with_headers, outcome)
        except (ClientDisconnect, asyncio.CancelledError) as error:
            outcome.status = CLIENT_LEFT
            if isinstance(error, asyncio.CancelledError):
                raise
        finally:
            self._record(scope, outcome.status or 500, time.monotonic() - started)
            request_id.reset(token)

    async def _serve(self, scope: Scope, receive: Receive, send: Send, outcome: Outcome) -> None:
        refusal = self._refusal(scope)
        if refusal is not None:
            # The body is left unread, so the connection cannot be used again.
            await problem_response(refusal, headers={"Connection": "close"})(scope, receive, send)
            return
        try:
            await self._app(scope, self._limited(scope, receive), send)
        except ClientDisconnect:
            raise
        except Exception as error:  # the edge: clients see that it failed, the log sees why
            log.error("unexpected error", exc_info=error)
            if outcome.status:
                raise
            await problem_response(reason_of(error))(scope, receive, send)

    def _refusal(self, scope: Scope) -> Reason | None:
        headers = Headers(scope=scope)
        # A page of another site may send forms here without asking; it must not fill or empty the library.
        if scope["method"] not in SAFE_METHODS and headers.get("sec-fetch-site") == "cross-site":
            return Reason("cross-site", "Forbidden", 403, "changes are not taken from pages of other sites")
        length = headers.get("content-length", "")
        if length.isdigit() and int(length) > self._limit(scope):
            return Reason("too-large", "Too large", 413, self._too_large(scope))
        return None

    def _limit(self, scope: Scope) -> int:
        limit: int = getattr(self._settings, _limit_name(scope))
        return limit

    def _too_large(self, scope: Scope) -> str:
        limit = self._limit(scope)
        return f"the request is larger than {limit:,} bytes (setting {_limit_name(scope)}); send less at once"

    def _limited(self, scope: Scope, receive: Receive) -> Receive:
        limit, taken, arriving = self._limit(scope), 0, True
        patience_s = self._settings.body_patience_s

        async def limited() -> Message:
            nonlocal taken, arriving
            try:
                async with asyncio.timeout(patience_s if arriving else None):
                    message = await receive()
            except TimeoutError as error:
                said = (
                    f"the body stopped arriving for {patience_s:g} s (setting body_patience_s); send it again"
                )
                raise HTTPException(408, said, {"Connection": "close"}) from error
            arriving = message["type"] == "http.request" and message.get("more_body", False)
            if message["type"] == "http.request":
                taken += len(message.get("body", b""))
                if taken > limit:
                    raise HTTPException(413, self._too_large(scope))
            return message

        return limited

    def _record(self, scope: Scope, status: int, elapsed_s: float) -> None:
        route: Any = scope.get("route")
        path: str = getattr(route, "path", "unknown")
        method = scope["method"] if path != "unknown" else "any"
        REQUESTS.labels(method, path, str(status)).inc()
        REQUEST_SECONDS.labels(method, path).observe(elapsed_s)
        level = logging.DEBUG if path in QUIET_ROUTES and status < 400 else logging.INFO
        fields = {
            "method": scope["method"],
            "route": path,
            "status": status,
            "elapsed_ms": round(elapsed_s * 1000, 1),
            **scope.get(FIELDS_KEY, {}),
        }
        log.log(level, "request", extra={"fields": fields})


def _limit_name(scope: Scope) -> str:
    return LIMITS.get(scope["path"], "max_body_bytes")
