"""Both indexes behind a wire, for the contract that they share. A new index is one more entry of INDEXES."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc

from services.lexical_index.analysis import english
from services.lexical_index.service import LexicalIndexing, LexicalStage
from services.lexical_index.store import PostingsFormat
from services.vector_index.core.payload import VectorFormat
from services.vector_index.embedders.opening import open_embedder
from services.vector_index.service import Limits, VectorIndexing, VectorStage
from services.vector_index.settings import VectorIndexSettings
from shared.candidate import Candidate
from shared.channel import call, open_channel
from shared.index_rpc import index_offer
from shared.index_store import IndexStore
from shared.pb import candidate_pb2, index_pb2, index_pb2_grpc
from shared.server import PINGS_WELCOME, EdgeInterceptor, Offer
from shared.stage import Query, RunOptions, Stage
from shared.stage_rpc import RemoteStage, stage_offer

WORKSPACE = "harbour"
QUESTION = "When does the lock open?"
TEXTS = {
    "doc_lock": ["The lock opens at noon.", "The lock closes at six, in winter at four."],
    "doc_pilot": ["The pilot boards at buoy 64.", "Ask the pilot when the lock is full."],
    "doc_crane": ["Cranes of the quay lift sixteen tonnes."],
}


async def lexical(folder: Path) -> tuple[IndexStore[Any], Stage, Offer]:
    analysis = english(stemming=True, stop_words=True)
    store = IndexStore(folder / "lexical.sqlite", PostingsFormat(analysis.name))
    indexing = LexicalIndexing(analysis.tokenizer)
    return store, LexicalStage(store, analysis.tokenizer), index_offer(store, indexing)


async def vector(folder: Path) -> tuple[IndexStore[Any], Stage, Offer]:
    embedder = await open_embedder(VectorIndexSettings(embedder="hash"))
    layout = VectorFormat(embedder.identity, embedder.model.dimensions)
    store = IndexStore(folder / "vector.sqlite", layout)
    offer = index_offer(store, VectorIndexing(embedder, layout, store.payloads))
    return store, VectorStage(store, embedder, Limits()), offer


INDEXES: dict[str, Callable[[Path], Awaitable[tuple[IndexStore[Any], Stage, Offer]]]] = {
    "lexical": lexical,
    "vector by hash": vector,
}


@dataclass(frozen=True, slots=True)
class Index:
    """An index at the far end of a wire, and the stage beside it."""

    stub: "index_pb2_grpc.IndexAsyncStub"  # a name of the type stubs only
    stage: RemoteStage

    async def upsert(
        self,
        batch_id: str,
        document_id: str,
        texts: Sequence[str],
        *,
        version: int = 1,
        count: int | None = None,
    ) -> int:
        chunks = [
            index_pb2.IndexedChunk(
                chunk_id=f"{document_id}.{version}.{n}",
                span=candidate_pb2.TextSpan(document_id=document_id, start=10 * n, end=10 * n + 9),
                text=text,
                prefix="Harbour handbook",
            )
            for n, text in enumerate(texts)
        ]
        document = index_pb2.DocumentVersion(
            document_id=document_id,
            version=version,
            digest=f"digest {version}",
            chunk_count=len(texts) if count is None else count,
        )
        request = index_pb2.UpsertRequest(
            workspace=WORKSPACE, batch_id=batch_id, document=document, chunks=chunks
        )
        reply: index_pb2.UpsertReply = await call(self.stub.Upsert, request, deadline_s=10)
        return reply.staged_chunks

    async def delete(self, batch_id: str, *document_ids: str) -> None:
        request = index_pb2.DeleteRequest(workspace=WORKSPACE, batch_id=batch_id, document_ids=document_ids)
        await call(self.stub.Delete, request, deadline_s=10)

    async def publish(
        self, generation: int, batch_id: str, documents: int, chunks: int, *, replace_all: bool = False
    ) -> int:
        request = index_pb2.PublishRequest(
            workspace=WORKSPACE,
            generation=generation,
            batch_id=batch_id,
            documents=documents,
            chunks=chunks,
            replace_all=replace_all,
        )
        reply: index_pb2.PublishReply = await call(self.stub.Publish, request, deadline_s=10)
        return reply.generation

    async def fill(self) -> None:
        """Generation 1 with all of TEXTS."""
        for document_id, texts in TEXTS.items():
            await self.upsert("b1", document_id, texts)
        await self.publish(1, "b1", len(TEXTS), sum(map(len, TEXTS.values())))

    async def manifest(self, workspace: str = WORKSPACE) -> list[index_pb2.WorkspaceManifest]:
        request = index_pb2.ManifestRequest(workspace=workspace)
        reply: index_pb2.ManifestReply = await call(self.stub.Manifest, request, deadline_s=10)
        return list(reply.workspaces)

    async def run(
        self, generation: int, *, workspace: str = WORKSPACE, question: str = QUESTION
    ) -> tuple[Candidate, ...]:
        ranking = await self.stage.run(Query(question, workspace, generation), (), RunOptions())
        return ranking.candidates

    async def documents(self, generation: int) -> set[str]:
        return {c.span.document_id for c in await self.run(generation)}


@asynccontextmanager
async def served(name: str, folder: Path, socket: Path) -> AsyncIterator[Index]:
    store, stage, offer = await INDEXES[name](folder)
    server = grpc.aio.server(interceptors=[EdgeInterceptor()], options=PINGS_WELCOME)
    for each in (offer, stage_offer([stage])):
        each.add(server)
    address = f"unix://{socket}"
    server.add_insecure_port(address)
    await server.start()
    try:
        async with open_channel(address) as channel:
            yield Index(index_pb2_grpc.IndexStub(channel), RemoteStage(channel, stage.info))
    finally:
        await server.stop(grace=None)
        store.close()
