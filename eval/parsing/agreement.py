"""What does a parser lose of files without a known truth, by the words that other parsers agree on?"""

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from eval.parsing.view import ParsedView

_AGREEING = 2
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
    each parser's own choice. Each parser is held against the others alone, so none judges itself.
    """
    words = {parser: comparable_words(view.text) for parser, view in views.items()}
    found: dict[str, Recovery] = {}
    for parser, own in words.items():
        agreed = _agreed([other for name, other in words.items() if name != parser])
        total = agreed.total()
        found[parser] = Recovery(total, (own & agreed).total() / total if total else None)
    return found


def comparable_words(text: str) -> Counter[str]:
    """The words of a text, NFKC-folded, words over a line's end joined and hyphens within words left out."""
    joined = _HYPHEN.sub("", _LINE_END.sub("", text))
    return Counter(_WORD.findall(unicodedata.normalize("NFKC", joined)))


def _agreed(words: Sequence[Counter[str]]) -> Counter[str]:
    """Each word as often as at least two have it."""
    agreed: Counter[str] = Counter()
    for word in set().union(*words):
        counts = sorted((one[word] for one in words), reverse=True)
        if len(counts) >= _AGREEING and counts[_AGREEING - 1]:
            agreed[word] = counts[_AGREEING - 1]
    return agreed
