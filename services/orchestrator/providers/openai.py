"""How is an answer streamed from an OpenAI-compatible endpoint?"""

import json
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import httpx

from services.orchestrator.core.token_bound import token_bound
from services.orchestrator.providers.lines import lines_of
from services.orchestrator.providers.provider import ChatRequest, ProviderState, Usage
from shared.errors import Unavailable

STATE_TTL_S = 5.0


@dataclass(frozen=True, slots=True)
class OpenAIOptions:
    """Base address (`/v1` is added to a bare host), model, key, how long a silence may be."""

    url: str
    model: str
    api_key: str = ""
    connect_s: float = 3.0
    silence_s: float = 120.0


class OpenAIProvider:
    """Talks to `/chat/completions` with server-sent events."""

    name = "openai"

    def __init__(self, options: OpenAIOptions, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._options = options
        self._monotonic = monotonic
        self._base = base_of(options.url)
        self._http = httpx.AsyncClient(
            timeout=httpx.Timeout(options.silence_s, connect=options.connect_s),
            headers={"Authorization": f"Bearer {options.api_key}"} if options.api_key else {},
        )
        self._state: ProviderState | None = None
        self._state_until = 0.0

    @property
    def model(self) -> str:
        return self._options.model

    @property
    def count(self) -> Callable[[str], int]:
        return token_bound

    async def state(self) -> ProviderState:
        if self._state is None or self._monotonic() >= self._state_until:
            self._state = await self._look()
            self._state_until = self._monotonic() + STATE_TTL_S
        return self._state

    async def stream(self, request: ChatRequest) -> AsyncGenerator[str | Usage, None]:
        body = {
            "model": self.model,
            "messages": [{"role": m.role, "content": m.content} for m in request.messages],
            "stream": True,
            "stream_options": {"include_usage": True},
            "max_tokens": request.answer_tokens,
            "temperature": 0,
        }
        finished = False
        async with aclosing(self._data(body)) as events:
            async for data in events:
                if data == "[DONE]":
                    finished = True
                    break
                for piece in _pieces(_parsed(data)):
                    finished = finished or piece is None
                    if piece is not None:
                        yield piece
        if not finished:
            raise Unavailable("the endpoint ended the answer before it was finished")

    async def close(self) -> None:
        await self._http.aclose()

    async def _look(self) -> ProviderState:
        try:
            reply = await self._http.get(f"{self._base}/models", timeout=self._options.connect_s)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            return ProviderState("down", f"{self._base} does not answer: {_words(error)}")
        if reply.status_code in (401, 403) or reply.status_code >= 500:
            return ProviderState("down", f"{self._base} answers {reply.status_code}")
        return ProviderState("ok", f"{self._base} answers; model {self.model}")

    async def _data(self, body: dict[str, Any]) -> AsyncGenerator[str, None]:
        """The data of every event. Raises Unavailable for any failure, in mid-stream too."""
        try:
            async with self._http.stream("POST", f"{self._base}/chat/completions", json=body) as reply:
                if reply.status_code != 200:
                    self._state_until = 0.0
                    raise Unavailable(
                        f"the endpoint refused: {_error_in(await reply.aread(), reply.status_code)}"
                    )
                data: list[str] = []
                async for line in lines_of(reply.aiter_bytes()):
                    if line.startswith("data:"):
                        data.append(line[5:].removeprefix(" "))
                    elif not line and data:
                        yield "\n".join(data)
                        data = []
                if data:
                    yield "\n".join(data)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            self._state_until = 0.0
            raise Unavailable(f"the endpoint broke off: {_words(error)}") from error


def base_of(url: str) -> str:
    """The address under which `/chat/completions` lies."""
    bare = url.rstrip("/")
    return bare if urlsplit(bare).path else f"{bare}/v1"


def _parsed(data: str) -> dict[str, Any]:
    try:
        message = json.loads(data)
    except json.JSONDecodeError as error:
        raise Unavailable("the endpoint sent an event that is no JSON") from error
    if not isinstance(message, dict):
        raise Unavailable("the endpoint sent an event that is no object")
    if message.get("error"):
        raise Unavailable(f"the endpoint failed: {_message_of(message['error'])}")
    return message


def _pieces(message: dict[str, Any]) -> list[str | Usage | None]:
    """Text and usage in an event; None where the answer ends."""
    pieces: list[str | Usage | None] = []
    for choice in message.get("choices") or []:
        text = (choice.get("delta") or {}).get("content")
        if text:
            pieces.append(str(text))
        if choice.get("finish_reason"):
            pieces.append(None)
    usage = message.get("usage")
    if usage:
        pieces.append(Usage(usage.get("prompt_tokens"), usage.get("completion_tokens")))
    return pieces


def _error_in(body: bytes, status: int) -> str:
    try:
        return _message_of(json.loads(body)["error"])
    except (ValueError, KeyError, TypeError):
        return f"status {status}"


def _message_of(error: Any) -> str:
    return str(error.get("message")) if isinstance(error, dict) else str(error)


def _words(error: Exception) -> str:
    return str(error) or type(error).__name__
