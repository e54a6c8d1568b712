"""How is a chat model asked for a sentence? Over any OpenAI-compatible endpoint, Ollama's included."""

from collections.abc import Sequence
from dataclasses import dataclass

import httpx

from shared.errors import Unavailable

MAX_REPLY_BYTES = 256 * 1024
CONNECT_S = 3.0


@dataclass(frozen=True, slots=True)
class ChatOptions:
    """Base address ending in `/v1`, model, key, the longest reply in tokens and how long it may take."""

    url: str
    model: str
    api_key: str = ""
    max_tokens: int = 128
    timeout_s: float = 60.0


class Chat:
    """A model behind `/chat/completions`."""

    def __init__(self, options: ChatOptions, transport: httpx.AsyncBaseTransport | None = None) -> None:
        self._options = options
        self._http = httpx.AsyncClient(
            transport=transport,
            timeout=httpx.Timeout(options.timeout_s, connect=CONNECT_S),
            headers={"Authorization": f"Bearer {options.api_key}"} if options.api_key else {},
        )

    @property
    def model(self) -> str:
        return self._options.model

    async def reply(self, messages: Sequence[dict[str, str]]) -> str:
        """What the model says. Raises Unavailable for everything that keeps it from saying something."""
        body = {
            "model": self._options.model,
            "messages": list(messages),
            "max_tokens": self._options.max_tokens,
            "temperature": 0,
            "stream": False,
        }
        where = f"{self._options.url.rstrip('/')}/chat/completions"
        try:
            response = await self._http.post(where, json=body)
            if response.status_code != 200:
                raise Unavailable(f"The chat model at {where} answers {response.status_code}.")
            if len(response.content) > MAX_REPLY_BYTES:
                raise Unavailable(f"The chat model at {where} answers with far more than a sentence.")
            content = response.json()["choices"][0]["message"]["content"]
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise Unavailable(
                f"The chat model at {where} does not answer ({type(error).__name__})."
            ) from error
        except (ValueError, LookupError, TypeError) as error:
            raise Unavailable(f"The chat model at {where} answers in a form that is not known.") from error
        if not isinstance(content, str):
            raise Unavailable(f"The chat model at {where} answers without a text.")
        return content

    async def close(self) -> None:
        await self._http.aclose()
