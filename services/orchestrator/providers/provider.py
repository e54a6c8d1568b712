"""What is a provider? Whoever streams an answer to a chat."""

from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from services.orchestrator.core.prompt import Message


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the provider counted them; None where it does not tell."""

    prompt_tokens: int | None = None
    answer_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class ProviderState:
    """`state` is ok, down or absent; `detail` says in words what is missing or under way."""

    state: str
    detail: str

    @property
    def ready(self) -> bool:
        """Whether it can be asked now."""
        return self.state == "ok"


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """A chat with the room it needs: tokens of prompt and answer together, and of the answer alone."""

    messages: Sequence[Message]
    context_tokens: int
    answer_tokens: int


class ChatProvider(Protocol):
    """A chat model somewhere."""

    @property
    def name(self) -> str: ...

    @property
    def model(self) -> str: ...

    @property
    def count(self) -> Callable[[str], int]:
        """Tokens of a text, exactly or as an upper bound."""
        ...

    async def state(self) -> ProviderState:
        """Whether it can be asked; remembered for a few seconds."""
        ...

    def stream(self, request: ChatRequest) -> AsyncGenerator[str | Usage, None]:
        """Pieces of the answer, then the usage. Closing it ends the request.

        Raises Unavailable, before the first piece or after any.
        """
        ...

    async def close(self) -> None:
        """Ends what runs in the background."""
        ...
