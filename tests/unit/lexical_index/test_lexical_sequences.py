"""Are scores the reference's to the last bit after any sequence of upserts, deletes, undos and restarts?"""

import asyncio
import tempfile
from dataclasses import dataclass
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.unit.lexical_index.bm25_reference import reference_ranking
from tests.unit.lexical_index.lexical_samples import Lexical, open_lexical

# words that are their own stems, and one term each
WORDS = ("lock", "quay", "crane", "buoy", "sec014")
QUESTION = ["lock", "quay", "quay", "sec014"]
texts = st.lists(st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join), max_size=3)


@dataclass(frozen=True, slots=True)
class Step:
    upserted: dict[str, list[str]]
    deleted: list[str]
    lost_first: bool
    restart: bool


steps = st.builds(
    Step,
    st.dictionaries(st.sampled_from("abcdef"), texts, max_size=3),
    st.lists(st.sampled_from("abcdef"), max_size=1),
    st.booleans(),
    st.booleans(),
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(steps, max_size=14))
def test_scores_are_the_references_after_any_sequence(sequence: list[Step]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(_follow(Path(folder), sequence))


async def _follow(folder: Path, sequence: list[Step]) -> None:
    lexical = open_lexical(folder)
    try:
        documents: dict[str, list[str]] = {}
        for generation, step in enumerate(sequence, start=1):
            upserted = {d: t for d, t in step.upserted.items() if d not in step.deleted}
            if step.lost_first:
                await lexical.publish(generation, {"lost": ["lock"], "a": []}, deleted=["b"], batch_id="lost")
            await lexical.publish(generation, upserted, deleted=step.deleted)
            before = documents
            documents = {d: t for d, t in documents.items() if d not in step.deleted} | upserted
            if step.restart:
                lexical.store.close()
                lexical = open_lexical(folder)
            await _compare(lexical, generation, documents)
            await _compare(lexical, generation - 1, before)
    finally:
        lexical.store.close()


async def _compare(lexical: Lexical, generation: int, documents: dict[str, list[str]]) -> None:
    chunks = {f"{d}.{n}": text.split() for d, parts in documents.items() for n, text in enumerate(parts)}
    ranking = await lexical.run(" ".join(QUESTION), generation)
    found = [(c.chunk_id, c.last.score) for c in ranking.candidates]
    assert found == reference_ranking(chunks, QUESTION, 1000)
