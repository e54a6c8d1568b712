"""How does every error become a problem document (RFC 9457) that says what to do?"""

import json
import logging
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from services.orchestrator.core.records import Reason
from shared.errors import INTERNAL, SightlineError, mapping_of
from shared.telemetry import request_id

log = logging.getLogger("sightline.gateway")

TYPE_PREFIX = "urn:sightline:problem:"
MEDIA_TYPE = "application/problem+json"
RETRY_AFTER_S = {429: 5, 503: 2}
INTERNAL_DETAIL = "an internal error; the log has the details under this request id"

_SLUGS = {404: "not-found", 405: "method-not-allowed", 413: "too-large", 415: "unsupported-media-type"}
_WORDS = {
    "missing": "is missing",
    "extra_forbidden": "is not known",
    "unexpected_keyword_argument": "is not known; GET /v1/config lists every key",
    "dataclass_type": "must be a JSON object",
    "string_unicode": "holds half of a surrogate pair; send whole characters",
}
_LONGEST_NAME = 100  # of a refused field; longer ones are cut
_MOST_FAULTS = 100  # listed of one request


def reason_of(error: BaseException) -> Reason:
    """Slug, title, status and sentence of an error; what is not ours says nothing of itself."""
    mapping = mapping_of(error)
    detail = str(error) if isinstance(error, SightlineError) else INTERNAL_DETAIL
    return Reason(mapping.slug, mapping.title, mapping.http_status, detail)


def reason_to_json(reason: Reason | None) -> dict[str, Any] | None:
    """A problem object without a request id, as it stands in jobs, documents and upload results."""
    if reason is None:
        return None
    return {
        "type": TYPE_PREFIX + (reason.slug or INTERNAL.slug),
        "title": reason.title or INTERNAL.title,
        "status": reason.status or INTERNAL.http_status,
        "detail": reason.detail,
    }


def problem_to_json(reason: Reason, more: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """A whole problem document, of the request that is being served."""
    return {**(reason_to_json(reason) or {}), "request_id": request_id.get(), **(more or {})}


def problem_response(
    reason: Reason, more: Mapping[str, Any] | None = None, headers: Mapping[str, str] | None = None
) -> Response:
    """The document with its status; an overload says when to come again."""
    retry = RETRY_AFTER_S.get(reason.status)
    return Response(
        json.dumps(problem_to_json(reason, more)),  # ASCII: a refused field may hold anything
        status_code=reason.status,
        media_type=MEDIA_TYPE,
        headers={**({"Retry-After": str(retry)} if retry else {}), **(headers or {})},
    )


async def on_sightline_error(request: Request, error: Exception) -> Response:
    """For errors of the closed family."""
    return problem_response(reason_of(error))


async def on_http_error(request: Request, error: Exception) -> Response:
    """For what the framework refuses: unknown paths and methods, malformed bodies."""
    assert isinstance(error, HTTPException)
    unreadable = _why_unreadable(error.__cause__) if error.status_code == 400 else None
    if unreadable:
        return problem_response(Reason("invalid-input", "The request is not valid", 422, unreadable))
    title = HTTPStatus(error.status_code).phrase
    slug = _SLUGS.get(error.status_code, title.lower().replace(" ", "-"))
    detail = str(error.detail)
    if detail == title:
        detail = {
            404: f"nothing is served at {request.url.path}; /openapi.json lists every path",
            405: f"{request.method} is not possible at {request.url.path}; the Allow header says what is",
        }.get(error.status_code, detail)
    return problem_response(Reason(slug, title, error.status_code, detail), headers=error.headers)


def _why_unreadable(cause: BaseException | None) -> str | None:
    """Why the framework gave a JSON body up for another reason than its syntax."""
    if isinstance(cause, RecursionError):
        return "the body is not valid JSON: it nests too deeply"
    if isinstance(cause, UnicodeDecodeError):
        return "the body is not valid JSON: it is not UTF-8; encode it so"
    if isinstance(cause, ValueError):
        return "the body is not valid JSON: a number in it has too many digits"
    return None


async def on_invalid_request(request: Request, error: Exception) -> Response:
    """For bodies and parameters that do not fit: every field by its path."""
    assert isinstance(error, RequestValidationError)
    faults = [_fault(e) for e in error.errors()[:_MOST_FAULTS]]
    detail = "; ".join(f"{f['field']}: {f['detail']}" if f["field"] else f["detail"] for f in faults[:5])
    mapping_title = "The request is not valid"
    return problem_response(Reason("invalid-input", mapping_title, 422, detail), {"errors": faults})


def _fault(error: Mapping[str, Any]) -> dict[str, str]:
    path = _path(error["loc"])
    if error["type"] == "json_invalid":
        return {"field": "", "detail": f"the body is not valid JSON: {error.get('ctx', {}).get('error')}"}
    if not path:
        said = 'the body must be a JSON object sent as application/json, such as {"question": "…"}'
        return {"field": "", "detail": said}
    message = str(error["msg"]).removeprefix("Value error, ")
    return {"field": path, "detail": _WORDS.get(error["type"], message[:1].lower() + message[1:])}


def _path(location: Sequence[str | int]) -> str:
    parts = [str(part)[:_LONGEST_NAME] for part in location if part != "[key]"]
    return ".".join(parts[1:] if parts and parts[0] in ("body", "query", "path", "header") else parts)
