"""What becomes of accents drawn apart, of ligatures, and of small type raised or lowered beside a word?"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace

from services.ingest.core.pdf.device import Glyph
from services.ingest.core.pdf.word import Word

_COMBINING = {
    "`": "\u0300", "\u00b4": "\u0301", "\u02c6": "\u0302", "\u02dc": "\u0303", "\u00af": "\u0304",
    "\u02d8": "\u0306", "\u02d9": "\u0307", "\u00a8": "\u0308", "\u02da": "\u030a", "\u02dd": "\u030b",
    "\u02c7": "\u030c", "\u00b8": "\u0327", "\u02db": "\u0328",
}  # fmt: skip
# Forms that fonts have for the look of it: Latin, Hebrew and Arabic ligatures and forms, Kangxi radicals.
_FORMS = re.compile("[\ufb00-\ufb06\ufb13-\ufb4f\ufb50-\ufdfb\ufe70-\ufefc\u2e80-\u2fd5]")
_SUPERSCRIPTS = str.maketrans("0123456789+-\u2212", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻")
_EXPONENT = re.compile(r"[-+\u2212]?\d{1,3}")
_ORDINAL = re.compile(r"(?:st|nd|rd|th|er|re|e|o|a|ème|ter|te|TM|SM|\u2122|\u00ae)\W*")
_PRIMES = re.compile("[\u2032\u2033\u2034]+")
_QUANTITY = re.compile(r"(?:.*[\d)\]]|[a-zA-Z\u03bcµΩ]|[kcdmµn]?m|ft|in|km|sec)")
_SMALL = 0.86  # of the type beside it: less is a script
_SPACE_SHARE = 0.15
_FOLLOWING = ",.;:!?)]}»”’"
_REACH = 0.4  # of the type size: how far a script may stand from its word


def composed(glyphs: Sequence[Glyph]) -> list[Glyph]:
    """The glyphs with each accent that is drawn over a letter put into it."""
    if not any(glyph.text in _COMBINING for glyph in glyphs):
        return list(glyphs)
    spent: set[int] = set()
    for index, accent in enumerate(glyphs):
        if accent.text not in _COMBINING:
            continue
        for near in (index + 1, index - 1, index + 2):
            if 0 <= near < len(glyphs) and near != index and _is_over(accent, glyphs[near]):
                letter = glyphs[near]
                whole = unicodedata.normalize("NFC", letter.text + _COMBINING[accent.text])
                if len(whole) == 1:
                    letter.text = whole
                    spent.add(index)
                    break
    return [glyph for index, glyph in enumerate(glyphs) if index not in spent]


def folded(text: str) -> str:
    """Letters with their marks as one character, and forms of the look of it as the letters that they are."""
    return unicodedata.normalize("NFC", _FORMS.sub(lambda form: unicodedata.normalize("NFKC", form[0]), text))


def with_scripts(words: list[Word]) -> list[Word]:
    """The words with small raised and lowered type put on the line of the word that it stands beside.

    A subscript is glued to its word, an exponent too, in the characters for it; a note's mark stands apart.
    """
    if len({word.size for word in words}) < 2:
        return words
    ends: dict[tuple[int, int], list[Word]] = {}
    starts: dict[tuple[int, int], list[Word]] = {}
    for word in words:
        ends.setdefault(_cell(word.x1, word.base), []).append(word)
        starts.setdefault(_cell(word.x0, word.base), []).append(word)
    done, closed = [], dict[tuple[int, int], list[Word]]()
    for word in words:
        beside = _beside(word, ends)
        script = _before(word, starts) if beside is None else _script(word, beside)
        done.append(script)
        if beside is not None:
            closed.setdefault(_cell(word.x1, beside.base), []).append(replace(script, base=beside.base))
    return [_after_script(word, closed) for word in done] if closed else done


def _is_over(accent: Glyph, letter: Glyph) -> bool:
    middle = (accent.x0 + accent.x1) / 2
    shared = min(accent.bottom, letter.bottom) - max(accent.top, letter.top)
    return (
        len(letter.text) == 1
        and letter.text.isalpha()
        and letter.x0 < middle < letter.x1
        and shared > (letter.bottom - letter.top) / 2
    )


def _cell(x: float, base: float) -> tuple[int, int]:
    return int(x) >> 3, int(base) >> 4


def _near(x: float, base: float, cells: dict[tuple[int, int], list[Word]]) -> Iterator[Word]:
    column, row = _cell(x, base)
    for at in (column, column - 1, column + 1):
        for down in (row, row - 1, row + 1):
            yield from cells.get((at, down), ())


def _beside(word: Word, ends: dict[tuple[int, int], list[Word]]) -> Word | None:
    """The larger word that ends where this one begins, if it stands a little higher or lower than that."""
    for other in _near(word.x0, word.base, ends):
        size, shift = other.size, other.base - word.base
        if (
            word.size < _SMALL * size
            and -0.45 * size < shift < 0.75 * size
            and abs(shift) > 0.08 * size
            and -0.3 * size < word.x0 - other.x1 < _REACH * word.size
        ):
            return other
    return None


def _before(word: Word, starts: dict[tuple[int, int], list[Word]]) -> Word:
    """A raised mark with the words that it opens, as a note's number stands before the note."""
    for other in _near(word.x1, word.base, starts):
        raised = other.base - word.base
        if (
            word.size < _SMALL * other.size
            and 0.1 * other.size < raised < 0.75 * other.size
            and -0.2 * other.size < other.x0 - word.x1 < other.size
        ):
            text = word.text.translate(_SUPERSCRIPTS)
            return replace(word, text=text, mark=True, top=other.top, bottom=other.bottom)
    return word


def _script(word: Word, beside: Word) -> Word:
    raised = beside.base - word.base > 0
    text, glued, mark = word.text, True, False
    if raised:
        if _EXPONENT.fullmatch(text) and _QUANTITY.fullmatch(beside.text):
            text = text.translate(_SUPERSCRIPTS)
        elif not _ORDINAL.fullmatch(text) and not _PRIMES.fullmatch(text):
            text, glued, mark = text.translate(_SUPERSCRIPTS), False, True
    return replace(word, text=text, glued=glued, mark=mark, top=beside.top, bottom=beside.bottom)


def _after_script(word: Word, closed: dict[tuple[int, int], list[Word]]) -> Word:
    """What follows a script follows without a space, if the script had none or it is a comma or the like."""
    if word.glued or word.mark:
        return word
    for script in _near(word.x0, word.base, closed):
        if abs(script.base - word.base) < 1 and abs(word.x0 - script.x1) < _SPACE_SHARE * word.size:
            glued = (script.glued and not script.mark) or word.text[0] in _FOLLOWING
            return replace(word, glued=True) if glued else word
    return word
