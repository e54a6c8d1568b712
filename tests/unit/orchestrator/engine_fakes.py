"""What stands behind the engine in its tests: stages, texts and traces that live in memory."""

import asyncio
import itertools
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from services.orchestrator.budget import Limits
from services.orchestrator.core.records import StoredChunk
from services.orchestrator.core.token_bound import token_bound
from services.orchestrator.core.trace import Trace
from services.orchestrator.engine import Engine
from services.orchestrator.providers.provider import ChatProvider, ChatRequest, ProviderState, Usage
from services.orchestrator.searching import EngineParts
from services.orchestrator.wiring import read_pipeline
from shared.candidate import Candidate, Part, Scored, ScoreType, Source, TextSpan, ranked
from shared.errors import NotFound
from shared.stage import ModelInfo, Query, Ranking, RunOptions, Stage, StageInfo, TokenCount

TEXTS = {
    "chk_a": "Audit records are kept for 2,555 days. They are stored in the north.",
    "chk_b": "The crane lifts 16 tonnes. It is dredged in spring.",
    "chk_c": "Tenants are moved at night.",
    "chk_d": "Nothing of this matters to anybody.",
}


def bare(chunk_id: str) -> Candidate:
    return Candidate(chunk_id, TextSpan(f"doc_{chunk_id[-1]}", 100, 100 + len(TEXTS[chunk_id])))


def retrieved(stage: str, score_type: ScoreType, scores: Mapping[str, float]) -> list[Candidate]:
    return ranked(stage, score_type, [Scored(bare(i), score) for i, score in scores.items()])


@dataclass
class FakeTexts:
    """Ingest, as the engine sees it."""

    texts: dict[str, str] = field(default_factory=lambda: dict(TEXTS))
    generations: list[int] = field(default_factory=lambda: [3])
    failure: Exception | None = None

    async def generation(self, workspace: str, *, deadline_s: float | None = None) -> int:
        if self.failure is not None:
            raise self.failure
        return self.generations.pop(0) if len(self.generations) > 1 else self.generations[0]

    async def hydrate(
        self,
        workspace: str,
        chunk_ids: Sequence[str],
        *,
        with_text: bool,
        deadline_s: float | None = None,
    ) -> dict[str, StoredChunk]:
        if self.failure is not None:
            raise self.failure
        return {
            i: StoredChunk(
                i,
                bare(i).span,
                Source(title="Handbook", file_name="h.md"),
                self.texts[i] if with_text else "",
                9,
            )
            for i in chunk_ids
            if i in self.texts
        }


@dataclass
class FakeList:
    """A list of fixed scores; `failures` are raised by the first calls, one each (None: no failure)."""

    name: str
    score_type: ScoreType
    scores: Mapping[str, float]
    failures: list[Exception | None] = field(default_factory=list)
    gate: asyncio.Event | None = None
    began: asyncio.Event = field(default_factory=asyncio.Event)
    cancelled: bool = False
    queries: list[Query] = field(default_factory=list)

    @property
    def info(self) -> StageInfo:
        return StageInfo(self.name, self.name, "retrieve", self.score_type, 200, 8000)

    async def run(self, query: Query, candidates: Sequence[Candidate], options: RunOptions) -> Ranking:
        self.queries.append(query)
        self.began.set()
        if self.gate is not None:
            try:
                await self.gate.wait()
            except asyncio.CancelledError:
                self.cancelled = True
                raise
        failure = self.failures.pop(0) if self.failures else None
        if failure is not None:
            raise failure
        found = retrieved(self.name, self.score_type, self.scores)
        return Ranking(tuple(found[: options.limit or None]))


@dataclass
class FakeReranker:
    """Scores a text by how many of the words it holds."""

    words: Mapping[str, float] = field(default_factory=lambda: {"audit": 0.9, "2,555": 0.05, "crane": 0.5})
    failure: Exception | None = None
    truncates: bool = False
    sizes: list[int] = field(default_factory=list)

    @property
    def info(self) -> StageInfo:
        model = ModelInfo("word-counter", "0" * 64)
        return StageInfo("rerank", "Reranking", "rerank", ScoreType.CROSS_ENCODER, 200, 8000, model, True)

    async def run(self, query: Query, candidates: Sequence[Candidate], options: RunOptions) -> Ranking:
        if self.failure is not None:
            raise self.failure
        self.sizes.append(len(candidates))
        scored = [
            Scored(
                c,
                0.0001 + sum(v for w, v in self.words.items() if w in c.text.lower()),
                (Part("logit", 10 * sum(v for w, v in self.words.items() if w in c.text.lower()) - 5),),
            )
            for c in candidates
        ]
        counts = [TokenCount(c.chunk_id, 9, 5 if self.truncates else 9) for c in candidates]
        return Ranking(tuple(ranked("rerank", ScoreType.CROSS_ENCODER, scored)), token_counts=tuple(counts))


@dataclass
class FakeTraces:
    """Keeps traces in a dictionary."""

    kept: dict[str, Trace] = field(default_factory=dict)

    async def save(self, trace: Trace) -> None:
        self.kept[trace.trace_id] = trace

    async def get(self, workspace: str, trace_id: str) -> Trace:
        trace = self.kept.get(trace_id)
        if trace is None or trace.workspace != workspace:
            raise NotFound(f"there is no trace {trace_id}")
        return trace


@dataclass
class FakeProvider:
    """Says its pieces, then fails or tells its usage."""

    name: str = "ollama"
    model: str = "tiny"
    pieces: Sequence[str] = ("They are kept ", "2,555 days [1", "].")
    failure: Exception | None = None
    current: ProviderState = field(default_factory=lambda: ProviderState("ok", "ready"))
    usage: Usage = field(default_factory=lambda: Usage(200, 9))
    hangs: bool = False
    closed_early: bool = False
    requests: list[ChatRequest] = field(default_factory=list)

    @property
    def count(self) -> Callable[[str], int]:
        return token_bound

    async def state(self) -> ProviderState:
        return self.current

    async def stream(self, request: ChatRequest) -> AsyncGenerator[str | Usage, None]:
        self.requests.append(request)
        try:
            for piece in self.pieces:
                yield piece
            if self.hangs:
                await asyncio.Event().wait()
        except (asyncio.CancelledError, GeneratorExit):
            self.closed_early = True
            raise
        if self.failure is not None:
            raise self.failure
        yield self.usage

    async def close(self) -> None:
        """Nothing runs beside it."""


@dataclass
class World:
    """An engine and all that is behind it."""

    lexical: FakeList = field(
        default_factory=lambda: FakeList(
            "lexical", ScoreType.BM25, {"chk_a": 9.0, "chk_b": 4.0, "chk_c": 1.0}
        )
    )
    vector: FakeList = field(
        default_factory=lambda: FakeList(
            "vector", ScoreType.COSINE, {"chk_b": 0.8, "chk_a": 0.7, "chk_d": 0.3}
        )
    )
    reranker: FakeReranker = field(default_factory=FakeReranker)
    texts: FakeTexts = field(default_factory=FakeTexts)
    traces: FakeTraces = field(default_factory=FakeTraces)
    providers: Sequence[ChatProvider] = ()
    limits: Limits = field(default_factory=Limits)

    def engine(self) -> Engine:
        numbers = itertools.count(1)
        stages: dict[str, Stage] = {
            "lexical": self.lexical,
            "vector": self.vector,
            "rerank": self.reranker,
        }
        return Engine(
            EngineParts(
                pipeline=read_pipeline(),
                stages=stages,
                texts=self.texts,
                traces=self.traces,
                clock=lambda: 1000.0,
                new_id=lambda prefix: f"{prefix}{next(numbers)}",
                providers=self.providers,
                limits=self.limits,
            )
        )


def with_text(candidate: Candidate) -> Candidate:
    return replace(candidate, text=TEXTS[candidate.chunk_id], source=Source(title="Handbook", section=("A",)))
