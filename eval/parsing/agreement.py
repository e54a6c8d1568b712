"""What does a parser lose of files without a known truth, by the words that other parsers agree on?"""

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import pairwise

from eval.parsing.view import ParsedView

_AGREEING = 2
# What a word that is cut in two may lack between its pieces: a ligature that its font gives no letters for.
_CUT_AT = ("", "ff", "fi", "fl", "ffi", "ffl")
# A hyphen at a line's end, in the forms that parsers give it, and the word that goes on after it.
_LINE_END = re.compile(r"(?<=\w)(?:[-\u00ad\u2010\ufffe\x02]\s*\r?\n\s*|\ufffe\s*|\x02\s*)(?=\w)")
_HYPHEN = re.compile(r"(?<=\w)[-\u00ad\u2010\u2011](?=\w)")
# Letters in runs, except where a script writes no spaces (or sets them where it likes): there each is a word.
_WORD = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W_\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+"
)


@dataclass(frozen=True, slots=True)
class Recovery:
    """Of the words that others agree on, the share that a parser has too; None where they agree on none."""

    words: int
    share: float | None


def recoveries(views: Mapping[str, ParsedView]) -> dict[str, Recovery]:
    """By parser: how much it has of what at least two of all others read of one file.

    Words are multisets over the whole text, furniture included, hyphens aside, since where a hyphen stays is
    each parser's own choice. Each parser is held against the others alone, so none judges itself. Nothing is
    lost where another cuts in two what a parser has whole, or writes a note's mark to the word before it.
    """
    read = {parser: _words_in_order(view.text) for parser, view in views.items()}
    words = {parser: Counter(order) for parser, order in read.items()}
    found: dict[str, Recovery] = {}
    for parser, own in words.items():
        agreed = _agreed([other for name, other in words.items() if name != parser])
        total = agreed.total()
        lost = agreed - own
        cuts = {pair for name, order in read.items() if name != parser for pair in pairwise(order)}
        kept = _whole(lost, own - agreed, cuts) + _marked(lost, read[parser])
        found[parser] = Recovery(total, ((own & agreed).total() + kept) / total if total else None)
    return found


def comparable_words(text: str) -> Counter[str]:
    """The words of a text, NFKC-folded, words over a line's end joined and hyphens within words left out."""
    return Counter(_words_in_order(text))


def _words_in_order(text: str) -> list[str]:
    joined = _HYPHEN.sub("", _LINE_END.sub("", text))
    return _WORD.findall(unicodedata.normalize("NFKC", joined))


def _whole(lost: Counter[str], spare: Counter[str], cuts: Set[tuple[str, str]]) -> int:
    """How many lost words are pieces, as others cut it, of a word that is there whole; each is spent once."""
    kept = 0
    for left, right in sorted(cuts):
        if left == right or not lost[left] or not lost[right]:
            continue
        for between in _CUT_AT:
            found = min(spare[left + between + right], lost[left], lost[right])
            spare[left + between + right] -= found
            lost[left] -= found
            lost[right] -= found
            kept += 2 * found
    return kept


def _marked(lost: Counter[str], order: Sequence[str]) -> int:
    """How many lost words are there with their last character, a mark, standing by itself."""
    pairs = Counter(left + mark for left, mark in pairwise(order) if len(mark) == 1 and left[-1].isalpha())
    return (lost & pairs).total()


def _agreed(words: Sequence[Counter[str]]) -> Counter[str]:
    """Each word as often as at least two have it."""
    agreed: Counter[str] = Counter()
    for word in set().union(*words):
        counts = sorted((one[word] for one in words), reverse=True)
        if len(counts) >= _AGREEING and counts[_AGREEING - 1]:
            agreed[word] = counts[_AGREEING - 1]
    return agreed
