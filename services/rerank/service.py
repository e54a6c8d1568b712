"""What does rerank offer? The stage `rerank`: each passage read together with the question."""

import asyncio
import struct
from collections.abc import Sequence
from typing import Protocol

from prometheus_client import Counter

from services.rerank.core.pairs import Pair, read_of_question
from services.rerank.core.scores import scored
from services.rerank.pool import PairPool
from shared.cache import Cache, content_key
from shared.candidate import Candidate, ScoreType, ranked
from shared.errors import InvalidInput
from shared.stage import ModelInfo, Query, Ranking, RunOptions, StageInfo, TokenCount, require_question_fits

PAIRS = Counter("sightline_rerank_pairs", "Pairs that this replica answered for", ["source"])
CUT = Counter("sightline_rerank_pairs_cut", "Pairs longer than the model was given")

ENTRY = struct.Struct("<dII")  # logit, tokens present, tokens read


class PairModel(Protocol):
    """The cross-encoder as the stage sees it; every method may be called from several threads."""

    @property
    def info(self) -> ModelInfo: ...

    def tokens(self, text: str) -> tuple[int, ...]: ...

    def pair(self, question: Sequence[int], passage: str) -> Pair: ...

    def logit(self, pair: Pair) -> float: ...


class RerankStage:
    """Pointwise: a passage's score depends on nothing but the question, its text and the model."""

    def __init__(
        self,
        model: PairModel,
        pool: PairPool,
        cache: Cache,
        *,
        max_candidates: int = 200,
        max_query_characters: int = 8192,
    ) -> None:
        self._model = model
        self._pool = pool
        self._cache = cache
        self._info = StageInfo(
            name="rerank",
            label="Reading together (cross-encoder)",
            kind="rerank",
            score_type=ScoreType.CROSS_ENCODER,
            max_candidates=max_candidates,
            max_query_characters=max_query_characters,
            model=model.info,
            pointwise=True,
        )
        self._computed = PAIRS.labels("model")
        self._remembered = PAIRS.labels("cache")

    @property
    def info(self) -> StageInfo:
        return self._info

    async def run(self, query: Query, candidates: Sequence[Candidate], options: RunOptions) -> Ranking:
        """As `Stage.run`; Overloaded when the queue is full. A passage without text is last, and noted."""
        self._check(query, candidates, options)
        question = self._model.tokens(query.text)
        with_text = [c for c in candidates if c.text.strip()]
        entries = await self._entries(query.text, question, [c.text for c in with_text])
        by_chunk = {c.chunk_id: entry for c, entry in zip(with_text, entries, strict=True)}
        verdicts = [
            scored(c, by_chunk[c.chunk_id][0] if c.chunk_id in by_chunk else None) for c in candidates
        ]
        read = len(read_of_question(question, self._model.info.max_tokens))
        counts = [TokenCount("", len(question), read)] if candidates else []
        counts += [TokenCount(chunk_id, entry[1], entry[2]) for chunk_id, entry in by_chunk.items()]
        return Ranking(
            candidates=tuple(ranked(self._info.name, self._info.score_type, verdicts, options.limit or None)),
            notes=self._notes(counts, unread=len(candidates) - len(with_text)),
            token_counts=tuple(counts),
        )

    async def _entries(
        self, asked: str, question: tuple[int, ...], passages: Sequence[str]
    ) -> list[tuple[float, int, int]]:
        """Logit, tokens present and tokens read of each passage, remembered or computed."""
        info = self._model.info
        identity = f"{info.digest}:{info.tokenizer_digest}:{info.max_tokens}"
        keys = [content_key(identity, asked, passage) for passage in passages]
        entries = {
            key: ENTRY.unpack(value)
            for key, value in (await self._cache.get_many(keys)).items()
            if len(value) == ENTRY.size
        }
        self._remembered.inc(sum(key in entries for key in keys))
        missing = {key: text for key, text in zip(keys, passages, strict=True) if key not in entries}
        if missing:
            pairs = await asyncio.to_thread(
                lambda: [self._model.pair(question, text) for text in missing.values()]
            )
            logits = await self._pool.map(self._model.logit, pairs, cost=lambda pair: pair.tokens_read)
            self._computed.inc(len(pairs))
            CUT.inc(sum(pair.tokens_read < pair.tokens_present for pair in pairs))
            fresh = {
                key: (logit, pair.tokens_present, pair.tokens_read)
                for key, logit, pair in zip(missing, logits, pairs, strict=True)
            }
            await self._cache.put_many({key: ENTRY.pack(*entry) for key, entry in fresh.items()})
            entries |= fresh
        return [entries[key] for key in keys]

    def _check(self, query: Query, candidates: Sequence[Candidate], options: RunOptions) -> None:
        if options.params:
            raise InvalidInput(f"stage rerank takes no parameter, but was given {', '.join(options.params)}.")
        require_question_fits(self._info, query.text)
        if len(candidates) > self._info.max_candidates:
            raise InvalidInput(
                f"{len(candidates)} passages are too many for one call; send at most "
                f"{self._info.max_candidates}."
            )
        if len({c.chunk_id for c in candidates}) < len(candidates):
            raise InvalidInput("a passage occurs twice in the list: every chunk_id must be there once.")

    def _notes(self, counts: Sequence[TokenCount], *, unread: int) -> tuple[str, ...]:
        notes = []
        if counts and counts[0].read < counts[0].present:
            notes.append(f"the question has {counts[0].present} tokens; the reranker read {counts[0].read}")
        if any(c.read < c.present for c in counts[1:]):
            notes.append(
                f"the reranker reads {self._model.info.max_tokens} tokens of question and passage together: "
                "of longer passages, the stretch that shares most with the question"
            )
        if unread:
            notes.append("passages that came without text were not read and are last")
        return tuple(notes)
