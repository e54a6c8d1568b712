"""Which terms does a text consist of? Words folded and stemmed, identifiers whole and in parts."""

import re
import unicodedata
from collections.abc import Callable, Iterator

Stem = Callable[[str], str]

# Longer runs are data rather than words; both sides cut alike, so they still match.
MAX_TERM_CHARACTERS = 64
MAX_REMEMBERED_WORDS = 100_000

# Combining marks that are no accents: without them Indic, Hebrew, Arabic and Thai words would fall apart.
_MARKS = "\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0903\u093a-\u094f\u0951-\u0957"
_MARKS += (
    "\u0980-\u0983\u09bc-\u09cd\u0a01-\u0a03\u0a3c-\u0a4d\u0a81-\u0a83\u0abc-\u0acd\u0b01-\u0b03\u0b3c-\u0b4d"
)
_MARKS += "\u0b82\u0bbe-\u0bcd\u0c00-\u0c04\u0c3e-\u0c56\u0c81-\u0c83\u0cbc-\u0cd6\u0d00-\u0d03\u0d3e-\u0d4d"
_MARKS += (
    "\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece\u102b-\u103e\u17b4-\u17d3\u3099\u309a"
)
_LETTER = f"(?:[^\\W_]|[{_MARKS}])"
# What may stand inside an identifier: X-RateLimit, ef_search, hnsw.m, std::sort, a/b, me@home, AT&T.
_JOINT = r"(?:::|->|[-‐‑_.:/@+&'’])"
# Scripts written without spaces, and Hangul, whose words carry particles.
_CJK = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)

_GROUPED = r"(?<![\w.])\d{1,3}(?:[,'’]\d{3})+(?:\.\d+)?(?!\w)"
_SHARP = r"(?<!\w)[A-Za-z](?:\+\+|#)(?!\w)"  # C++, C#
_ASCII_WORD = re.compile(rf"{_GROUPED}|{_SHARP}|[A-Za-z0-9]+(?:{_JOINT}[A-Za-z0-9]+)*")
_ANY_WORD = re.compile(rf"{_GROUPED}|{_SHARP}|{_LETTER}+(?:{_JOINT}{_LETTER}+)*")
_SPACED_THOUSANDS = re.compile(r"(?<=\d)[\u00a0\u2009\u202f](?=\d{3}(?!\d))")
_ACCENTS = re.compile("[\u0300-\u036f]+")
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]+")
_UNDECOMPOSED = str.maketrans(
    {"ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ð": "d", "þ": "th", "æ": "ae", "Æ": "AE"}
    | {"œ": "oe", "Œ": "OE", "ı": "i", "µ": "u", "μ": "u"}
)
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_GROUPS = re.compile(r"(\d{1,3}(?:[,'’]\d{3})+)(\.\d+)?")
_SPLIT = re.compile(rf"({_JOINT})")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z]{2})")
_CJK_RUN = re.compile(f"[{_CJK}]+")


def fold_accents(text: str) -> str:
    """The text in compatibility form, without accents and invisible characters; case is kept."""
    if text.isascii():
        return text
    text = _SPACED_THOUSANDS.sub(",", text)
    text = unicodedata.normalize("NFKD", text).translate(_UNDECOMPOSED)
    return unicodedata.normalize("NFC", _INVISIBLE.sub("", _ACCENTS.sub("", text)))


class Tokenizer:
    """Texts and questions to terms, in the same way. A stem of None leaves words as they are.

    `SEC-014` gives `sec014`, `sec` and `014`, so that it is found as SEC-014, SEC014 and SEC 014, and its
    exact form scores best; `$99,497` and `99497` both give `99497`. A CJK run gives its characters and
    its pairs of neighbours. Stop words count only as words, never inside an identifier's whole form.
    """

    def __init__(self, stem: Stem | None, stop_words: frozenset[str]) -> None:
        self._stem = stem
        self._stop_words = stop_words
        self._remembered: dict[str, tuple[str, ...]] = {}

    def terms(self, text: str) -> list[str]:
        """Every term with its repetitions, in the text's order."""
        folded = fold_accents(text)
        pattern = _ASCII_WORD if folded.isascii() else _ANY_WORD
        found: list[str] = []
        for match in pattern.finditer(folded):
            found.extend(self._terms_of(match.group()))
        return found

    def _terms_of(self, word: str) -> tuple[str, ...]:
        known = self._remembered.get(word)
        if known is None:
            known = tuple(term[:MAX_TERM_CHARACTERS] for term in self._analysed(word))
            if len(self._remembered) < MAX_REMEMBERED_WORDS and len(word) <= MAX_TERM_CHARACTERS:
                self._remembered[word] = known
        return known

    def _analysed(self, word: str) -> Iterator[str]:
        grouped = _GROUPS.fullmatch(word)
        if grouped:
            yield re.sub(r"\D", "", grouped[1]) + (grouped[2] or "")
            return
        if word[-1] in "+#":
            yield word.casefold()
            return
        if _NUMBER.fullmatch(word):
            yield word
            return
        if not word.isascii() and _CJK_RUN.search(word):
            yield from self._mixed(word)
            return
        yield from self._identifier(word)

    def _identifier(self, word: str) -> Iterator[str]:
        pieces = _SPLIT.split(word)
        if len(pieces) > 2 and pieces[-2] in "'’" and pieces[-1].casefold() == "s":
            pieces = pieces[:-2]  # the possessive
        pieces = _without_apostrophes(pieces)
        parts = [(piece, _HUMP.split(piece)) for piece in pieces[::2]]
        if len(parts) > 1:
            yield self._stemmed(_joined(pieces).casefold())
        for piece, humps in parts:
            if len(humps) > 1:
                yield self._stemmed(piece.casefold())
            for hump in humps:
                folded = hump.casefold()
                if folded not in self._stop_words:
                    yield self._stemmed(folded)

    def _mixed(self, word: str) -> Iterator[str]:
        at = 0
        for run in _CJK_RUN.finditer(word):
            for match in _ANY_WORD.finditer(word, at, run.start()):
                yield from self._terms_of(match.group())
            characters = run.group()
            yield from characters
            yield from (characters[i : i + 2] for i in range(len(characters) - 1))
            at = run.end()
        for match in _ANY_WORD.finditer(word, at):
            yield from self._terms_of(match.group())

    def _stemmed(self, term: str) -> str:
        return self._stem(term) if self._stem is not None and term.isalpha() else term


def _without_apostrophes(pieces: list[str]) -> list[str]:
    """Pieces and joints in turn, with don't and O'Neill as one piece each."""
    joined = pieces[:1]
    for joint, piece in zip(pieces[1::2], pieces[2::2], strict=True):
        if joint in "'’":
            joined[-1] += piece
        else:
            joined += [joint, piece]
    return joined


def _joined(pieces: list[str]) -> str:
    """The whole identifier: joints go, but between digits they stay (3.14 is not 314)."""
    whole = pieces[0]
    for joint, piece in zip(pieces[1::2], pieces[2::2], strict=True):
        between_digits = whole[-1:].isdigit() and piece[:1].isdigit()
        whole += (joint if between_digits else "") + piece
    return whole
