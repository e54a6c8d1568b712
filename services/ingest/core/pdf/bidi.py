"""In which order is a line read whose glyphs run from right to left, and what do its brackets mean?"""

import unicodedata
from collections.abc import Sequence
from dataclasses import replace

from services.ingest.core.pdf.word import Word

_LEFT, _RIGHT, _NUMBER, _NEUTRAL = "L", "R", "N", "O"
_OPENING, _CLOSING = "([{«<", ")]}»>"
_MIRROR = str.maketrans(_OPENING + _CLOSING, _CLOSING + _OPENING)


def logical_word(glyphs: Sequence[str]) -> str:
    """The text of glyphs that stand from left to right, in the order in which it is read."""
    if not any(map(_runs_leftwards, glyphs)):
        return "".join(glyphs)
    units: list[str] = []
    for text in glyphs:
        if units and text and all(unicodedata.combining(character) for character in text):
            units[-1] += text  # a vowel sign stands over the letter that begins left of it
        else:
            units.append(text)
    classes = [_class(unit) for unit in units]
    leftwards = classes.count(_RIGHT) >= classes.count(_LEFT)
    return "".join(units[index] for index in _order(classes, leftwards))


def logical_line(line: Sequence[Word]) -> list[Word]:
    """The words of a line, given from left to right, in the order in which they are read."""
    if all(word.text.isascii() for word in line):
        return list(line)
    classes = [_class(word.text) for word in line]
    if _RIGHT not in classes:
        return list(line)
    weight = dict.fromkeys((_LEFT, _RIGHT, _NUMBER, _NEUTRAL), 0)
    for word, kind in zip(line, classes, strict=True):
        weight[kind] += len(word.text)
    within = classes[0] == classes[-1] == _RIGHT
    order = _order(classes, within or weight[_RIGHT] >= weight[_LEFT])
    words = [replace(line[index], glued=False) for index in order]
    kinds = [classes[index] for index in order]
    return _with_brackets(words, kinds)


def _order(classes: Sequence[str], leftwards: bool) -> list[int]:
    """The indices of units that stand from left to right, in reading order."""
    runs = _runs(classes, _LEFT if leftwards else _RIGHT)
    if not leftwards:
        return [index for first, last, turned in runs for index in _span(first, last, turned)]
    return [index for first, last, kept in reversed(runs) for index in _span(first, last, not kept)]


def _runs(classes: Sequence[str], kind: str) -> list[tuple[int, int, bool]]:
    """The units as runs of `kind`, numbers and neutrals between them included, and what lies between.

    Numbers keep their own order wherever they stand.
    """
    runs: list[tuple[int, int, bool]] = []
    index = 0
    while index < len(classes):
        if classes[index] not in (kind, _NUMBER):
            runs.append((index, index + 1, False))
            index += 1
            continue
        wanted = kind if classes[index] == kind else _NUMBER
        last = index + 1
        for ahead in range(index + 1, len(classes)):
            if classes[ahead] in (wanted, _NUMBER if kind == _LEFT else wanted):
                last = ahead + 1
            elif classes[ahead] in (_NEUTRAL, _NUMBER) and wanted == kind:
                continue
            else:
                break
        runs.append((index, last, wanted == kind or kind == _LEFT))
        index = last
    return runs


def _span(first: int, last: int, turned: bool) -> Sequence[int]:
    return range(last - 1, first - 1, -1) if turned else range(first, last)


def _with_brackets(words: list[Word], kinds: Sequence[str]) -> list[Word]:
    """Brackets among right-to-left words as they are meant: fonts give some their shape on the page."""
    meant = [kind in (_RIGHT, _NEUTRAL) for kind in kinds]
    texts = "".join(word.text for word, own in zip(words, meant, strict=True) if own)
    marks = [character for character in texts if character in _OPENING + _CLOSING]
    if not marks or (marks[0] in _OPENING and marks[-1] in _CLOSING):
        return words
    return [
        replace(word, text=word.text.translate(_MIRROR)) if own else word
        for word, own in zip(words, meant, strict=True)
    ]


def _runs_leftwards(text: str) -> bool:
    return not text.isascii() and any(unicodedata.bidirectional(c) in ("R", "AL") for c in text)


def _class(text: str) -> str:
    """What most of its letters are, else whether it is a number."""
    kinds = [unicodedata.bidirectional(character) for character in text]
    right = sum(kind in ("R", "AL") for kind in kinds)
    left = kinds.count("L")
    if right or left:
        return _RIGHT if right >= left else _LEFT
    return _NUMBER if "EN" in kinds or "AN" in kinds else _NEUTRAL
