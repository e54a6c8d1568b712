"""What does vector-index offer? The stage `vector`, embeddings, and the vectors of what ingest sends."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any

from prometheus_client import Counter

from services.vector_index.core.embedding import Embedder, TextKind
from services.vector_index.core.exact import top_k
from services.vector_index.core.payload import VectorFormat, VectorPayload
from services.vector_index.core.reuse import digests_of, held
from shared.candidate import Candidate, Scored, ScoreType, ranked
from shared.errors import InvalidInput
from shared.index_segments import IndexedChunk
from shared.index_store import IndexStore
from shared.passage import indexed_text
from shared.pb import index_pb2, index_pb2_grpc
from shared.server import Offer
from shared.stage import Query, Ranking, RunOptions, StageInfo, TokenCount, require_question_fits

EMBEDDED = Counter("sightline_embedded_passages", "Passages whose vectors ingest asked for")
CUT = Counter("sightline_embedded_passages_cut", "Passages longer than the embedder reads")

KINDS = {index_pb2.DOCUMENT: TextKind.DOCUMENT, index_pb2.QUERY: TextKind.QUERY}


@dataclass(frozen=True, slots=True)
class Limits:
    """What one call may ask for."""

    max_candidates: int = 1000
    max_query_characters: int = 8192
    max_embed_texts: int = 256


class VectorStage:
    """Exact cosine over the generation that the query names."""

    def __init__(
        self, store: IndexStore[VectorPayload], embedder: Embedder, limits: Limits, *, threads: int = 1
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._pool = ThreadPoolExecutor(threads, "search")
        self._info = StageInfo(
            name="vector",
            label="Meaning (cosine)",
            kind="retrieve",
            score_type=ScoreType.COSINE,
            max_candidates=limits.max_candidates,
            max_query_characters=limits.max_query_characters,
            model=embedder.model,
        )

    @property
    def info(self) -> StageInfo:
        return self._info

    async def run(self, query: Query, candidates: Sequence[Candidate], options: RunOptions) -> Ranking:
        """As `Stage.run`, and whatever `Embedder.embed` raises. Candidates that come keep their evidence."""
        if options.params:
            raise InvalidInput(f"stage vector takes no parameter, but was given {', '.join(options.params)}.")
        require_question_fits(self._info, query.text)
        snapshot = self._store.snapshot(query.workspace, query.generation)
        if not snapshot.views or not query.text.strip():
            return Ranking(())
        limit = min(options.limit or self._info.max_candidates, self._info.max_candidates)
        (question,) = await self._embedder.embed([query.text], kind=TextKind.QUERY)
        hits = await asyncio.get_running_loop().run_in_executor(
            self._pool, partial(top_k, snapshot.views, question.vector, limit)
        )
        known = {c.chunk_id: c for c in candidates}
        scored, counts = [], [TokenCount("", question.tokens_present, question.tokens_read)]
        for hit in hits:
            view = snapshot.views[hit.view]
            found = view.candidate(hit.row)
            scored.append(Scored(known.get(found.chunk_id, found), hit.score))
            payload = view.segment.payload
            present, read = int(payload.tokens_present[hit.row]), int(payload.tokens_read[hit.row])
            counts.append(TokenCount(found.chunk_id, present, read))
        return Ranking(
            candidates=tuple(ranked(self._info.name, self._info.score_type, scored)),
            notes=_notes(counts),
            token_counts=tuple(c for c in counts if c.present),
        )


class VectorIndexing:
    """The vectors of chunks: prefix and reading read together, each chunk by itself.

    What `held` has of the same words is taken over: of a new version only what changed is embedded.
    """

    def __init__(
        self,
        embedder: Embedder,
        layout: VectorFormat,
        held: Callable[[], Sequence[VectorPayload]] = tuple,
    ) -> None:
        self._embedder = embedder
        self._layout = layout
        self._held = held

    async def prepare(self, chunks: Sequence[IndexedChunk]) -> VectorPayload:
        """One row a chunk. Raises what `Embedder.embed` raises."""
        texts = [indexed_text(c.prefix, c.reading or c.text) for c in chunks]
        digests = digests_of(texts)
        known = await asyncio.to_thread(held, self._held(), digests)
        missing = [row for row in range(len(texts)) if row not in known]
        if missing:
            fresh = await self._embedder.embed([texts[row] for row in missing], kind=TextKind.DOCUMENT)
            EMBEDDED.inc(len(fresh))
            CUT.inc(sum(e.tokens_read < e.tokens_present for e in fresh))
            known.update(zip(missing, fresh, strict=True))
        return self._layout.payload([known[row] for row in range(len(texts))], digests)

    def read_tokens(self, prepared: VectorPayload) -> list[int]:
        """As the embedder counts, 0 where it did not tell; empty if its counts are not a tokenizer's."""
        return prepared.tokens_read.tolist() if self._embedder.model.tokenizer_digest else []


class EmbedderServicer(index_pb2_grpc.EmbedderServicer):
    """Vectors for callers that have no index, under the same lanes and cache."""

    def __init__(self, embedder: Embedder, max_texts: int) -> None:
        self._embedder = embedder
        self._max_texts = max_texts

    async def Embed(self, request: index_pb2.EmbedRequest, context: Any) -> index_pb2.EmbedReply:
        kind = KINDS.get(request.kind)
        if kind is None:
            raise InvalidInput("kind must be DOCUMENT or QUERY: the model may read the two differently.")
        if len(request.texts) > self._max_texts:
            raise InvalidInput(f"{len(request.texts)} texts are too many; send at most {self._max_texts}.")
        embeddings = await self._embedder.embed(list(request.texts), kind=kind)
        model = self._embedder.model
        return index_pb2.EmbedReply(
            vectors=b"".join(e.vector.astype("<f4", copy=False).tobytes() for e in embeddings),
            dimensions=model.dimensions,
            model=model.name,
            model_digest=model.digest,
        )


def embedder_offer(embedder: Embedder, max_texts: int) -> Offer:
    """What is passed to `serve` to offer embeddings."""
    servicer = EmbedderServicer(embedder, max_texts)
    return Offer(
        index_pb2.DESCRIPTOR.services_by_name["Embedder"].full_name,
        lambda server: index_pb2_grpc.add_EmbedderServicer_to_server(servicer, server),
    )


def _notes(counts: Sequence[TokenCount]) -> tuple[str, ...]:
    question, *passages = counts
    notes = []
    if question.read < question.present:
        notes.append(f"the question has {question.present} tokens; the embedder read {question.read}")
    cut = sum(p.read < p.present for p in passages)
    if cut:
        notes.append(f"{cut} of the passages found are longer than the embedder reads")
    return tuple(notes)
