"""Do traces come back as they were, and does a deleted document leave no word in them?"""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from services.orchestrator.core.config import QueryConfig
from services.orchestrator.core.trace import Trace
from services.orchestrator.traces import TraceStore
from shared.errors import NotFound
from tests.unit.orchestrator.engine_fakes import FakeProvider, World

QUESTION = "How long are audit records kept?"


class Clock:
    """Seconds, moved by hand."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def store(tmp_path: Path, clock: Clock) -> AsyncIterator[TraceStore]:
    made = TraceStore(tmp_path / "deep" / "traces.sqlite", clock, keep=3)
    await made.open()
    yield made
    await made.close()


async def searched() -> Trace:
    return await World().engine().search(QUESTION, QueryConfig(), "default")


async def answered() -> Trace:
    world = World(providers=[FakeProvider()])
    async for event in world.engine().query(QUESTION, QueryConfig(), "default", "cnv_1"):
        if event.kind == "done":
            break
    (trace,) = world.traces.kept.values()
    return trace


async def test_trace_comes_back_as_it_was(store: TraceStore) -> None:
    trace = await searched()
    await store.save(trace)
    back = await store.get("default", trace.trace_id)
    assert [s.candidates for s in back.stages] == [s.candidates for s in trace.stages]
    assert replace(back, stages=(), timings_ms={}) == replace(trace, stages=(), timings_ms={})


async def test_answer_comes_back_as_it_was(store: TraceStore) -> None:
    trace = await answered()
    await store.save(trace)
    assert (await store.get("default", trace.trace_id)).answer == trace.answer
    (turn,) = await store.turns("default", "cnv_1")
    assert trace.answer is not None
    assert (turn["question"], turn["answer"]) == (QUESTION, trace.answer["answer"])
    assert await store.turns("other", "cnv_1") == []


async def test_unknown_trace_and_another_workspaces_are_not_found(store: TraceStore) -> None:
    trace = await searched()
    await store.save(trace)
    for workspace, trace_id in (("default", "trc_none"), ("other", trace.trace_id)):
        with pytest.raises(NotFound):
            await store.get(workspace, trace_id)


async def test_list_is_newest_first_paged_and_of_one_workspace(store: TraceStore) -> None:
    trace = await searched()
    for name in ("trc_a", "trc_b"):
        await store.save(replace(trace, trace_id=name))
    await store.save(replace(trace, trace_id="trc_x", workspace="other"))
    listed = await store.list("default", offset=0, limit=10)
    assert ([t["trace_id"] for t in listed.items], listed.total) == (["trc_b", "trc_a"], 2)
    second = await store.list("default", offset=1, limit=1)
    assert [t["trace_id"] for t in second.items] == ["trc_a"]
    assert second.items[0]["question"] == QUESTION
    assert second.items[0]["kind"] == "search"


async def test_only_the_newest_are_kept(store: TraceStore) -> None:
    trace = await searched()
    for number in range(5):
        await store.save(replace(trace, trace_id=f"trc_{number}"))
    listed = await store.list("default", offset=0, limit=10)
    assert [t["trace_id"] for t in listed.items] == ["trc_4", "trc_3", "trc_2"]
    with pytest.raises(NotFound):
        await store.get("default", "trc_0")


async def test_another_workspaces_traces_do_not_push_out_these(store: TraceStore) -> None:
    trace = await searched()
    await store.save(trace)
    for number in range(5):
        await store.save(replace(trace, trace_id=f"trc_{number}", workspace="eval-golden"))
    assert (await store.get("default", trace.trace_id)).candidates == trace.candidates
    assert (await store.list("eval-golden", offset=0, limit=1)).total == 3


async def test_trace_that_is_there_already_is_left_as_it_is(store: TraceStore) -> None:
    trace = await answered()
    await store.save(trace)
    await store.save(replace(trace, question="something else"))
    assert (await store.get("default", trace.trace_id)).question == QUESTION
    assert len(await store.turns("default", "cnv_1")) == 1


async def test_erased_document_leaves_scores_and_spans_only(store: TraceStore) -> None:
    trace = await searched()
    await store.save(trace)
    await store.erase_document("default", "doc_a")
    back = await store.get("default", trace.trace_id)
    assert back.redacted
    for before, after in zip(trace.candidates, back.candidates, strict=True):
        assert (after.chunk_id, after.span, after.evidence) == (before.chunk_id, before.span, before.evidence)
        gone = before.span.document_id == "doc_a"
        assert (after.text, after.source.title) == (("", "") if gone else (before.text, before.source.title))
    assert (await store.list("default", offset=0, limit=1)).items[0]["redacted"] is True


async def test_erased_document_takes_answers_drawn_from_it_along(store: TraceStore) -> None:
    trace = await answered()
    await store.save(trace)
    await store.erase_document("default", "doc_a")
    answer = (await store.get("default", trace.trace_id)).answer
    assert answer is not None
    assert answer["answer"] == ""
    assert {c["quote"] for c in answer["citations"]} == {""}
    assert [t["answer"] for t in await store.turns("default", "cnv_1")] == [""]
    assert trace.answer is not None
    assert trace.answer["answer"] != "", "the caller's own answer is left as it is"


async def test_no_word_of_an_erased_document_stays_in_the_files(store: TraceStore, tmp_path: Path) -> None:
    trace = await searched()
    await store.save(trace)
    await store.erase_document("default", "doc_a")
    held = b"".join(path.read_bytes() for path in (tmp_path / "deep").iterdir())
    rows = store._db.execute("SELECT count(*) FROM passages WHERE document_id = 'doc_a'").fetchone()
    assert rows == (0,)
    assert b"doc_b" in held, "others are still there"
    assert (tmp_path / "deep" / "traces.sqlite-wal").stat().st_size == 0


async def test_erasing_spares_other_workspaces(store: TraceStore) -> None:
    trace = replace(await searched(), workspace="other")
    await store.save(trace)
    await store.erase_document("default", "doc_a")
    assert not (await store.get("other", trace.trace_id)).redacted


async def test_question_under_way_while_a_document_is_deleted_keeps_nothing_of_it(
    store: TraceStore, clock: Clock
) -> None:
    trace = await answered()  # began at 1000 s
    clock.now = 1001.0
    await store.erase_document("default", "doc_a")
    await store.save(trace)
    back = await store.get("default", trace.trace_id)
    assert back.redacted
    assert all(c.text == "" for c in back.candidates if c.span.document_id == "doc_a")
    assert back.answer is not None
    assert back.answer["answer"] == ""
    later = replace(trace, trace_id="trc_later", created_ms=1_002_000)  # the document was uploaded again
    await store.save(later)
    assert not (await store.get("default", "trc_later")).redacted


async def test_traces_outlive_the_process(tmp_path: Path, clock: Clock) -> None:
    trace = await searched()
    for turn in range(2):
        store = TraceStore(tmp_path / "traces.sqlite", clock)
        await store.open()
        if turn == 0:
            await store.save(trace)
        else:
            assert (await store.get("default", trace.trace_id)).candidates == trace.candidates
        await store.close()
