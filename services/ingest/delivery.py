"""How does a batch reach one index? In slices, patiently, and staged again whenever the index lost it."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from services.ingest.indexes import Index, Manifest, Publication
from services.ingest.reading import Reading
from services.ingest.records import Failure, IndexedVersion, StoredChunk, failure_of
from shared.errors import (
    Conflict,
    DeadlineExceeded,
    Overloaded,
    PeerFailed,
    SightlineError,
    TooManyRequests,
    Unavailable,
)

log = logging.getLogger("sightline.ingest.delivery")

Reply = TypeVar("Reply")
Progress: TypeAlias = Callable[[str, str, int], None]  # index, document id, chunks staged so far
Wait: TypeAlias = Callable[[Failure], None]

# These pass by themselves; anything else has to be dealt with.
PASSING = (Unavailable, DeadlineExceeded, Overloaded, TooManyRequests)
MAX_STAGINGS = 4
# An index that fails by itself this often in a row does so because of what it is given.
MAX_PEER_FAILURES = 5


class BatchChanged(Exception):
    """A document went away while it was being staged: choose the batch anew."""


class Rejected(Exception):
    """An index refuses a document for good."""

    def __init__(self, document_id: str, failure: Failure) -> None:
        super().__init__(failure.detail)
        self.document_id = document_id
        self.failure = failure


@dataclass(frozen=True, slots=True)
class Changes:
    """What an index is to become `generation` by."""

    workspace: str
    generation: int
    batch_id: str
    versions: tuple[IndexedVersion, ...]
    deleted: tuple[str, ...] = ()
    replace_all: bool = False

    @property
    def chunk_count(self) -> int:
        return sum(version.chunk_count for version in self.versions)

    def publication(self) -> Publication:
        return Publication(
            workspace=self.workspace,
            generation=self.generation,
            batch_id=self.batch_id,
            documents=len(self.versions) + len(self.deleted),
            chunks=self.chunk_count,
            replace_all=self.replace_all,
        )


@dataclass(frozen=True, slots=True)
class Patience:
    """Slices of `slice_chunks`; waits between tries double from `base_s` to `max_s`."""

    slice_chunks: int
    base_s: float
    max_s: float


class Delivery:
    """Writes to one index. `tokenizer_sha256` is what its embedder must read with; None if it has none."""

    def __init__(
        self, index: Index, reading: Reading, patience: Patience, *, tokenizer_sha256: str | None = None
    ) -> None:
        self._index = index
        self._reading = reading
        self._patience = patience
        self._tokenizer_sha256 = tokenizer_sha256

    @property
    def name(self) -> str:
        return self._index.name

    async def stage(self, changes: Changes, progress: Progress, wait: Wait) -> None:
        """Stage everything. Waits as long as the index is away. Raises BatchChanged, Rejected, Conflict."""
        for left in reversed(range(MAX_STAGINGS)):
            try:
                return await self._stage(changes, progress, wait)
            except Conflict as conflict:
                log.info("staging again", extra={"fields": {"index": self.name, "reason": str(conflict)}})
                if not left:
                    raise
        raise AssertionError("unreachable")

    async def publish(self, changes: Changes, wait: Wait) -> None:
        """Publish what is staged. Raises Conflict when the index does not hold it (or its base) any more."""
        await self._patiently(lambda: self._index.publish(changes.publication()), wait)

    async def manifest(self, workspace: str, wait: Wait) -> Manifest:
        return await self._patiently(lambda: self._index.manifest(workspace), wait)

    async def served(self) -> dict[str, frozenset[int]]:
        """The generations that each workspace is served at; raises whatever the call raises."""
        return await self._index.served()

    async def _stage(self, changes: Changes, progress: Progress, wait: Wait) -> None:
        await self._check_tokenizer(wait)
        workspace, batch_id = changes.workspace, changes.batch_id
        await self._patiently(lambda: self._index.delete(workspace, batch_id, changes.deleted), wait)
        for version in changes.versions:
            staged = 0
            while staged < version.chunk_count:
                chunks, texts = await self._reading.chunks(
                    version.document_id, version.version, staged, self._patience.slice_chunks
                )
                if not chunks:
                    raise BatchChanged
                pairs = list(zip(chunks, texts, strict=True))
                try:
                    read = await self._patiently(
                        lambda version=version, pairs=pairs: self._index.upsert(  # type: ignore[misc]
                            workspace, batch_id, version, pairs
                        ),
                        wait,
                    )
                except Conflict:
                    raise
                except SightlineError as error:
                    raise Rejected(version.document_id, failure_of(error)) from error
                self._check_read(changes, version, chunks, read)
                staged += len(chunks)
                progress(self.name, version.document_id, staged)

    def _check_read(
        self,
        changes: Changes,
        version: IndexedVersion,
        chunks: Sequence[StoredChunk],
        read_tokens: Sequence[int],
    ) -> None:
        """Raises Rejected if the embedder read another number of tokens than a chunk has.

        A repair goes on, as what is served already cannot be refused. An index that embeds nothing, or an
        embedder that does not tell, has nothing to compare.
        """
        if read_tokens and len(read_tokens) != len(chunks):
            read_tokens = ()
            log.error("tokens of another number of chunks", extra={"fields": {"index": self.name}})
        for chunk, read in zip(chunks, read_tokens, strict=False):
            if read in (0, chunk.tokens):
                continue
            detail = (
                f"Chunk {chunk.position + 1} has {chunk.tokens} tokens; the embedder read {read}. "
                "Give ingest and vector-index the same models, then upload the document again."
            )
            fields = {"index": self.name, "document_id": version.document_id, "detail": detail}
            log.error("tokens differ", extra={"fields": fields})
            if not changes.replace_all:
                raise Rejected(version.document_id, Failure("conflict", detail))

    async def _check_tokenizer(self, wait: Wait) -> None:
        """Returns once the embedder reads with our tokenizer: until then chunk sizes would be wrong.

        An embedder that names none (a remote one) cannot be checked and is taken at its word.
        """
        while self._tokenizer_sha256 is not None:
            found = await self._patiently(self._index.tokenizer_digest, wait)
            if found in ("", self._tokenizer_sha256):
                return
            failure = Failure(
                "conflict",
                f"{self.name} embeds with another tokenizer ({found[:12]}) than ingest counts with "
                f"({self._tokenizer_sha256[:12]}): give both the same models. "
                f"Until then nothing is published.",
            )
            log.error("tokenizers differ", extra={"fields": {"detail": failure.detail}})
            wait(failure)
            await asyncio.sleep(self._patience.max_s)

    async def _patiently(self, call: Callable[[], Awaitable[Reply]], wait: Wait) -> Reply:
        """The reply, however long the index is away; `wait` is told each time.

        Raises what does not pass by itself: PeerFailed is that from its `MAX_PEER_FAILURES`th time on.
        """
        pause_s = self._patience.base_s
        peer_failures = 0
        while True:
            try:
                return await call()
            except PASSING as error:
                peer_failures = peer_failures + 1 if isinstance(error, PeerFailed) else 0
                if peer_failures == MAX_PEER_FAILURES:
                    raise
                log.warning("index away", extra={"fields": {"index": self.name, "reason": str(error)}})
                wait(
                    Failure(
                        "unavailable", f"{self.name} does not answer; the job goes on when it does ({error})."
                    )
                )
                await asyncio.sleep(pause_s)
                pause_s = min(pause_s * 2, self._patience.max_s)
