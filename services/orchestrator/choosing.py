"""Who answers? The first of the chat providers that can be asked now; none of them means quoting."""

from collections.abc import Sequence
from dataclasses import dataclass

from services.orchestrator.providers.extractive import NAME as EXTRACTIVE
from services.orchestrator.providers.provider import ChatProvider
from shared.errors import InvalidInput

AUTO = "auto"


@dataclass(frozen=True, slots=True)
class Choice:
    """Providers to try in turn before quoting, and why others are not among them."""

    providers: tuple[ChatProvider, ...]
    notes: tuple[str, ...]


def require_known(wanted: str, providers: Sequence[ChatProvider]) -> None:
    """Raises InvalidInput, naming the field, for a provider that is not configured."""
    if wanted not in (AUTO, EXTRACTIVE, *(p.name for p in providers)):
        raise InvalidInput(
            f"config.answer.provider: {wanted!r} is not set up on this server; use auto or extractive"
        )


async def choose(wanted: str, providers: Sequence[ChatProvider]) -> Choice:
    """The providers that are ready: of all, or of the one wanted; in the order of the settings."""
    if wanted == EXTRACTIVE:
        return Choice((), ())
    ready: list[ChatProvider] = []
    notes: list[str] = []
    for provider in providers:
        if wanted not in (AUTO, provider.name):
            continue
        state = await provider.state()
        if state.ready:
            ready.append(provider)
        else:
            notes.append(f"{provider.name} cannot answer: {state.detail}")
    return Choice(tuple(ready), tuple(notes))
