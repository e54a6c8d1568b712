"""Which words of a text are identifiers: SEC-014, E4102, RFC 2119, X-RateLimit-Remaining, hnsw.ef_search?"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

MAX_CHARACTERS = 64

_JOINT = r"(?:::|->|[-‐‑_.:/])"
_PIECE = r"[A-Za-z0-9]+"
_WORD = re.compile(
    rf"(?<![\w@/.-])(?:[A-Z]{{2,5}} \d{{2,6}}(?![\w,.]*\d)|{_PIECE}(?:{_JOINT}{_PIECE})*)(?!\w)"
)
_SPACED = re.compile(r"[A-Z]{2,5} \d{2,6}")
_HUMP = re.compile(r"[a-z]{2}[A-Z][a-z]|[a-z]{2}[A-Z]{2}")
# 12mm, 2nd, 1990s, 3.5GHz, 10-fold, 24-hour: a number with its unit or ending is a measure, not a name.
_MEASURE = re.compile(r"\d[\d.,]*(?:-?[A-Za-z]{1,6}|-[A-Za-z-]+)")
_ORDINARY = re.compile(r"[A-Za-z][a-z]*(?:-[A-Za-z][a-z]*)*(?:-\d{1,2})?", re.ASCII)  # on-site, Covid-19
_FIELD = re.compile(r"X-[A-Z][A-Za-z]+(?:-[A-Za-z]+)*")  # X-Tide-Station, as header fields are named
_PATH_MARKS = re.compile(r"[:/]|->")
_JOINTS = re.compile(rf"{_JOINT}|\s")


@dataclass(frozen=True, slots=True)
class Code:
    """An identifier where it stands: `text[start:end]`; `key` is equal for all its spellings."""

    start: int
    end: int
    key: str


def codes_in(text: str) -> Iterator[Code]:
    """The identifiers of a text in order: what joins letters with digits, underscores, dots or humps.

    Numbers, measures, ordinary hyphenated words and addresses are none.
    """
    for found in _WORD.finditer(text):
        word = found.group()
        if word.isalpha() and (word.islower() or word.istitle()):
            continue  # nearly all words: told quickly
        if len(word) <= MAX_CHARACTERS and is_code(word):
            yield Code(found.start(), found.end(), key_of(word))


def is_code(word: str) -> bool:
    """Whether a word is an identifier by its looks."""
    if _SPACED.fullmatch(word):
        return True
    if not any(map(str.isalpha, word)) or _MEASURE.fullmatch(word) or _PATH_MARKS.search(word):
        return False
    if "_" in word or _HUMP.search(word) or _FIELD.fullmatch(word):
        return True
    has_digit = any(map(str.isdigit, word))
    if _ORDINARY.fullmatch(word):
        return has_digit and word[:2].isupper()
    return has_digit


def key_of(code: str) -> str:
    """`SEC-014`, `sec 014` and `SEC014` -> `sec014`."""
    return _JOINTS.sub("", code).casefold()
