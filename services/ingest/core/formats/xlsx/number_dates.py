"""How is a serial number shown as a date or a time?"""

import calendar
from collections.abc import Sequence
from datetime import datetime, timedelta

from services.ingest.core.formats.xlsx.number_codes import (
    COMMA,
    DATE,
    DIGIT,
    ELAPSED,
    HALF_DAY,
    LITERAL,
    POINT,
    SLASH,
    Section,
    Token,
)

_EPOCH_1904 = datetime(1904, 1, 1)
_EPOCH_1900 = datetime(1899, 12, 30)  # right from March 1900 on
_LEAP_DAY_THAT_NEVER_WAS = 60  # 29 February 1900, which the 1900 system counts
MAX_SERIAL = 2_958_466  # the first day after the year 9999
_MICROSECONDS = 86_400_000_000
_MAX_DECIMALS = 3


def date_shown(serial: float, section: Section, *, from_1904: bool) -> str | None:
    """The serial as the section shows it, with English names; None outside the years 1900 to 9999."""
    if not 0 <= serial < MAX_SERIAL:
        return None
    tokens = _minutes_told_apart(section.tokens)
    decimals = _decimals_of_seconds(tokens)
    seconds_shown = any(token.kind in (DATE, ELAPSED) and token.text[0] == "s" for token in tokens)
    total = round(serial * _MICROSECONDS)
    step = 10 ** (6 - decimals) if seconds_shown else 1_000
    total = (total + step // 2) // step * step
    days, within_day = divmod(total, _MICROSECONDS)
    moment, leap_day = _moment(days, from_1904=from_1904)
    if moment is None:
        return None
    moment += timedelta(microseconds=within_day)
    twelve = section.has(HALF_DAY)
    parts: list[str] = []
    after_seconds = False
    for index, token in enumerate(tokens):
        if token.kind == DATE:
            parts.append(_date_part(token.text, moment, twelve=twelve, leap_day=leap_day))
            after_seconds = token.text[0] == "s"
        elif token.kind == ELAPSED:
            parts.append(_elapsed(token.text, total))
            after_seconds = token.text[0] == "s"
        elif token.kind == HALF_DAY:
            halves = ("AM", "PM") if len(token.text) > 3 else ("A", "P")
            parts.append(halves[moment.hour >= 12])
        elif token.kind == POINT:
            following = tokens[index + 1].kind if index + 1 < len(tokens) else ""
            fraction = f"{moment.microsecond:06d}"[:decimals]
            parts.append(f".{fraction}" if after_seconds and following == DIGIT else ".")
        elif token.kind in (LITERAL, SLASH, COMMA):
            parts.append(token.text)
    return "".join(parts)


def _moment(days: int, *, from_1904: bool) -> tuple[datetime | None, bool]:
    """The day of a serial, and whether it is the 29 February 1900 of the 1900 system."""
    try:
        if from_1904:
            return _EPOCH_1904 + timedelta(days=days), False
        if days > _LEAP_DAY_THAT_NEVER_WAS:
            return _EPOCH_1900 + timedelta(days=days), False
        leap_day = days == _LEAP_DAY_THAT_NEVER_WAS
        return _EPOCH_1900 + timedelta(days=days if leap_day else days + 1), leap_day
    except OverflowError:
        return None, False


def _minutes_told_apart(tokens: Sequence[Token]) -> list[Token]:
    """Letters in lower case, and an m after hours or before seconds as `n`, which is minutes here."""
    letters = [
        Token(token.kind, token.text.lower()) if token.kind in (DATE, ELAPSED) else token for token in tokens
    ]
    timed = [index for index, token in enumerate(letters) if token.kind in (DATE, ELAPSED)]
    for place, index in enumerate(timed):
        token = letters[index]
        if token.kind != DATE or token.text[0] != "m" or len(token.text) > 2:
            continue
        before = letters[timed[place - 1]].text[0] if place else ""
        after = letters[timed[place + 1]].text[0] if place + 1 < len(timed) else ""
        if before == "h" or after == "s":
            letters[index] = Token(DATE, "n" * len(token.text))
    return letters


def _decimals_of_seconds(tokens: Sequence[Token]) -> int:
    """How many zeros follow `s.`: at most three are shown."""
    for index, token in enumerate(tokens[:-1]):
        if token.kind == POINT and tokens[index + 1].kind == DIGIT:
            count = 0
            while index + 1 + count < len(tokens) and tokens[index + 1 + count].kind == DIGIT:
                count += 1
            return min(count, _MAX_DECIMALS)
    return 0


def _date_part(run: str, moment: datetime, *, twelve: bool, leap_day: bool) -> str:
    letter, length = run[0], len(run)
    if letter in "ye":
        return f"{moment.year % 100:02d}" if letter == "y" and length <= 2 else f"{moment.year:04d}"
    if letter == "m" and length > 2:
        month = 2 if leap_day else moment.month
        name = calendar.month_name[month]
        return name[0] if length == 5 else calendar.month_abbr[month] if length == 3 else name
    if letter == "d" and length > 2:
        names = calendar.day_abbr if length == 3 else calendar.day_name
        return names[moment.weekday()]
    number = {
        "m": 2 if leap_day else moment.month,
        "d": 29 if leap_day else moment.day,
        "h": (moment.hour % 12 or 12) if twelve else moment.hour,
        "n": moment.minute,
        "s": moment.second,
    }[letter]
    return f"{number:02d}" if length > 1 else str(number)


def _elapsed(run: str, microseconds: int) -> str:
    unit = {"h": 3_600_000_000, "m": 60_000_000, "s": 1_000_000}[run[0]]
    return f"{microseconds // unit:0{min(len(run), 9)}d}"
