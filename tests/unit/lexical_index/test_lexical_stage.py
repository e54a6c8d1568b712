"""Does the stage `lexical` find, explain, refuse and note what it should?"""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from services.lexical_index.service import NO_MATCH, NO_TERMS
from shared.candidate import ScoreType
from shared.errors import InvalidInput, Overloaded, UnknownGeneration
from shared.stage import Query, RunOptions
from tests.unit.lexical_index.lexical_samples import Lexical, open_lexical

HARBOUR = {
    "lock": ["The lock opens at noon.", "Locks close at six."],
    "quay": ["Cranes lift sixteen tonnes.", "Invoice of $99,497 under SEC-014."],
    "api": ["Read the header X-RateLimit-Remaining first.", "hnsw.ef_search is 64; 東京都 is far."],
}


@pytest.fixture
def lexical(tmp_path: Path) -> Iterator[Lexical]:
    opened = open_lexical(tmp_path)
    yield opened
    opened.store.close()


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("When do locks open?", "lock.0"),
        ("invoice 99497", "quay.1"),
        ("what does sec014 say", "quay.1"),
        ("SEC 014", "quay.1"),
        ("x_ratelimit_remaining", "api.0"),
        ("rate limit", "api.0"),
        ("ef_search", "api.1"),
        ("京都", "api.1"),
    ],
)
async def test_question_finds_its_passage_first(lexical: Lexical, question: str, first: str) -> None:
    await lexical.publish(1, HARBOUR)
    ranking = await lexical.run(question, 1)
    assert ranking.candidates[0].chunk_id == first
    assert ranking.notes == ()


async def test_evidence_carries_score_type_and_each_terms_share(lexical: Lexical) -> None:
    await lexical.publish(1, HARBOUR)
    evidence = (await lexical.run("the lock opens", 1)).candidates[0].last
    assert (evidence.stage, evidence.rank, evidence.score_type) == ("lexical", 1, ScoreType.BM25)
    assert [p.label for p in evidence.parts] == ["lock", "open"]
    assert sum(p.value for p in evidence.parts) == evidence.score > 0


async def test_prefix_is_searched_and_counted_once(lexical: Lexical) -> None:
    await lexical.publish(1, {"a": ["noon"], "b": ["noon"]}, prefix="Handbook")
    await lexical.publish(2, {"b": ["Handbook noon"]})
    scores = await lexical.scores("handbook", 2)
    assert scores["a.0"] == scores["b.0"]


@pytest.mark.parametrize("question", ["", "?!", "who is it", "The"])
async def test_question_of_stop_words_is_an_empty_list_with_a_note(lexical: Lexical, question: str) -> None:
    await lexical.publish(1, HARBOUR)
    ranking = await lexical.run(question, 1)
    assert (ranking.candidates, ranking.notes) == ((), (NO_TERMS,))


async def test_question_of_unknown_terms_is_an_empty_list_with_a_note(lexical: Lexical) -> None:
    await lexical.publish(1, HARBOUR)
    ranking = await lexical.run("zeppelin", 1)
    assert (ranking.candidates, ranking.notes) == ((), (NO_MATCH,))


async def test_counts_belong_to_the_generation(lexical: Lexical) -> None:
    await lexical.publish(1, HARBOUR)
    before = await lexical.scores("lock", 1)
    await lexical.publish(2, {"more": ["lock lock", "lock quay quay"]}, deleted=["api"])
    assert await lexical.scores("lock", 1) == before
    after = await lexical.scores("lock", 2)
    assert after["lock.0"] < before["lock.0"]


async def test_limit_is_kept_and_0_means_all(lexical: Lexical) -> None:
    await lexical.publish(1, {"d": ["lock"] * 30})
    assert len((await lexical.run("lock", 1, limit=7)).candidates) == 7
    assert len((await lexical.run("lock", 1)).candidates) == 30
    assert len((await lexical.run("lock", 1, limit=10_000)).candidates) == 30


async def test_parameters_change_the_weighting(lexical: Lexical) -> None:
    await lexical.publish(1, {"d": ["lock lock sea sea sea sea", "lock"]})
    assert (await lexical.run("lock", 1, b="1", k1="2")).candidates[0].chunk_id == "d.1"
    assert (await lexical.run("lock", 1, b="0")).candidates[0].chunk_id == "d.0"
    assert (await lexical.run("lock", 1, idf="fts5")).candidates[0].last.score < 1e-5


@pytest.mark.parametrize(
    ("name", "value"),
    [("k2", "1"), ("k1", "x"), ("k1", "-1"), ("k1", "nan"), ("k1", "inf"), ("b", "1.1"), ("idf", "tf")],
)
async def test_wrong_parameter_is_refused_by_name(lexical: Lexical, name: str, value: str) -> None:
    with pytest.raises(InvalidInput, match=name):
        await lexical.stage.run(Query("lock", "default", 0), (), RunOptions(params={name: value}))


async def test_question_over_the_limit_is_refused(lexical: Lexical) -> None:
    longest = lexical.stage.info.max_query_characters
    assert (await lexical.run("x" * longest, 0)).candidates == ()
    with pytest.raises(InvalidInput, match=str(longest)):
        await lexical.run("x" * (longest + 1), 0)


async def test_generation_that_is_not_held_is_refused(lexical: Lexical) -> None:
    await lexical.publish(1, HARBOUR)
    with pytest.raises(UnknownGeneration):
        await lexical.run("lock", 2)


async def test_full_queue_is_overloaded_and_empties_again(tmp_path: Path) -> None:
    lexical = open_lexical(tmp_path, queue=2)
    await lexical.publish(1, HARBOUR)
    results = await asyncio.gather(*(lexical.run("lock", 1) for _ in range(5)), return_exceptions=True)
    assert [type(r) for r in results].count(Overloaded) == 3
    assert (await lexical.run("lock", 1)).candidates
    lexical.store.close()


async def test_workspaces_neither_see_nor_count_one_another(lexical: Lexical) -> None:
    await lexical.publish(1, HARBOUR)
    alone = await lexical.scores("lock", 1)
    await lexical.publish(1, {"theirs": ["lock"] * 50}, workspace="other")
    assert await lexical.scores("lock", 1) == alone
    assert set(await lexical.scores("lock", 1, "other")) == {f"theirs.{n}" for n in range(50)}


async def test_questions_during_publishing_see_one_generation_each(lexical: Lexical) -> None:
    """Every answer is that of a whole generation: as many locks as it has, all with its counts."""
    await lexical.publish(1, {"d1": ["lock", "quay"]})
    finished = asyncio.Event()
    seen: set[int] = set()

    async def ask() -> None:
        while not finished.is_set():
            generation = lexical.store.manifest("default")[0].generation
            scores = await lexical.scores("lock", generation)
            assert set(scores) == {f"d{n}.0" for n in range(1, generation + 1)}
            assert len(set(scores.values())) == 1
            seen.add(generation)

    async def write() -> None:
        for generation in range(2, 30):
            document = {f"d{generation}": ["lock", "quay"]}
            await lexical.publish(generation, document)
            await asyncio.sleep(0.001)
        finished.set()

    await asyncio.gather(ask(), ask(), write())
    assert len(seen) > 3
