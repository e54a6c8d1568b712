"""Every stage keeps the same promises, in process and over gRPC. A new stage is one more entry of STAGES."""

import asyncio
import signal
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from copy import deepcopy
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

import pytest
import pytest_asyncio

from services.lexical_index.analysis import english
from services.lexical_index.service import LexicalIndexing, LexicalStage
from services.lexical_index.store import PostingsFormat
from services.rerank.model import CrossEncoder
from services.rerank.pool import PairPool
from services.rerank.service import RerankStage
from services.vector_index.core.embedding import Embedder
from services.vector_index.core.payload import VectorFormat
from services.vector_index.embedders.opening import open_embedder
from services.vector_index.service import Limits, VectorIndexing, VectorStage
from services.vector_index.settings import VectorIndexSettings
from shared.cache import ProcessCache
from shared.candidate import Candidate, Evidence, Part, ScoreType, Source, TextSpan
from shared.channel import open_channel
from shared.codec import candidate_from_pb, candidate_to_pb
from shared.errors import InvalidInput, UnknownGeneration
from shared.index_rpc import Indexing
from shared.index_segments import DocumentVersion, IndexedChunk
from shared.index_store import IndexStore, Publication
from shared.models import verified
from shared.probe import is_serving
from shared.server import serve
from shared.settings import ServiceSettings
from shared.stage import Query, RunOptions, Stage
from shared.stage_rpc import RemoteStage, describe, stage_offer

pytestmark = [pytest.mark.models, pytest.mark.asyncio(loop_scope="module")]

TEXTS = [
    "The lock opens at noon and closes at six.",
    "Each berth is dredged after the spring survey.",
    "The pilot boards ships at buoy 64, in fog at buoy 62.",
    "Audit records are kept for 2,555 days under SEC-117.",
    "Cranes of the north quay lift sixteen tonnes.",
    "The lock keeper records each ship that passes the lock.",
]
CHUNKS = [
    IndexedChunk(f"chk_{n}", TextSpan("doc_a", n * 100, n * 100 + len(text)), text, "Harbour handbook")
    for n, text in enumerate(TEXTS)
]
QUESTION = Query("When does the lock open?", "default", 1)


async def lexical(folder: Path) -> Stage:
    analysis = english(stemming=True, stop_words=True)
    store = IndexStore(folder / "lexical.sqlite", PostingsFormat(analysis.name))
    await publish(store, LexicalIndexing(analysis.tokenizer))
    return LexicalStage(store, analysis.tokenizer)


async def vector(folder: Path, embedder: Embedder) -> Stage:
    layout = VectorFormat(embedder.identity, embedder.model.dimensions)
    store = IndexStore(folder / "vector.sqlite", layout)
    await publish(store, VectorIndexing(embedder, layout))
    return VectorStage(store, embedder, Limits())


async def vector_by_hash(folder: Path) -> Stage:
    return await vector(folder, await open_embedder(VectorIndexSettings(embedder="hash")))


async def vector_by_model(folder: Path) -> Stage:
    return await vector(folder, await open_embedder(VectorIndexSettings(embedder="onnx")))


async def rerank(folder: Path) -> Stage:
    model = CrossEncoder(verified(Path("models"), "reranker"), 512)
    return RerankStage(model, PairPool(2, 1000), ProcessCache("contract", 1000, 60.0, time.time))


Payload = TypeVar("Payload")


STAGES: dict[str, Callable[[Path], Awaitable[Stage]]] = {
    "lexical": lexical,
    "vector by hash": vector_by_hash,
    "vector by model": vector_by_model,
    "rerank": rerank,
}


async def publish(store: IndexStore[Payload], indexing: Indexing[Payload]) -> None:
    payload = await indexing.prepare(CHUNKS)
    store.begin("default", "batch_1")
    store.upsert("default", "batch_1", DocumentVersion("doc_a", 1, "digest", len(CHUNKS)), CHUNKS, payload)
    store.publish(Publication("default", 1, "batch_1", 1, len(CHUNKS), False))


@pytest_asyncio.fixture(params=list(STAGES), scope="module", loop_scope="module")
async def local(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Stage:
    return await STAGES[request.param](tmp_path_factory.mktemp("stage"))


@pytest_asyncio.fixture(params=["local", "remote"], scope="module", loop_scope="module")
async def stage(
    request: pytest.FixtureRequest, local: Stage, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Stage]:
    """The stage itself, or the same one behind a server and a wire."""
    if request.param == "local":
        yield local
        return
    where = f"unix://{tmp_path_factory.mktemp('wire')}/stage.sock"
    settings = ServiceSettings(listen=where, drain_s=0.2)
    serving = asyncio.create_task(serve("contract", settings, [stage_offer([local])]))
    while not await asyncio.to_thread(is_serving, where, 0.2):  # noqa: ASYNC110 - it asks over the wire
        await asyncio.sleep(0.02)
    async with open_channel(where) as channel:
        (info,) = await describe(channel, deadline_s=5)
        yield RemoteStage(channel, info)
    signal.raise_signal(signal.SIGTERM)
    await serving


def shortlist() -> list[Candidate]:
    """What a stage of the middle is given: passages with text, source and earlier evidence."""
    return [
        Candidate(
            chunk.chunk_id,
            chunk.span,
            (Evidence("fuse", rank, 1 / (60 + rank), ScoreType.RRF, (Part("lexical", 1 / (60 + rank)),)),),
            Source("Harbour handbook", ("Locks",), "K-83", 3, "harbour.md"),
            chunk.text,
        )
        for rank, chunk in enumerate(CHUNKS, start=1)
    ]


def given(stage: Stage) -> list[Candidate]:
    return [] if stage.info.kind == "retrieve" else shortlist()


async def test_a_stage_finds_the_passage_that_answers(stage: Stage) -> None:
    ranking = await stage.run(QUESTION, given(stage), RunOptions())
    assert "chk_0" in [c.chunk_id for c in ranking.candidates[:2]]


async def test_scores_do_not_rise_and_ranks_are_one_to_n(stage: Stage) -> None:
    found = (await stage.run(QUESTION, given(stage), RunOptions())).candidates
    assert found
    assert [c.last.rank for c in found] == list(range(1, len(found) + 1))
    assert all(a.last.score >= b.last.score for a, b in pairwise(found))
    assert {c.last.score_type for c in found} == {stage.info.score_type}
    assert {c.last.stage for c in found} == {stage.info.name}


async def test_ids_are_unique(stage: Stage) -> None:
    ids = [c.chunk_id for c in (await stage.run(QUESTION, given(stage), RunOptions())).candidates]
    assert len(ids) == len(set(ids))


async def test_earlier_evidence_is_kept_as_a_prefix_and_the_input_is_untouched(stage: Stage) -> None:
    before = shortlist()
    untouched = deepcopy(before)
    found = (await stage.run(QUESTION, before, RunOptions())).candidates
    earlier = {c.chunk_id: c.evidence for c in before}
    assert found
    assert all(c.evidence[:-1] == earlier[c.chunk_id] for c in found)
    assert before == untouched


async def test_an_empty_input_is_fine(stage: Stage) -> None:
    ranking = await stage.run(QUESTION, [], RunOptions())
    assert bool(ranking.candidates) is (stage.info.kind == "retrieve")


async def test_two_calls_agree_to_the_bit(stage: Stage) -> None:
    first = await stage.run(QUESTION, given(stage), RunOptions())
    assert await stage.run(QUESTION, given(stage), RunOptions()) == first


async def test_the_order_of_the_input_does_not_matter(stage: Stage) -> None:
    forwards = await stage.run(QUESTION, given(stage), RunOptions())
    backwards = await stage.run(QUESTION, given(stage)[::-1], RunOptions())
    assert backwards.candidates == forwards.candidates


async def test_a_limit_gives_the_head_of_the_same_list(stage: Stage) -> None:
    whole = await stage.run(QUESTION, given(stage), RunOptions())
    head = await stage.run(QUESTION, given(stage), RunOptions(limit=2))
    assert head.candidates == whole.candidates[:2]


async def test_every_candidate_survives_the_wire(stage: Stage) -> None:
    found = (await stage.run(QUESTION, given(stage), RunOptions())).candidates
    assert tuple(candidate_from_pb(candidate_to_pb(c)) for c in found) == found


async def test_an_unknown_parameter_is_invalid_input(stage: Stage) -> None:
    with pytest.raises(InvalidInput, match="nonsense"):
        await stage.run(QUESTION, given(stage), RunOptions(params={"nonsense": "1"}))


async def test_a_question_over_the_limit_is_invalid_input(stage: Stage) -> None:
    too_long = replace(QUESTION, text="lock " * stage.info.max_query_characters)
    with pytest.raises(InvalidInput, match="characters"):
        await stage.run(too_long, given(stage), RunOptions())


async def test_a_question_of_signs_alone_is_answered(stage: Stage) -> None:
    for text in ("?!", "🚢", "\u2028", "ß" * 50, "the of and"):
        ranking = await stage.run(replace(QUESTION, text=text), given(stage), RunOptions())
        assert len(ranking.candidates) <= len(CHUNKS)


async def test_many_questions_at_once_give_what_one_gives(stage: Stage) -> None:
    alone = await stage.run(QUESTION, given(stage), RunOptions())
    others = [stage.run(replace(QUESTION, text=t), given(stage), RunOptions()) for t in TEXTS]
    together = await asyncio.gather(stage.run(QUESTION, given(stage), RunOptions()), *others)
    assert together[0] == alone


async def test_a_generation_that_an_index_does_not_hold_is_said(stage: Stage) -> None:
    if stage.info.kind != "retrieve":
        return
    with pytest.raises(UnknownGeneration):
        await stage.run(replace(QUESTION, generation=7), [], RunOptions())


async def test_another_workspace_finds_nothing(stage: Stage) -> None:
    if stage.info.kind != "retrieve":
        return
    elsewhere = await stage.run(Query(QUESTION.text, "other", 0), [], RunOptions())
    assert elsewhere.candidates == ()
