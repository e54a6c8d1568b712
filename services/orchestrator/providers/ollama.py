"""How is an answer streamed from Ollama, and what if its model is not there yet?"""

import asyncio
import json
import logging
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

import httpx

from services.orchestrator.core.token_bound import token_bound
from services.orchestrator.providers.lines import lines_of
from services.orchestrator.providers.provider import ChatRequest, ProviderState, Usage
from shared.errors import Unavailable

log = logging.getLogger("sightline.orchestrator")

STATE_TTL_S = 5.0
PULL_PAUSE_S = 60.0
# A context of another size makes Ollama load the model anew, so only few sizes are asked for.
LEAST_CONTEXT_TOKENS = 4096


@dataclass(frozen=True, slots=True)
class OllamaOptions:
    """Address, model, whether it may be pulled, how long it stays loaded, how long a silence may be."""

    url: str
    model: str
    pull: bool = False
    keep_alive: str = "10m"
    connect_s: float = 1.0
    silence_s: float = 120.0


class OllamaProvider:
    """Talks to `/api/chat`, `/api/tags` and `/api/pull`, all newline-delimited JSON."""

    name = "ollama"

    def __init__(self, options: OllamaOptions, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._options = options
        self._monotonic = monotonic
        self._http = httpx.AsyncClient(
            base_url=options.url.rstrip("/"),
            timeout=httpx.Timeout(options.silence_s, connect=options.connect_s),
            trust_env=False,
        )
        self._state: ProviderState | None = None
        self._state_until = 0.0
        self._pull: asyncio.Task[None] | None = None
        self._pull_progress = ""
        self._pull_again_at = 0.0

    @property
    def model(self) -> str:
        return self._options.model

    @property
    def count(self) -> Callable[[str], int]:
        return token_bound

    async def state(self) -> ProviderState:
        if self._state is None or self._monotonic() >= self._state_until or self._pull is not None:
            self._state = await self._look()
            self._state_until = self._monotonic() + STATE_TTL_S
        return self._state

    async def stream(self, request: ChatRequest) -> AsyncGenerator[str | Usage, None]:
        body = {
            "model": self.model,
            "messages": [{"role": m.role, "content": m.content} for m in request.messages],
            "stream": True,
            "keep_alive": self._options.keep_alive,
            "options": {
                "num_ctx": context_size(request.context_tokens),
                "num_predict": request.answer_tokens,
                "temperature": 0,
            },
        }
        finished = False
        async with aclosing(self._messages("/api/chat", body)) as messages:
            async for message in messages:
                text = (message.get("message") or {}).get("content") or ""
                if text:
                    yield text
                if message.get("done"):
                    finished = True
                    yield Usage(message.get("prompt_eval_count"), message.get("eval_count"))
        if not finished:
            raise Unavailable("Ollama ended the answer before it was finished")

    async def close(self) -> None:
        if self._pull is not None:
            self._pull.cancel()
            await asyncio.gather(self._pull, return_exceptions=True)
        await self._http.aclose()

    async def _look(self) -> ProviderState:
        try:
            reply = await self._http.get("/api/tags", timeout=2 * self._options.connect_s)
            reply.raise_for_status()
            names = {str(entry.get("name")) for entry in reply.json().get("models") or []}
        except (httpx.HTTPError, ValueError, AttributeError) as error:
            return ProviderState("absent", f"Ollama does not answer at {self._options.url}: {_words(error)}")
        if self.model in names or f"{self.model}:latest" in names:
            self._pull_progress = ""
            return ProviderState("ok", f"Ollama has {self.model}")
        if not self._options.pull:
            return ProviderState(
                "absent", f"Ollama does not have {self.model}; `ollama pull {self.model}` fetches it"
            )
        self._begin_pull()
        return ProviderState("absent", f"Ollama is fetching {self.model}: {self._pull_progress}")

    def _begin_pull(self) -> None:
        if self._pull is not None or self._monotonic() < self._pull_again_at:
            return
        self._pull_progress = "begun"
        self._pull = asyncio.create_task(self._pulled(), name="ollama-pull")

    async def _pulled(self) -> None:
        """Pulls to the end, keeping the progress. If the model is missing then, it is tried after a pause."""
        try:
            async with aclosing(
                self._messages("/api/pull", {"model": self.model, "stream": True})
            ) as messages:
                async for message in messages:
                    self._pull_progress = _progress(message)
            log.info("model pulled", extra={"fields": {"model": self.model}})
        except Unavailable as error:
            self._pull_progress = str(error)
            log.warning("model not pulled", extra={"fields": {"model": self.model, "reason": str(error)}})
        finally:
            self._pull = None
            self._pull_again_at = self._monotonic() + PULL_PAUSE_S
            self._state_until = 0.0

    async def _messages(self, path: str, body: dict[str, Any]) -> AsyncGenerator[dict[str, Any], None]:
        """The JSON objects of a streamed reply. Raises Unavailable for any failure, in mid-stream too."""
        try:
            async with self._http.stream("POST", path, json=body) as reply:
                if reply.status_code != 200:
                    self._state_until = 0.0
                    raise Unavailable(f"Ollama refused: {_error_in(await reply.aread(), reply.status_code)}")
                async with aclosing(_generator(reply)) as lines:
                    async for line in lines:
                        if not line.strip():
                            continue
                        message = json.loads(line)
                        if not isinstance(message, dict):
                            raise Unavailable("Ollama sent a line that is no object")
                        if message.get("error"):
                            raise Unavailable(f"Ollama failed: {message['error']}")
                        yield message
        except httpx.HTTPError as error:
            self._state_until = 0.0
            raise Unavailable(f"Ollama broke off: {_words(error)}") from error
        except json.JSONDecodeError as error:
            raise Unavailable("Ollama sent a line that is no JSON") from error


def context_size(needed_tokens: int) -> int:
    """The smallest power of two, from 4096 on, that holds what is needed."""
    size = LEAST_CONTEXT_TOKENS
    while size < needed_tokens:
        size *= 2
    return size


async def _generator(reply: httpx.Response) -> AsyncGenerator[str, None]:
    async for line in lines_of(reply.aiter_bytes()):
        yield line


def _progress(message: dict[str, Any]) -> str:
    status, total = str(message.get("status", "")), message.get("total")
    if not total:
        return status
    return f"{status}, {100 * (message.get('completed') or 0) // total} %"


def _error_in(body: bytes, status: int) -> str:
    try:
        return str(json.loads(body)["error"])
    except (ValueError, KeyError, TypeError):
        return f"status {status}"


def _words(error: Exception) -> str:
    return str(error) or type(error).__name__
