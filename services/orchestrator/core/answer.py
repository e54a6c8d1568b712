"""What does an answer look like, and what a refusal?"""

from collections.abc import Sequence
from typing import Any

from services.orchestrator.core.citations import Citation, citation_to_json
from services.orchestrator.core.trace import Trace


def answer_of(
    trace: Trace,
    *,
    text: str,
    citations: Sequence[Citation],
    provider: tuple[str, str],
    tokens: tuple[int | None, int | None] = (None, None),
) -> dict[str, Any]:
    """The answer object; `provider` is name and model, `tokens` those of prompt and answer where known."""
    return {
        "trace_id": trace.trace_id,
        "conversation_id": trace.conversation_id,
        "answer": text,
        "refused": False,
        "refusal_reason": None,
        "citations": [citation_to_json(c) for c in citations],
        "uncited": not citations,
        "unsupported": [],
        "provider": provider[0],
        "model": provider[1],
        "usage": {"prompt_tokens": tokens[0], "answer_tokens": tokens[1]},
        "timings_ms": dict(trace.timings_ms),
    }


def refusal_of(trace: Trace, reason: str) -> dict[str, Any]:
    """The answer object of a question that is not answered, with the reason in words."""
    refusal = answer_of(trace, text="", citations=(), provider=("", ""))
    return {**refusal, "refused": True, "refusal_reason": reason, "uncited": False}
