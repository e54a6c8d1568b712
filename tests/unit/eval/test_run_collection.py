"""Do all documents come in, and are labels found in what the stack made of them?"""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from eval.corpus.build import Written
from eval.datasets.spans import Stretch
from eval.datasets.suite import Question, Quote, SuiteError
from eval.runs import collection
from eval.runs.collection import UPLOAD, Label, corpus_digest, ingest, labels_of
from shared.candidate import TextSpan
from tests.unit.eval.fake_gateway import FakeGateway

TUG = "The tug Havørn pulled 62 tonnes. The tug Alke lies at Quay 7, and was not tried at all."


def documents(*names: str) -> list[Written]:
    return [Written(name, f"{name}: {TUG}".encode(), TUG) for name in names]


def quoted(document: str, *texts: str) -> Question:
    return Question(id="q", kind="exact", text="?", quotes=tuple(Quote(document, text) for text in texts))


def labels(text: str, name: str, *quotes: str, chunk: int = 40) -> Sequence[Label]:
    fake = FakeGateway(chunk=chunk)
    held = ingest(fake.client(), [Written(name, text.encode(), text)], lambda *_: None)
    return labels_of(fake.client(), [quoted(name, *quotes)], held)["q"]


def test_every_document_is_sent_once_and_its_chunks_are_counted() -> None:
    fake = FakeGateway()
    shares: list[float] = []
    names = [f"d{n:03}.md" for n in range(UPLOAD + 5)]
    held = ingest(fake.client(), documents(*names), lambda share, words: shares.append(share))
    assert [len(sent) for sent in fake.uploads] == [UPLOAD, 5]
    assert [name for sent in fake.uploads for name in sent] == names
    assert held.document_ids == {name: f"doc_{name.removesuffix('.md')}" for name in names}
    assert held.chunk_count == 3 * len(names)
    assert shares == sorted(shares)
    assert 0 <= shares[0] < shares[-1] < 1


def test_other_documents_of_the_library_are_not_counted() -> None:
    fake = FakeGateway(texts={"mine.md": "x" * 400})
    held = ingest(fake.client(), documents("a.md"), lambda *_: None)
    assert (held.document_ids, held.chunk_count) == ({"a.md": "doc_a"}, 3)


@pytest.mark.parametrize(
    ("fake", "words"),
    [
        (FakeGateway(refused=["b.md"]), "b.md was refused: .*no extractor"),
        (FakeGateway(failing=["b.md"]), "was refused: .*damaged"),
        (FakeGateway(lost=["b.md"]), "not searchable after ingestion: b.md"),
    ],
)
def test_document_that_does_not_come_in_stops_the_run(fake: FakeGateway, words: str) -> None:
    with pytest.raises(SuiteError, match=words):
        ingest(fake.client(), documents("a.md", "b.md"), lambda *_: None)


def test_document_of_an_upload_cut_short_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collection, "POLL_S", 0.0)
    fake = FakeGateway(states=["queued", "processing"])
    assert ingest(fake.client(), documents("a.md"), lambda *_: None).chunk_count == 3
    assert fake.states == []


def test_document_that_cannot_be_searched_stops_the_run() -> None:
    with pytest.raises(SuiteError, match=r"not searchable after ingestion: a\.md"):
        ingest(FakeGateway(states=["failed"]).client(), documents("a.md"), lambda *_: None)
    with pytest.raises(SuiteError, match=r"not searchable after ingestion: empty\.md"):
        ingest(FakeGateway().client(), [Written("empty.md", b"", "")], lambda *_: None)


def test_label_stands_where_the_stacks_own_text_has_its_words() -> None:
    (label,) = labels("Page 1\nThe  tug HAVØRN\npulled 62 tonnes.", "a.md", "The tug Havørn pulled 62")
    assert label == Label("q#1", "doc_a", (Stretch(7, 32),), chunked=True)


def test_quote_that_the_parser_destroyed_has_no_place() -> None:
    kept, lost = labels(TUG, "a.md", "62 tonnes", "63 tonnes")
    assert (kept.places, kept.chunked) == ((Stretch(22, 31),), True)
    assert (lost.id, lost.places, lost.chunked) == ("q#2", (), False)


def test_quote_of_which_no_chunk_holds_half_is_not_chunked() -> None:
    (label,) = labels(TUG, "a.md", "pulled 62 tonnes", chunk=7)
    assert label.places
    assert not label.chunked


def test_any_of_several_places_will_do() -> None:
    (label,) = labels("62 tonnes. And again: 62 tonnes.", "a.md", "62 tonnes")
    assert label.places == (Stretch(0, 9), Stretch(22, 31))
    assert label.held_by("doc_a", Stretch(20, 32))
    assert not label.held_by("doc_b", Stretch(20, 32))
    assert label.held_by_span(TextSpan("doc_a", 0, 5))


def test_row_is_found_with_its_columns_names() -> None:
    text = "Light: Inner mole; Colour: red\nLight: Outer mole; Colour: green"
    (label,) = labels(text, "lights.csv", "Outer mole,green")
    assert [text[place.start : place.end] for place in label.places] == ["Outer mole; Colour: green"]


def test_whole_document_is_held_by_any_of_its_passages() -> None:
    label = Label("q#1", "doc_a", (), chunked=True, whole=True)
    assert label.held_by("doc_a", Stretch(900, 901))
    assert not label.held_by("doc_b", Stretch(900, 901))


def test_digest_is_of_sources_and_not_of_bytes_or_order() -> None:
    one, two = (replace(document, source=TUG) for document in documents("a.md", "b.md"))
    digest = corpus_digest([one, two])
    assert corpus_digest([two, one]) == digest
    assert corpus_digest([one, replace(two, data=b"packed otherwise")]) == digest
    assert corpus_digest([one, replace(two, source=f"{TUG}.")]) != digest
    assert corpus_digest([one, replace(two, name="c.md")]) != digest
    unknown = [Written("a.md", data, "") for data in (b"x", b"y")]
    assert corpus_digest(unknown[:1]) != corpus_digest(unknown[1:])
