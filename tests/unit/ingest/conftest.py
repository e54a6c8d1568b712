"""What do the tests of ingest share? A store in a temporary folder, and an index that keeps generations."""

import hashlib
import tempfile
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import grpc
import pytest
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

from services.ingest.database import Database
from services.ingest.indexes import Manifest, Publication
from services.ingest.originals import Originals
from services.ingest.reading import Reading
from services.ingest.records import Accepted, IndexedVersion, ParsedVersion, StoredChunk, Upload
from services.ingest.service import ingest_offer
from services.ingest.settings import IngestSettings
from services.ingest.store import Store
from services.ingest.text_parts import split
from services.ingest.wiring import running
from shared.channel import open_channel
from shared.errors import Conflict, SightlineError
from shared.models import TokenizerFile
from shared.server import PINGS_WELCOME, EdgeInterceptor
from tests.unit.ingest.calling import Client
from tests.unit.ingest.publishing import Publishing

CONFIG = "c" * 64
TOKENIZER = "t" * 64


@dataclass
class FakeIndex:
    """Keeps two generations as the protocol says; `failures` are raised, one a call, by the method named."""

    name: str
    tokenizer: str = TOKENIZER
    generations: dict[str, dict[int, dict[str, tuple[IndexedVersion, tuple[str, ...]]]]] = field(
        default_factory=dict
    )
    batches: dict[str, str] = field(default_factory=dict)
    staged: dict[str, dict[str, tuple[IndexedVersion, dict[str, str]]]] = field(default_factory=dict)
    removed: dict[str, set[str]] = field(default_factory=dict)
    current: dict[str, str] = field(default_factory=dict)
    failures: dict[str, list[SightlineError]] = field(default_factory=dict)
    before: Callable[[str], None] = lambda method: None
    calls: list[str] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    read: Callable[[list[StoredChunk]], Sequence[int]] = lambda chunks: ()

    def _called(self, method: str) -> None:
        self.calls.append(method)
        self.before(method)
        if self.failures.get(method):
            raise self.failures[method].pop(0)

    def _begin(self, workspace: str, batch_id: str) -> None:
        if self.current.get(workspace) != batch_id:
            self.current[workspace] = batch_id
            self.staged[workspace] = {}
            self.removed[workspace] = set()

    def lose_staged(self) -> None:
        self.current.clear()
        self.staged.clear()
        self.removed.clear()

    def lose_everything(self) -> None:
        self.lose_staged()
        self.generations.clear()
        self.batches.clear()

    def latest(self, workspace: str = "default") -> int:
        return max(self.generations.get(workspace, {0: {}}))

    def texts(self, workspace: str = "default", generation: int | None = None) -> dict[str, str]:
        """What a query at the generation would find: joined chunk texts by document."""
        held = self.generations.get(workspace, {0: {}})
        documents = held[self.latest(workspace) if generation is None else generation]
        return {document_id: "|".join(texts) for document_id, (_, texts) in documents.items()}

    async def upsert(
        self,
        workspace: str,
        batch_id: str,
        version: IndexedVersion,
        chunks: Sequence[tuple[StoredChunk, str]],
    ) -> Sequence[int]:
        self._called("upsert")
        self._begin(workspace, batch_id)
        self.sizes.append(len(chunks))
        _, held = self.staged[workspace].setdefault(version.document_id, (version, {}))
        held.update({chunk.chunk_id: text for chunk, text in chunks})
        return self.read([chunk for chunk, _ in chunks])

    async def delete(self, workspace: str, batch_id: str, document_ids: Sequence[str]) -> None:
        self._called("delete")
        self._begin(workspace, batch_id)
        self.removed[workspace].update(document_ids)

    async def publish(self, publication: Publication) -> None:
        self._called("publish")
        workspace, generation = publication.workspace, publication.generation
        held = self.generations.setdefault(workspace, {0: {}})
        if max(held) == generation and self.batches.get(workspace) == publication.batch_id:
            return
        if self.current.get(workspace) != publication.batch_id:
            raise Conflict("unknown batch")
        staged, removed = self.staged[workspace], self.removed[workspace]
        counts = (len(staged) + len(removed), sum(len(texts) for _, texts in staged.values()))
        if counts != (publication.documents, publication.chunks):
            raise Conflict(f"counts differ: {counts}")
        if max(held) == generation and len(held) > 1:
            del held[generation]
        if generation - 1 != max(held) and not publication.replace_all:
            raise Conflict("base not held")
        base = {} if publication.replace_all else dict(held[max(held)])
        for document_id in removed:
            base.pop(document_id, None)
        base.update({key: (version, tuple(texts.values())) for key, (version, texts) in staged.items()})
        kept = {g: documents for g, documents in held.items() if g == generation - 1}
        self.generations[workspace] = {**kept, generation: base}
        self.batches[workspace] = publication.batch_id
        del self.current[workspace]

    async def manifest(self, workspace: str) -> Manifest:
        self._called("manifest")
        held = self.generations.get(workspace, {0: {}})
        documents = frozenset(version for version, _ in held[max(held)].values())
        return Manifest(max(held), frozenset(held), documents)

    async def served(self) -> dict[str, frozenset[int]]:
        self._called("served")
        return {workspace: frozenset(held) for workspace, held in self.generations.items()}

    async def tokenizer_digest(self) -> str:
        self._called("tokenizer_digest")
        return self.tokenizer


@dataclass(frozen=True)
class Shelf:
    """A store with its folder, and the short ways in that tests take."""

    folder: Path
    database: Database
    originals: Originals
    store: Store
    reading: Reading

    async def submit(self, name: str, content: bytes, workspace: str = "default") -> Accepted:
        spool = self.originals.spool()
        spool.write(content)
        sha256 = spool.finish()
        upload = Upload(workspace, name, "text/plain", len(content), sha256, spool.path)
        return await self.store.submit(upload)

    async def parsed(self, name: str, words: Iterable[str], workspace: str = "default") -> Accepted:
        """Submit words as a document and keep a parse of it with one chunk a word."""
        text = " ".join(words)
        accepted = await self.submit(name, text.encode(), workspace)
        assert accepted.job is not None
        assert await self.store.save_parsed(accepted.job, parse_of(accepted.document_id, text))
        return accepted

    def original_count(self) -> int:
        return len(list(self.originals.stored()))


def parse_of(document_id: str, text: str) -> ParsedVersion:
    """A parse with one chunk a word; the ids depend on the content, as they should."""
    chunks: list[StoredChunk] = []
    start = 0
    for position, word in enumerate(text.split(" ")):
        key = hashlib.sha256(f"{document_id}{text}{position}".encode()).hexdigest()[:24]
        chunks.append(
            StoredChunk(f"chk_{key}", position, start, start + len(word), 1, "Title", ("Top",), None, "")
        )
        start += len(word) + 1
    return ParsedVersion(
        "Title", "text/plain", len(text), split(text), b"[]", b"", b"", ("a warning",), tuple(chunks)
    )


def open_shelf(folder: Path, ids: Iterator[int], ticks: Iterator[int]) -> Shelf:
    originals = Originals(folder)
    originals.open()
    database = Database(folder / "ingest.sqlite")
    store = Store(
        database,
        originals,
        config=CONFIG,
        clock=lambda: float(next(ticks)),
        new_id=lambda prefix: f"{prefix}_{next(ids):020x}",
    )
    return Shelf(folder, database, originals, store, Reading(database))


@pytest.fixture
def open_again(tmp_path: Path) -> Callable[[], Shelf]:
    """Opens the store of the test's folder, as a start of the service would."""
    ids, ticks = count(1), count(1000)
    return lambda: open_shelf(tmp_path / "ingest", ids, ticks)


@pytest.fixture
async def shelf(open_again: Callable[[], Shelf]) -> AsyncIterator[Shelf]:
    opened = open_again()
    await opened.database.open()
    yield opened
    await opened.database.close()


@pytest.fixture
def lexical() -> FakeIndex:
    return FakeIndex("lexical-index")


@pytest.fixture
def vector() -> FakeIndex:
    return FakeIndex("vector-index")


@pytest.fixture
def publishing(shelf: Shelf, lexical: FakeIndex, vector: FakeIndex) -> Publishing:
    return Publishing(shelf, [lexical, vector])


@pytest.fixture
def tokenizer(tmp_path: Path) -> TokenizerFile:
    words = Tokenizer(WordLevel({"[UNK]": 0}, unk_token="[UNK]"))
    words.pre_tokenizer = Whitespace()
    path = tmp_path / "tokenizer.json"
    words.save(str(path))
    return TokenizerFile(path, "t" * 64, max_tokens=512, query_prefix="")


@pytest.fixture
async def serving(
    tmp_path: Path, tokenizer: TokenizerFile, lexical: Any, vector: Any
) -> AsyncIterator[Callable[..., Any]]:
    """Starts the service with settings, for one test."""

    @asynccontextmanager
    async def start(**settings: Any) -> AsyncIterator[Client]:
        with tempfile.TemporaryDirectory(prefix="sightline-") as sockets:
            address = f"unix://{sockets}/ingest.sock"
            own = IngestSettings(data=tmp_path / "data", **settings)
            async with running(own, tokenizer, [lexical, vector]) as servicer:
                server = grpc.aio.server(interceptors=[EdgeInterceptor()], options=PINGS_WELCOME)
                ingest_offer(servicer).add(server)
                server.add_insecure_port(address)
                await server.start()
                async with open_channel(address) as channel:
                    yield Client(channel, tmp_path / "data", [lexical, vector])
                await server.stop(grace=1)

    async with AsyncExitStack() as stack:
        yield lambda **settings: stack.enter_async_context(start(**settings))


@pytest.fixture
async def client(serving: Callable[..., Any]) -> Client:
    started: Client = await serving()
    return started
