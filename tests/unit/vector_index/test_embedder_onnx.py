"""The built-in embedder: the same bits alone and in company, its own query prefix, an honest ledger."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from services.vector_index.core.embedding import TextKind
from services.vector_index.embedders.onnx import OnnxEmbedder
from services.vector_index.lanes import Lanes
from shared.errors import Overloaded
from shared.models import verified
from shared.tokens import TokenCounter

pytestmark = pytest.mark.models

TEXTS = [
    "The lock opens at noon and closes at six.",
    "Each berth is dredged after the spring survey. " * 8,
    "Cranes.",
    "Audit records are kept for 2,555 days under SEC-117, and the keeper signs each page of them.",
]


@pytest.fixture(scope="module")
def embedder(repository: Path) -> Iterator[OnnxEmbedder]:
    lanes = Lanes(2, max_waiting_queries=8)
    yield OnnxEmbedder(verified(repository / "models", "embedder"), lanes)
    lanes.close()


@pytest.mark.asyncio(loop_scope="module")
async def test_a_vector_has_the_same_bits_alone_and_in_company(embedder: OnnxEmbedder) -> None:
    alone = [(await embedder.embed([text], kind=TextKind.DOCUMENT))[0] for text in TEXTS]
    calls = [embedder.embed(TEXTS[::-1], kind=TextKind.DOCUMENT) for _ in range(3)]
    for together in await asyncio.gather(*calls):
        assert [e.vector.tobytes() for e in together[::-1]] == [e.vector.tobytes() for e in alone]


@pytest.mark.asyncio(loop_scope="module")
async def test_vectors_are_of_unit_length_and_tell_meaning(embedder: OnnxEmbedder) -> None:
    passages = await embedder.embed(TEXTS, kind=TextKind.DOCUMENT)
    (question,) = await embedder.embed(["When can ships enter the lock?"], kind=TextKind.QUERY)
    assert [np.linalg.norm(e.vector) for e in passages] == pytest.approx([1.0] * len(TEXTS), abs=1e-6)
    scores = [float(e.vector @ question.vector) for e in passages]
    assert scores.index(max(scores)) == 0


@pytest.mark.asyncio(loop_scope="module")
async def test_questions_are_read_under_the_prefix(embedder: OnnxEmbedder, repository: Path) -> None:
    files = verified(repository / "models", "embedder")
    (question,) = await embedder.embed(["lock"], kind=TextKind.QUERY)
    (spelled_out,) = await embedder.embed([files.query_prefix + "lock"], kind=TextKind.DOCUMENT)
    (passage,) = await embedder.embed(["lock"], kind=TextKind.DOCUMENT)
    assert question.vector.tobytes() == spelled_out.vector.tobytes() != passage.vector.tobytes()


@pytest.mark.asyncio(loop_scope="module")
async def test_a_long_text_is_cut_at_the_models_length_and_counted(
    embedder: OnnxEmbedder, repository: Path
) -> None:
    words = "lock " * 600
    files = verified(repository / "models", "embedder")
    (cut,) = await embedder.embed([words], kind=TextKind.DOCUMENT)
    assert cut.tokens_present == TokenCounter(files.tokenizer).count(words) + 2 == 602
    assert cut.tokens_read == 512
    (fits,) = await embedder.embed(["lock " * 510], kind=TextKind.DOCUMENT)
    assert (fits.tokens_present, fits.tokens_read) == (512, 512)
    assert fits.vector.tobytes() == cut.vector.tobytes(), "the last token read is the separator"


@pytest.mark.asyncio(loop_scope="module")
async def test_too_many_questions_reach_the_caller_as_overloaded(embedder: OnnxEmbedder) -> None:
    with pytest.raises(Overloaded):
        await embedder.embed(["lock"] * 11, kind=TextKind.QUERY)
