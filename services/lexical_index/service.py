"""What does lexical-index offer? The stage `lexical`, and the analysis of the chunks that ingest sends."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from services.lexical_index.core import postings
from services.lexical_index.core.bm25 import Weighting, best
from services.lexical_index.core.postings import Postings
from services.lexical_index.core.tokenizer import Tokenizer
from services.lexical_index.params import weighting_of
from shared.candidate import Candidate, ScoreType, ranked
from shared.errors import Overloaded
from shared.index_segments import IndexedChunk, Snapshot
from shared.index_store import IndexStore
from shared.passage import indexed_text
from shared.stage import Query, Ranking, RunOptions, StageInfo, require_question_fits

LEXICAL = StageInfo(
    name="lexical",
    label="Keywords (BM25)",
    kind="retrieve",
    score_type=ScoreType.BM25,
    max_candidates=1000,
    max_query_characters=16_384,
)
NO_TERMS = "the question has no term to search by: only stop words or signs"
NO_MATCH = "no passage holds a term of the question"


class LexicalStage:
    """BM25 over the generation that the query names. Scoring runs in a bounded pool of threads."""

    def __init__(
        self, store: IndexStore[Postings], tokenizer: Tokenizer, *, threads: int = 2, queue: int = 64
    ) -> None:
        self._store = store
        self._tokenizer = tokenizer
        self._pool = ThreadPoolExecutor(max_workers=threads, thread_name_prefix="lexical-query")
        self._queue = queue
        self._running = 0

    @property
    def info(self) -> StageInfo:
        return LEXICAL

    async def run(self, query: Query, candidates: Sequence[Candidate], options: RunOptions) -> Ranking:
        """As `Stage.run`; Overloaded when the queue is full. Candidates that come in keep their evidence."""
        weighting = weighting_of(options.params)
        require_question_fits(LEXICAL, query.text)
        limit = min(options.limit or LEXICAL.max_candidates, LEXICAL.max_candidates)
        snapshot = self._store.snapshot(query.workspace, query.generation)
        if self._running >= self._queue:
            raise Overloaded(f"{self._queue} questions are being scored already: try again.")
        known = {c.chunk_id: c for c in candidates}
        self._running += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(
                self._pool,
                lambda: self._ranking(snapshot, query.text, known, weighting=weighting, limit=limit),
            )
        finally:
            self._running -= 1

    def _ranking(
        self,
        snapshot: Snapshot[Postings],
        text: str,
        known: dict[str, Candidate],
        *,
        weighting: Weighting,
        limit: int,
    ) -> Ranking:
        frequencies = Counter(self._tokenizer.terms(text))
        if not frequencies:
            return Ranking((), (NO_TERMS,))
        scored = best(snapshot, frequencies, weighting, limit=limit)
        if not scored:
            return Ranking((), (NO_MATCH,))
        if known:
            scored = [replace(s, candidate=known.get(s.candidate.chunk_id, s.candidate)) for s in scored]
        return Ranking(tuple(ranked(LEXICAL.name, LEXICAL.score_type, scored)))


class LexicalIndexing:
    """Chunks to postings, one call after another, in a thread beside those of the questions."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="lexical-analysis")

    async def prepare(self, chunks: Sequence[IndexedChunk]) -> Postings:
        """The postings of prefix and text of each chunk, and of the words that its reading adds."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, self._postings, chunks)

    def read_tokens(self, prepared: Postings) -> tuple[int, ...]:
        return ()  # nothing is embedded here

    def _postings(self, chunks: Sequence[IndexedChunk]) -> Postings:
        return postings.build(
            (self._tokenizer.terms(indexed_text(c.prefix, c.text)) for c in chunks),
            {
                row: self._tokenizer.terms(indexed_text(c.prefix, c.reading))
                for row, c in enumerate(chunks)
                if c.reading
            },
        )
