"""Which passages go before the answering model, and which are left out for want of room?"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from services.orchestrator.core.gate import Decision
from shared.candidate import Candidate

# What the frame around a passage (number, title, section, page) may cost beside its own text.
FRAME_TOKENS = 16


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage under the number by which it is cited."""

    n: int
    candidate: Candidate
    tokens: int


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A passage that is not sent, and why."""

    candidate: Candidate
    tokens: int
    reason: str


@dataclass(frozen=True, slots=True)
class Packed:
    """What is sent, numbered from 1 in ranking order, and what is not; nothing is ever cut."""

    passages: tuple[Passage, ...]
    left_out: tuple[LeftOut, ...]
    tokens: int
    budget_tokens: int


def pack(candidates: Sequence[Candidate], budget_tokens: int, count: Callable[[str], int]) -> Packed:
    """Whole passages in ranking order as long as they fit; one too large is passed over, a later one may fit.

    `count` gives the tokens of a text for the answering model, exactly or as an upper bound.
    """
    passages: list[Passage] = []
    left_out: list[LeftOut] = []
    used = 0
    for candidate in candidates:
        tokens = tokens_of(candidate, count)
        if not candidate.text:
            left_out.append(LeftOut(candidate, tokens, "its text is not there any more"))
        elif used + tokens > budget_tokens:
            left_out.append(
                LeftOut(candidate, tokens, f"{tokens} tokens do not fit into the {budget_tokens - used} left")
            )
        else:
            used += tokens
            passages.append(Passage(len(passages) + 1, candidate, tokens))
    return Packed(tuple(passages), tuple(left_out), used, budget_tokens)


def tokens_of(candidate: Candidate, count: Callable[[str], int]) -> int:
    """Tokens of a passage with the frame it stands in."""
    source = candidate.source
    return FRAME_TOKENS + count(candidate.text) + count(" ".join((source.title, *source.section)))


def packed_if_open(
    decision: Decision, candidates: Sequence[Candidate], budget_tokens: int, count: Callable[[str], int]
) -> Packed:
    """What goes to the answering model; nothing when the gate is shut. `count` as in `pack`."""
    if decision.open:
        return pack(candidates, budget_tokens, count)
    left_out = tuple(LeftOut(c, tokens_of(c, count), "the gate is shut") for c in candidates)
    return Packed((), left_out, 0, budget_tokens)


def context_to_json(decision: Decision, packed: Packed) -> dict[str, Any]:
    """What the gate decided and what was packed, as the `context` event and the trace have it."""
    return {**packed_to_json(packed), "gate": {"open": decision.open, "reason": decision.words}}


def packed_to_json(packed: Packed) -> dict[str, Any]:
    """What was packed and what was left out."""
    return {
        "budget_tokens": packed.budget_tokens,
        "tokens": packed.tokens,
        "packed": [
            {
                "n": p.n,
                "chunk_id": p.candidate.chunk_id,
                "document_id": p.candidate.span.document_id,
                "start": p.candidate.span.start,
                "end": p.candidate.span.end,
                "tokens": p.tokens,
            }
            for p in packed.passages
        ],
        "left_out": [
            {
                "chunk_id": o.candidate.chunk_id,
                "document_id": o.candidate.span.document_id,
                "tokens": o.tokens,
                "reason": o.reason,
            }
            for o in packed.left_out
        ],
    }
