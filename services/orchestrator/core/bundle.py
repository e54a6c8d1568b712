"""How does a trace travel in one file, so that it can be replayed where neither models nor documents are?"""

import copy
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from services.orchestrator.core.assembly import Passage
from services.orchestrator.core.config import QueryConfig
from services.orchestrator.core.pipeline import Pipeline
from services.orchestrator.core.prompt import messages
from services.orchestrator.core.trace import Trace, source_to_json, trace_to_json
from services.orchestrator.core.trace_reading import trace_from_json
from shared.candidate import Source
from shared.errors import InvalidInput
from shared.stage import StageInfo

FORMAT = "sightline-replay-bundle"
VERSION = 1
DIGEST_KEY = "sha256"
ID_DIGITS = 20

Body = dict[str, Any]


def bundle_of(trace: Trace, pipeline: Pipeline, described: Mapping[str, StageInfo | None]) -> Body:
    """The trace with every passage once, the pipeline, and what the services say of their models now.

    `described` is by service name, None for one that does not answer. The input of a stage is the output of
    those it names in `inputs`; that of a list is the question.
    """
    trace_body = trace_to_json(trace)
    del trace_body["candidates"]  # that of a stage
    del trace_body["imported"]  # decided by whoever reads the file
    passages: Body = {}
    for candidate in _candidates(trace_body):
        source, text = candidate.pop("source"), candidate.pop("text")
        for derived in ("rank", "score", "score_type"):
            del candidate[derived]
        candidate["has_text"] = bool(text)
        known = passages.setdefault(candidate["chunk_id"], {"source": source, "text": text})
        known["text"] = known["text"] or text
        known["source"] = source if known["source"] == _NO_SOURCE else known["source"]
    bundle: Body = {
        "format": FORMAT,
        "version": VERSION,
        "index_generation": trace.generation,
        "trace": trace_body,
        "passages": {i: p for i, p in passages.items() if p["text"] or p["source"] != _NO_SOURCE},
        "pipeline": {"stages": pipeline_to_json(pipeline)},
        "services": {name: _service_to_json(info) for name, info in described.items()},
        "prompt": prompt_of(trace),
    }
    return {**bundle, DIGEST_KEY: digest_of(bundle)}


def pipeline_to_json(pipeline: Pipeline) -> list[Body]:
    """Every stage that there is, as the pipeline's description has it."""
    return [
        {
            **asdict(spec.plan),
            "inputs": list(spec.plan.inputs),
            "service": spec.service,
            "when": dict(spec.when),
            "limit": spec.limit,
            "params": list(spec.params),
        }
        for spec in pipeline.specs
    ]


def prompt_of(trace: Trace) -> list[dict[str, str]] | None:
    """What the chat model was sent, made anew; None if none was asked or it cannot be made the same."""
    sent = trace.ledger.get("prompt")
    packed = (trace.context or {}).get("packed") or []
    by_id = {c.chunk_id: c for c in trace.candidates}
    if not isinstance(sent, Mapping) or not all(p["chunk_id"] in by_id for p in packed):
        return None
    chat = messages(trace.question, [Passage(p["n"], by_id[p["chunk_id"]], p["tokens"]) for p in packed])
    if sum(len(m.content) for m in chat) != sent.get("characters"):
        return None
    return [{"role": m.role, "content": m.content} for m in chat]


def digest_of(bundle: Mapping[str, Any]) -> str:
    """sha256 of the bundle without its digest, as UTF-8 JSON with sorted keys and no space.

    A checksum against damage, not a signature: whoever changes a bundle can write another one.
    Raises InvalidInput for what JSON does not have: NaN, infinities, half a surrogate pair.
    """
    content = {key: value for key, value in bundle.items() if key != DIGEST_KEY}
    try:
        text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
        return hashlib.sha256(text.encode()).hexdigest()
    except UnicodeEncodeError as error:
        raise InvalidInput(
            "bundle: holds half of a surrogate pair, so it is not as it was written"
        ) from error
    except ValueError as error:
        raise InvalidInput("bundle: holds a number that JSON does not have (NaN or an infinity)") from error


def trace_of(bundle: Body, workspace: str, config: QueryConfig | None = None) -> Trace:
    """The bundle's trace, as one of this workspace: its id follows from the content, a note says whence.

    The bundle has the shape that `bundle_of` gives; `config` is its configuration where it was read already.
    Raises InvalidInput, naming the place, if the digest is not that of the content, or if one part of it
    contradicts another.
    """
    digest = digest_of(bundle)
    if digest != bundle[DIGEST_KEY]:
        raise InvalidInput(
            f"{DIGEST_KEY}: the content's is {digest}, so it was changed after it was written; export it anew"
        )
    _require_sound(bundle)
    body: Body = copy.deepcopy(bundle["trace"])  # the caller's own stays as it is
    for candidate in _candidates(body):
        passage = bundle["passages"].get(candidate["chunk_id"], {"source": _NO_SOURCE, "text": ""})
        candidate["source"] = passage["source"]
        candidate["text"] = passage["text"] if candidate["has_text"] else ""
    trace = trace_from_json(body)
    trace_id = imported_id(digest, workspace)
    answer = trace.answer and {**trace.answer, "trace_id": trace_id, "conversation_id": None}
    note = f"imported from a bundle of trace {trace.trace_id}, generation {trace.generation}"
    return replace(
        trace,
        trace_id=trace_id,
        workspace=workspace,
        config=config or trace.config,
        conversation_id=None,
        answer=answer,
        notes=(note, *trace.notes),
        imported=True,
    )


def imported_id(digest: str, workspace: str) -> str:
    """The same id for the same bundle in the same workspace."""
    return f"trc_{hashlib.sha256(f'{workspace} {digest}'.encode()).hexdigest()[:ID_DIGITS]}"


def _require_sound(bundle: Body) -> None:
    trace, passages = bundle["trace"], bundle["passages"]
    if bundle["index_generation"] != trace["generation"]:
        raise InvalidInput("index_generation: is not that of the trace")
    planned = {plan["id"]: plan for plan in trace["plan"]}
    _require_order("trace.plan", trace["plan"])
    _require_order("trace.stages", trace["stages"])
    used: set[str] = set()
    for number, stage in enumerate(trace["stages"]):
        place = f"trace.stages.{number}"
        plan = planned.get(stage["id"])
        if plan is None or any(stage[key] != value for key, value in plan.items()):
            raise InvalidInput(f"{place}.id: stage {stage['id']!r} is not as the trace's plan has it")
        ids = [c["chunk_id"] for c in stage["candidates"]]
        for at, candidate in enumerate(stage["candidates"]):
            _require_candidate(f"{place}.candidates.{at}", at + 1, candidate, passages)
        if len(set(ids)) < len(ids):
            raise InvalidInput(f"{place}.candidates: a passage occurs twice")
        used.update(ids)
    for chunk_id in passages:
        if chunk_id not in used:
            raise InvalidInput(f"passages.{chunk_id}: is in no list")


def _require_order(place: str, stages: Sequence[Body]) -> None:
    earlier: set[str] = set()
    for number, stage in enumerate(stages):
        if stage["id"] in earlier or not set(stage["inputs"]) <= earlier:
            raise InvalidInput(f"{place}.{number}: its id is taken, or an input does not come before it")
        earlier.add(stage["id"])


def _require_candidate(place: str, rank: int, candidate: Body, passages: Body) -> None:
    span, text = candidate["span"], passages.get(candidate["chunk_id"], {"text": ""})["text"]
    if span["end"] < span["start"]:
        raise InvalidInput(f"{place}.span: ends before it starts")
    if candidate["evidence"][-1]["rank"] != rank:
        raise InvalidInput(f"{place}.evidence: the last rank is not the place in the list, {rank}")
    if candidate["has_text"] and (not text or len(text) != span["end"] - span["start"]):
        raise InvalidInput(f"{place}.has_text: passages has no text as long as the span for it")


def _candidates(trace_body: Mapping[str, Any]) -> Iterator[Body]:
    for stage in trace_body["stages"]:
        yield from stage["candidates"]


def _service_to_json(info: StageInfo | None) -> Body:
    model = info.model if info is not None else None
    return {"reached": info is not None, "model": None if model is None else asdict(model)}


_NO_SOURCE: Mapping[str, Any] = source_to_json(Source())
