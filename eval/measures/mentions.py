"""Does an answer say what it must, whatever its case, accents and way of writing a figure?"""

import re
import unicodedata
from collections.abc import Iterable

from eval.measures.figures import contains_figure, whole_figure

# Letters that no decomposition takes apart, as people type them without the key for it.
_PLAIN = str.maketrans({"ø": "o", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"})
_SIGNS = str.maketrans(
    {**dict.fromkeys("‐‑‒–—−", "-"), **dict.fromkeys("’‘ʼ`´", "'"), **dict.fromkeys("“”„«»", '"')}
)


def says(text: str, mention: str) -> bool:
    """Whether the text says any of the alternatives that " | " parts, as words of its own.

    One that is a figure is sought by its value, a plain one before a scale too (62 in "62 million"), any
    other by its words. ValueError when one is empty.
    """
    alternatives = [alternative.strip() for alternative in mention.split("|")]
    if not all(alternatives):
        raise ValueError(f"the mention {mention!r}, or one of its alternatives, is empty")
    return any(_says_one(text, alternative) for alternative in alternatives)


def said(text: str, mentions: Iterable[str]) -> tuple[str, ...]:
    """Those of the mentions that the text says."""
    return tuple(mention for mention in mentions if says(text, mention))


def folded(text: str) -> str:
    """The text without case, accents and typographic signs, its white space single."""
    marks = unicodedata.normalize("NFKD", text.translate(_SIGNS)).casefold()
    plain = "".join(ch for ch in marks if not unicodedata.combining(ch)).translate(_PLAIN)
    return " ".join(plain.split())


def _says_one(text: str, alternative: str) -> bool:
    figure = whole_figure(alternative)
    if figure is not None:
        return contains_figure(text, figure, unscaled=True)
    words = folded(alternative)
    # A word ends where letters and digits do, and a number not at a separator between two digits.
    begin = r"(?<!\w)" + (r"(?<!\d[.,:/'-])" if words[0].isdigit() else "") if words[0].isalnum() else ""
    end = r"(?!\w)" + (r"(?![.,:/'-]\d)" if words[-1].isdigit() else "") if words[-1].isalnum() else ""
    return re.search(begin + re.escape(words) + end, folded(text)) is not None
