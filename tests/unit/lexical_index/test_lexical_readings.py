"""Is a passage with welded words found by both spellings, without becoming a longer one?"""

from services.lexical_index.analysis import english
from services.lexical_index.core.postings import build
from services.lexical_index.service import LexicalIndexing
from shared.candidate import TextSpan
from shared.index_segments import IndexedChunk


async def test_both_spellings_are_terms_and_the_length_is_the_texts() -> None:
    tokenizer = english(stemming=True, stop_words=True).tokenizer
    chunk = IndexedChunk(
        "chk", TextSpan("doc", 0, 9), "Open the reliefvalve slowly.", "Pumps", "Open the relief valve slowly."
    )
    postings = await LexicalIndexing(tokenizer).prepare([chunk])
    for word in ("reliefvalve", "relief", "valve", "open", "pumps"):
        (term,) = tokenizer.terms(word)
        rows, counts = postings.of(term)
        assert (rows.tolist(), counts.tolist()) == ([0], [1]), word
    assert postings.doc_len.tolist() == [len(tokenizer.terms("Pumps Open the reliefvalve slowly."))]


def test_word_that_text_and_reading_share_is_counted_as_often_as_in_the_one_that_has_more() -> None:
    postings = build([["valve", "reliefvalve", "open"]], {0: ["valve", "relief", "valve", "open"]})
    assert postings.of("valve")[1].tolist() == [2]
    assert postings.of("open")[1].tolist() == [1]
    assert postings.doc_len.tolist() == [3]
