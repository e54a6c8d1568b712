"""A lexical index over a temporary file, filled from plain texts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from services.lexical_index.analysis import english
from services.lexical_index.core.postings import Postings
from services.lexical_index.service import LexicalIndexing, LexicalStage
from services.lexical_index.store import PostingsFormat
from shared.candidate import TextSpan
from shared.index_segments import DocumentVersion, IndexedChunk
from shared.index_store import IndexStore, Publication
from shared.stage import Query, Ranking, RunOptions

Documents = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Lexical:
    store: IndexStore[Postings]
    stage: LexicalStage
    indexing: LexicalIndexing

    async def publish(
        self,
        generation: int,
        documents: Documents,
        *,
        deleted: Sequence[str] = (),
        batch_id: str = "",
        workspace: str = "default",
        prefix: str = "",
    ) -> None:
        """Publishes documents given as the texts of their chunks, `doc.0`, `doc.1`, ..."""
        batch_id = batch_id or f"b{generation}"
        self.store.begin(workspace, batch_id)
        for document_id, texts in documents.items():
            chunks = [
                IndexedChunk(f"{document_id}.{n}", TextSpan(document_id, n, n + 1), text, prefix)
                for n, text in enumerate(texts)
            ]
            payload = await self.indexing.prepare(chunks) if chunks else None
            version = DocumentVersion(document_id, generation, "digest", len(texts))
            self.store.upsert(workspace, batch_id, version, chunks, payload)
        self.store.delete(workspace, batch_id, deleted)
        chunk_count = sum(len(texts) for texts in documents.values())
        count = len(documents) + len(deleted)
        self.store.publish(Publication(workspace, generation, batch_id, count, chunk_count))

    async def run(
        self, question: str, generation: int, *, workspace: str = "default", limit: int = 0, **params: str
    ) -> Ranking:
        return await self.stage.run(
            Query(question, workspace, generation), (), RunOptions(limit=limit, params=params)
        )

    async def scores(self, question: str, generation: int, workspace: str = "default") -> dict[str, float]:
        ranking = await self.run(question, generation, workspace=workspace)
        return {c.chunk_id: c.last.score for c in ranking.candidates}


def open_lexical(folder: Path, *, queue: int = 64) -> Lexical:
    analysis = english(stemming=True, stop_words=True)
    store = IndexStore(folder / "index.sqlite", PostingsFormat(analysis.name))
    return Lexical(
        store, LexicalStage(store, analysis.tokenizer, queue=queue), LexicalIndexing(analysis.tokenizer)
    )
