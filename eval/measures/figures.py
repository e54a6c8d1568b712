"""Which figures does a text state, and does another text state them too?

A figure is a number that counts or measures. No figures are: what letters, digits and joiners make a code of
(NL-204, E4102, v1.2.3, 4.2.1, 4/2026), dates in digits (2024-03-05, 05.03.2024, 5/3/2024) and times of day
(12:30). A date with its month in words gives day and year, two plain figures; an ordinal (15th) is a figure.
A comma or dot before exactly three digits is read as in English: 1,284 has thousands and 1.284 decimals.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import StrEnum

from eval.measures.figure_words import (
    CURRENCY_SIGNS,
    CURRENCY_WORDS,
    KRONER,
    PERCENT_WORDS,
    SCALE_LETTERS,
    SCALE_WORDS,
    SPELLED,
    UNITS,
)


class FigureKind(StrEnum):
    """What a figure counts: anything, hundredths, or money."""

    PLAIN = "plain"
    PERCENT = "percent"
    CURRENCY = "currency"


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure at `start`..`end` of its text (code points, half-open, with sign, scale and unit).

    `value` is with its scale ("1.2 million" is 1200000) and `written` without; `unit` is "%", a currency's
    code, or "" for a plain figure.
    """

    value: Decimal
    kind: FigureKind
    unit: str
    start: int
    end: int
    written: Decimal


def _any_of(words: Iterable[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=lambda w: (-len(w), w)))


_SPACES = " \u00a0\u2009\u202f"
_HYPHENS = "-‑"
_SIGNS = "-−+"
_WORD_END = r"(?![^\W_])"
_RUN = re.compile(rf"\d+(?:[.,'’{_SPACES}]\d+)*|(?<![\w.])\.\d+")
# How a number may be written, the characters that part its thousands, and its decimal mark.
_FORMATS: Sequence[tuple[re.Pattern[str], str, str]] = tuple(
    (re.compile(pattern), thousands, decimal)
    for pattern, thousands, decimal in (
        (r"\d*\.?\d+", "", "."),
        (r"[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?", ",", "."),
        (r"[1-9]\d?(?:,\d{2})+,\d{3}(?:\.\d+)?", ",", "."),
        (r"[1-9]\d{0,2}(?:['’]\d{3})+(?:\.\d+)?", "'’", "."),
        (rf"[1-9]\d{{0,2}}(?:[{_SPACES}]\d{{3}})+(?:\.\d+)?", _SPACES, "."),
        (rf"[1-9]\d{{0,2}}(?:[{_SPACES}]\d{{3}})+,\d+", _SPACES, ","),
        (r"[1-9]\d{0,2}(?:\.\d{3}){2,}", ".", ","),
        (r"[1-9]\d{0,2}(?:\.\d{3})+,\d+", ".", ","),
        (r"(?:0|[1-9]\d*),\d{1,2}|0,\d+", "", ","),
    )
)
_MONEY = rf"(?P<word>{_any_of(CURRENCY_WORDS)}){_WORD_END}|(?P<sign>[{''.join(CURRENCY_SIGNS)}])"
_MONEY_AFTER = re.compile(rf"[{_SPACES}]?(?:{_MONEY})", re.IGNORECASE)
_MONEY_BEFORE = re.compile(
    rf"(?:(?<![^\W_])(?P<word>{_any_of(CURRENCY_WORDS)})\.?|(?P<sign>[{''.join(CURRENCY_SIGNS)}]))[{_SPACES}]?\Z",
    re.IGNORECASE,
)
_MONEY_APART = re.compile(rf"(?<![^\W_])(?:{_MONEY})", re.IGNORECASE)
_PERCENT = re.compile(rf"[{_SPACES}]?(?:%|(?:{_any_of(PERCENT_WORDS)}){_WORD_END})", re.IGNORECASE)
_SCALE = re.compile(rf"[{_SPACES}]?(?P<scale>{_any_of(SCALE_WORDS)}){_WORD_END}", re.IGNORECASE)
_SCALE_LETTER = re.compile(rf"(?P<scale>{_any_of(SCALE_LETTERS)}){_WORD_END}", re.IGNORECASE)
_LETTERS = re.compile(r"[^\W\d_]+[²³]?")
_LOWER_WORD = re.compile(r"[a-zß-öø-ÿ]{2,}")
_LONGEST_BEFORE = 12

_RANGE = re.compile(
    rf"(?<!\w)(?<!\w[{_HYPHENS}./:])(?P<low>[1-9][\d.,]*|0[.,]\d+)(?P<dash>[{_HYPHENS}])"
    rf"(?P<high>[1-9]\d*(?:[.,]\d+)*)(?![\d_])(?![{_HYPHENS}./:]\w)"
)
_BETWEEN = re.compile(r"\s?[-‑–—]\s?|\s(?:to|bis|à|til)\s")


def figures(text: str) -> list[Figure]:
    """Every figure of the text in order; the unit and scale of a range's end hold for its beginning too."""
    dashes = frozenset(m.start("dash") for m in _RANGE.finditer(text) if _rises(m["low"], m["high"]))
    found: list[Figure] = []
    for run in _RUN.finditer(text):
        for start, digits, number in _numbers(run.start(), run.group()):
            taken = found[-1].end if found else 0
            figure = _in_context(text, (start, start + len(digits)), number, dashes=dashes, taken=taken)
            if figure is not None:
                found.append(figure)
    for i in range(len(found) - 2, -1, -1):
        low, high = found[i], found[i + 1]
        bare = low.kind is FigureKind.PLAIN and low.value == low.written
        if bare and _BETWEEN.fullmatch(text, low.end, high.start):
            scale = high.value / high.written if high.written else Decimal(1)
            found[i] = replace(low, kind=high.kind, unit=high.unit, value=low.value * scale)
    return found


def contains_figure(text: str, figure: Figure, *, unscaled: bool = False) -> bool:
    """Whether the text states the figure: its value with its sign, whatever the separators.

    A plain figure may be of any kind there and, where `unscaled`, before a scale too (62 in "62 million"). A
    percentage or an amount needs its unit at the number, or apart from every number, as a column's heading
    has it. Kroner of no named country are those of any.
    """
    stated = figures(text)
    apart = _without(text, stated)
    if unscaled and figure.kind is FigureKind.PLAIN and any(figure.value == f.written for f in stated):
        return True
    return any(_same(figure, other, apart) for other in stated)


def unsupported_figures(claim: str, passage: str) -> list[Figure]:
    """The claim's figures that the passage does not state; there a small one may be an English word."""
    words = set(re.findall(r"[a-z]+", passage.casefold()))
    return [
        figure
        for figure in figures(claim)
        if not contains_figure(passage, figure)
        and not (figure.kind is FigureKind.PLAIN and SPELLED.get(figure.value, "") in words)
    ]


def whole_figure(text: str) -> Figure | None:
    """The figure that a text is, with nothing beside it; else None."""
    found = figures(text.strip())
    return found[0] if len(found) == 1 and found[0].end - found[0].start == len(text.strip()) else None


def _numbers(start: int, run: str) -> Iterator[tuple[int, str, Decimal]]:
    """Where each number of a run of digits stands: the run is one, or several in a row, or none."""
    for pattern, thousands, decimal in _FORMATS:
        if pattern.fullmatch(run):
            digits = "".join(ch for ch in run if ch not in thousands)
            yield start, run, Decimal(digits.replace(decimal, "."))
            return
    separator = next((s for s in (*_SPACES, ",") if s in run), None)
    for piece in run.split(separator) if separator else ():
        yield from _numbers(start, piece)
        start += len(piece) + 1


def _in_context(
    text: str, at: tuple[int, int], number: Decimal, *, dashes: frozenset[int], taken: int
) -> Figure | None:
    """The figure with what stands around the number, or None where that makes it part of something else."""
    start, end = at
    head, negative = _signed(text, start)
    before = _MONEY_BEFORE.search(text, max(taken, head - _LONGEST_BEFORE), head)
    if before:
        head, minus = _signed(text, before.start())
        negative = negative or minus
    if _joined_before(text, head, dashes, bool(before)):
        return None
    written = -number if negative else number
    value = written
    scale = _SCALE.match(text, end) or (_SCALE_LETTER.match(text, end) if before else None)
    if scale:
        name = scale["scale"].casefold()
        value *= SCALE_WORDS.get(name) or SCALE_LETTERS[name]
        end = scale.end()
    kind, unit = FigureKind.PLAIN, ""
    if before:
        kind, unit = FigureKind.CURRENCY, _code(before)
    elif after := _PERCENT.match(text, end):
        kind, unit, end = FigureKind.PERCENT, "%", after.end()
    elif after := _MONEY_AFTER.match(text, end):
        kind, unit, end = FigureKind.CURRENCY, _code(after), after.end()
    if _joined_after(text, end, dashes):
        return None
    return Figure(value, kind, unit, head, end, written)


def _signed(text: str, at: int) -> tuple[int, bool]:
    """Where a sign before `at` begins, and whether it is a minus; between words or numbers it is none."""
    if at and text[at - 1] in _SIGNS and not (at > 1 and (text[at - 2].isalnum() or text[at - 2] in ")]%_")):
        return at - 1, text[at - 1] != "+"
    return at, False


def _joined_before(text: str, at: int, dashes: frozenset[int], after_currency: bool) -> bool:
    near, far = text[at - 1 : at], text[at - 2 : at - 1] if at > 1 else ""
    if near.isalnum() or near == "_":
        return True
    if after_currency:
        return False
    if near and near in _HYPHENS:
        return far.isalnum() and at - 1 not in dashes
    return (near == ":" and far.isdigit()) or (near in (".", "/", "\\") and far.isalnum())


def _joined_after(text: str, at: int, dashes: frozenset[int]) -> bool:
    letters = _LETTERS.match(text, at)
    if letters and letters.group() in UNITS:
        at = letters.end()
    near, far = text[at : at + 1], text[at + 1 : at + 2]
    if near.isalnum() or near == "_":
        return True
    if near and near in _HYPHENS:
        return at not in dashes and far.isalnum() and not _LOWER_WORD.match(text, at + 1)
    return (near in (":", "/") and far.isdigit()) or (near == "." and far.islower())


def _rises(low: str, high: str) -> bool:
    pair = [[number for _, _, number in _numbers(0, side)] for side in (low, high)]
    return all(len(numbers) == 1 for numbers in pair) and pair[0] < pair[1]


def _code(money: re.Match[str]) -> str:
    return CURRENCY_WORDS[money["word"].casefold()] if money["word"] else CURRENCY_SIGNS[money["sign"]]


def _same(sought: Figure, found: Figure, apart: str) -> bool:
    if sought.value != found.value:
        return False
    if sought.kind is FigureKind.PLAIN:
        return True
    if sought.kind is found.kind:
        return _same_unit(sought.unit, found.unit)
    if found.kind is not FigureKind.PLAIN:
        return False
    if sought.kind is FigureKind.PERCENT:
        return _PERCENT.search(apart) is not None
    return any(_same_unit(sought.unit, _code(money)) for money in _MONEY_APART.finditer(apart))


def _same_unit(one: str, other: str) -> bool:
    return one == other or ("kr" in (one, other) and {one, other} <= KRONER)


def _without(text: str, stated: Sequence[Figure]) -> str:
    """What is left of a text without its figures, one piece a line."""
    ends = [0, *(figure.end for figure in stated)]
    starts = [*(figure.start for figure in stated), len(text)]
    return "\n".join(text[end:start] for end, start in zip(ends, starts, strict=True))
