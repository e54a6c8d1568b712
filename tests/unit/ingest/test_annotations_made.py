"""Is every chunk described once, and its document published whatever the model does?"""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from services.ingest.annotating import AnnotateOptions, Annotator
from services.ingest.annotations import Annotations
from services.ingest.chat import Chat, ChatOptions
from services.ingest.core.annotation import Passage, digest_of, kept_of, messages_about
from services.ingest.jobs import JobBoard
from shared.errors import Unavailable
from tests.unit.ingest.conftest import parse_of
from tests.unit.ingest.counting import Words

WAIT_S = 10.0


class Model(httpx.AsyncBaseTransport):
    """Describes a passage by its last word, or answers what it is told to."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.answer: Callable[[str], httpx.Response] = lambda words: said(f"It is about {words}.")

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        word = json.loads(request.content)["messages"][-1]["content"].rpartition("\n")[2]
        self.asked.append(word)
        return self.answer(word)


def said(words: str) -> httpx.Response:
    return httpx.Response(200, json={"choices": [{"message": {"content": words}}]})


class Stand:
    def __init__(self, shelf: Any) -> None:
        self.shelf, self.model = shelf, Model()
        self.board = JobBoard(shelf.reading)
        self.ready = asyncio.Event()
        chat = Chat(ChatOptions("http://chat.test/v1", "small"), self.model)
        self.annotator = Annotator(
            Annotations(shelf.database, lambda: 1.0),
            shelf.reading,
            self.board,
            chat,
            tokenizer=Words,
            options=AnnotateOptions(max_tokens=6),
            on_ready=lambda workspace: self.ready.set(),
            checkpoint=lambda point: None,
        )

    async def annotate(self, name: str, words: str) -> Any:
        """The chunks of a document of one chunk a word, once they are annotated, and its warnings."""
        accepted = await self.shelf.submit(name, words.encode())
        parse = parse_of(accepted.document_id, words)
        await self.shelf.store.save_parsed(accepted.job, parse, ready=False)
        assert accepted.document_id not in await self.waiting(), "it is not ready"
        self.board.add(accepted.job)
        self.ready.clear()
        self.annotator.add(accepted.job)
        worker = asyncio.create_task(self.annotator.run())
        async with asyncio.timeout(WAIT_S):
            await self.ready.wait()
        worker.cancel()
        await asyncio.gather(worker, return_exceptions=True)
        version = (await self.waiting())[accepted.document_id]
        chunks, _ = await self.shelf.reading.chunks(version.document_id, version.version, 0, 99)
        document = await self.shelf.reading.document("default", version.document_id)
        return chunks, document.warnings

    async def waiting(self) -> dict[str, Any]:
        """The versions that may be published, by document."""
        batch = await self.shelf.store.next_batch("default", 9, 99)
        return {d.version.document_id: d.version for d in batch.documents} if batch else {}


@pytest.fixture
def stand(shelf: Any) -> Stand:
    return Stand(shelf)


async def test_every_chunk_is_described_and_counted_with_its_description(stand: Stand) -> None:
    chunks, warnings = await stand.annotate("a.txt", "quays cranes")
    assert [chunk.annotation for chunk in chunks] == ["It is about quays.", "It is about cranes."]
    assert [chunk.tokens for chunk in chunks] == [1 + 4, 1 + 4]
    assert warnings == ("a warning",)


async def test_what_was_asked_once_is_not_asked_again(stand: Stand) -> None:
    await stand.annotate("a.txt", "quays cranes")
    again, _ = await stand.annotate("b.txt", "quays cranes")
    assert stand.model.asked == ["quays", "cranes"]
    assert [chunk.annotation for chunk in again] == ["It is about quays.", "It is about cranes."]


async def test_annotations_go_with_their_document_and_none_comes_after_it(stand: Stand) -> None:
    await stand.annotate("a.txt", "quays cranes")
    (document,) = await stand.waiting()
    await stand.shelf.store.erase("default", document)
    await Annotations(stand.shelf.database, lambda: 1.0).keep("d" * 64, "It is late.", document)
    left = await stand.shelf.database.read(lambda c: c.execute("SELECT * FROM annotations").fetchall())
    assert left == []


async def test_document_is_published_without_where_the_model_fails(stand: Stand) -> None:
    stand.model.answer = lambda word: said("A quay.") if word == "one" else httpx.Response(503)
    chunks, warnings = await stand.annotate("a.txt", "one two three four five six")
    assert [chunk.annotation for chunk in chunks] == ["A quay.", *[""] * 5]
    assert stand.model.asked == ["one", "two", "three", "four"], "three failures in a row are enough"
    assert warnings[-1].startswith("5 of 6 chunks have no annotation. The chat model at http://chat.test")


async def test_what_fails_without_warning_costs_a_document_its_annotations_alone(stand: Stand) -> None:
    def broken(word: str) -> httpx.Response:
        raise RuntimeError(word)

    stand.model.answer = broken
    chunks, warnings = await stand.annotate("a.txt", "one two")
    assert [chunk.annotation for chunk in chunks] == ["", ""]
    assert warnings[-1] == "Its chunks have no annotation: an internal error (RuntimeError)."


@pytest.mark.parametrize(
    "response",
    [
        httpx.Response(200, text="<html>"),
        httpx.Response(200, json={"choices": []}),
        httpx.Response(200, json={"choices": [{"message": {"content": None}}]}),
        httpx.Response(200, content=b"x" * 300_000),
        httpx.Response(404),
    ],
)
async def test_reply_in_another_form_is_told_apart_from_an_answer(response: httpx.Response) -> None:
    model = Model()
    model.answer = lambda word: response
    with pytest.raises(Unavailable, match=r"http://chat\.test/v1/chat/completions"):
        await Chat(ChatOptions("http://chat.test/v1/", "small"), model).reply(messages_about(PASSAGE))


PASSAGE = Passage("Harbour rules", ("Quays", "Depths"), "Harbour rules of Norrholm", "It is 9 m deep.")


@pytest.mark.parametrize(
    ("reply", "kept"),
    [
        ("Depth of the quay.", "Depth of the quay."),
        ("Sure! Here is a summary:\nDepth of the quay.", "Depth of the quay."),
        ('"Depth of the quay. Who measured it? Nobody says."', "Depth of the quay. Who measured it?"),
        ("one two three four five six seven eight nine ten", "one two three four five six seven eight"),
        ("…", ""),
        ("", ""),
    ],
)
def test_two_sentences_are_kept_within_the_tokens(reply: str, kept: str) -> None:
    assert kept_of(reply, 8, Words()) == kept


def test_digest_follows_everything_that_the_model_is_shown() -> None:
    others = [
        Passage("Other", PASSAGE.section, PASSAGE.opening, PASSAGE.text),
        Passage(PASSAGE.title, ("Quays",), PASSAGE.opening, PASSAGE.text),
        Passage(PASSAGE.title, PASSAGE.section, "Other", PASSAGE.text),
        Passage(PASSAGE.title, PASSAGE.section, PASSAGE.opening, "Other"),
    ]
    digests = {digest_of(passage, "small") for passage in (PASSAGE, *others)} | {digest_of(PASSAGE, "large")}
    assert len(digests) == 6
    shown = messages_about(PASSAGE)[1]["content"]
    assert all(words in shown for words in ("Harbour rules > Quays > Depths", PASSAGE.opening, PASSAGE.text))
