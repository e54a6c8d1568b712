"""What does the gateway answer, as types?"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, TypeVar

from client.errors import InvalidReply

Reply = TypeVar("Reply")


def reply_from_json(kind: type[Reply], body: Mapping[str, Any]) -> Reply:
    """A reply of its known fields; later versions may add others. InvalidReply if one is missing."""
    known = {field.name for field in fields(kind)}  # type: ignore[arg-type]
    try:
        return kind(**{name: value for name, value in body.items() if name in known})
    except TypeError as error:
        raise InvalidReply(f"what answers is not Sightline: {error}") from error


def member(body: Mapping[str, Any], name: str) -> Any:
    """One member of a JSON object. InvalidReply if it is missing."""
    try:
        return body[name]
    except KeyError as error:
        raise InvalidReply(f"what answers is not Sightline: its reply has no {name}") from error


@dataclass(frozen=True, slots=True, kw_only=True)
class UploadEntry:
    """What became of one uploaded file; `error` is a problem object."""

    id: str | None
    name: str
    status: str
    duplicate: bool
    job_id: str | None
    error: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """How far an ingestion is; `progress` is 0..1."""

    id: str
    state: str
    stage: str = ""
    progress: float = 0.0
    document_id: str | None = None
    error: Mapping[str, Any] | None = None

    @property
    def finished(self) -> bool:
        """Whether nothing more will happen to it."""
        return self.state in ("done", "failed")


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A document of the library."""

    id: str
    name: str
    status: str
    media_type: str = ""
    size: int = 0
    version: int = 1
    characters: int = 0
    chunk_count: int = 0
    warnings: list[str]
    parent_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """A place that an answer rests on: code points `start` to `end` of the document's text."""

    n: int
    document_id: str
    title: str
    quote: str
    start: int
    end: int
    section: list[str]
    page_label: str | None = None
    page_number: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """An answer with its citations, or a refusal with its reason."""

    trace_id: str
    answer: str
    refused: bool
    refusal_reason: str | None
    citations: list[Citation]
    provider: str = ""
    model: str | None = None
    conversation_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A passage found; `span` holds `document_id`, `start` and `end`."""

    chunk_id: str
    rank: int
    score: float
    score_type: str
    span: Mapping[str, Any]
    source: Mapping[str, Any]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A search: every stage as the contract describes it, and the final list."""

    trace_id: str
    stages: list[dict[str, Any]]
    candidates: list[Candidate]


@dataclass(frozen=True, slots=True)
class Event:
    """One step of a streamed answer or job."""

    kind: str
    data: Mapping[str, Any]


def answer_from_json(body: Mapping[str, Any]) -> Answer:
    """The answer object of the contract."""
    citations = [reply_from_json(Citation, c) for c in member(body, "citations")]
    return reply_from_json(Answer, {**body, "citations": citations})


def found_from_json(body: Mapping[str, Any]) -> Found:
    """The reply of `/v1/search`."""
    candidates = [reply_from_json(Candidate, c) for c in member(body, "candidates")]
    return reply_from_json(Found, {**body, "candidates": candidates})
