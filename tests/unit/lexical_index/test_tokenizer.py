"""Which terms does a text give? Words, identifiers, numbers, accents, CJK."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.lexical_index.analysis import english
from services.lexical_index.core.tokenizer import MAX_TERM_CHARACTERS, Tokenizer

PLAIN = Tokenizer(None, frozenset())
ENGLISH = english(stemming=True, stop_words=True).tokenizer


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("X-RateLimit-Remaining", ["xratelimitremaining", "x", "ratelimit", "rate", "limit", "remaining"]),
        ("SEC-014", ["sec014", "sec", "014"]),
        ("hnsw.ef_search", ["hnswefsearch", "hnsw", "ef", "search"]),
        ("$99,497", ["99497"]),
        ("99497", ["99497"]),
        ("99\u202f497 and 99\u00a0497", ["99497", "and", "99497"]),
        ("1,234,567.50", ["1234567.50"]),
        ("1,2,3", ["1", "2", "3"]),
        ("2019,2020", ["2019", "2020"]),
        ("3.14", ["3.14"]),
        ("2024-05-01", ["2024-05-01", "2024", "05", "01"]),
        ("v1.2.3", ["v1.2.3", "v1", "2", "3"]),
        ("std::sort a->b", ["stdsort", "std", "sort", "ab", "a", "b"]),
        ("C++ and C#, not C", ["c++", "and", "c#", "not", "c"]),
        ("HTTPServer APIs", ["httpserver", "http", "server", "apis"]),
        ("The end. Start", ["the", "end", "start"]),
        ("aircraft's don't O’Brien’s", ["aircraft", "dont", "obrien", "o", "brien"]),
        ("__init__ --flag", ["init", "flag"]),
        ("", []),
        ("?! … —", []),
    ],
)
def test_terms_of_words_and_identifiers(text: str, terms: list[str]) -> None:
    assert PLAIN.terms(text) == terms


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Café", "CAFE\u0301"),
        ("Straße", "STRASSE"),
        ("Łódź", "lodz"),
        ("ﬁne", "fine"),
        ("ＳＥＣ－０１４", "SEC-014"),
        ("naïve co\u00adoperate", "naive cooperate"),
        ("İzmir", "izmir"),
        ("X‑Rate", "X-Rate"),
        ("Ångström", "angstrom"),
        ("ガイド", "ｶﾞｲﾄﾞ"),
        ("한글", "\u1112\u1161\u11ab\u1100\u1173\u11af"),
    ],
)
def test_case_accents_and_compatibility_forms_are_folded(one: str, other: str) -> None:
    assert PLAIN.terms(one) == PLAIN.terms(other) != []


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("SEC-014", "SEC014"),
        ("sec_014", "SEC-014"),
        ("e-mail", "email"),
        ("99497", "$99,497"),
        ("x-ratelimit-remaining", "X_RateLimit_Remaining"),
    ],
)
def test_variants_of_an_identifier_share_its_whole_form(question: str, text: str) -> None:
    assert PLAIN.terms(question)[0] == PLAIN.terms(text)[0]


def test_cjk_gives_characters_and_neighbouring_pairs() -> None:
    assert PLAIN.terms("東京都") == ["東", "京", "都", "東京", "京都"]
    assert PLAIN.terms("RAG検索v2") == ["rag", "検", "索", "検索", "v2"]


def test_marks_of_indic_scripts_stay_in_their_words() -> None:
    assert PLAIN.terms("हिन्दी किताब") == ["हिन्दी", "किताब"]
    assert PLAIN.terms("が") != PLAIN.terms("か")


def test_english_words_are_stemmed_and_stop_words_left_out() -> None:
    assert ENGLISH.terms("What were the boundaries of swirling flows?") == ["boundari", "swirl", "flow"]
    assert ENGLISH.terms("who is it, and why?") == []


def test_stop_words_count_in_the_whole_form_of_an_identifier_only() -> None:
    assert ENGLISH.terms("not-for-all") == ["notforal"]


def test_identifiers_with_digits_are_not_stemmed() -> None:
    assert ENGLISH.terms("tables2 SEC-014s") == ["tables2", "sec014s", "sec", "014s"]


def test_stemming_and_stop_words_are_off_when_told() -> None:
    plain = english(stemming=False, stop_words=False)
    assert plain.tokenizer.terms("the boundaries") == ["the", "boundaries"]
    names = {english(stemming=s, stop_words=w).name for s in (True, False) for w in (True, False)}
    assert len(names) == 4


def test_very_long_runs_are_cut_alike_on_both_sides() -> None:
    assert PLAIN.terms("x" * 5000) == ["x" * MAX_TERM_CHARACTERS]


@given(st.text())
def test_any_text_gives_terms_that_can_be_stored(text: str) -> None:
    for term in ENGLISH.terms(text):
        assert 0 < len(term) <= MAX_TERM_CHARACTERS
        assert not any(c.isspace() or c == "\0" for c in term)


@given(st.text(alphabet="aZ9-_.,'$ éß東が", max_size=30))
def test_terms_are_the_same_the_second_time(text: str) -> None:
    assert PLAIN.terms(text) == Tokenizer(None, frozenset()).terms(text) == PLAIN.terms(text)
