"""Which lines of a plain text are headings, and how deep?"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from services.ingest.core.formats.plain.lines import Line
from services.ingest.core.text import one_line

_UNDERLINE = re.compile(r"={3,}|-{3,}|~{3,}|\*{3,}|\^{3,}")
_LEVELS = {"=": 1, "*": 1, "-": 2, "~": 3, "^": 4}
_NUMBERED = re.compile(r"(?P<number>\d{1,2}(?:\.\d{1,3})*)(?P<dot>\.?)\s{1,4}(?P<words>[^\W\d_].*)")
_NAMED = re.compile(
    r"(?:chapter|section|part|appendix|annex|article|kapitel|anhang|chapitre|annexe)"
    r"\s+(?:\d{1,3}|[IVXLC]{1,6}|[A-Z])(?:[.:\s–—-].*)?",
    re.IGNORECASE,
)
_MAX_CHARACTERS = 80
_MIN_LETTERS = 4
_SENTENCE_ENDS = tuple(".,;:!?")
_MAX_CAPITALS_SHARE = 0.3  # of all stanzas: above it the text shouts


@dataclass(frozen=True, slots=True)
class Heading:
    """The first lines of a stanza that are a heading, its level and its words."""

    lines: int
    level: int
    words: str


class HeadingFinder:
    """Tells the headings of one text. Those drawn with a line rank first, then capitals, then numbers."""

    def __init__(self, stanzas: Sequence[Sequence[Line]]) -> None:
        drawn = [found.level for stanza in stanzas if (found := underlined(stanza))]
        capitals = sum(_in_capitals(stanza) for stanza in stanzas)
        self._shouts = capitals > 2 and capitals > _MAX_CAPITALS_SHARE * len(stanzas)
        self._capitals_level = max(drawn, default=0) + 1
        self._numbers_above = self._capitals_level - (0 if capitals and not self._shouts else 1)

    def heading_of(
        self, stanza: Sequence[Line], before: Sequence[Line], after: Sequence[Line]
    ) -> Heading | None:
        """The heading that opens a stanza between two others, of which either may be empty."""
        drawn = underlined(stanza)
        if drawn:
            return drawn
        if not self._shouts and _in_capitals(stanza) and (after or len(stanza) > 1):
            return Heading(1, min(6, self._capitals_level), one_line(stanza[0].text))
        if len(stanza) > 1 or not after:
            return None
        depth = _numbered(stanza[0], before, after)
        return Heading(1, min(6, self._numbers_above + depth), one_line(stanza[0].text)) if depth else None


def underlined(stanza: Sequence[Line]) -> Heading | None:
    """A line with one drawn under it, and perhaps over it."""
    texts = [line.text.strip() for line in stanza[:3]]
    if len(texts) > 2 and _UNDERLINE.fullmatch(texts[0]) and texts[0] == texts[2] and not _drawn(texts[1]):
        return Heading(3, _LEVELS[texts[0][0]], one_line(texts[1]))
    if len(texts) < 2 or _drawn(texts[0]) or not _UNDERLINE.fullmatch(texts[1]):
        return None
    return Heading(2, _LEVELS[texts[1][0]], one_line(texts[0]))


def _drawn(words: str) -> bool:
    return bool(_UNDERLINE.match(words))


def _in_capitals(stanza: Sequence[Line]) -> bool:
    """A short first line without small letters, alone or above lines that have them."""
    words = stanza[0].text.strip()
    if len(words) > _MAX_CHARACTERS or words.endswith(_SENTENCE_ENDS) or words != words.upper():
        return False
    if words == words.lower() or sum(map(str.isalpha, words)) < _MIN_LETTERS or "\t" in words or "|" in words:
        return False
    if re.search(r"\S {2,}\S", words) or sum(map(str.isdigit, words)) > len(words) / 4:
        return False
    return len(stanza) == 1 or stanza[1].text != stanza[1].text.upper()


def _numbered(line: Line, before: Sequence[Line], after: Sequence[Line]) -> int:
    """How deep a numbered line stands as a heading, from 1; 0 for an item of a list or a sentence."""
    words = line.text.strip()
    if len(words) > _MAX_CHARACTERS or words.endswith(_SENTENCE_ENDS):
        return 0
    if _NAMED.fullmatch(words):
        return 1
    found = _NUMBERED.fullmatch(words)
    if not found:
        return 0
    depth = found["number"].count(".") + 1
    if depth == 1 and (not found["dot"] or not found["words"][0].isupper()):
        return 0
    if depth == 1 and any(_NUMBERED.match(near[0].text.strip()) for near in (before, after) if near):
        return 1 if after and "." in _number_of(after[0]) else 0
    return depth


def _number_of(line: Line) -> str:
    found = _NUMBERED.match(line.text.strip())
    return found["number"] if found else ""
