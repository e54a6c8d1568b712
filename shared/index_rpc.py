"""How does ingest write to an index? The one Index servicer, over whatever the index keeps of a chunk."""

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Generic, Protocol, TypeVar

from shared.codec import span_from_pb
from shared.errors import InvalidInput
from shared.index_segments import DocumentVersion, IndexedChunk, Payload
from shared.index_store import IndexStore, Publication, WorkspaceManifest
from shared.pb import index_pb2, index_pb2_grpc
from shared.server import Offer

Prepared_co = TypeVar("Prepared_co", covariant=True)


class Indexing(Protocol[Prepared_co]):
    """What an index makes of chunks before they are staged."""

    async def prepare(self, chunks: Sequence[IndexedChunk]) -> Prepared_co:
        """A payload with one row for each chunk, in order; never called without chunks."""
        ...

    def read_tokens(self, prepared: Any) -> Sequence[int]:
        """What the embedder read of each chunk, in order; empty where nothing embeds or nothing is told."""
        ...


class IndexServicer(index_pb2_grpc.IndexServicer, Generic[Payload]):
    """Upsert, Delete, Publish and Manifest over one store. Publishing runs in a thread of its own."""

    def __init__(self, store: IndexStore[Payload], indexing: Indexing[Payload]) -> None:
        self._store = store
        self._indexing = indexing
        self._publisher = ThreadPoolExecutor(max_workers=1, thread_name_prefix="publish")

    async def Upsert(self, request: index_pb2.UpsertRequest, context: Any) -> index_pb2.UpsertReply:
        document, chunks = _document_from_pb(request.document), _chunks_from_pb(request)
        # The batch is named before the slow part, so that a call that lingers cannot oust a newer batch.
        self._store.begin(request.workspace, request.batch_id)
        payload = await self._indexing.prepare(chunks) if chunks else None
        staged = self._store.upsert(request.workspace, request.batch_id, document, chunks, payload)
        read_tokens = () if payload is None else self._indexing.read_tokens(payload)
        return index_pb2.UpsertReply(staged_chunks=staged, read_tokens=read_tokens)

    async def Delete(self, request: index_pb2.DeleteRequest, context: Any) -> index_pb2.DeleteReply:
        self._store.delete(request.workspace, request.batch_id, request.document_ids)
        return index_pb2.DeleteReply()

    async def Publish(self, request: index_pb2.PublishRequest, context: Any) -> index_pb2.PublishReply:
        wanted = Publication(
            request.workspace,
            request.generation,
            request.batch_id,
            request.documents,
            request.chunks,
            request.replace_all,
        )
        await asyncio.get_running_loop().run_in_executor(self._publisher, self._store.publish, wanted)
        return index_pb2.PublishReply(generation=request.generation)

    async def Manifest(self, request: index_pb2.ManifestRequest, context: Any) -> index_pb2.ManifestReply:
        manifests = self._store.manifest(request.workspace)
        return index_pb2.ManifestReply(workspaces=[_manifest_to_pb(m) for m in manifests])


def index_offer(store: IndexStore[Payload], indexing: Indexing[Payload]) -> Offer:
    """What a service passes to `serve` to offer its index."""
    servicer = IndexServicer(store, indexing)
    return Offer(
        index_pb2.DESCRIPTOR.services_by_name["Index"].full_name,
        lambda server: index_pb2_grpc.add_IndexServicer_to_server(servicer, server),
    )


def _document_from_pb(message: index_pb2.DocumentVersion) -> DocumentVersion:
    if not message.document_id:
        raise InvalidInput("document.document_id must not be empty.")
    return DocumentVersion(message.document_id, message.version, message.digest, message.chunk_count)


def _chunks_from_pb(request: index_pb2.UpsertRequest) -> list[IndexedChunk]:
    chunks = [
        IndexedChunk(c.chunk_id, span_from_pb(c.span), c.text, c.prefix, c.reading) for c in request.chunks
    ]
    for chunk in chunks:
        if not chunk.chunk_id:
            raise InvalidInput("chunks.chunk_id must not be empty.")
        if chunk.span.document_id != request.document.document_id:
            raise InvalidInput(
                f"chunk {chunk.chunk_id} lies in document {chunk.span.document_id!r}, "
                f"not in {request.document.document_id!r}."
            )
    return chunks


def _manifest_to_pb(manifest: WorkspaceManifest) -> index_pb2.WorkspaceManifest:
    return index_pb2.WorkspaceManifest(
        workspace=manifest.workspace,
        generation=manifest.generation,
        served=manifest.served,
        documents=[
            index_pb2.DocumentVersion(
                document_id=d.document_id, version=d.version, digest=d.digest, chunk_count=d.chunk_count
            )
            for d in manifest.documents
        ],
    )
