"""Are welded words parted by what their corpus knows, and is everything else left as it is?"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.ingest.core.chunking import ChunkingConfig, chunk
from services.ingest.core.document import CODE, FURNITURE, PARAGRAPH, Block, ParsedDocument
from services.ingest.core.text import TextBuilder
from services.ingest.core.welds import missing_spaces, with_spaces
from services.ingest.core.welds_vocabulary import EMPTY, Learner, Vocabulary, from_bytes, to_bytes
from shared.passage import indexed_text
from tests.unit.ingest.counting import PieceTokenizer

PROSE = (
    "The pressure relief valve is opened by the pump. A pressure relief valve of a pump is closed by day. "
    "Water flows in the pipe of the pump, and the quay side of the pump is wet. The water tower is on line. "
    "It may be on the quay. The online pump is on the quay side. The online tower is at the quay side. "
)


def corpus(*texts: str) -> Vocabulary:
    learner = Learner()
    for text in texts:
        learner.add(text)
    return learner.learnt()


def reading(text: str, vocabulary: Vocabulary, kind: str = PARAGRAPH) -> str:
    """The text as it is read; empty where nothing changes."""
    spaces = missing_spaces(text, [Block(kind, 0, len(text))], vocabulary)
    return with_spaces(text, 0, len(text), spaces)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Openthe valve at thepump.", "Openthe valve at the pump."),  # "open" is not known: all or nothing
        ("a pressurerelief valve", "a pressure relief valve"),
        ("a Pressurereliefvalve", "a Pressure relief valve"),  # a sentence's capital
        ("the PressureRelief valve", "the Pressure Relief valve"),
        ("PRESSURERELIEF", "PRESSURE RELIEF"),
        ("(ofthepump),", "(of the pump),"),
        ("sea-waterflows", "sea-water flows"),
    ],
)
def test_weld_of_known_neighbours_is_parted(text: str, read: str) -> None:
    assert reading(text, corpus(PROSE, PROSE)) == read


@pytest.mark.parametrize(
    "text",
    [
        PROSE,
        "The online pump.",  # as often one word as two
        "Zanzibar kindergarten",  # unknown
        "pumpquay waterpump",  # words, but never neighbours
        "the `pressurerelief` field",
        "https://example.org/pressurerelief pressurerelief_valve pressurerelief.valve pressurerelief7",
        "inthe",  # below the least pair count if it were known; here a pair of short words seen too rarely
        "of",
        "",
    ],
)
def test_text_without_a_known_weld_stays_as_it_is(text: str) -> None:
    assert not text or reading(text, corpus(PROSE)) == ""


@pytest.mark.parametrize("kind", [CODE, FURNITURE])
def test_code_and_furniture_are_never_read_otherwise(kind: str) -> None:
    assert reading("a pressurerelief valve", corpus(PROSE), kind) == ""


def test_name_in_camel_case_that_recurs_stays() -> None:
    text = "PressureRelief is a class. Call PressureRelief twice."
    assert reading(text, corpus(PROSE)) == ""


def test_frequent_weld_of_far_more_frequent_neighbours_is_parted_all_the_same() -> None:
    text = "the valve of the pump " * 120 + "lies ofthe ofthe pump"
    assert reading(text, EMPTY).endswith("lies of the of the pump")


def test_document_is_its_own_corpus_where_there_is_no_other() -> None:
    assert reading(PROSE + "The pressurerelief valve.", EMPTY).endswith("The pressure relief valve.")


def test_spaces_keep_the_text_and_stand_at_rising_offsets() -> None:
    text = "A pressurereliefvalve ofthepump, and thequay."
    spaces = missing_spaces(text, [Block(PARAGRAPH, 0, len(text))], corpus(PROSE, PROSE))
    assert list(spaces) == sorted(set(spaces))
    assert with_spaces(text, 0, len(text), spaces).replace(" ", "") == text.replace(" ", "")
    assert with_spaces(text, 0, spaces[0], spaces) == "", "a space at the end is none inside"
    assert with_spaces(text, 2, spaces[0] + 1, spaces) == "pressure r"


def test_long_and_rare_words_are_not_learnt() -> None:
    vocabulary = corpus("pressurereliefvalves " * 9 + "quay quay once")
    assert vocabulary.words == {"quay": 2}


def test_neighbours_are_words_with_nothing_but_space_between_them() -> None:
    learner = Learner()
    learner.add("red gate 12 blue gate. Green gate (old) pier sea-gate keeper `code` word")
    assert sorted(learner.own().pairs) == ["blue gate", "gate keeper", "green gate", "pier sea", "red gate"]


def test_vocabulary_is_the_same_bytes_whatever_order_its_texts_came_in() -> None:
    one, other = corpus(PROSE, "the quay side"), corpus("the quay side", PROSE)
    assert to_bytes(one) == to_bytes(other)
    assert from_bytes(to_bytes(one)) == one
    assert from_bytes(b"") == EMPTY


@settings(deadline=None, max_examples=150)
@given(st.text(alphabet="abt hein.,-'\nAT`_1ß", max_size=120))
def test_any_text_is_read_with_the_same_letters_in_the_same_order(text: str) -> None:
    if text:
        read = reading(text, corpus("the hat in the hen " * 9))
        assert not read or read.replace(" ", "") == text.replace(" ", "")


def test_chunk_stores_the_original_and_counts_the_reading() -> None:
    builder = TextBuilder()
    for number in range(30):
        builder.add(
            PARAGRAPH, f"A pressurereliefvalve of pump{'abcdefghijklmnopqrstuvwxyzabcd'[number]} is closed."
        )
    text, blocks = builder.finish()
    parsed = ParsedDocument(text, "Pumps", blocks, (), None, (), "text/plain")
    config = ChunkingConfig(max_tokens=64, overlap_tokens=8, welds=True)
    drafts = chunk(parsed, config, PieceTokenizer(), corpus(PROSE, PROSE))
    assert len(drafts) > 5
    for draft in drafts:
        original = text[draft.start : draft.end]
        assert "pressurereliefvalve" in original
        assert "A pressure relief valve of pump" in draft.reading
        assert draft.tokens == PieceTokenizer().count(indexed_text(draft.prefix, draft.reading)) + 2 <= 64
    off = ChunkingConfig(max_tokens=64, overlap_tokens=8)
    assert {draft.reading for draft in chunk(parsed, off, PieceTokenizer(), corpus(PROSE, PROSE))} == {""}


def test_words_are_learnt_in_bounded_memory_though_none_is_rare() -> None:
    learner = Learner(max_words=50)
    learner.add("harbour " * 100)
    words = [f"{chr(97 + i % 26)}{chr(97 + i // 26 % 26)}{chr(97 + i // 676)}" for i in range(2000)]
    for word in words:
        learner.add(f"{word} " * 3)
        assert len(learner.own().words) <= 50 * 8
    assert len(learner.learnt().words) <= 50
    assert learner.learnt().words["harbour"] == 100
