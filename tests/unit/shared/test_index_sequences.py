"""Does any sequence of publishing, undoing, repairing and restarting leave what a plain model says?"""

import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from shared.errors import UnknownGeneration
from shared.index_store import IndexStore
from tests.unit.shared.index_toys import WORKSPACE, Numbers, open_numbers, publish, seen

DOCUMENTS = ("a", "b", "c", "d")


@dataclass(frozen=True, slots=True)
class Step:
    """One batch, how it is published, and whether the process starts anew after it."""

    upserted: dict[str, list[float]]
    deleted: list[str]
    kind: (
        str  # next: flipped; lost: published, then replaced; repair: the whole workspace, some generations on
    )
    jump: int
    restart: bool


@dataclass(slots=True)
class Model:
    """Every served generation as chunk id to number."""

    latest: int = 0
    served: dict[int, dict[str, float]] = field(default_factory=lambda: {0: {}})

    def publish(self, generation: int, step: Step, *, replace_all: bool) -> None:
        before = self.served.get(generation - 1)
        kept = {} if replace_all or before is None else before
        touched = {*step.upserted, *step.deleted}
        after = {c: n for c, n in kept.items() if c.split(".")[0] not in touched}
        for document_id, numbers in step.upserted.items():
            after |= {f"{document_id}.{generation}.{i}": float(n) for i, n in enumerate(numbers)}
        self.served = {generation: after} | ({} if before is None else {generation - 1: before})
        self.latest = generation


steps = st.builds(
    Step,
    st.dictionaries(st.sampled_from(DOCUMENTS), st.lists(st.floats(0, 9), max_size=3), max_size=3),
    st.lists(st.sampled_from(("x", "y", *DOCUMENTS)), max_size=2, unique=True),
    st.sampled_from(("next", "next", "next", "lost", "repair")),
    st.integers(1, 3),
    st.booleans(),
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(steps, max_size=24))
def test_served_generations_are_those_of_the_model_after_any_sequence(sequence: list[Step]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store, model = open_numbers(Path(folder)), Model()
        try:
            for number, step in enumerate(sequence):
                _apply(store, model, step, number)
                if step.restart:
                    store.close()
                    store = open_numbers(Path(folder))
                _compare(store, model)
        finally:
            store.close()


def _apply(store: IndexStore[Numbers], model: Model, step: Step, number: int) -> None:
    upserted = {d: n for d, n in step.upserted.items() if d not in step.deleted}
    step = Step(upserted, step.deleted, step.kind, step.jump, step.restart)

    def send(generation: int, batch_id: str, upserts: dict[str, list[float]], *, replace_all: bool) -> None:
        if not upserts and not step.deleted:
            store.delete(WORKSPACE, batch_id, [])
        publish(store, generation, batch_id, upserts, deleted=step.deleted, replace_all=replace_all)

    if step.kind == "repair":
        send(model.latest + step.jump, f"b{number}", upserted, replace_all=True)
        model.publish(model.latest + step.jump, step, replace_all=True)
        return
    if step.kind == "lost":  # ingest died before it flipped, and sends another batch under the same number
        lost = {d: [100.0] for d in ("a", "z") if d not in step.deleted}
        send(model.latest + 1, f"lost{number}", lost, replace_all=step.jump == 1)
    send(model.latest + 1, f"b{number}", upserted, replace_all=False)
    model.publish(model.latest + 1, step, replace_all=False)


def _compare(store: IndexStore[Numbers], model: Model) -> None:
    for generation, chunks in model.served.items():
        assert seen(store.snapshot(WORKSPACE, generation)) == chunks
    for absent in (min(model.served) - 1, model.latest + 1):
        if absent >= 0:
            with pytest.raises(UnknownGeneration):
                store.snapshot(WORKSPACE, absent)
    documents = {c.split(".")[0] for c in model.served[model.latest]}
    manifest = store.manifest(WORKSPACE)[0]
    assert manifest.served == tuple(sorted(model.served))
    assert documents == {d.document_id for d in manifest.documents if d.chunk_count}
