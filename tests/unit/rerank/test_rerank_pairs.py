"""What is read of a question and a passage that do not fit together."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.rerank.core.pairs import Specials, likeliest_window, pair_of
from services.rerank.core.scores import sigmoid

SPECIALS = Specials(cls=101, sep=102)
TOKENS = st.lists(st.integers(1, 9), max_size=60)


def test_a_pair_that_fits_is_read_whole() -> None:
    pair = pair_of([1, 2], [3, 4, 5], 8, SPECIALS)
    assert pair.token_ids == (101, 1, 2, 102, 3, 4, 5, 102)
    assert pair.type_ids == (0, 0, 0, 0, 1, 1, 1, 1)
    assert (pair.tokens_present, pair.tokens_read) == (8, 8)


def test_only_the_passage_is_cut_when_the_question_is_short() -> None:
    pair = pair_of([1, 2], [3] * 10, 8, SPECIALS)
    assert pair.token_ids == (101, 1, 2, 102, 3, 3, 3, 102)
    assert (pair.tokens_present, pair.tokens_read) == (15, 8)


def test_a_long_question_leaves_half_of_the_room_to_the_passage() -> None:
    pair = pair_of([1] * 50, [2] * 50, 13, SPECIALS)
    assert pair.token_ids == (101, *[1] * 5, 102, *[2] * 5, 102)
    assert (pair.tokens_present, pair.tokens_read) == (103, 13)


def test_of_a_long_passage_the_stretch_that_shares_most_is_read() -> None:
    passage = [50, 51, 52, 53, 7, 54, 8, 55, 56, 57]
    assert likeliest_window([7, 8], passage, 3) == 4
    assert pair_of([7, 8], passage, 8, SPECIALS).token_ids == (101, 7, 8, 102, 7, 54, 8, 102)


def test_a_word_on_every_line_does_not_decide_where_to_look() -> None:
    common, rare = 1, 2
    passage = [common, 50, common, 51, common, 52, 53, 54, rare, 55]
    start = likeliest_window([common, rare], passage, 3)
    assert rare in passage[start : start + 3]


@pytest.mark.parametrize("question", [[], [9]])
def test_without_a_shared_token_the_head_is_read(question: list[int]) -> None:
    assert likeliest_window(question, [1] * 20, 4) == 0


def test_the_head_wins_over_an_equal_stretch_further_down() -> None:
    assert likeliest_window([7], [7, 1, 1, 1, 7, 1], 2) == 0


def test_what_was_found_is_read_with_context_on_both_sides() -> None:
    assert likeliest_window([7], [1] * 20 + [7] + [1] * 20, 9) == 16


@given(question=TOKENS, passage=TOKENS, room=st.integers(1, 30))
def test_no_other_window_shares_more(question: list[int], passage: list[int], room: int) -> None:
    start = likeliest_window(question, passage, room)
    asked = set(question)

    def worth(at: int) -> float:
        return sum(1 / passage.count(t) for t in set(passage[at : at + room]) & asked)

    last = max(0, len(passage) - room)
    assert 0 <= start <= last
    assert worth(start) >= max(worth(at) for at in range(last + 1)) - 1e-6


@given(question=TOKENS, passage=TOKENS, max_tokens=st.integers(8, 64))
def test_a_pair_is_never_longer_than_allowed_and_counts_add_up(
    question: list[int], passage: list[int], max_tokens: int
) -> None:
    pair = pair_of(question, passage, max_tokens, SPECIALS)
    assert len(pair.token_ids) == len(pair.type_ids) == pair.tokens_read <= max_tokens
    assert pair.tokens_read <= pair.tokens_present == len(question) + len(passage) + 3


@pytest.mark.parametrize(("logit", "score"), [(0.0, 0.5), (800.0, 1.0), (-800.0, 0.0), (2.0, 0.880797077977)])
def test_sigmoid_neither_overflows_nor_leaves_its_range(logit: float, score: float) -> None:
    assert sigmoid(logit) == pytest.approx(score)
