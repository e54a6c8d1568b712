"""How does a search become an answer or a refusal, step by step?"""

import asyncio
from contextlib import aclosing
from dataclasses import replace
from typing import Any

from services.orchestrator.answering import Writer, Written
from services.orchestrator.choosing import Choice, choose
from services.orchestrator.core.answer import answer_of, refusal_of
from services.orchestrator.core.assembly import Packed, context_to_json, packed_if_open
from services.orchestrator.core.gate import Decision, decide
from services.orchestrator.core.ledger import packed_ledger
from services.orchestrator.core.token_bound import token_bound
from services.orchestrator.core.trace import Trace, plan_to_json
from services.orchestrator.events import Emit, Event
from services.orchestrator.searching import Asked, EngineParts, Searcher, rounded
from shared.errors import SightlineError


class Replier:
    """Emits the events of one answer, in the contract's order, and stores its trace before the answer."""

    def __init__(self, parts: EngineParts, searcher: Searcher) -> None:
        self._parts = parts
        self._searcher = searcher

    async def reply(self, asked: Asked, emit: Emit) -> None:
        """Everything from `trace` to `done`. Raises what the search or a provider in mid-answer raised."""
        await emit(Event("trace", {"trace_id": asked.trace.trace_id}))
        await emit(Event("plan", _plan_data(asked)))
        choice, trace = await self._found(asked, emit)
        trace = replace(trace, timings_ms={**trace.timings_ms, "search": asked.watch.elapsed_ms()})
        decision = decide(trace.candidates, trace.config.gate, trace.question)
        count = choice.providers[0].count if choice.providers else token_bound
        packed = packed_if_open(decision, trace.candidates, trace.config.select.budget_tokens, count)
        context = context_to_json(decision, packed)
        await emit(Event("context", {**context, "round": 0}))
        trace = replace(trace, context=context, ledger={**trace.ledger, "passages": packed_ledger(packed)})
        if packed.passages:
            rerank = self._parts.stages.get("rerank")
            writer = Writer(asked.query, packed, choice, rerank, asked.watch, self._parts.limits)
            trace = await self._written(writer, trace, emit)
        else:
            trace = replace(trace, answer=refusal_of(trace, _refusal(decision, packed)))
        timings = rounded({**trace.timings_ms, "total": asked.watch.elapsed_ms()})
        answer = {**(trace.answer or {}), "timings_ms": timings}
        await self._parts.traces.save(replace(trace, timings_ms=timings, answer=answer))
        await emit(Event("answer", answer))
        await emit(Event("done", {}))

    async def _found(self, asked: Asked, emit: Emit) -> tuple[Choice, Trace]:
        """The search, and meanwhile who is there to answer."""
        wanted = asked.trace.config.answer.provider
        try:
            async with asyncio.TaskGroup() as group:
                choosing = group.create_task(choose(wanted, self._parts.providers))
                searching = group.create_task(self._searcher.search(asked, emit))
        except BaseExceptionGroup as failures:  # the first failure speaks for all
            raise failures.exceptions[0] from failures
        return choosing.result(), searching.result()

    async def _written(self, writer: Writer, trace: Trace, emit: Emit) -> Trace:
        """The trace with its answer. A provider that fails in mid-answer leaves a trace that says so."""
        timings = dict(trace.timings_ms)
        begun_ms = writer.watch.elapsed_ms()
        written: Written | None = None
        try:
            async with aclosing(writer.write()) as pieces:
                async for piece in pieces:
                    if isinstance(piece, Written):
                        written = piece
                        continue
                    timings.setdefault("first_token", writer.watch.elapsed_ms())
                    await emit(Event("token", {"text": piece, "round": 0}))
        except SightlineError as error:
            broken = replace(trace, notes=(*trace.notes, f"the answer broke off: {error}"))
            await self._parts.traces.save(broken)
            raise
        if written is None:
            raise AssertionError("a writer always ends with what it has written")
        timings["answer"] = writer.watch.elapsed_ms() - begun_ms
        trace = replace(
            trace,
            notes=(*trace.notes, *written.notes),
            ledger={**trace.ledger, **written.ledger},
            timings_ms=timings,
        )
        return replace(trace, answer=_answer(trace, written))


def _answer(trace: Trace, written: Written) -> dict[str, Any]:
    if not written.text:
        return refusal_of(trace, "None of the passages found holds a sentence that could be quoted.")
    return answer_of(
        trace,
        text=written.text,
        citations=written.citations,
        provider=(written.provider, written.model),
        tokens=(written.usage.prompt_tokens, written.usage.answer_tokens),
    )


def _plan_data(asked: Asked) -> dict[str, Any]:
    return {
        "question": asked.query.text,
        "facets": [],
        "identifiers": [],
        "expansions": [],
        "stages": plan_to_json(asked.plan),
        "round": 0,
    }


def _refusal(decision: Decision, packed: Packed) -> str:
    if not decision.open:
        return decision.words
    return (
        f"None of the {len(packed.left_out)} passages found fits into {packed.budget_tokens} tokens: "
        "raise select.budget_tokens."
    )
