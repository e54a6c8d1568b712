"""How much of every text was really read? Tokens present against tokens read, differences in words."""

from collections.abc import Mapping, Sequence
from typing import Any

from services.orchestrator.core.assembly import Packed, packed_to_json
from shared.stage import TokenCount

# No tokenizer of a chat model makes fewer tokens than this of a prompt: fewer means that it was cut.
MOST_CHARACTERS_PER_TOKEN = 10


def stage_ledger(counts: Mapping[str, Sequence[TokenCount]]) -> dict[str, Any]:
    """For each stage that read tokens: how many there were, how many it read, and which passages were cut."""
    return {
        stage: {
            "present": sum(c.present for c in read),
            "read": sum(c.read for c in read),
            "truncated": [
                {"chunk_id": c.chunk_id, "present": c.present, "read": c.read}
                for c in read
                if c.read < c.present
            ],
        }
        for stage, read in counts.items()
        if read
    }


def truncation_notes(counts: Sequence[TokenCount]) -> tuple[str, ...]:
    """What a stage did not read, in words; nothing if it read everything."""
    cut = [c for c in counts if c.read < c.present]
    if not cut:
        return ()
    lost = sum(c.present - c.read for c in cut)
    return (
        f"{len(cut)} of {len(counts)} texts were longer than the model reads: {lost} tokens were not read",
    )


def packed_ledger(packed: Packed) -> dict[str, Any]:
    """What was offered to the answering model, and what was sent."""
    body = packed_to_json(packed)
    return {
        "offered": len(packed.passages) + len(packed.left_out),
        "sent": len(packed.passages),
        "budget_tokens": packed.budget_tokens,
        "sent_tokens_at_most": packed.tokens,
        "left_out": body["left_out"],
    }


def prompt_ledger(
    *, characters: int, bound_tokens: int, context_tokens: int, evaluated_tokens: int | None
) -> dict[str, Any]:
    """The prompt as sent against what the provider says that it evaluated; `mismatch` says what is wrong."""
    mismatch: str | None = None
    if evaluated_tokens is not None:
        if evaluated_tokens > bound_tokens:
            mismatch = f"{evaluated_tokens} tokens were evaluated, more than the bound of {bound_tokens}"
        elif evaluated_tokens * MOST_CHARACTERS_PER_TOKEN < characters:
            mismatch = (
                f"{evaluated_tokens} tokens were evaluated, too few for {characters} characters: it was cut"
            )
    return {
        "characters": characters,
        "tokens_at_most": bound_tokens,
        "context_tokens": context_tokens,
        "evaluated_tokens": evaluated_tokens,
        "mismatch": mismatch,
    }
