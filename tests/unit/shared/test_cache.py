"""A cache forgets by age and by use, and an absent Redis costs nothing but its entries."""

from collections.abc import Mapping, Sequence

import pytest
from prometheus_client import REGISTRY
from redis.exceptions import ConnectionError as RedisConnectionError

from shared.cache import REDIS_RETRY_S, ProcessCache, RedisCache, RedisClient, content_key, open_cache
from shared.settings import ServiceSettings


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class FakeRedis:
    """A dictionary that can be away."""

    def __init__(self) -> None:
        self.values: dict[str, bytes] = {}
        self.ttls_ms: set[int] = set()
        self.away = False
        self.calls = 0

    async def mget(self, keys: Sequence[str]) -> list[bytes | None]:
        self._call()
        return [self.values.get(key) for key in keys]

    async def set_all(self, items: Mapping[str, bytes], ttl_ms: int) -> None:
        self._call()
        self.values.update(items)
        self.ttls_ms.add(ttl_ms)

    def _call(self) -> None:
        self.calls += 1
        if self.away:
            raise RedisConnectionError("refused")


def process_cache(clock: Clock, max_entries: int = 10) -> ProcessCache:
    return ProcessCache("test", max_entries, 60.0, clock)


def replica(redis: FakeRedis, clock: Clock) -> RedisCache:
    return RedisCache("test", process_cache(clock), redis, ttl_s=60.0, clock=clock)


def lookups(layer: str, outcome: str) -> float:
    labels = {"cache": "test", "layer": layer, "outcome": outcome}
    return REGISTRY.get_sample_value("sightline_cache_lookups_total", labels) or 0.0


async def test_process_cache_forgets_the_least_recently_used() -> None:
    cache = process_cache(Clock(), max_entries=2)
    await cache.put_many({"a": b"1", "b": b"2"})
    await cache.get_many(["a"])
    await cache.put_many({"c": b"3"})
    assert await cache.get_many(["a", "b", "c"]) == {"a": b"1", "c": b"3"}


async def test_process_cache_forgets_after_the_time_limit() -> None:
    clock = Clock()
    cache = process_cache(clock)
    await cache.put_many({"a": b"1"})
    clock.now += 59.9
    assert await cache.get_many(["a"]) == {"a": b"1"}
    clock.now += 0.2
    assert await cache.get_many(["a"]) == {}


async def test_cache_counts_hits_and_misses() -> None:
    cache = process_cache(Clock())
    hits, misses = lookups("process", "hit"), lookups("process", "miss")
    await cache.put_many({"a": b"1"})
    await cache.get_many(["a", "b", "c"])
    assert (lookups("process", "hit") - hits, lookups("process", "miss") - misses) == (1, 2)


async def test_replicas_share_entries_through_redis() -> None:
    redis, clock = FakeRedis(), Clock()
    await replica(redis, clock).put_many({"a": b"1"})
    other = replica(redis, clock)
    assert await other.get_many(["a", "b"]) == {"a": b"1"}
    assert redis.ttls_ms == {60_000}
    assert list(redis.values) == ["sightline:test:a"]
    calls = redis.calls
    assert await other.get_many(["a"]) == {"a": b"1"}
    assert redis.calls == calls, "the second time it is at hand"


async def test_the_process_cache_serves_while_redis_is_away() -> None:
    redis, clock = FakeRedis(), Clock()
    redis.away = True
    cache = replica(redis, clock)
    await cache.put_many({"a": b"1"})
    assert await cache.get_many(["a", "b"]) == {"a": b"1"}
    assert redis.calls == 1, "a Redis that is away is not asked at every call"


async def test_redis_serves_again_by_itself_when_it_is_back() -> None:
    redis, clock = FakeRedis(), Clock()
    cache = replica(redis, clock)
    redis.away = True
    await cache.put_many({"a": b"1"})
    redis.away = False
    clock.now += REDIS_RETRY_S
    await cache.put_many({"b": b"2"})
    assert await replica(redis, clock).get_many(["a", "b"]) == {"b": b"2"}


async def test_a_real_client_without_a_server_is_an_empty_cache() -> None:
    cache = RedisCache(
        "test", process_cache(Clock()), RedisClient("redis://127.0.0.1:1/0"), ttl_s=1.0, clock=Clock()
    )
    await cache.put_many({"a": b"1"})
    assert await cache.get_many(["a", "b"]) == {"a": b"1"}


@pytest.mark.parametrize(("url", "kind"), [("", ProcessCache), ("redis://127.0.0.1:1/0", RedisCache)])
def test_open_cache_follows_the_settings(url: str, kind: type) -> None:
    assert isinstance(open_cache(ServiceSettings(redis_url=url), "test", Clock()), kind)


def test_content_keys_differ_with_model_text_and_borders_between_texts() -> None:
    keys = [
        content_key("m", "ab", "c"),
        content_key("m", "a", "bc"),
        content_key("m", "abc"),
        content_key("n", "ab", "c"),
        content_key("m", "ab", "c", ""),
    ]
    assert len(set(keys)) == len(keys)
    assert content_key("m", "ab", "c") == keys[0]


def test_content_key_takes_text_that_is_no_valid_unicode() -> None:
    assert content_key("m", "\ud800") != content_key("m", "?")
