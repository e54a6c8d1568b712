"""The vector index stores, finds, accounts for tokens, and never mixes two models."""

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from services.vector_index.core.embedding import Embedding, TextKind
from services.vector_index.core.payload import VectorFormat, VectorPayload
from services.vector_index.core.reuse import digests_of
from services.vector_index.embedders.cached import CachedEmbedder
from services.vector_index.embedders.hash import HashEmbedder
from services.vector_index.service import EmbedderServicer, Limits, VectorIndexing, VectorStage
from shared.cache import ProcessCache
from shared.candidate import ScoreType, TextSpan
from shared.errors import InvalidInput, UnknownGeneration
from shared.index_segments import DocumentVersion, IndexedChunk
from shared.index_store import IndexStore, Publication
from shared.pb import index_pb2
from shared.stage import Query, RunOptions, TokenCount
from tests.unit.vector_index.embedder_fakes import LetterEmbedder

TEXTS = ["aaaa", "bbbb", "aabb", "c" * 12]


def chunks(document_id: str, texts: Sequence[str], prefix: str = "") -> list[IndexedChunk]:
    return [
        IndexedChunk(f"chk_{document_id}_{n}", TextSpan(document_id, n, n + 1), text, prefix)
        for n, text in enumerate(texts)
    ]


def layout_of(embedder: LetterEmbedder) -> VectorFormat:
    return VectorFormat(embedder.identity, embedder.model.dimensions)


async def publish(
    store: IndexStore[VectorPayload], embedder: LetterEmbedder, generation: int, added: list[IndexedChunk]
) -> None:
    payload = await VectorIndexing(embedder, layout_of(embedder)).prepare(added)
    batch, document_id = f"batch_{generation}", added[0].span.document_id
    store.begin("harbour", batch)
    store.upsert("harbour", batch, DocumentVersion(document_id, 1, "d", len(added)), added, payload)
    store.publish(Publication("harbour", generation, batch, 1, len(added)))


@pytest.fixture
def embedder() -> LetterEmbedder:
    return LetterEmbedder()


@pytest.fixture
async def stage(tmp_path: Path, embedder: LetterEmbedder) -> VectorStage:
    store = IndexStore(tmp_path / "index.sqlite3", layout_of(embedder))
    await publish(store, embedder, 1, chunks("doc_a", TEXTS))
    return VectorStage(store, embedder, Limits(max_candidates=50, max_query_characters=40))


async def test_nearest_passages_come_first_with_their_cosine(stage: VectorStage) -> None:
    ranking = await stage.run(Query("aaaa", "harbour", 1), (), RunOptions(limit=2))
    first, second = ranking.candidates
    assert (first.chunk_id, first.span) == ("chk_doc_a_0", TextSpan("doc_a", 0, 1))
    assert (first.last.stage, first.last.rank, first.last.score_type) == ("vector", 1, ScoreType.COSINE)
    assert first.last.score == pytest.approx(1.0)
    assert second.chunk_id == "chk_doc_a_2"
    assert second.last.score == pytest.approx((1 + 4 * 2) / (17**0.5 * 3))


async def test_a_cut_passage_is_in_the_ledger_and_in_the_notes(stage: VectorStage) -> None:
    ranking = await stage.run(Query("cc", "harbour", 1), (), RunOptions(limit=1))
    assert ranking.token_counts == (TokenCount("", 2, 2), TokenCount("chk_doc_a_3", 12, 10))
    assert ranking.notes == ("1 of the passages found are longer than the embedder reads",)


async def test_a_cut_question_is_in_the_ledger_and_in_the_notes(stage: VectorStage) -> None:
    ranking = await stage.run(Query("a" * 15, "harbour", 1), (), RunOptions(limit=1))
    assert ranking.token_counts[0] == TokenCount("", 15, 10)
    assert ranking.notes == ("the question has 15 tokens; the embedder read 10",)


async def test_prior_evidence_of_a_candidate_is_kept(stage: VectorStage) -> None:
    found = (await stage.run(Query("aaaa", "harbour", 1), (), RunOptions(limit=1))).candidates
    again = (await stage.run(Query("aaaa", "harbour", 1), found, RunOptions(limit=1))).candidates
    assert again[0].evidence[0] == found[0].last
    assert len(again[0].evidence) == 2


async def test_generation_and_workspace_bound_what_is_seen(tmp_path: Path, embedder: LetterEmbedder) -> None:
    store = IndexStore(tmp_path / "index.sqlite3", layout_of(embedder))
    await publish(store, embedder, 1, chunks("doc_a", TEXTS))
    await publish(store, embedder, 2, chunks("doc_b", ["aaaa"]))
    stage = VectorStage(store, embedder, Limits())

    async def ids(workspace: str, generation: int) -> set[str]:
        ranking = await stage.run(Query("aaaa", workspace, generation), (), RunOptions())
        return {c.span.document_id for c in ranking.candidates}

    assert await ids("harbour", 1) == {"doc_a"}
    assert await ids("harbour", 2) == {"doc_a", "doc_b"}
    assert await ids("elsewhere", 0) == set()
    with pytest.raises(UnknownGeneration):
        await ids("harbour", 3)


async def test_scores_are_the_same_bits_after_a_restart(tmp_path: Path, embedder: LetterEmbedder) -> None:
    path = tmp_path / "index.sqlite3"
    store = IndexStore(path, layout_of(embedder))
    await publish(store, embedder, 1, chunks("doc_a", TEXTS))
    query = Query("abca", "harbour", 1)
    before = await VectorStage(store, embedder, Limits()).run(query, (), RunOptions())
    store.close()
    embedder.asked.clear()
    opened = IndexStore(path, layout_of(embedder))
    after = await VectorStage(opened, embedder, Limits()).run(query, (), RunOptions())
    assert after == before
    assert embedder.asked == [("abca", TextKind.QUERY)], "no passage is embedded again"


async def test_another_model_finds_the_index_empty(tmp_path: Path, embedder: LetterEmbedder) -> None:
    path = tmp_path / "index.sqlite3"
    store = IndexStore(path, layout_of(embedder))
    await publish(store, embedder, 1, chunks("doc_a", TEXTS))
    store.close()
    opened = IndexStore(path, layout_of(LetterEmbedder("other letters")))
    assert opened.manifest() == [], "ingest sees that everything is to be indexed anew"


async def test_prefix_and_text_are_read_together_as_a_passage(embedder: LetterEmbedder) -> None:
    indexing = VectorIndexing(embedder, layout_of(embedder))
    await indexing.prepare([*chunks("doc_a", ["ab"], prefix="Title"), *chunks("doc_b", ["cd"])])
    assert embedder.asked == [("Title\nab", TextKind.DOCUMENT), ("cd", TextKind.DOCUMENT)]


@pytest.mark.parametrize("text", ["", "  \n"])
async def test_an_empty_question_finds_nothing(stage: VectorStage, text: str) -> None:
    assert (await stage.run(Query(text, "harbour", 1), (), RunOptions())).candidates == ()


async def test_unknown_parameters_and_long_questions_are_refused(stage: VectorStage) -> None:
    with pytest.raises(InvalidInput, match="nprobe"):
        await stage.run(Query("a", "harbour", 1), (), RunOptions(params={"nprobe": "3"}))
    with pytest.raises(InvalidInput, match="41 characters"):
        await stage.run(Query("a" * 41, "harbour", 1), (), RunOptions())


def test_vectors_of_another_width_are_refused() -> None:
    with pytest.raises(ValueError, match="does not fit 4 dimensions"):
        VectorFormat("x", 4).payload([Embedding(np.ones(5, dtype=np.float32), 1, 1)], digests_of(["a"]))


async def test_cache_embeds_equal_texts_once_and_kinds_apart(embedder: LetterEmbedder) -> None:
    cached = CachedEmbedder(embedder, ProcessCache("test", 100, 60.0, time.time))
    first = await cached.embed(["ab", "cd", "ab"], kind=TextKind.DOCUMENT)
    again = await cached.embed(["ab"], kind=TextKind.DOCUMENT)
    await cached.embed(["ab"], kind=TextKind.QUERY)
    assert embedder.asked == [
        ("ab", TextKind.DOCUMENT),
        ("cd", TextKind.DOCUMENT),
        ("ab", TextKind.QUERY),
    ]
    assert again[0].vector.tobytes() == first[0].vector.tobytes() == first[2].vector.tobytes()
    assert (again[0].tokens_present, again[0].tokens_read) == (2, 2)


async def test_cache_keeps_what_was_done_before_the_time_ran_out(embedder: LetterEmbedder) -> None:
    class Slow(LetterEmbedder):
        async def embed(self, texts: Sequence[str], *, kind: TextKind) -> list[Embedding]:
            if self.asked:
                await asyncio.sleep(30)
            return await super().embed(texts, kind=kind)

    cache = ProcessCache("test", 100, 60.0, time.time)
    texts = ["a" * n for n in range(1, 33)]
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.2):
            await CachedEmbedder(Slow(), cache).embed(texts, kind=TextKind.DOCUMENT)
    await CachedEmbedder(embedder, cache).embed(texts, kind=TextKind.DOCUMENT)
    assert [text for text, _ in embedder.asked] == texts[16:]


async def test_cache_ignores_a_value_of_another_size(embedder: LetterEmbedder) -> None:
    class Junk:
        async def get_many(self, keys: Sequence[str]) -> dict[str, bytes]:
            return dict.fromkeys(keys, b"junk")

        async def put_many(self, items: object) -> None:
            return None

    (found,) = await CachedEmbedder(embedder, Junk()).embed(["ab"], kind=TextKind.QUERY)
    assert found.vector.shape == (5,)


async def test_hash_embedder_is_deterministic_and_near_for_shared_words() -> None:
    embed = HashEmbedder().embed
    near, far, question, empty = await embed(
        ["the lock opens at noon", "cranes lift tonnes", "when does the lock open", ""],
        kind=TextKind.DOCUMENT,
    )
    assert near.vector @ question.vector > far.vector @ question.vector
    assert np.linalg.norm(empty.vector) == pytest.approx(1.0)
    (again,) = await embed(["the lock opens at noon"], kind=TextKind.QUERY)
    assert again.vector.tobytes() == near.vector.tobytes()
    assert "for tests" in HashEmbedder().model.name


async def test_embed_gives_little_endian_rows_and_names_the_model(embedder: LetterEmbedder) -> None:
    servicer = EmbedderServicer(embedder, max_texts=2)
    reply = await servicer.Embed(index_pb2.EmbedRequest(texts=["aa", "b"], kind=index_pb2.QUERY), None)
    rows = np.frombuffer(reply.vectors, dtype="<f4").reshape(2, reply.dimensions)
    assert np.linalg.norm(rows, axis=1) == pytest.approx([1.0, 1.0])
    assert (reply.model, reply.model_digest) == ("letters", "letters")


async def test_embed_refuses_an_unnamed_kind_and_too_many_texts(embedder: LetterEmbedder) -> None:
    servicer = EmbedderServicer(embedder, max_texts=2)
    with pytest.raises(InvalidInput, match="kind"):
        await servicer.Embed(index_pb2.EmbedRequest(texts=["a"]), None)
    with pytest.raises(InvalidInput, match="at most 2"):
        await servicer.Embed(index_pb2.EmbedRequest(texts=["a"] * 3, kind=index_pb2.DOCUMENT), None)
