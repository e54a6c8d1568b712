"""What does the cross-encoder read of a question and a passage, when both do not fit?"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

# The question gets at most this share of a pair, so that some passage is always read.
QUESTION_SHARE = 0.5
SPECIAL_TOKENS = 3  # [CLS] question [SEP] passage [SEP]


@dataclass(frozen=True, slots=True)
class Specials:
    """The ids of a BERT tokenizer's special tokens."""

    cls: int
    sep: int


@dataclass(frozen=True, slots=True)
class Pair:
    """Ids and segment types as the model reads them; both counts include the special tokens."""

    token_ids: tuple[int, ...]
    type_ids: tuple[int, ...]
    tokens_present: int
    tokens_read: int


def read_of_question(question: Sequence[int], max_tokens: int) -> Sequence[int]:
    """The head of the question that a pair of `max_tokens` has room for."""
    return question[: int((max_tokens - SPECIAL_TOKENS) * QUESTION_SHARE)]


def pair_of(question: Sequence[int], passage: Sequence[int], max_tokens: int, specials: Specials) -> Pair:
    """The pair as the model reads it, cut to `max_tokens`: of a long passage, its likeliest window."""
    asked = read_of_question(question, max_tokens)
    room = max_tokens - SPECIAL_TOKENS - len(asked)
    start = likeliest_window(asked, passage, room)
    read = passage[start : start + room]
    first = (specials.cls, *asked, specials.sep)
    second = (*read, specials.sep)
    return Pair(
        token_ids=first + second,
        type_ids=(0,) * len(first) + (1,) * len(second),
        tokens_present=len(question) + len(passage) + SPECIAL_TOKENS,
        tokens_read=len(first) + len(second),
    )


def likeliest_window(question: Sequence[int], passage: Sequence[int], room: int) -> int:
    """Where the `room` tokens begin that share most with the question; 0 if the passage fits.

    Each distinct token of the question counts once in a window, by 1 / (its occurrences in the passage):
    a word on every line says nothing about where to look. Of neighbouring windows that are worth the same
    the middle one is read, so that what was found has context on both sides; the head of the passage, which
    says what it is about, wins over an equal window further down.
    """
    if len(passage) <= room:
        return 0
    worths = _worths(set(question), passage, room)
    # Sums of the same weights in another order differ in their last bits: that is no difference.
    best = max(worths) - 1e-9
    first = next(start for start, worth in enumerate(worths) if worth >= best)
    if first == 0:
        return 0
    after = next((start for start in range(first, len(worths)) if worths[start] < best), len(worths))
    return (first + after - 1) // 2


def _worths(asked: set[int], passage: Sequence[int], room: int) -> list[float]:
    """For each start, what a window of `room` tokens is worth; the passage is longer than that."""
    occurrences = Counter(token for token in passage if token in asked)
    inside: Counter[int] = Counter()
    worths, worth = [], 0.0
    for end, token in enumerate(passage, start=1):
        if token in occurrences:
            worth += 0.0 if inside[token] else 1 / occurrences[token]
            inside[token] += 1
        if end > room:
            left = passage[end - room - 1]
            if left in occurrences:
                inside[left] -= 1
                worth -= 0.0 if inside[left] else 1 / occurrences[left]
        if end >= room:
            worths.append(worth)
    return worths
