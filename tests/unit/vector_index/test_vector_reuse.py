"""Is of a document's new version only that embedded which changed, and is what was read reported?"""

from collections.abc import Sequence
from pathlib import Path

import grpc
import numpy as np

from services.vector_index.core.embedding import Embedding, TextKind
from services.vector_index.core.payload import VectorFormat, VectorPayload
from services.vector_index.core.reuse import digests_of, held
from services.vector_index.service import VectorIndexing
from shared.channel import call, open_channel
from shared.index_rpc import index_offer
from shared.index_store import IndexStore
from shared.pb import candidate_pb2, index_pb2, index_pb2_grpc
from shared.server import PINGS_WELCOME, EdgeInterceptor
from shared.stage import ModelInfo
from tests.unit.vector_index.embedder_fakes import LetterEmbedder

CHUNKS = 50
SLICE = 8
TEXTS = [f"chunk {number} {'abcd'[number % 4]}" for number in range(CHUNKS)]


class NamedLetters(LetterEmbedder):
    """One whose token counts are those of a tokenizer that has a name."""

    @property
    def model(self) -> ModelInfo:
        return ModelInfo(name="letters", digest="letters", tokenizer_digest="t", dimensions=5)


async def sent(
    stub: "index_pb2_grpc.IndexAsyncStub", generation: int, texts: Sequence[str], reading: str = ""
) -> list[int]:
    """Stages and publishes version `generation` of one document; returns what is told of each chunk."""
    read: list[int] = []
    document = index_pb2.DocumentVersion(
        document_id="doc_a", version=generation, digest=str(generation), chunk_count=len(texts)
    )
    for first in range(0, len(texts), SLICE):
        chunks = [
            index_pb2.IndexedChunk(
                chunk_id=f"chk_{generation}_{number}",
                span=candidate_pb2.TextSpan(document_id="doc_a", start=number, end=number + 1),
                text=text,
                reading=reading,
            )
            for number, text in enumerate(texts[first : first + SLICE], start=first)
        ]
        batch = f"batch {generation}"
        request = index_pb2.UpsertRequest(
            workspace="harbour", batch_id=batch, document=document, chunks=chunks
        )
        read.extend((await call(stub.Upsert, request, deadline_s=10)).read_tokens)
    publication = index_pb2.PublishRequest(
        workspace="harbour", generation=generation, batch_id=batch, documents=1, chunks=len(texts)
    )
    await call(stub.Publish, publication, deadline_s=10)
    return read


async def test_only_what_changed_of_a_new_version_is_embedded(tmp_path: Path) -> None:
    embedder = NamedLetters()
    layout = VectorFormat(embedder.identity, embedder.model.dimensions)
    server = grpc.aio.server(interceptors=[EdgeInterceptor()], options=PINGS_WELCOME)
    address = f"unix://{tmp_path / 'socket'}"
    store = IndexStore(tmp_path / "index.sqlite3", layout)
    index_offer(store, VectorIndexing(embedder, layout, store.payloads)).add(server)
    server.add_insecure_port(address)
    await server.start()
    try:
        async with open_channel(address) as channel:
            stub = index_pb2_grpc.IndexStub(channel)
            first = await sent(stub, 1, TEXTS)
            assert len(embedder.asked) == CHUNKS
            embedder.asked.clear()
            changed = [*TEXTS[:20], "another word", *TEXTS[21:]]
            second = await sent(stub, 2, changed)
            assert embedder.asked == [("another word", TextKind.DOCUMENT)]
            assert first == [min(len(text), 10) for text in TEXTS]
            assert second == [*first[:20], 10, *first[21:]]
            embedder.asked.clear()
            await sent(stub, 3, ["ab"], reading="a b")
            assert embedder.asked == [("a b", TextKind.DOCUMENT)], "the reading is what is embedded"
    finally:
        await server.stop(grace=None)
        store.close()


async def test_reused_vectors_survive_a_restart_and_are_the_same_bits(tmp_path: Path) -> None:
    layout = VectorFormat("letters", 5)
    (fresh,) = await LetterEmbedder().embed(["aab"], kind=TextKind.DOCUMENT)
    kept = layout.payload([fresh, fresh], digests_of(["aab", "other"]))
    again = layout.from_arrays(layout.to_arrays(kept))
    found = held([again], digests_of(["new", "aab", "aab"]))
    assert sorted(found) == [1, 2]
    for row in (1, 2):
        assert np.array_equal(found[row].vector, fresh.vector)
        assert (found[row].tokens_present, found[row].tokens_read) == (3, 3)


def test_payload_of_an_older_file_has_nothing_to_reuse() -> None:
    layout = VectorFormat("letters", 5)
    row = Embedding(np.array([1, 0, 0, 0, 0], dtype=np.float32), 3, 3)
    arrays = dict(layout.to_arrays(layout.payload([row], digests_of(["aab"]))))
    del arrays["digests"]
    old: VectorPayload = layout.from_arrays(arrays)
    assert held([old], digests_of(["aab"])) == {}
    assert layout.merged([(old, np.array([0]))]).digests.shape == (1, 2)


async def test_embedder_without_a_tokenizer_of_its_own_reports_nothing() -> None:
    embedder = LetterEmbedder()
    layout = VectorFormat(embedder.identity, 5)
    indexing = VectorIndexing(embedder, layout)
    (vector,) = await embedder.embed(["ab"], kind=TextKind.DOCUMENT)
    assert indexing.read_tokens(layout.payload([vector], digests_of(["ab"]))) == []
