"""What has been computed already? A bounded cache in the process, and Redis where replicas share one.

Values are addressed by content: a key holds digests of the model and of the text that it read, nothing else.
Equal text under an equal model has equal values, so workspaces may share them: to find an entry one must
already have its text, and what one then learns is the number that the model gives for it anyway.
"""

import hashlib
import logging
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from prometheus_client import Counter
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from shared.settings import ServiceSettings

log = logging.getLogger("sightline.cache")

LOOKUPS = Counter("sightline_cache_lookups", "Cache look-ups by outcome", ["cache", "layer", "outcome"])
REDIS_FAILURES = Counter("sightline_cache_redis_failures", "Calls that Redis did not answer", ["cache"])

# Redis is there to save tenths of a second: waiting longer for it than that would be no gain.
REDIS_TIMEOUT_S = 0.25
REDIS_RETRY_S = 2.0


class Cache(Protocol):
    """Values by content key. An entry may be gone at any time; an unreachable cache is an empty one."""

    async def get_many(self, keys: Sequence[str]) -> dict[str, bytes]: ...

    async def put_many(self, items: Mapping[str, bytes]) -> None: ...


class RedisCommands(Protocol):
    """What the cache asks of a Redis client."""

    async def mget(self, keys: Sequence[str]) -> list[bytes | None]: ...

    async def set_all(self, items: Mapping[str, bytes], ttl_ms: int) -> None: ...


def content_key(model_digest: str, *texts: str) -> str:
    """A key for what a model says of some texts; no two different lists of texts share one."""
    digest = hashlib.sha256()
    for part in (model_digest, *texts):
        data = part.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "big"))
        digest.update(data)
    return digest.hexdigest()


class ProcessCache:
    """The least recently used entry goes first; each lives `ttl_s`. For one event loop."""

    def __init__(self, name: str, max_entries: int, ttl_s: float, clock: Callable[[], float]) -> None:
        self._max_entries = max_entries
        self._ttl_s = ttl_s
        self._clock = clock
        self._entries: OrderedDict[str, tuple[float, bytes]] = OrderedDict()  # key -> end of life, value
        self._hit = LOOKUPS.labels(name, "process", "hit")
        self._miss = LOOKUPS.labels(name, "process", "miss")

    async def get_many(self, keys: Sequence[str]) -> dict[str, bytes]:
        now, found = self._clock(), {}
        for key in keys:
            entry = self._entries.get(key)
            if entry is not None and entry[0] > now:
                self._entries.move_to_end(key)
                found[key] = entry[1]
            elif entry is not None:
                del self._entries[key]
        self._hit.inc(len(found))
        self._miss.inc(len(keys) - len(found))
        return found

    async def put_many(self, items: Mapping[str, bytes]) -> None:
        end = self._clock() + self._ttl_s
        for key, value in items.items():
            self._entries[key] = (end, value)
            self._entries.move_to_end(key)
        while len(self._entries) > self._max_entries:
            self._entries.popitem(last=False)


class RedisCache:
    """The process cache in front of Redis, which replicas share. While Redis is away the first serves alone.

    After a failure Redis is left in peace for `REDIS_RETRY_S` and then tried again, by the next call.
    """

    def __init__(
        self, name: str, near: Cache, redis: RedisCommands, *, ttl_s: float, clock: Callable[[], float]
    ) -> None:
        self._name = name
        self._near = near
        self._redis = redis
        self._ttl_ms = max(1, int(ttl_s * 1000))
        self._clock = clock
        self._away_until = 0.0
        self._away = False
        self._hit = LOOKUPS.labels(name, "redis", "hit")
        self._miss = LOOKUPS.labels(name, "redis", "miss")

    async def get_many(self, keys: Sequence[str]) -> dict[str, bytes]:
        found = await self._near.get_many(keys)
        rest = [key for key in dict.fromkeys(keys) if key not in found]
        if not rest or not self._may_try():
            return found
        try:
            values = await self._redis.mget([self._full(key) for key in rest])
        except (RedisError, OSError) as error:
            self._failed(error)
            return found
        self._answered()
        far = {key: bytes(value) for key, value in zip(rest, values, strict=True) if value is not None}
        self._hit.inc(len(far))
        self._miss.inc(len(rest) - len(far))
        if far:
            await self._near.put_many(far)
        return found | far

    async def put_many(self, items: Mapping[str, bytes]) -> None:
        if not items:
            return
        await self._near.put_many(items)
        if not self._may_try():
            return
        try:
            await self._redis.set_all({self._full(k): v for k, v in items.items()}, self._ttl_ms)
        except (RedisError, OSError) as error:
            self._failed(error)
        else:
            self._answered()

    def _full(self, key: str) -> str:
        return f"sightline:{self._name}:{key}"

    def _may_try(self) -> bool:
        return self._clock() >= self._away_until

    def _failed(self, error: Exception) -> None:
        REDIS_FAILURES.labels(self._name).inc()
        self._away_until = self._clock() + REDIS_RETRY_S
        if not self._away:  # one line an outage, not one a call
            self._away = True
            log.warning("redis is away; the process cache serves", extra={"fields": {"error": str(error)}})

    def _answered(self) -> None:
        if self._away:
            self._away = False
            log.info("redis is back")


class RedisClient:
    """`RedisCommands` over a real connection, which is opened by the first call."""

    def __init__(self, url: str) -> None:
        self._redis: Redis = Redis.from_url(
            url,
            socket_connect_timeout=REDIS_TIMEOUT_S,
            socket_timeout=REDIS_TIMEOUT_S,
            retry=Retry(NoBackoff(), 0),
        )

    async def mget(self, keys: Sequence[str]) -> list[bytes | None]:
        values = await self._redis.mget(list(keys))
        return [value if isinstance(value, bytes) else None for value in values]

    async def set_all(self, items: Mapping[str, bytes], ttl_ms: int) -> None:
        async with self._redis.pipeline(transaction=False) as pipeline:
            for key, value in items.items():
                pipeline.set(key, value, px=ttl_ms)
            await pipeline.execute()


def open_cache(settings: ServiceSettings, name: str, clock: Callable[[], float]) -> Cache:
    """The cache that the settings ask for. Nothing is connected yet, and nothing fails if Redis is away."""
    near = ProcessCache(name, settings.cache_entries, settings.cache_ttl_s, clock)
    if not settings.redis_url:
        return near
    return RedisCache(name, near, RedisClient(settings.redis_url), ttl_s=settings.cache_ttl_s, clock=clock)
