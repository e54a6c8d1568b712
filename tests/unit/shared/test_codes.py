"""Is what looks like an identifier told from numbers, measures and ordinary words?"""

import pytest

from shared.codes import codes_in, is_code, key_of


@pytest.mark.parametrize(
    "word",
    [
        *(
            "SEC-014",
            "E4102",
            "RFC 2119",
            "X-RateLimit-Remaining",
            "X-Tide-Station",
            "hnsw.ef_search",
            "maxTokens",
        ),
        *("NL-204", "v2.1", "PO-2024-118", "x86_64", "TG-4290", "K-83", "H2O", "ISO 9001"),
    ],
)
def test_identifier_is_a_code(word: str) -> None:
    assert is_code(word)
    assert [code.key for code in codes_in(f"See {word}, please.")] == [key_of(word)]


@pytest.mark.parametrize(
    "word",
    [
        *(
            "12mm",
            "2nd",
            "1990s",
            "3.5GHz",
            "24-hour",
            "10-fold",
            "on-site",
            "Covid-19",
            "iPhone",
            "U.S.",
            "2024",
        ),
        *("$99,497", "me@home.no", "http://x.y/z9", "well-known", "O'Neill", "McDonald"),
    ],
)
def test_ordinary_word_is_no_code(word: str) -> None:
    assert list(codes_in(f"See {word}, please.")) == []


@pytest.mark.parametrize("spelling", ["SEC-014", "sec 014", "SEC014", "Sec.014", "SEC_014"])
def test_spellings_share_a_key(spelling: str) -> None:
    assert key_of(spelling) == "sec014"
