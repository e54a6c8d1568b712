"""How does ingest talk to an index? One typed client over `Index`, for both of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import grpc

from services.ingest.records import IndexedVersion, StoredChunk
from shared.channel import call
from shared.pb import candidate_pb2, index_pb2, index_pb2_grpc
from shared.stage_rpc import describe


@dataclass(frozen=True, slots=True)
class Manifest:
    """What an index holds of one workspace; documents at its latest generation."""

    generation: int
    served: frozenset[int]
    documents: frozenset[IndexedVersion]


@dataclass(frozen=True, slots=True)
class Publication:
    """What Publish compares with what is staged: `documents` counts the deleted ones too."""

    workspace: str
    generation: int
    batch_id: str
    documents: int
    chunks: int
    replace_all: bool = False


class Index(Protocol):
    """An index as the publisher sees it. Every call may raise any SightlineError."""

    @property
    def name(self) -> str: ...

    async def upsert(
        self,
        workspace: str,
        batch_id: str,
        version: IndexedVersion,
        chunks: Sequence[tuple[StoredChunk, str]],
    ) -> Sequence[int]: ...

    async def delete(self, workspace: str, batch_id: str, document_ids: Sequence[str]) -> None: ...

    async def publish(self, publication: Publication) -> None: ...

    async def manifest(self, workspace: str) -> Manifest: ...

    async def served(self) -> dict[str, frozenset[int]]: ...

    async def tokenizer_digest(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Deadlines:
    upsert_s: float
    publish_s: float
    manifest_s: float


class IndexClient:
    """`Index` over gRPC."""

    def __init__(self, name: str, channel: grpc.aio.Channel, deadlines: Deadlines) -> None:
        self._name = name
        self._channel = channel
        self._stub = index_pb2_grpc.IndexStub(channel)
        self._deadlines = deadlines

    @property
    def name(self) -> str:
        return self._name

    async def upsert(
        self,
        workspace: str,
        batch_id: str,
        version: IndexedVersion,
        chunks: Sequence[tuple[StoredChunk, str]],
    ) -> Sequence[int]:
        """Stage a slice of a version. Returns the tokens that were read of each chunk, 0 where that is not
        told; empty where nothing embeds."""
        request = index_pb2.UpsertRequest(
            workspace=workspace,
            batch_id=batch_id,
            document=index_pb2.DocumentVersion(
                document_id=version.document_id,
                version=version.version,
                digest=version.digest,
                chunk_count=version.chunk_count,
            ),
            chunks=[
                index_pb2.IndexedChunk(
                    chunk_id=chunk.chunk_id,
                    span=candidate_pb2.TextSpan(
                        document_id=version.document_id, start=chunk.start, end=chunk.end
                    ),
                    text=text,
                    prefix="\n".join(filter(None, (chunk.annotation, chunk.prefix))),
                    tokens=chunk.tokens,
                    reading=chunk.reading,
                    defines=chunk.defines,
                    mentions=chunk.mentions,
                )
                for chunk, text in chunks
            ],
        )
        reply = await call(self._stub.Upsert, request, deadline_s=self._deadlines.upsert_s)
        return tuple(reply.read_tokens)

    async def delete(self, workspace: str, batch_id: str, document_ids: Sequence[str]) -> None:
        request = index_pb2.DeleteRequest(workspace=workspace, batch_id=batch_id, document_ids=document_ids)
        await call(self._stub.Delete, request, deadline_s=self._deadlines.manifest_s)

    async def publish(self, publication: Publication) -> None:
        request = index_pb2.PublishRequest(
            workspace=publication.workspace,
            generation=publication.generation,
            batch_id=publication.batch_id,
            documents=publication.documents,
            chunks=publication.chunks,
            replace_all=publication.replace_all,
        )
        await call(self._stub.Publish, request, deadline_s=self._deadlines.publish_s)

    async def manifest(self, workspace: str) -> Manifest:
        """Empty at generation 0 for a workspace that the index does not know."""
        reply = await call(
            self._stub.Manifest,
            index_pb2.ManifestRequest(workspace=workspace),
            deadline_s=self._deadlines.manifest_s,
        )
        for entry in reply.workspaces:
            if entry.workspace == workspace:
                return Manifest(
                    entry.generation,
                    frozenset(entry.served),
                    frozenset(
                        IndexedVersion(d.document_id, d.version, d.digest, d.chunk_count)
                        for d in entry.documents
                    ),
                )
        return Manifest(0, frozenset({0}), frozenset())

    async def served(self) -> dict[str, frozenset[int]]:
        """The generations that each workspace is served at."""
        reply = await call(
            self._stub.Manifest, index_pb2.ManifestRequest(), deadline_s=self._deadlines.manifest_s
        )
        return {entry.workspace: frozenset(entry.served) for entry in reply.workspaces}

    async def tokenizer_digest(self) -> str:
        """The sha256 of the tokenizer of its first stage that has a model; empty if none has."""
        for info in await describe(self._channel, self._deadlines.manifest_s):
            if info.model is not None:
                return info.model.tokenizer_digest
        return ""
