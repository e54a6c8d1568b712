"""What can be used now, and why can the rest not?"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from services.orchestrator.core.config import NOT_YET
from services.orchestrator.core.pipeline import Pipeline
from services.orchestrator.providers.extractive import NAME as EXTRACTIVE
from services.orchestrator.providers.provider import ChatProvider
from shared.errors import SightlineError

Probes = Mapping[str, Callable[[], Awaitable[str]]]
States = dict[str, dict[str, str]]

PROBE_S = 3.0


async def states_of(probes: Probes, providers: Sequence[ChatProvider]) -> States:
    """The state of every dependency, all asked at once; a provider that is not there is no fault."""

    async def probed(probe: Callable[[], Awaitable[str]]) -> dict[str, str]:
        try:
            async with asyncio.timeout(PROBE_S):
                return {"state": "ok", "detail": await probe()}
        except SightlineError as error:
            return {"state": "down", "detail": str(error)}
        except TimeoutError:
            return {"state": "down", "detail": f"no answer within {PROBE_S:.0f} s"}

    async def looked(provider: ChatProvider) -> dict[str, str]:
        state = await provider.state()
        return {"state": state.state, "detail": state.detail}

    found = await asyncio.gather(*(probed(p) for p in probes.values()), *(looked(p) for p in providers))
    return dict(zip([*probes, *(p.name for p in providers)], found, strict=True))


def availability(
    pipeline: Pipeline, states: Mapping[str, Mapping[str, str]], providers: Sequence[ChatProvider]
) -> dict[str, Any]:
    """For each path of the configuration, each value that may not work: `available`, and a `reason` if not.

    What is not listed always works. Stages are listed by the value that switches them on.
    """
    found: dict[str, dict[str, dict[str, Any]]] = {}

    def tell(path: str, value: object, reason: str) -> None:
        word = str(value).lower() if isinstance(value, bool) else str(value)
        found.setdefault(path, {})[word] = {"available": not reason, "reason": reason or None}

    for spec in pipeline.specs:
        state = states.get(DEPENDENCY_OF.get(spec.service, spec.service), {"state": "ok"})
        for path, value in spec.when.items():
            tell(path, value, "" if state["state"] == "ok" else state.get("detail", "it is down"))
    for (path, value), reason in NOT_YET.items():
        tell(path, value, reason)
    tell("answer.provider", "auto", "")
    tell("answer.provider", EXTRACTIVE, "")
    set_up = {p.name for p in providers}
    for name in ("ollama", "openai"):
        state = states.get(name, {})
        ready = name in set_up and state.get("state") == "ok"
        tell("answer.provider", name, "" if ready else state.get("detail", "it is not set up on this server"))
    return found


# A service of the pipeline's description, and the dependency that serves it.
DEPENDENCY_OF: Mapping[str, str] = {"lexical": "lexical-index", "vector": "vector-index", "rerank": "rerank"}
