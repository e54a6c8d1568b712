"""The rerank stage scores pairs one by one, remembers them, and keeps what was said before."""

import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest
from prometheus_client import REGISTRY

from services.rerank.core.pairs import Pair, Specials, pair_of
from services.rerank.pool import PairPool
from services.rerank.service import RerankStage
from shared.cache import ProcessCache
from shared.candidate import Candidate, Evidence, Part, ScoreType, TextSpan
from shared.errors import InvalidInput, Overloaded
from shared.stage import ModelInfo, Query, RunOptions, TokenCount

QUESTION = Query("ab", "harbour", 1)


class LetterModel:
    """A token is a letter; the logit is how many letters of the passage the question has."""

    def __init__(self, max_tokens: int = 64, digest: str = "letters") -> None:
        self.scored: list[int] = []
        self._info = ModelInfo("letters", digest, "tokenizer", max_tokens)
        self._lock = threading.Lock()

    @property
    def info(self) -> ModelInfo:
        return self._info

    def tokens(self, text: str) -> tuple[int, ...]:
        return tuple(ord(c) for c in text)

    def pair(self, question: Sequence[int], passage: str) -> Pair:
        return pair_of(question, self.tokens(passage), self._info.max_tokens, Specials(1, 2))

    def logit(self, pair: Pair) -> float:
        with self._lock:
            self.scored.append(pair.tokens_read)
        first_end = pair.token_ids.index(2)
        asked = set(pair.token_ids[1:first_end])
        return float(sum(t in asked for t in pair.token_ids[first_end + 1 : -1]))


def passages(*texts: str) -> list[Candidate]:
    fused = (Evidence("fuse", 1, 0.5, ScoreType.RRF),)
    return [Candidate(f"chk_{n}", TextSpan("doc_a", n, n + 1), fused, text=t) for n, t in enumerate(texts)]


@pytest.fixture
def model() -> LetterModel:
    return LetterModel()


@pytest.fixture
def pool() -> Iterator[PairPool]:
    pairs = PairPool(2, max_waiting=10)
    yield pairs
    pairs.close()


@pytest.fixture
def cache() -> ProcessCache:
    return ProcessCache("test", 100, 60.0, time.time)


def pairs_counted(source: str) -> float:
    return REGISTRY.get_sample_value("sightline_rerank_pairs_total", {"source": source}) or 0.0


async def test_scores_are_sigmoids_with_the_logit_beside_them(
    model: LetterModel, pool: PairPool, cache: ProcessCache
) -> None:
    given = passages("xxx", "abx", "a")
    ranking = await RerankStage(model, pool, cache).run(QUESTION, given, RunOptions())
    assert [c.chunk_id for c in ranking.candidates] == ["chk_1", "chk_2", "chk_0"]
    top = ranking.candidates[0].last
    assert (top.stage, top.rank, top.score_type) == ("rerank", 1, ScoreType.CROSS_ENCODER)
    assert top.score == pytest.approx(0.8807970779778823)
    assert top.parts == (Part("logit", 2.0),)
    assert all(c.evidence[0].stage == "fuse" for c in ranking.candidates)
    assert [len(c.evidence) for c in given] == [1, 1, 1], "the input is left as it is"


async def test_a_passage_without_text_is_last_and_noted(
    model: LetterModel, pool: PairPool, cache: ProcessCache
) -> None:
    ranking = await RerankStage(model, pool, cache).run(QUESTION, passages("", "xx", " \n"), RunOptions())
    assert [(c.chunk_id, c.last.score > 0) for c in ranking.candidates] == [
        ("chk_1", True),
        ("chk_0", False),
        ("chk_2", False),
    ]
    assert ranking.notes == ("passages that came without text were not read and are last",)
    assert len(model.scored) == 1


async def test_the_limit_bounds_the_list_and_an_empty_list_is_fine(
    model: LetterModel, pool: PairPool, cache: ProcessCache
) -> None:
    stage = RerankStage(model, pool, cache)
    assert len((await stage.run(QUESTION, passages("a", "b", "c"), RunOptions(limit=2))).candidates) == 2
    assert (await stage.run(QUESTION, [], RunOptions())).candidates == ()


async def test_truncation_is_in_the_ledger_and_in_the_notes(pool: PairPool, cache: ProcessCache) -> None:
    stage = RerankStage(LetterModel(max_tokens=11), pool, cache)
    ranking = await stage.run(Query("abcdefgh", "harbour", 1), passages("a", "a" * 9), RunOptions())
    assert ranking.token_counts == (
        TokenCount("", 8, 4),
        TokenCount("chk_0", 12, 8),
        TokenCount("chk_1", 20, 11),
    )
    assert ranking.notes[0] == "the question has 8 tokens; the reranker read 4"
    assert "reads 11 tokens" in ranking.notes[1]


async def test_a_pair_is_scored_once_whoever_asks_again(
    model: LetterModel, pool: PairPool, cache: ProcessCache
) -> None:
    stage = RerankStage(model, pool, cache)
    computed, remembered = pairs_counted("model"), pairs_counted("cache")
    first = await stage.run(QUESTION, passages("ab", "ab", "ba"), RunOptions())
    renamed = [replace(c, chunk_id=f"other_{c.chunk_id}") for c in passages("ab", "ba")]
    again = await stage.run(Query("ab", "elsewhere", 7), renamed, RunOptions())
    assert len(model.scored) == 2
    assert again.candidates[0].last.score == first.candidates[0].last.score
    assert again.token_counts[1] == TokenCount("other_chk_0", 7, 7)
    assert (pairs_counted("model") - computed, pairs_counted("cache") - remembered) == (2, 2)


async def test_another_model_or_cut_does_not_use_remembered_scores(
    model: LetterModel, pool: PairPool, cache: ProcessCache
) -> None:
    await RerankStage(model, pool, cache).run(QUESTION, passages("ab"), RunOptions())
    for other in (LetterModel(digest="other"), LetterModel(max_tokens=32)):
        await RerankStage(other, pool, cache).run(QUESTION, passages("ab"), RunOptions())
        assert len(other.scored) == 1


async def test_shards_give_the_scores_of_the_whole(
    model: LetterModel, pool: PairPool, cache: ProcessCache
) -> None:
    stage = RerankStage(model, pool, cache)
    given = passages("ab", "a", "xyz", "bbb")
    whole = {c.chunk_id: c.last.score for c in (await stage.run(QUESTION, given, RunOptions())).candidates}
    for one in given:
        alone = await stage.run(QUESTION, [one], RunOptions())
        assert alone.candidates[0].last.score == whole[one.chunk_id]


async def test_a_full_queue_is_overloaded(model: LetterModel, pool: PairPool, cache: ProcessCache) -> None:
    with pytest.raises(Overloaded, match="11 more do not fit"):
        await RerankStage(model, pool, cache).run(
            QUESTION, passages(*(f"a{n}" for n in range(11))), RunOptions()
        )
    assert model.scored == []


async def test_what_the_stage_does_not_take_is_refused(
    model: LetterModel, pool: PairPool, cache: ProcessCache
) -> None:
    stage = RerankStage(model, pool, cache, max_candidates=2, max_query_characters=5)
    with pytest.raises(InvalidInput, match="depth"):
        await stage.run(QUESTION, passages("a"), RunOptions(params={"depth": "3"}))
    with pytest.raises(InvalidInput, match="at most 2"):
        await stage.run(QUESTION, passages("a", "b", "c"), RunOptions())
    with pytest.raises(InvalidInput, match="6 characters"):
        await stage.run(Query("abcdef", "harbour", 1), passages("a"), RunOptions())
    with pytest.raises(InvalidInput, match="twice"):
        await stage.run(QUESTION, passages("a") * 2, RunOptions())
