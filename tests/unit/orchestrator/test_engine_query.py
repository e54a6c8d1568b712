"""Do the events of an answer come in order, and does the answer say truly who wrote it and from what?"""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from services.orchestrator.core.config import AnswerConfig, GateConfig, QueryConfig, SelectConfig
from services.orchestrator.engine import Event
from services.orchestrator.providers.provider import ProviderState, Usage
from shared.candidate import ScoreType
from shared.errors import InvalidInput, Unavailable
from tests.unit.orchestrator.engine_fakes import TEXTS, FakeProvider, World

CONFIG = QueryConfig()
QUESTION = "How long are audit records kept?"


async def events_of(world: World, config: QueryConfig = CONFIG, question: str = QUESTION) -> list[Event]:
    return [e async for e in world.engine().query(question, config, "default", None)]


def answer_in(events: Sequence[Event]) -> dict[str, Any]:
    return next(e.data for e in events if e.kind == "answer")


def text_in(events: Sequence[Event]) -> str:
    return "".join(e.data["text"] for e in events if e.kind == "token")


async def test_events_come_in_the_contracts_order() -> None:
    events = await events_of(World(providers=[FakeProvider()]))
    kinds = [e.kind for e in events]
    assert kinds[:2] == ["trace", "plan"]
    assert kinds[2:8] == ["stage"] * 6
    assert kinds[8] == "context"
    assert set(kinds[9:-2]) == {"token"}
    assert kinds[-2:] == ["answer", "done"]
    assert all(e.data["round"] == 0 for e in events if e.kind in ("stage", "context", "token"))
    planned = [s["id"] for s in events[1].data["stages"]]
    assert planned == ["lexical", "vector", "fuse", "rerank", "fuse:2", "select"]


async def test_model_answer_cites_the_passages_it_names() -> None:
    world = World(providers=[FakeProvider()])
    events = await events_of(world)
    answer = answer_in(events)
    assert text_in(events) == answer["answer"] == "They are kept 2,555 days [1]."
    assert answer["provider"] == "ollama"
    assert answer["usage"] == {"prompt_tokens": 200, "answer_tokens": 9}
    assert not answer["uncited"]
    (citation,) = answer["citations"]
    assert citation["quote"] == TEXTS["chk_a"]
    assert (citation["start"], citation["end"]) == (100, 100 + len(TEXTS["chk_a"]))
    assert world.traces.kept[answer["trace_id"]].answer == answer


async def test_answer_without_any_citation_is_marked() -> None:
    answer = answer_in(await events_of(World(providers=[FakeProvider(pieces=["I think so [7]."])])))
    assert answer["answer"] == "I think so."
    assert answer["uncited"] is True
    assert answer["citations"] == []


async def test_without_any_provider_whole_sentences_are_quoted() -> None:
    world = World()
    events = await events_of(world)
    answer = answer_in(events)
    assert answer["provider"] == "extractive"
    assert answer["model"] == "word-counter"
    assert answer["answer"] == text_in(events) == "Audit records are kept for 2,555 days. [1]"
    (citation,) = answer["citations"]
    assert citation["quote"] == "Audit records are kept for 2,555 days."
    assert TEXTS["chk_a"][citation["start"] - 100 : citation["end"] - 100] == citation["quote"]


async def test_quoting_works_by_shared_words_when_the_reranker_is_away() -> None:
    world = World()
    world.reranker.failure = Unavailable("no replica")
    answer = answer_in(await events_of(world))
    assert answer["answer"].startswith("Audit records are kept for 2,555 days.")
    notes = world.traces.kept[answer["trace_id"]].notes
    assert any("shared words only" in note for note in notes)


async def test_provider_failing_before_its_first_word_falls_back_and_says_so() -> None:
    world = World(providers=[FakeProvider(pieces=[], failure=Unavailable("out of memory"))])
    answer = answer_in(await events_of(world))
    assert answer["provider"] == "extractive"
    notes = world.traces.kept[answer["trace_id"]].notes
    assert "ollama failed before its first word: out of memory" in notes


async def test_second_provider_answers_when_the_first_fails_at_once() -> None:
    first = FakeProvider(pieces=[], failure=Unavailable("out of memory"))
    world = World(providers=[first, FakeProvider(name="openai", model="other")])
    answer = answer_in(await events_of(world))
    assert (answer["provider"], answer["model"]) == ("openai", "other")


async def test_provider_that_says_nothing_is_a_failed_one() -> None:
    answer = answer_in(await events_of(World(providers=[FakeProvider(pieces=["  ", "\n"])])))
    assert answer["provider"] == "extractive"


async def test_provider_failing_in_mid_answer_raises_after_its_tokens() -> None:
    world = World(providers=[FakeProvider(pieces=["They are "], failure=Unavailable("lost"))])
    events = world.engine().query(QUESTION, CONFIG, "default", None)
    while (event := await anext(events)).kind != "token":
        continue
    assert event.data["text"] == "They are"
    with pytest.raises(Unavailable, match="lost"):
        await anext(events)
    (trace,) = world.traces.kept.values()
    assert trace.notes[-1] == "the answer broke off: lost"


async def test_provider_that_is_not_ready_is_passed_over() -> None:
    away = FakeProvider(current=ProviderState("absent", "no such model"))
    world = World(providers=[away])
    answer = answer_in(await events_of(world))
    assert answer["provider"] == "extractive"
    assert away.requests == []
    assert "ollama cannot answer: no such model" in world.traces.kept[answer["trace_id"]].notes


async def test_configuration_chooses_the_provider() -> None:
    providers = [FakeProvider(), FakeProvider(name="openai", model="other")]
    for wanted in ("openai", "extractive", "auto"):
        config = QueryConfig(answer=AnswerConfig(provider=wanted))
        answer = answer_in(await events_of(World(providers=providers), config))
        assert answer["provider"] == ("ollama" if wanted == "auto" else wanted)


async def test_provider_that_is_not_set_up_is_invalid_before_any_event() -> None:
    config = QueryConfig(answer=AnswerConfig(provider="openai"))
    with pytest.raises(InvalidInput, match=r"answer\.provider"):
        await events_of(World(), config)


async def test_shut_gate_refuses_in_words_and_asks_nobody() -> None:
    provider = FakeProvider()
    config = QueryConfig(gate=GateConfig(thresholds={ScoreType.CROSS_ENCODER: 0.99}))
    events = await events_of(World(providers=[provider]), config)
    answer = answer_in(events)
    assert answer["refused"] is True
    assert "under the threshold" in answer["refusal_reason"]
    assert not any(e.kind == "token" for e in events)
    assert [e.kind for e in events[-3:]] == ["context", "answer", "done"]
    assert provider.requests == []
    context = events[-3].data
    assert context["packed"] == []
    assert len(context["left_out"]) == 4


async def test_gate_switched_off_answers_anyway() -> None:
    gate = GateConfig(enabled=False, thresholds={ScoreType.CROSS_ENCODER: 0.99})
    assert not answer_in(await events_of(World(), QueryConfig(gate=gate)))["refused"]


async def test_too_small_a_budget_refuses_and_names_the_setting() -> None:
    answer = answer_in(await events_of(World(), QueryConfig(select=SelectConfig(budget_tokens=5))))
    assert answer["refused"] is True
    assert "select.budget_tokens" in answer["refusal_reason"]


async def test_what_does_not_fit_is_listed_and_never_sent() -> None:
    provider = FakeProvider()
    config = QueryConfig(select=SelectConfig(budget_tokens=70))
    events = await events_of(World(providers=[provider]), config)
    context = next(e.data for e in events if e.kind == "context")
    assert context["tokens"] <= 70
    assert context["left_out"]
    sent = provider.requests[0].messages[1].content
    assert all(TEXTS[o["chunk_id"]] not in sent for o in context["left_out"])


async def test_prompt_that_was_cut_is_an_error_in_the_trace() -> None:
    world = World(providers=[FakeProvider(usage=Usage(prompt_tokens=3))])
    answer = answer_in(await events_of(world))
    trace = world.traces.kept[answer["trace_id"]]
    assert trace.ledger["prompt"]["evaluated_tokens"] == 3
    assert "it was cut" in trace.ledger["prompt"]["mismatch"]
    assert any("it was cut" in note for note in trace.notes)


async def test_conversation_id_is_made_or_repeated() -> None:
    engine = World().engine()
    for given in (None, "cnv_mine"):
        events = [e async for e in engine.query(QUESTION, CONFIG, "default", given)]
        made = answer_in(events)["conversation_id"]
        assert made == given if given else made.startswith("cnv_")


async def test_closing_the_events_cancels_the_search_behind_them() -> None:
    world = World()
    world.lexical.gate = asyncio.Event()
    events = world.engine().query(QUESTION, CONFIG, "default", None)
    assert (await anext(events)).kind == "trace"
    await asyncio.wait_for(world.lexical.began.wait(), 2)
    await asyncio.wait_for(events.aclose(), 2)
    assert world.lexical.cancelled
    assert world.traces.kept == {}


async def test_closing_the_events_cancels_the_provider_behind_them() -> None:
    provider = FakeProvider(hangs=True)
    events = World(providers=[provider]).engine().query(QUESTION, CONFIG, "default", None)
    async for event in events:
        if event.kind == "token":
            break
    await asyncio.wait_for(events.aclose(), 2)
    assert provider.closed_early


async def test_ingest_being_down_is_raised_before_any_event() -> None:
    world = World()
    world.texts.failure = Unavailable("ingest is down")
    with pytest.raises(Unavailable):
        await anext(world.engine().query(QUESTION, CONFIG, "default", None))
