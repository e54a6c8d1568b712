"""Which errors exist, and what does each become on the wire and in HTTP? One closed family, one table."""

from dataclasses import dataclass

from grpc import StatusCode


class SightlineError(Exception):
    """Base of every error that a client may see; the message is a sentence that says what to do."""


class InvalidInput(SightlineError):
    """The request itself is wrong: a field, a value, a parameter."""


class InvalidDocument(SightlineError):
    """The file cannot become a document: empty, encrypted, corrupt, without header or content."""


class UnsupportedType(SightlineError):
    """No extractor reads this kind of file."""


class TooLarge(SightlineError):
    """Over a size limit; the message names the limit and its setting."""


class NotFound(SightlineError):
    """No such thing in this workspace."""


class UnknownGeneration(SightlineError):
    """The index does not hold the generation asked for: read it anew and try once more."""


class Conflict(SightlineError):
    """The state does not allow it: an unknown batch, counts that differ, an unfinished job."""


class TooManyRequests(SightlineError):
    """The caller is over its rate."""


class Overloaded(SightlineError):
    """The queue is full; try again later."""


class Unavailable(SightlineError):
    """A dependency does not answer, and nothing useful can be done without it."""


class PeerFailed(Unavailable):
    """A dependency answered that it met an error of its own: it may do so again however often it is asked."""


class DeadlineExceeded(SightlineError):
    """The time given was not enough."""


@dataclass(frozen=True, slots=True)
class Mapping:
    """How an error type travels: stable slug, HTTP status, gRPC status, title."""

    slug: str
    http_status: int
    grpc_status: StatusCode
    title: str


MAPPINGS: dict[type[SightlineError], Mapping] = {
    InvalidInput: Mapping("invalid-input", 422, StatusCode.INVALID_ARGUMENT, "The request is not valid"),
    InvalidDocument: Mapping(
        "invalid-document", 422, StatusCode.INVALID_ARGUMENT, "The file cannot be read as a document"
    ),
    UnsupportedType: Mapping(
        "unsupported-type", 415, StatusCode.INVALID_ARGUMENT, "This kind of file is not supported"
    ),
    TooLarge: Mapping("too-large", 413, StatusCode.RESOURCE_EXHAUSTED, "Too large"),
    NotFound: Mapping("not-found", 404, StatusCode.NOT_FOUND, "Not found"),
    UnknownGeneration: Mapping(
        "unknown-generation", 409, StatusCode.FAILED_PRECONDITION, "Unknown generation"
    ),
    Conflict: Mapping("conflict", 409, StatusCode.FAILED_PRECONDITION, "The state does not allow this"),
    TooManyRequests: Mapping("too-many-requests", 429, StatusCode.RESOURCE_EXHAUSTED, "Too many requests"),
    Overloaded: Mapping("overloaded", 503, StatusCode.RESOURCE_EXHAUSTED, "Overloaded"),
    Unavailable: Mapping("unavailable", 503, StatusCode.UNAVAILABLE, "A dependency does not answer"),
    PeerFailed: Mapping("peer-failed", 503, StatusCode.UNAVAILABLE, "A dependency failed"),
    DeadlineExceeded: Mapping("deadline-exceeded", 504, StatusCode.DEADLINE_EXCEEDED, "Out of time"),
}
INTERNAL = Mapping("internal", 500, StatusCode.INTERNAL, "An internal error")

# Carries the slug beside the gRPC status, since several errors share one status.
ERROR_METADATA_KEY = "sightline-error"


def mapping_of(error: BaseException) -> Mapping:
    """The row of an error; INTERNAL for anything outside the family."""
    return MAPPINGS.get(type(error), INTERNAL) if isinstance(error, SightlineError) else INTERNAL


def from_wire(slug: str, grpc_status: StatusCode, detail: str) -> SightlineError:
    """The error that a peer raised, from its slug or else from the status alone."""
    for kind, mapping in MAPPINGS.items():
        if mapping.slug == slug:
            return kind(detail)
    if slug == INTERNAL.slug:
        return PeerFailed(detail)
    if grpc_status is StatusCode.DEADLINE_EXCEEDED:
        return DeadlineExceeded(detail)
    if grpc_status is StatusCode.RESOURCE_EXHAUSTED:
        return Overloaded(detail)
    return Unavailable(detail)
