"""How is an answer made from packed passages: streamed by a chat model, or quoted when none can be asked?"""

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any

from services.orchestrator.budget import Limits, Stopwatch
from services.orchestrator.choosing import Choice
from services.orchestrator.core.assembly import Packed
from services.orchestrator.core.citations import Citation, CitationStream, citations_of
from services.orchestrator.core.ledger import prompt_ledger, stage_ledger, truncation_notes
from services.orchestrator.core.prompt import Message, messages
from services.orchestrator.providers.extractive import NAME as EXTRACTIVE
from services.orchestrator.providers.extractive import extract
from services.orchestrator.providers.provider import ChatProvider, ChatRequest, Usage
from shared.errors import Unavailable
from shared.stage import Query, Stage

ANSWER_TOKENS = 1024
# What a chat template may add to each message.
MESSAGE_TOKENS = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A finished answer; `provider` says who wrote it."""

    text: str
    citations: tuple[Citation, ...]
    provider: str
    model: str
    usage: Usage = field(default_factory=Usage)
    notes: tuple[str, ...] = ()
    ledger: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Writer:
    """Writes the answer of one question; `rerank` scores sentences when they are quoted."""

    query: Query
    packed: Packed
    choice: Choice
    rerank: Stage | None
    watch: Stopwatch
    limits: Limits

    async def write(self) -> AsyncGenerator[str | Written, None]:
        """The text piece by piece, then all of it. Raises Unavailable if a provider fails in mid-answer."""
        notes = list(self.choice.notes)
        for provider in self.choice.providers:
            begun = False
            try:
                async with aclosing(self._streamed(provider, notes)) as pieces:
                    async for piece in pieces:
                        begun = True
                        yield piece
                return
            except Unavailable as error:
                if begun:
                    raise
                notes.append(f"{provider.name} failed before its first word: {error}")
        async with aclosing(self._quoted(notes)) as pieces:
            async for piece in pieces:
                yield piece

    async def _streamed(
        self, provider: ChatProvider, notes: Sequence[str]
    ) -> AsyncGenerator[str | Written, None]:
        chat = messages(self.query.text, self.packed.passages)
        bound = prompt_bound(chat, provider)
        request = ChatRequest(chat, bound + ANSWER_TOKENS, ANSWER_TOKENS)
        markers = CitationStream(len(self.packed.passages))
        usage = Usage()
        shown: list[str] = []
        async with aclosing(provider.stream(request)) as pieces:
            async for piece in pieces:
                if isinstance(piece, Usage):
                    usage = piece
                    continue
                text = markers.feed(piece if shown else piece.lstrip())
                if text:
                    shown.append(text)
                    yield text
        rest = markers.finish()
        if rest:
            shown.append(rest)
            yield rest
        answer = "".join(shown)
        if not answer.strip():
            raise Unavailable("it answered with nothing")
        prompt = prompt_ledger(
            characters=sum(len(m.content) for m in chat),
            bound_tokens=bound,
            context_tokens=request.context_tokens,
            evaluated_tokens=usage.prompt_tokens,
        )
        if markers.dropped:
            notes = (*notes, f"citations of passages that do not exist were dropped: {markers.dropped}")
        if prompt["mismatch"]:
            notes = (*notes, str(prompt["mismatch"]))
        yield Written(
            text=answer,
            citations=citations_of(markers.cited, self.packed.passages),
            provider=provider.name,
            model=provider.model,
            usage=usage,
            notes=tuple(notes),
            ledger={"prompt": prompt},
        )

    async def _quoted(self, notes: Sequence[str]) -> AsyncGenerator[str | Written, None]:
        found = await extract(
            self.query,
            self.packed.passages,
            self.rerank,
            deadline_s=self.watch.carve_s(self.limits.extract_s),
        )
        for number, part in enumerate(found.quoted.parts):
            yield part if number == 0 else f" {part}"
        yield Written(
            text=found.quoted.text,
            citations=found.quoted.citations,
            provider=EXTRACTIVE,
            model=found.model,
            notes=(*notes, *found.notes, *truncation_notes(found.token_counts)),
            ledger=stage_ledger({EXTRACTIVE: found.token_counts}),
        )


def prompt_bound(chat: Sequence[Message], provider: ChatProvider) -> int:
    """Tokens that the chat takes at most."""
    return sum(provider.count(m.content) + MESSAGE_TOKENS for m in chat)
